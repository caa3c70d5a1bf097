// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.c - sensors on many hosts, read from one place: the loop, and what goes into and out of it.
 * */
#include "host/watch/internal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/process.h"
#include "platform/hostlist.h"

#define STAGGER 0.01        /* seconds between the starts of two launchers */
#define PATIENCE 3600.0     /* seconds; poll() counts in milliseconds */
#define KILL_SECONDS 1.0    /* from SIGTERM to SIGKILL, when all is to end */
#define DRAIN_SECONDS 0.5   /* for what still comes after SIGKILL */
#define GIVE_UP_SECONDS 3.0 /* from SIGKILL on for what does not end by it, as it is not ours */
#define GIVE_UP_TICK 0.02
#define FLUSH_SECONDS 1.0 /* to wait for other writers, at the end */

enum { FDS_EACH = 2 };

void rc_watch_options_init(struct rc_watch_options *options)
{
    *options = (struct rc_watch_options){.interval = RC_WATCH_INTERVAL,
                                         .link_interval = RC_WATCH_LINK_INTERVAL,
                                         .link_bytes = RC_WATCH_LINK_BYTES,
                                         .burst = RC_WATCH_BURST};
}

const char *rc_watch_state_name(enum rc_watch_state state)
{
    static const char *const names[] = {"starting", "up", "lost"};

    return names[state];
}

/* ---- creating ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No name twice: two sensors would write one series. */
static int check_names(const struct rc_watch_options *options, struct rc_error *error)
{
    const char **sorted = malloc((options->n_hosts + 1) * sizeof *sorted);
    int status = 0;

    if (!sorted)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < options->n_hosts; i++) {
        sorted[i] = options->hosts[i];
        if (status == 0 && !rc_platform_hostlist_is_name(sorted[i]))
            status = rc_error_set(error, "invalid host name '%.100s'", sorted[i]);
    }
    if (status == 0)
        qsort(sorted, options->n_hosts, sizeof *sorted, compare_names);
    for (size_t i = 1; status == 0 && i < options->n_hosts; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = rc_error_set(error, "host %s is listed twice", sorted[i]);
    free(sorted);
    return status;
}

static int check_links(const struct rc_watch_options *options, struct rc_error *error)
{
    if (options->n_links == 0)
        return 0;
    if (options->n_links > RC_WATCH_LINKS_MAX)
        return rc_error_set(error, "more than %d links", RC_WATCH_LINKS_MAX);
    for (size_t i = 0; i < options->n_links; i++)
        if (options->links[i].from >= options->n_hosts ||
            options->links[i].to >= options->n_hosts ||
            options->links[i].from == options->links[i].to)
            return rc_error_set(error, "link number %zu is not between two of the hosts", i + 1);
    if (!(options->link_interval >= 1))
        return rc_error_set(error, "the time between two probes of a link must be 1 s or more");
    if (!(options->burst >= 1 && options->burst <= 1e9))
        return rc_error_set(error, "the message of a probe must be from 1 byte to 1 GB");
    if (!(rc_watch_probe_bytes(options->link_interval, options->link_bytes) >= options->burst)) {
        rc_error_set(error,
                     "the bytes of an hour are less than one message of %.0f bytes for each "
                     "probe",
                     options->burst);
        return rc_error_hint(error, "probe less often, use smaller messages, or allow more bytes");
    }
    return 0;
}

static int check_options(const struct rc_watch_options *options, struct rc_error *error)
{
    if (options->n_hosts == 0)
        return rc_error_set(error, "no hosts");
    if (options->n_hosts > RC_WATCH_HOSTS_MAX)
        return rc_error_set(error, "more than %d hosts", RC_WATCH_HOSTS_MAX);
    if (!(options->interval >= 0.01 && options->interval <= 86400))
        return rc_error_set(error, "the time between two samples must be from 10 ms to 1 day");
    if (!options->sensor || !options->sensor[0])
        return rc_error_set(error, "missing command of the sensor");
    return check_names(options, error) || check_links(options, error) ? -1 : 0;
}

