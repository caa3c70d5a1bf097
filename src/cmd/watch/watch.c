// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.c - 'runcast watch': sensors on many hosts, into the store. */
#include "cmd/watch/watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/terminal.h"
#include "base/timestamp.h"
#include "cmd/core/commands.h"
#include "platform/hostlist.h"

#define REFRESH 1.0         /* seconds between two drawings of the table */
#define FINISH_SECONDS 1.5  /* that sensors have to end by themselves */
#define FLUSH_SECONDS 10.0  /* to wait for another writer, at the end */
#define SHORT_OF_A_WAIT 1.0 /* seconds after which a signal that came between is seen */
#define EVERY_LEAST 0.1     /* what sensors take */
#define PROBE_LEAST 10.0

struct watch_options {
    const char *hosts, *platform, *launcher, *program, *links, *how_long, *probe_every, *db;
    double every, link_every, link_bytes, burst;
    bool json, quiet;
};

static const struct watch_options watch_defaults = {.every = RC_WATCH_EVERY,
                                                    .link_every = RC_WATCH_LINK_EVERY,
                                                    .link_bytes = RC_WATCH_LINK_BYTES,
                                                    .burst = RC_WATCH_BURST};

static const struct rc_option watch_options[] = {
    {.name = "hosts",
     .kind = RC_OPTION_TEXT,
     .argument = "LIST",
     .help = "the hosts to watch, such as a[1-4],b7",
     .offset = offsetof(struct watch_options, hosts)},
    {.name = "platform",
     .kind = RC_OPTION_FILE,
     .argument = "FILE",
     .help = "watch all hosts of this platform file; with --hosts, those of them",
     .offset = offsetof(struct watch_options, platform)},
    {.name = "launcher",
     .kind = RC_OPTION_TEXT,
     .argument = "COMMAND",
     .help = "what starts a program on a host, as 'COMMAND HOST PROGRAM...' (default: ssh)",
     .offset = offsetof(struct watch_options, launcher)},
    {.name = "program",
     .kind = RC_OPTION_TEXT,
     .argument = "FILE",
     .help = "runcast, as it is called on the hosts (default: runcast)",
     .offset = offsetof(struct watch_options, program)},
    {.name = "every",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .help = "from sample to sample, 0.1s or more (default: 10s)",
     .dimension = RC_SECONDS,
     .offset = offsetof(struct watch_options, every)},
    {.name = "probe-every",
     .kind = RC_OPTION_TEXT,
     .argument = "TIME",
     .help = "from one probe of a host's core to the next, 10s or more, or 'never' (default: as "
             "sensors do)",
     .offset = offsetof(struct watch_options, probe_every)},
    {.name = "links",
     .kind = RC_OPTION_TEXT,
     .argument = "LINKS",
     .help = "also probe links: ring, all, or a list such as a1:a2,a2:a3 (default: none)",
     .offset = offsetof(struct watch_options, links)},
    {.name = "link-every",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .help = "from probe to probe of one link (default: 60s)",
     .dimension = RC_SECONDS,
     .offset = offsetof(struct watch_options, link_every)},
    {.name = "link-bytes",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SIZE",
     .help = "the most that probes send over one link in any hour, those of other watchers and of "
             "recorders with the same store included (default: 64MiB)",
     .dimension = RC_BYTES,
     .offset = offsetof(struct watch_options, link_bytes)},
    {.name = "burst",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SIZE",
     .help = "bytes of a message of a probe, best as large as the program's own (default: 64KiB)",
     .dimension = RC_BYTES,
     .offset = offsetof(struct watch_options, burst)},
    {.name = "for",
     .kind = RC_OPTION_TEXT,
     .argument = "TIME",
     .help = "how long, or 'forever' (default: until Ctrl-C)",
     .offset = offsetof(struct watch_options, how_long)},
    {.name = "quiet",
     .letter = 'q',
     .kind = RC_OPTION_FLAG,
     .help = "show nothing while watching, and no summary unless --json",
     .offset = offsetof(struct watch_options, quiet)},
    RC_OPTION_JSON(struct watch_options),
    RC_OPTION_DB(struct watch_options),
    RC_OPTIONS_END,
};

