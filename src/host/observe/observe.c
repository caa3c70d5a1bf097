// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.c - competitors, observed. */
#include "host/observe/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/monitor.h"
#include "base/number.h"
#include "base/text.h"
#include "host/sense/cores.h"
#include "host/observe/process_table.h"

#define LOOK_COST 0.05 /* of a core, that looking may take */
#define LIST_COST 0.02 /* ... and listing */
#define LIST_SECONDS 0.5
#define LATELY 0.1 /* weight of the last look in the mean of what one costs */
#define INTERVAL_MOST 1.0
enum { STAT_SIZE = 1 << 18 };

/* ---- how busy the host was ---- */

/* CPU seconds so far: of the group, or of all processes of the machine; NAN: not known. */
static double read_busy(const struct rc_process_table *table)
{
    struct rc_proc_core *cores, all;
    double busy = NAN;
    char *text;

    if (table->group)
        return rc_sense_group_used(&table->own);
    text = malloc(STAT_SIZE);
    cores = malloc(RC_PROC_CORES_MAX * sizeof *cores);
    if (text && cores && rc_text_read("/proc/stat", text, STAT_SIZE) == 0 &&
        rc_sense_proc_stat_read(text, table->tick, &all, cores) == 0)
        busy = all.busy;
    free(cores);
    free(text);
    return busy;
}

/* ---- watching ---- */

struct pace {
    struct rc_clock *clock;
    double began, end;
    double next, list_next;
    double cost; /* CPU seconds of a look, lately */
    size_t looks;
};

static void sleep_until(struct pace *pace, const struct rc_monitor *monitor, double when)
{
    double now;

    while ((now = pace->clock->monotonic(pace->clock)) < when && !rc_monitor_cancelled(monitor))
        pace->clock->sleep(pace->clock, when - now);
}

/* One look, and all that is due with it. */
static int step(struct rc_process_table *table, struct pace *pace, struct rc_error *error)
{
    double now = pace->clock->monotonic(pace->clock), begin = rc_observe_spent(), spent;

    if (rc_observe_table_look(table, now, error))
        return -1;
    spent = rc_observe_spent() - begin;
    pace->cost = pace->looks++ ? (1 - LATELY) * pace->cost + LATELY * spent : spent;
    if (now >= pace->list_next && now < pace->end) {
        begin = rc_observe_spent();
        if (rc_observe_table_look_at_all(table, now, false, error))
            return -1;
        pace->list_next = now + fmax(LIST_SECONDS, (rc_observe_spent() - begin) / LIST_COST);
    }
    pace->next += fmin(INTERVAL_MOST, fmax(table->options->interval, pace->cost / LOOK_COST));
    /* Looks that were missed are not made up for. */
    pace->next = fmax(pace->next, pace->clock->monotonic(pace->clock));
    return 0;
}

static int watch(struct rc_process_table *table, struct pace *pace,
                 const struct rc_monitor *monitor, struct rc_observation *observation,
                 struct rc_error *error)
{
    const uint64_t total = (uint64_t)ceil(1e3 * (pace->end - pace->began));
    double now = pace->began;

    pace->next = now + table->options->interval;
    pace->list_next = now + LIST_SECONDS;
    while (now < pace->end && !observation->interrupted) {
        sleep_until(pace, monitor, fmin(pace->next, pace->end));
        observation->interrupted = rc_monitor_cancelled(monitor);
        if (step(table, pace, error))
            return -1;
        now = pace->clock->monotonic(pace->clock);
        rc_monitor_advance(monitor, (uint64_t)fmin(1e3 * (now - pace->began), (double)total),
                           total);
    }
    if (rc_observe_table_look_at_all(table, now, true, error))
        return -1;
    observation->seconds = now - pace->began;
    observation->looks = pace->looks;
    observation->interval = observation->seconds / (double)(pace->looks ? pace->looks : 1);
    return 0;
}

/* The part of a core that a program has here, if nobody else wants anything. */
static double pace_of(const struct rc_process_table *table, double busy, double seconds)
{
    double quota = rc_sense_group_quota(&table->own), cores = INFINITY;

    for (size_t i = 0; table->group && i < table->n; i++)
        if (!table->items[i].outside && table->items[i].about.class == RC_PROC_IDLE)
            cores = busy / seconds; /* somebody takes all that is left of what there is */
    cores = fmin(cores, isnan(quota) ? (double)INFINITY : quota);
    return cores > 0.001 && cores < 1 ? cores : 1;
}

/* As calibrations count them, so that both say the same of a host. */
static int cores_of(void)
{
    struct rc_sense_cores cores;

    return rc_sense_cores_allowed(&cores, NULL) || cores.n == 0 ? 1 : (int)cores.n;
}

static int check(const struct rc_observe_options *options, struct rc_error *error)
{
    if (!(options->seconds > 0 && isfinite(options->seconds)))
        return rc_error_set(error, "the time to observe must be greater than 0");
    if (!(options->interval >= RC_OBSERVE_INTERVAL_LEAST && options->interval <= INTERVAL_MOST))
        return rc_error_set(error, "the time between two looks is from 1 ms to 1 s");
    if (!isnan(options->byte_seconds) && !(options->byte_seconds >= 0 && options->byte_seconds < 1))
        return rc_error_set(error, "what a byte costs is from 0 to 1 s");
    return 0;
}

int rc_observe(const struct rc_observe_options *options, const struct rc_monitor *monitor,
               struct rc_observation *observation, struct rc_error *error)
{
    struct pace pace = {.clock = rc_clock_system()};
    double spent = rc_observe_spent(), busy;
    struct rc_process_table table;
    int status;

    *observation = (struct rc_observation){.pace = 1, .cores = cores_of()};
    if (check(options, error))
        return -1;
    status = rc_observe_table_begin(&table, options, pace.clock->monotonic(pace.clock), observation,
                                    error);
    if (status == 0) {
        pace.began = pace.clock->monotonic(pace.clock);
        pace.end = pace.began + options->seconds;
        busy = read_busy(&table);
        status = watch(&table, &pace, monitor, observation, error);
        busy = read_busy(&table) - busy;
        observation->pace = pace_of(&table, busy, observation->seconds);
    }
    if (status == 0)
        status = rc_observe_report(&table, busy, observation, error);
    if (observation->seconds > 0)
        observation->cost = (rc_observe_spent() - spent) / observation->seconds;
    rc_observe_table_end(&table);
    if (status)
        rc_observe_observation_free(observation);
    return status;
}

void rc_observe_observation_free(struct rc_observation *observation)
{
    free(observation->items);
    *observation = (struct rc_observation){0};
}

bool rc_observe_observation_short(const struct rc_observation *observation)
{
    return observation->looks < RC_OBSERVE_LOOKS_LEAST ||
           observation->seconds < RC_OBSERVE_SECONDS_LEAST;
}

/* ---- names ---- */

bool rc_observe_listed(const char *list, int pid, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list ? list : "", *end; *at; at = end + (*end == ',')) {
        int64_t number;

        end = strchrnul(at, ',');
        if (rc_number_parse_integer(at, (size_t)(end - at), &number) == 0 && number == pid)
            return true;
        if (length > 0 && strncmp(at, name, length) == 0 &&
            ((size_t)(end - at) == length ||
             ((size_t)(end - at) > length && length == RC_PROC_NAME_SIZE - 1)))
            return true;
    }
    return false;
}