static int add_word(struct rc_watch *watch, const char *word, size_t length, struct rc_error *error)
{
    if (watch->n_words == RC_WATCH_WORDS_MAX)
        return rc_error_set(error, "too many words in the launcher");
    watch->words[watch->n_words] = strndup(word, length);
    return watch->words[watch->n_words++] ? 0 : rc_error_no_memory(error);
}

static int add_words(struct rc_watch *watch, const char *const *words, struct rc_error *error)
{
    for (; words && *words; words++)
        if (add_word(watch, *words, strlen(*words), error))
            return -1;
    return 0;
}

static int add_launcher(struct rc_watch *watch, const struct rc_watch_options *options,
                        struct rc_error *error)
{
    const char *text = options->launcher ? options->launcher : "";
    size_t length;

    if (options->launcher_words)
        return add_words(watch, options->launcher_words, error);
    if (strlen(text) >= RC_WATCH_LAUNCHER_MAX)
        return rc_error_set(error, "launcher longer than %d bytes", RC_WATCH_LAUNCHER_MAX);
    for (text += strspn(text, " \t"); *text; text += length + strspn(text + length, " \t")) {
        length = strcspn(text, " \t");
        if (add_word(watch, text, length, error))
            return -1;
    }
    return 0;
}

/* The words of the command, which is the same for all hosts but for one word. */
static int make_command(struct rc_watch *watch, const struct rc_watch_options *options,
                        struct rc_error *error)
{
    char path[RC_WATCH_LAUNCHER_MAX];

    if (add_launcher(watch, options, error))
        return -1;
    if (watch->n_words > 0) {
        watch->host_word = watch->n_words;
        if (add_word(watch, "", 0, error)) /* the host's name, when it is started */
            return -1;
    }
    if (add_words(watch, options->sensor, error))
        return -1;
    return rc_process_find(watch->words[0], path, sizeof path)
               ? rc_error_set(error, "no program '%s'", watch->words[0])
               : 0;
}

static int make_members(struct rc_watch *watch, const struct rc_watch_options *options,
                        struct rc_error *error)
{
    double now = watch->base.updated;

    watch->members = calloc(options->n_hosts, sizeof *watch->members);
    watch->names = calloc(options->n_hosts, sizeof *watch->names);
    watch->fds = calloc(FDS_EACH * options->n_hosts, sizeof *watch->fds);
    watch->random = rc_random_create(options->seed, 0);
    if (!watch->members || !watch->names || !watch->fds || !watch->random)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < options->n_hosts; i++) {
        watch->names[i] = strdup(options->hosts[i]);
        if (!watch->names[i])
            return rc_error_no_memory(error);
        rc_watch_member_init(&watch->members[i], watch->names[i], now + STAGGER * (double)i);
        watch->n_hosts++;
    }
    return 0;
}

struct rc_watch *rc_watch_create(const struct rc_watch_options *options, struct rc_error *error)
{
    struct rc_watch *watch;
    struct rc_clock *clock = options->clock ? options->clock : rc_clock_system();

    if (check_options(options, error))
        return NULL;
    watch = calloc(1, sizeof *watch);
    if (!watch)
        return rc_error_null(rc_error_no_memory(error));
    watch->options = *options;
    watch->options.hosts = NULL;
    watch->options.links = NULL;
    watch->options.launcher = NULL;
    watch->options.launcher_words = watch->options.sensor = NULL;
    watch->clock = clock;
    rc_watch_base_init(&watch->base, clock->wall(clock), clock->monotonic(clock));
    if (make_members(watch, options, error) || make_command(watch, options, error) ||
        rc_watch_schedule_init(&watch->schedule, options->links, options->n_links, options->n_hosts,
                               options->link_interval, watch->base.updated, error)) {
        rc_watch_destroy(watch);
        return NULL;
    }
    if (options->db && options->n_links > 0 &&
        !(watch->budget = rc_db_budget_create(options->db, error))) {
        rc_watch_destroy(watch);
        return NULL;
    }
    for (size_t i = 0; options->links_at_once && i < options->n_links; i++)
        watch->schedule.slots[i].due = watch->base.updated;
    return watch;
}