/* One call of the command. */
struct watching {
    const struct watch_options *options;
    struct rc_hostlist hosts;
    struct rc_watch_link *links;
    size_t n_links;
    double seconds, probe_every;
    struct rc_db *store;
    struct rc_watch *watch;
    struct rc_watch_db *writer;
    struct rc_cmd_watch_screen screen;
    struct rc_error memory;          /* of the first sample that could not be kept */
    bool live;                       /* a table on a terminal */
    bool stuck;                      /* the store took nothing the last time */
    bool said_seldom, said_too_fast; /* of a link */
};

/* ---- what is asked for ---- */

static bool has_host(const struct rc_platform *platform, const char *name)
{
    for (size_t c = 0; c < platform->n_clusters; c++)
        for (size_t h = 0; h < platform->clusters[c].n_hosts; h++)
            if (strcmp(platform->clusters[c].hosts[h].name, name) == 0)
                return true;
    return false;
}

static int take_hosts(struct rc_hostlist *list, const struct rc_platform *platform)
{
    size_t n = 0;

    for (size_t c = 0; c < platform->n_clusters; c++)
        n += platform->clusters[c].n_hosts;
    list->names = calloc(n + 1, sizeof *list->names);
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
    const struct watch_options *options = watching->options;
    struct rc_error error = {0};
    struct rc_platform *platform = rc_platform_load(options->platform, &error);
    int status = RC_EXIT_OK;

    if (!platform)
        return rc_cmd_fail(&error, "reading the platform");
    for (size_t i = 0; i < watching->hosts.count && status == RC_EXIT_OK; i++)
        if (!has_host(platform, watching->hosts.names[i])) {
            rc_error_set(&error, "there is no host '%s' in it", watching->hosts.names[i]);
            status = rc_cmd_fail(&error, "looking for hosts in %s", options->platform);
        }
    if (!options->hosts && take_hosts(&watching->hosts, platform)) {
        rc_error_no_memory(&error);
        status = rc_cmd_fail(&error, "reading the platform");
    }
    rc_platform_destroy(platform);
    return status;
}

static int choose_hosts(const struct rc_invocation *invocation, struct watching *watching)
{
    const struct watch_options *options = watching->options;
    struct rc_error error = {0};

    if (!options->hosts && !options->platform)
        return rc_cmd_usage_text(invocation, "say which hosts: --hosts LIST or --platform FILE");
    if (options->hosts && rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                                      RC_WATCH_HOSTS_MAX, &watching->hosts, &error))
        return rc_cmd_usage_text(invocation, "--hosts: %s", error.text);
    return options->platform ? choose_from_platform(watching) : RC_EXIT_OK;
}

static int choose_times(const struct rc_invocation *invocation, struct watching *watching)
{
    const struct watch_options *options = watching->options;
    const char *text = options->how_long;
    struct rc_error error = {0};

    watching->seconds = INFINITY;
    watching->probe_every = NAN;
    if (text && strcmp(text, "forever") != 0) {
        if (rc_unit_parse(text, strlen(text), RC_SECONDS, &watching->seconds, &error))
            return rc_cmd_usage_text(invocation, "--for: %s", error.text);
        if (!(watching->seconds > 0))
            return rc_cmd_usage_text(invocation, "--for: '%s' is not greater than 0", text);
    }
    text = options->probe_every;
    if (!text)
        return RC_EXIT_OK;
    if (strcmp(text, "never") == 0)
        watching->probe_every = 0;
    else if (rc_unit_parse(text, strlen(text), RC_SECONDS, &watching->probe_every, &error))
        return rc_cmd_usage_text(invocation, "--probe-every: %s", error.text);
    else if (!(watching->probe_every >= PROBE_LEAST))
        return rc_cmd_usage_text(invocation, "--probe-every: at least 10s, or 'never'");
    return RC_EXIT_OK;
}

static int choose(const struct rc_invocation *invocation, struct watching *watching)
{
    const struct watch_options *options = watching->options;
    struct rc_error error = {0};
    int status = choose_times(invocation, watching);

    if (status || (status = choose_hosts(invocation, watching)))
        return status;
    if (!(options->every >= EVERY_LEAST && options->every <= 86400))
        return rc_cmd_usage_text(invocation, "--every: from 0.1s to 1d");
    if (!(options->link_every >= 1))
        return rc_cmd_usage_text(invocation, "--link-every: at least 1s");
    if (options->links &&
        rc_watch_links_parse(options->links, (const char *const *)watching->hosts.names,
                             watching->hosts.count, &watching->links, &watching->n_links, &error))
        return rc_cmd_usage_text(invocation, "--links: %s", error.text);
    return RC_EXIT_OK;
}

