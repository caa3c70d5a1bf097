// SPDX-License-Identifier: GPL-3.0-or-later
/* hosts.c - 'runcast monitor --hosts': sensors on many hosts, into the database. */
#include "cmd/monitor/agent_words.h"
#include "cmd/monitor/monitor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/terminal.h"
#include "base/timestamp.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

#define REFRESH 1.0        /* seconds between two drawings of the table */
#define FINISH_SECONDS 1.5 /* that sensors have to end by themselves */

/* One call of the command. */
struct watching {
    const struct rc_cmd_monitor *monitor;
    const struct rc_cmd_monitor_options *options; /* of the monitor */
    struct rc_hostlist hosts;
    struct rc_watch_link *links;
    size_t n_links;
    double link_interval, link_bytes;
    struct rc_db *db;
    struct rc_watch *watch;
    struct rc_watch_db *writer;
    struct rc_cmd_monitor_screen screen;
    struct rc_error memory;            /* of the first sample for which memory ran out */
    bool live;                         /* a table on a terminal */
    bool stuck;                        /* the database took nothing the last time */
    bool noted_seldom, noted_too_fast; /* of a link */
};

/* ---- hosts and links ---- */

static int take_hosts(struct rc_hostlist *list, const struct rc_platform *platform)
{
    list->names = calloc(rc_platform_host_count(platform) + 1, sizeof *list->names);
    for (size_t c = 0; list->names && c < platform->n_clusters; c++)
        for (size_t h = 0; h < platform->clusters[c].n_hosts; h++) {
            list->names[list->count] = strdup(platform->clusters[c].hosts[h].name);
            if (!list->names[list->count])
                return -1;
            list->count++;
        }
    return list->names ? 0 : -1;
}

static int choose_from_platform(struct watching *watching)
{
    const struct rc_cmd_monitor_options *options = watching->options;
    struct rc_error error = {0};
    struct rc_platform *platform = rc_platform_load(options->platform_file, &error);
    int status = RC_EXIT_OK;

    if (!platform)
        return rc_cmd_fail(&error, "reading the platform file");
    for (size_t i = 0; i < watching->hosts.count && status == RC_EXIT_OK; i++)
        if (!rc_platform_find_host(platform, watching->hosts.names[i], NULL)) {
            rc_error_set(&error, "no host '%s' in the platform", watching->hosts.names[i]);
            status = rc_cmd_fail(&error, "looking for hosts in %s", options->platform_file);
        }
    if (!options->hosts && take_hosts(&watching->hosts, platform)) {
        rc_error_no_memory(&error);
        status = rc_cmd_fail(&error, "reading the platform file");
    }
    rc_platform_destroy(platform);
    return status;
}

static int choose_hosts(struct watching *watching)
{
    const struct rc_cmd_monitor_options *options = watching->options;
    struct rc_error error = {0};

    if (options->hosts && rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                                      RC_WATCH_HOSTS_MAX, &watching->hosts, &error))
        return rc_cmd_usage_text(watching->monitor->invocation, "--hosts: %s", error.text);
    return options->platform_file ? choose_from_platform(watching) : RC_EXIT_OK;
}