/* ---- the loop ---- */

/* Descriptors that are closed are negative, which poll() passes over. */
size_t rc_watch_fds(const struct rc_watch *watch, struct pollfd *fds, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < watch->n_hosts; i++) {
        const struct rc_watch_child *child = &watch->members[i].child;

        if (n < most)
            fds[n] = (struct pollfd){child->output, POLLIN, 0};
        n++;
        if (n < most)
            fds[n] = (struct pollfd){child->errors, POLLIN, 0};
        n++;
    }
    return n;
}

double rc_watch_patience(struct rc_watch *watch)
{
    double now = watch->clock->monotonic(watch->clock), wake = now + PATIENCE;

    for (size_t i = 0; i < watch->n_hosts && !watch->finished; i++)
        wake = fmin(wake, rc_watch_member_wake(&watch->members[i], now));
    if (watch->schedule.n_links > 0 && !watch->finishing)
        wake = fmin(wake, rc_watch_schedule_wake(&watch->schedule, now));
    return fmax(wake - now, 0);
}

/* Waits, and takes what came. */
static int take(struct rc_watch *watch, double seconds, struct rc_error *error)
{
    size_t n = rc_watch_fds(watch, watch->fds, FDS_EACH * watch->n_hosts);
    int ready = poll(watch->fds, n, (int)ceil(fmin(seconds, PATIENCE) * 1e3));
    double now;

    if (ready < 0 && errno != EINTR && errno != EAGAIN)
        return rc_error_errno(error, errno, "cannot wait for the sensors");
    now = rc_watch_base_read(&watch->base, watch->clock);
    for (size_t i = 0; ready > 0 && i < watch->n_hosts; i++) {
        struct rc_watch_member *member = &watch->members[i];

        if (watch->fds[FDS_EACH * i + 1].revents)
            rc_watch_member_read_errors(member, now);
        if (watch->fds[FDS_EACH * i].revents && member->child.output >= 0)
            rc_watch_member_read(watch, i);
    }
    return 0;
}

static void tend(struct rc_watch *watch)
{
    double now = rc_watch_base_read(&watch->base, watch->clock);

    for (size_t i = 0; i < watch->n_hosts; i++)
        rc_watch_member_tick(watch, i, now);
    if (watch->schedule.n_links > 0 && !watch->finishing)
        rc_watch_probe_links(watch, now);
}

int rc_watch_step(struct rc_watch *watch, double timeout, struct rc_error *error)
{
    if (watch->finished)
        return 0;
    if (take(watch, fmin(timeout, rc_watch_patience(watch)), error))
        return -1;
    tend(watch);
    return 0;
}

/* ---- ending ---- */

static size_t count_left(const struct rc_watch *watch)
{
    size_t n = 0;

    for (size_t i = 0; i < watch->n_hosts; i++)
        n += watch->members[i].child.pid || watch->members[i].leaving.pid;
    return n;
}

/* Takes what comes until all have ended, or the time is up. */
static void drain(struct rc_watch *watch, double until)
{
    double now = watch->clock->monotonic(watch->clock);

    while (count_left(watch) > 0 && now < until) {
        if (take(watch, fmin(until - now, 0.02), NULL))
            return;
        now = watch->clock->monotonic(watch->clock);
        for (size_t i = 0; i < watch->n_hosts; i++) {
            struct rc_watch_member *member = &watch->members[i];
            int status;

            /* Its last lines come before the end of its output. */
            if (member->child.pid && member->child.output < 0 &&
                rc_watch_child_ended(&member->child, &status))
                rc_watch_child_reap(&member->child);
            if (member->leaving.pid && rc_watch_child_ended(&member->leaving, &status))
                rc_watch_child_reap(&member->leaving);
        }
    }
}