/* ---- while it goes on ---- */

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

/* Says once that links are probed less often, and once that one cannot be measured. */
static void probe_less(void *data, const struct rc_watch_link_info *now)
{
    struct watching *watching = data;
    const char *from = rc_watch_host(watching->watch, now->from)->name;
    const char *to = rc_watch_host(watching->watch, now->to)->name;
    char every[RC_UNIT_SIZE], bytes[RC_UNIT_SIZE];
    bool *said = now->too_fast ? &watching->said_too_fast : &watching->said_seldom;

    if (*said || watching->options->quiet)
        return;
    *said = true;
    watching->screen.lines = 0; /* the table goes on below what was said */
    rc_unit_format(round(now->every), RC_SECONDS, every);
    rc_unit_format(watching->options->link_bytes, RC_BYTES, bytes);
    if (now->too_fast)
        rc_cmd_note("%s:%s is too fast for a probe within %s an hour: its bandwidth is not "
                    "measured; --link-bytes allows more",
                    from, to, bytes);
    else
        rc_cmd_note("%s:%s is so fast that it is probed every %s, for each probe to be long "
                    "enough within %s an hour; other links may be too",
                    from, to, every, bytes);
}

/* Says once that the store takes nothing, and once that it does again. */
static void write_samples(struct watching *watching, double now)
{
    struct rc_error error = {0};

    if (now < rc_watch_db_due(watching->writer))
        return;
    if (rc_watch_db_write(watching->writer, now, &error) == 0) {
        if (watching->stuck && !watching->live)
            rc_cmd_note("the store takes samples again");
        watching->stuck = false;
        return;
    }
    if (!watching->stuck) {
        rc_error_hint(&error, "watching goes on; what is seen meanwhile is kept for some minutes");
        rc_cmd_fail(&error, "storing samples");
        watching->screen.lines = 0; /* the table goes on below what was said */
    }
    watching->stuck = true;
}

static void show(struct watching *watching, double now, double *shown)
{
    struct rc_watch_db_info stored;

    if (!watching->live || now < *shown + REFRESH)
        return;
    stored = rc_watch_db_info(watching->writer);
    rc_cmd_watch_draw(&watching->screen, watching->watch, &stored);
    *shown = now;
}