static double either(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

static int choose(struct watching *watching)
{
    const struct rc_invocation *invocation = watching->monitor->invocation;
    const struct rc_cmd_monitor_options *options = watching->options;
    struct rc_error error = {0};
    int status = choose_hosts(watching);

    if (status)
        return status;
    watching->link_interval = either(options->link_interval, RC_WATCH_LINK_INTERVAL);
    watching->link_bytes = either(options->link_bytes, RC_WATCH_LINK_BYTES);
    if (!(watching->link_interval >= 1))
        return rc_cmd_usage_text(invocation, "--link-interval must be 1s or more");
    if (options->links && strcmp(options->links, "none") != 0 &&
        rc_watch_links_parse(options->links, (const char *const *)watching->hosts.names,
                             watching->hosts.count, &watching->links, &watching->n_links, &error))
        return rc_cmd_usage_text(invocation, "--links: %s", error.text);
    return RC_EXIT_OK;
}

/* ---- while it runs ---- */

static void meet_sample(void *data, const struct rc_watch_sample *sample)
{
    struct watching *watching = data;
    struct rc_error error = {0};

    if (rc_watch_db_add(watching->writer, sample, &error) && !watching->memory.text[0])
        watching->memory = error;
}

/* Elsewhere than on a terminal, a line when a host is lost or is back. */
static void meet_change(void *data, size_t host, const struct rc_watch_host *now)
{
    struct watching *watching = data;
    char at[RC_TIME_SIZE], wait[RC_UNIT_SIZE];

    (void)host;
    if (watching->live || watching->options->quiet)
        return;
    rc_timestamp_format(round(now->since), at);
    if (now->state == RC_WATCH_LOST) {
        rc_unit_format(round(now->retry_at - now->since), RC_SECONDS, wait);
        rc_cmd_note("%s: %s is lost: %s; next try in %s", at, now->name, now->reason, wait);
    } else if (now->losses > 0) {
        rc_cmd_note("%s: %s is back", at, now->name);
    }
}

/* Notes once that links are probed less often, and once that one cannot be measured. */
static void probe_less(void *data, const struct rc_watch_link_info *now)
{
    struct watching *watching = data;
    const char *from = rc_watch_host(watching->watch, now->from)->name;
    const char *to = rc_watch_host(watching->watch, now->to)->name;
    char interval[RC_UNIT_SIZE], bytes[RC_UNIT_SIZE];
    bool *noted = now->too_fast ? &watching->noted_too_fast : &watching->noted_seldom;

    if (*noted || watching->options->quiet)
        return;
    *noted = true;
    watching->screen.lines = 0; /* the table continues below the note */
    rc_unit_format(round(now->interval), RC_SECONDS, interval);
    rc_unit_format(watching->link_bytes, RC_BYTES, bytes);
    if (now->too_fast)
        rc_cmd_note("%s:%s is too fast for a probe of %s an hour; its bandwidth is not measured; "
                    "--link-bytes allows more",
                    from, to, bytes);
    else
        rc_cmd_note("%s:%s is so fast that it is probed every %s, so that a probe is long enough; "
                    "--link-bytes is %s an hour; the same may hold for other links",
                    from, to, interval, bytes);
}

/* Reports once that the database takes nothing, and once that it does again. */
static void write_samples(struct watching *watching, double now)
{
    struct rc_error error = {0};

    if (now < rc_watch_db_due(watching->writer))
        return;
    if (rc_watch_db_write(watching->writer, now, &error) == 0) {
        if (watching->stuck && !watching->live)
            rc_cmd_note("the database accepts samples again");
        watching->stuck = false;
        return;
    }
    if (!watching->stuck) {
        rc_error_hint(&error, "monitoring continues; samples stay in memory for some minutes");
        rc_cmd_fail(&error, "storing samples");
        watching->screen.lines = 0; /* the table continues below the message */
    }
    watching->stuck = true;
}

static void show(struct watching *watching, double now, double *shown)
{
    struct rc_watch_db_info stored;

    if (!watching->live || now < *shown + REFRESH)
        return;
    stored = rc_watch_db_info(watching->writer);
    rc_cmd_monitor_draw(&watching->screen, watching->watch, &stored);
    *shown = now;
}

/* Until the time is up or a signal came; `*length`: how long that was. */
static int run(struct watching *watching, double *length, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    double begun = clock->monotonic(clock), now = begun, shown = -INFINITY, wait;
    int status = 0;

    while (!rc_cmd_interrupted() && now < begun + watching->monitor->duration && status == 0 &&
           !watching->memory.text[0]) {
        wait = fmin(begun + watching->monitor->duration, rc_watch_db_due(watching->writer)) - now;
        status = rc_watch_step(watching->watch, fmax(0, fmin(wait, RC_CMD_MONITOR_WAIT)), error);
        now = clock->monotonic(clock);
        write_samples(watching, now);
        show(watching, now, &shown);
    }
    if (status == 0 && watching->memory.text[0]) {
        *error = watching->memory;
        status = -1;
    }
    *length = now - begun;
    return status;
}

/* ---- start and end ---- */

static int start(struct watching *watching, struct rc_error *error)
{
    const struct rc_cmd_monitor_options *options = watching->options;
    struct rc_cmd_agent_words agent;
    struct rc_watch_options wanted;

    rc_cmd_agent_words(&agent, options->runcast_path, watching->monitor->interval,
                       watching->monitor->probe_interval, options->exclude);
    rc_watch_options_init(&wanted);
    wanted.hosts = (const char *const *)watching->hosts.names;
    wanted.n_hosts = watching->hosts.count;
    wanted.launcher = options->launcher ? options->launcher : "ssh";
    wanted.sensor = agent.words;
    wanted.interval = watching->monitor->interval;
    wanted.links = watching->links;
    wanted.n_links = watching->n_links;
    wanted.link_interval = watching->link_interval;
    wanted.link_bytes = watching->link_bytes;
    wanted.burst = either(options->probe_bytes, RC_WATCH_BURST);
    wanted.db = watching->db;
    wanted.seed = (uint64_t)getpid();
    wanted.sample = meet_sample;
    wanted.change = meet_change;
    wanted.probe_less = probe_less;
    wanted.data = watching;
    watching->writer = rc_watch_db_create(watching->db, wanted.n_hosts, wanted.n_links, error);
    watching->watch = watching->writer ? rc_watch_create(&wanted, error) : NULL;
    return watching->watch ? 0 : -1;
}

/* Launchers of another user, such as those of sudo, cannot be killed. */
static void note_left_behind(const struct watching *watching)
{
    for (size_t i = 0; i < rc_watch_n_hosts(watching->watch); i++) {
        const struct rc_watch_host *host = rc_watch_host(watching->watch, i);

        if (host->left_behind && !watching->options->quiet)
            rc_cmd_note("the launcher of %s (process %ld) does not end and could not be killed; it "
                        "still runs",
                        host->name, (long)host->left_behind);
    }
}

/* Ends the sensors, stores what waits, and reports. */
static int conclude(struct watching *watching, double length)
{
    const struct rc_cmd_monitor_options *options = watching->options;
    struct rc_answer_monitor answer = {.seconds = length, .interrupted = rc_cmd_interrupted() != 0};
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    rc_watch_finish(watching->watch, FINISH_SECONDS);
    note_left_behind(watching);
    if (rc_watch_db_flush(watching->writer, RC_CMD_MONITOR_FLUSH, &error))
        status = rc_cmd_fail(&error, "storing the last samples");
    answer.stored = rc_watch_db_info(watching->writer);
    if (watching->live)
        rc_cmd_monitor_clear(&watching->screen); /* the report has the same, and more */
    if (rc_answer_monitor_make(&answer, watching->watch)) {
        rc_error_no_memory(&error);
        status = rc_cmd_fail(&error, "monitoring");
    } else if (options->json) {
        answer.notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_monitor, &answer));
        json_decref(answer.notes);
    } else if (!options->quiet) {
        rc_cmd_monitor_report(&answer);
    }
    rc_answer_monitor_free(&answer);
    if (answer.stored.dropped > 0) {
        rc_error_set(&error, RC_CMD_MONITOR_LOST, answer.stored.dropped);
        status = rc_cmd_fail(&error, "storing samples");
    }
    if (status == RC_EXIT_OK && !answer.interrupted && rc_watch_heard(watching->watch) == 0) {
        const struct rc_watch_host *first = rc_watch_host(watching->watch, 0);

        rc_error_set(&error, "no samples from any host%s%s%s%s", first->reason[0] ? "; " : "",
                     first->reason[0] ? first->name : "", first->reason[0] ? ": " : "",
                     first->reason);
        status = rc_cmd_fail(&error, "monitoring");
    }
    return status;
}

