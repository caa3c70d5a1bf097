// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.c - observes competitors. */
#include "host/observe/observe.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress_monitor.h"
#include "host/sense/cores.h"
#include "host/observe/process_table.h"

#define LOOK_COST 0.05 /* limit of sampling, of a core */
#define LIST_COST 0.02 /* ... and of listing */
#define LIST_SECONDS 0.5
#define LATELY 0.1 /* weight of the last sample in the mean cost */
#define INTERVAL_MOST 1.0
enum { STAT_SIZE = 1 << 18 };

/* ---- how busy the host was ---- */

/* CPU seconds so far, of the group or of all processes of the machine; NAN: unknown. */
static double read_busy(const struct rc_process_table *table)
{
    struct rc_proc_core *cores, all;
    double busy = NAN;
    char *text;

    if (table->group)
        return rc_sense_group_used(&table->own);
    text = malloc(STAT_SIZE);
    cores = malloc(RC_PROC_CORES_MAX * sizeof *cores);
    if (text && cores && rc_file_read("/proc/stat", text, STAT_SIZE) == 0 &&
        rc_sense_proc_stat_read(text, table->tick, &all, cores) == 0)
        busy = all.busy;
    free(cores);
    free(text);
    return busy;
}

/* ---- watching ---- */

struct schedule {
    struct rc_clock *clock;
    double began, end;
    double next, list_next;
    double cost; /* CPU seconds of recent samples */
    size_t looks;
};

static void sleep_until(struct schedule *schedule, const struct rc_monitor *monitor, double when)
{
    double now;

    while ((now = schedule->clock->monotonic(schedule->clock)) < when &&
           !rc_progress_monitor_cancelled(monitor))
        schedule->clock->sleep(schedule->clock, when - now);
}

/* Takes a sample, with listing if it is due. */
static int step(struct rc_process_table *table, struct schedule *schedule, struct rc_error *error)
{
    double now = schedule->clock->monotonic(schedule->clock), begin = rc_observe_spent(), spent;

    if (rc_observe_table_look(table, now, error))
        return -1;
    spent = rc_observe_spent() - begin;
    schedule->cost = schedule->looks++ ? (1 - LATELY) * schedule->cost + LATELY * spent : spent;
    if (now >= schedule->list_next && now < schedule->end) {
        begin = rc_observe_spent();
        if (rc_observe_table_look_at_all(table, false, error))
            return -1;
        schedule->list_next = now + fmax(LIST_SECONDS, (rc_observe_spent() - begin) / LIST_COST);
    }
    schedule->next +=
        fmin(INTERVAL_MOST, fmax(table->options->interval, schedule->cost / LOOK_COST));
    /* Missed samples are not repeated. */
    schedule->next = fmax(schedule->next, schedule->clock->monotonic(schedule->clock));
    return 0;
}

static int watch(struct rc_process_table *table, struct schedule *schedule,
                 const struct rc_monitor *monitor, struct rc_observation *observation,
                 struct rc_error *error)
{
    const uint64_t total = (uint64_t)ceil(1e3 * (schedule->end - schedule->began));
    double now = schedule->began;

    schedule->next = now + table->options->interval;
    schedule->list_next = now + LIST_SECONDS;
    while (now < schedule->end && !observation->interrupted) {
        sleep_until(schedule, monitor, fmin(schedule->next, schedule->end));
        observation->interrupted = rc_progress_monitor_cancelled(monitor);
        if (step(table, schedule, error))
            return -1;
        now = schedule->clock->monotonic(schedule->clock);
        rc_progress_monitor_advance(monitor,
                                    (uint64_t)fmin(1e3 * (now - schedule->began), (double)total),
                                    total);
    }
    if (rc_observe_table_look_at_all(table, true, error))
        return -1;
    observation->seconds = now - schedule->began;
    observation->samples = schedule->looks;
    observation->interval = observation->seconds / (double)(schedule->looks ? schedule->looks : 1);
    return 0;
}

/* The share of a core for a program without competitors. */
static double core_share_of(const struct rc_process_table *table, double busy, double seconds)
{
    double quota = rc_sense_group_quota(&table->own), cores = INFINITY;

    for (size_t i = 0; table->group && i < table->n; i++)
        if (!table->items[i].outside && table->items[i].about.class == RC_PROC_IDLE)
            cores = busy / seconds; /* a process uses all idle time */
    cores = fmin(cores, isnan(quota) ? (double)INFINITY : quota);
    return cores > 0.001 && cores < 1 ? cores : 1;
}

/* Counted as in calibrations. */
static int cores_of(void)
{
    struct rc_sense_cores cores;

    return rc_sense_cores_allowed(&cores, NULL) || cores.n == 0 ? 1 : (int)cores.n;
}

static int check(const struct rc_observe_options *options, struct rc_error *error)
{
    if (!(options->seconds > 0 && isfinite(options->seconds)))
        return rc_error_set(error, "duration must be greater than 0");
    if (!(options->interval >= RC_OBSERVE_INTERVAL_LEAST && options->interval <= INTERVAL_MOST))
        return rc_error_set(error, "interval must be from 1 ms to 1 s");
    if (!isnan(options->byte_seconds) && !(options->byte_seconds >= 0 && options->byte_seconds < 1))
        return rc_error_set(error, "cost of a byte must be from 0 to 1 s");
    return 0;
}

int rc_observe(const struct rc_observe_options *options, const struct rc_monitor *monitor,
               struct rc_observation *observation, struct rc_error *error)
{
    struct schedule schedule = {.clock = rc_clock_system()};
    double spent = rc_observe_spent(), busy;
    struct rc_process_table table;
    int status;

    *observation = (struct rc_observation){.core_share = 1, .cores = cores_of()};
    if (check(options, error))
        return -1;
    status = rc_observe_table_begin(&table, options, schedule.clock->monotonic(schedule.clock),
                                    observation, error);
    if (status == 0) {
        schedule.began = schedule.clock->monotonic(schedule.clock);
        schedule.end = schedule.began + options->seconds;
        busy = read_busy(&table);
        status = watch(&table, &schedule, monitor, observation, error);
        busy = read_busy(&table) - busy;
        observation->core_share = core_share_of(&table, busy, observation->seconds);
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
    return observation->samples < RC_OBSERVE_SAMPLES_LEAST ||
           observation->seconds < RC_OBSERVE_SECONDS_LEAST;
}
