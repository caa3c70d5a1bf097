// SPDX-License-Identifier: GPL-3.0-or-later
/* compute_time.c - how much of the time between two calls was work.
 *
 * Gaps whose CPU time was not measured are short, and all work; or long and not foreseen, or met
 * too often to be measured each time.  Long ones are taken to be like those at the same position
 * that were measured; where none was, as a rank's first and last computing may be, they are taken
 * to have been on a CPU for as much of their time as this rank's other gaps. */
#include "model/skeleton/match/recorded_program_internal.h"

#include <math.h>

enum { SAMPLE_ENOUGH = 64 }; /* of CPU times, to stand for all */

struct sums {
    double cpu, wall;
};

/* Positions where half or more is measured, or stood for. */
static int add_sums(void *data, const struct rc_trace_position *position)
{
    const struct rc_trace_times *times = position->times;
    struct sums *sums = data;

    if (times->cpu.n == 0 || 2 * times->cpu.n < times->before.n)
        return 0;
    if (!position->samples) {
        sums->cpu += rc_trace_statistic_mean(&times->cpu) * (double)position->n;
        sums->wall += (double)times->before.sum;
        return 0;
    }
    for (uint64_t i = 0; i < position->n; i++)
        if (position->samples[i].cpu >= 0) {
            sums->cpu += (double)position->samples[i].cpu;
            sums->wall += (double)position->samples[i].before;
        }
    return 0;
}

int rc_skeleton_work_measure(struct rc_trace *trace, struct rc_skeleton_work_measure *measure,
                             struct rc_error *error)
{
    struct sums sums = {0};
    struct rc_trace_visitor visitor = {.call = add_sums, .data = &sums};

    measure->threshold = (double)rc_trace_header(trace)->cpu_threshold * 1e-9;
    measure->share = 1;
    if (rc_trace_walk(trace, &visitor, error))
        return -1;
    if (sums.wall > 0)
        measure->share = fmin(sums.cpu / sums.wall, 1);
    return 0;
}

/* How many gaps are longer than the threshold, and the time of the others. */
static double count_long(const struct rc_skeleton_work_measure *measure,
                         const struct rc_trace_times *times, double *rest)
{
    double sum = 0, above;

    above = rc_trace_statistic_above(&times->before, (uint64_t)(measure->threshold * 1e9), &sum);
    *rest = fmax((double)times->before.sum - sum, 0) * 1e-9;
    return fmax(above, (double)times->cpu.n);
}

/* Where the times are known one by one: what was not measured has no more than what was measured
 * has on average, and no more than it took. */
static double mean_of_samples(const struct rc_skeleton_work_measure *measure,
                              const struct rc_trace_position *position)
{
    bool any = position->times->cpu.n > 0;
    double measured = rc_trace_statistic_mean(&position->times->cpu) * 1e-9, sum = 0;

    for (uint64_t i = 0; i < position->n; i++) {
        double wall = (double)position->samples[i].before * 1e-9;

        if (position->samples[i].cpu >= 0)
            sum += (double)position->samples[i].cpu * 1e-9;
        else if (any)
            sum += fmin(wall, measured);
        else
            sum += wall > measure->threshold ? wall * measure->share : wall;
    }
    return sum / (double)position->n;
}

double rc_skeleton_work_mean(const struct rc_skeleton_work_measure *measure,
                             const struct rc_trace_position *position)
{
    const struct rc_trace_times *times = position->times;
    double n = (double)times->before.n, wall = rc_trace_statistic_mean(&times->before) * 1e-9;
    double cpu = rc_trace_statistic_mean(&times->cpu) * 1e-9, rest, many;

    if (position->samples)
        return fmin(wall, mean_of_samples(measure, position));
    many = count_long(measure, times, &rest);
    if (!times->cpu.n)
        return (rest + (wall * n - rest) * measure->share) / n;
    if ((double)times->before.least * 1e-9 > measure->threshold)
        return fmin(wall, cpu);
    return fmin(wall, (cpu * many + rest) / n);
}

bool rc_skeleton_work_is_measured(const struct rc_skeleton_work_measure *measure,
                                  const struct rc_trace_times *times)
{
    double rest;

    return 2 * times->cpu.n >= times->before.n ||
           (times->cpu.n >= SAMPLE_ENOUGH &&
            2 * count_long(measure, times, &rest) >= (double)times->before.n);
}