/* Each host takes three descriptors, and many systems allow a process 1024 unless it asks.  Not as
 * many as possible: launchers inherit the limit, and some programs close as many, one by one. */
static void ask_for_descriptors(void)
{
    const rlim_t wanted = 4 * RC_WATCH_HOSTS_MAX;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int watch_hosts(struct watching *watching)
{
    struct rc_error error = {0};
    struct rc_cmd_work work;
    double length = 0;
    int status;

    ask_for_descriptors();
    /* Without a monitor: Ctrl-C ends the monitoring, and must not stop the storing of the last
     * samples. */
    watching->db = rc_cmd_open_db(watching->options->db, RC_DB_CREATE, NULL);
    if (!watching->db)
        return RC_EXIT_FAILED;
    rc_cmd_work_begin(&work, "monitoring");
    if (start(watching, &error)) {
        status = rc_cmd_fail(&error, "monitoring");
    } else {
        int failed = run(watching, &length, &error);

        status = failed ? rc_cmd_fail(&error, "monitoring") : RC_EXIT_OK;
        if (conclude(watching, length))
            status = RC_EXIT_FAILED;
    }
    rc_watch_destroy(watching->watch);
    rc_watch_db_destroy(watching->writer);
    rc_db_close(watching->db);
    rc_cmd_work_end(&work);
    return status;
}

int rc_cmd_monitor_hosts(const struct rc_cmd_monitor *monitor)
{
    struct watching watching = {.monitor = monitor, .options = monitor->options};
    int status = choose(&watching);

    watching.live = !watching.options->json && !watching.options->quiet && rc_terminal_is(stdout);
    if (status == RC_EXIT_OK)
        status = watch_hosts(&watching);
    rc_platform_hostlist_free(&watching.hosts);
    free(watching.links);
    return status;
}