static void kill_all(const struct rc_watch *watch, int signal)
{
    for (size_t i = 0; i < watch->n_hosts; i++) {
        rc_watch_child_kill(&watch->members[i].child, signal);
        rc_watch_child_kill(&watch->members[i].leaving, signal);
    }
}

/* Buries one that has ended, or will within the time; leaves it behind otherwise. */
static void part_with(struct rc_watch *watch, size_t host, struct rc_watch_child *child,
                      double until)
{
    struct rc_clock *clock = watch->clock;
    int status;

    while (!rc_watch_child_ended(child, &status) && clock->monotonic(clock) < until)
        clock->sleep(clock, GIVE_UP_TICK);
    if (rc_watch_child_ended(child, &status)) {
        rc_watch_child_reap(child);
        return;
    }
    watch->members[host].info.left_behind = child->pid;
    rc_watch_child_abandon(child);
}

void rc_watch_finish(struct rc_watch *watch, double seconds)
{
    double now = watch->clock->monotonic(watch->clock), until;

    if (watch->finished)
        return;
    watch->finishing = true;
    for (size_t i = 0; i < watch->n_hosts; i++)
        rc_watch_child_close_input(&watch->members[i].child);
    drain(watch, now + seconds);
    if (count_left(watch) > 0) {
        kill_all(watch, SIGTERM);
        drain(watch, watch->clock->monotonic(watch->clock) + KILL_SECONDS);
        kill_all(watch, SIGKILL);
        drain(watch, watch->clock->monotonic(watch->clock) + DRAIN_SECONDS);
    }
    until = watch->clock->monotonic(watch->clock) + GIVE_UP_SECONDS - DRAIN_SECONDS;
    for (size_t i = 0; i < watch->n_hosts; i++) {
        part_with(watch, i, &watch->members[i].child, until);
        part_with(watch, i, &watch->members[i].leaving, until);
    }
    if (watch->budget) /* or else more is counted than was sent */
        rc_db_budget_flush(watch->budget, FLUSH_SECONDS, NULL);
    watch->finished = true;
}

void rc_watch_destroy(struct rc_watch *watch)
{
    if (!watch)
        return;
    rc_watch_finish(watch, 1);
    for (size_t i = 0; i < watch->n_hosts; i++)
        free(watch->names[i]);
    rc_db_budget_destroy(watch->budget);
    rc_watch_schedule_free(&watch->schedule);
    rc_random_destroy(watch->random);
    for (size_t i = 0; i < watch->n_words; i++)
        free(watch->words[i]);
    free(watch->names);
    free(watch->members);
    free(watch->fds);
    free(watch);
}

/* ---- what is known ---- */

double rc_watch_now(struct rc_watch *watch)
{
    return rc_watch_base_read(&watch->base, watch->clock) + watch->base.ahead;
}

size_t rc_watch_n_hosts(const struct rc_watch *watch)
{
    return watch->n_hosts;
}

size_t rc_watch_n_links(const struct rc_watch *watch)
{
    return watch->schedule.n_links;
}

size_t rc_watch_count(const struct rc_watch *watch, enum rc_watch_state state)
{
    size_t n = 0;

    for (size_t i = 0; i < watch->n_hosts; i++)
        n += watch->members[i].info.state == state;
    return n;
}

size_t rc_watch_heard(const struct rc_watch *watch)
{
    size_t n = 0;

    for (size_t i = 0; i < watch->n_hosts; i++)
        n += watch->members[i].info.messages > 0;
    return n;
}

const struct rc_watch_host *rc_watch_host(const struct rc_watch *watch, size_t host)
{
    return &watch->members[host].info;
}

const struct rc_watch_link_info *rc_watch_link(const struct rc_watch *watch, size_t link)
{
    return &watch->schedule.slots[link].info;
}