/* Until the time is up or a signal came; tells how long that was. */
static int go_on(struct watching *watching, double *length, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    double begun = clock->monotonic(clock), now = begun, shown = -INFINITY, wait;
    int status = 0;

    while (!rc_cmd_interrupted() && now < begun + watching->seconds && status == 0 &&
           !watching->memory.text[0]) {
        wait = fmin(begun + watching->seconds, rc_watch_db_due(watching->writer)) - now;
        status = rc_watch_step(watching->watch, fmax(0, fmin(wait, SHORT_OF_A_WAIT)), error);
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

/* ---- from the beginning to the end ---- */

static int start(struct watching *watching, struct rc_error *error)
{
    const struct watch_options *options = watching->options;
    struct rc_watch_options wanted;

    rc_watch_options_init(&wanted);
    wanted.hosts = (const char *const *)watching->hosts.names;
    wanted.n_hosts = watching->hosts.count;
    wanted.launcher = options->launcher ? options->launcher : "ssh";
    wanted.program = options->program;
    wanted.every = options->every;
    wanted.probe_every = watching->probe_every;
    wanted.links = watching->links;
    wanted.n_links = watching->n_links;
    wanted.link_every = options->link_every;
    wanted.link_bytes = options->link_bytes;
    wanted.burst = options->burst;
    wanted.db = watching->store;
    wanted.seed = (uint64_t)getpid();
    wanted.sample = meet_sample;
    wanted.change = meet_change;
    wanted.probe_less = probe_less;
    wanted.data = watching;
    watching->writer = rc_watch_db_create(watching->store, wanted.n_hosts, wanted.n_links, error);
    watching->watch = watching->writer ? rc_watch_create(&wanted, error) : NULL;
    return watching->watch ? 0 : -1;
}

/* Launchers that are not ours to kill, as those of sudo. */
static void note_left_behind(const struct watching *watching)
{
    for (size_t i = 0; i < rc_watch_n_hosts(watching->watch); i++) {
        const struct rc_watch_host *host = rc_watch_host(watching->watch, i);

        if (host->left_behind && !watching->options->quiet)
            rc_cmd_note("the launcher of %s (process %ld) does not end and could not be killed: it "
                        "is left behind",
                        host->name, (long)host->left_behind);
    }
}

/* The end of the sensors, of what waits to be stored, and the report. */
static int conclude(struct watching *watching, double length)
{
    const struct watch_options *options = watching->options;
    struct rc_cmd_watch_summary summary = {.watch = watching->watch,
                                           .seconds = length,
                                           .interrupted = rc_cmd_interrupted() != 0};
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    rc_watch_finish(watching->watch, FINISH_SECONDS);
    note_left_behind(watching);
    if (rc_watch_db_flush(watching->writer, FLUSH_SECONDS, &error))
        status = rc_cmd_fail(&error, "storing the last samples");
    summary.stored = rc_watch_db_info(watching->writer);
    if (watching->live && watching->screen.lines > 0)
        printf("\033[%zuA\r\033[J", watching->screen.lines); /* the report has the same, and more */
    if (options->json)
        rc_cmd_watch_report_json(&summary);
    else if (!options->quiet)
        rc_cmd_watch_report(&summary);
    if (summary.stored.dropped > 0) {
        rc_error_set(&error,
                     "%" PRIu64 " samples were lost, as the store took nothing for too long",
                     summary.stored.dropped);
        status = rc_cmd_fail(&error, "storing samples");
    }
    if (status == RC_EXIT_OK && !summary.interrupted && rc_watch_heard(watching->watch) == 0) {
        const struct rc_watch_host *first = rc_watch_host(watching->watch, 0);

        rc_error_set(&error, "no host gave a sample%s%s%s%s", first->reason[0] ? "; " : "",
                     first->reason[0] ? first->name : "", first->reason[0] ? ": " : "",
                     first->reason);
        status = rc_cmd_fail(&error, "watching");
    }
    return status;
}

/* Each host takes three descriptors, and many systems allow a process 1024 unless it asks.  Not all
 * that there may be: launchers inherit that, and some programs close as many, one by one. */
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
    /* Without a monitor: Ctrl-C is to end the watching, not the storing of its last samples. */
    watching->store = rc_cmd_open_db(watching->options->db, RC_DB_CREATE, NULL);
    if (!watching->store)
        return RC_EXIT_FAILED;
    rc_cmd_work_begin(&work, "watching");
    if (start(watching, &error)) {
        status = rc_cmd_fail(&error, "watching");
    } else {
        int failed = go_on(watching, &length, &error);

        status = failed ? rc_cmd_fail(&error, "watching") : RC_EXIT_OK;
        if (conclude(watching, length))
            status = RC_EXIT_FAILED;
    }
    rc_watch_destroy(watching->watch);
    rc_watch_db_destroy(watching->writer);
    rc_db_close(watching->store);
    rc_cmd_work_end(&work);
    return status;
}

static int run_watch(struct rc_invocation *invocation)
{
    struct watching watching = {.options = invocation->options};
    int status = choose(invocation, &watching);

    watching.live = !watching.options->json && !watching.options->quiet && rc_terminal_is(stdout);
    if (status == RC_EXIT_OK)
        status = watch_hosts(&watching);
    rc_platform_hostlist_free(&watching.hosts);
    free(watching.links);
    return status;
}

const struct rc_command rc_command_watch = {
    .name = "watch",
    .summary = "Watch many hosts, and store what is seen",
    .details =
        "Starts a sensor on each host by the launcher that you already have, puts all on this "
        "machine's time, and stores CPU availability, memory, load averages and traffic as "
        "series, and with --links also bandwidth and latency. A host that is lost is tried again "
        "after 1, 2, 4 ... 60 s; the others go on. Ctrl-C ends it, with a summary; nothing stays "
        "on any host.",
    .examples = "  runcast watch --hosts a1,a[2-4] --launcher ssh\n"
                "  runcast watch --hosts lab[1-4] --launcher 'runcast lab exec' --links ring\n"
                "  runcast watch --platform grid.yaml --launcher ssh --every 5s\n",
    .options = watch_options,
    .options_size = sizeof(struct watch_options),
    .defaults = &watch_defaults,
    .run = run_watch,
};
