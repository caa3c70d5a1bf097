// SPDX-License-Identifier: GPL-3.0-or-later
/* kernel_speed.c - how fast the kernel is here.
 *
 * Trials are timed in CPU time of this thread, so that a core that is shared does not look slow;
 * but a core that others use also has other caches and clocks, so the share of elapsed time is
 * reported. The median of trials keeps interrupts out. */
#include "model/skeleton/emit/kernel_speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/compute_kernel.h"
#include "base/sort.h"

enum { TRIALS = 9 };

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static double time_units(uint64_t units)
{
    double start = cpu_seconds();

    kernel_spin(units);
    return cpu_seconds() - start;
}

/* How many units last so long that reading the clock does not matter. */
static uint64_t enough_units(void)
{
    uint64_t units = 1 << 16;

    while (time_units(units) < 4e-3 && units < (uint64_t)1 << 40)
        units *= 2;
    return units;
}

static void measure_units(struct rc_kernel_speed *speed)
{
    uint64_t units = enough_units();
    double trials[TRIALS];

    for (int i = 0; i < TRIALS; i++)
        trials[i] = (double)units / time_units(units);
    rc_sort_doubles(trials, TRIALS);
    speed->units = trials[TRIALS / 2];
    speed->spread = (trials[TRIALS - 1] - trials[0]) / speed->units;
}

static double time_lines(uint64_t *memory, uint64_t bytes, uint64_t lines)
{
    double start = cpu_seconds();

    kernel_sweep(memory, bytes, lines);
    return cpu_seconds() - start;
}

static void measure_footprint(uint64_t *memory, uint64_t bytes, double *speed)
{
    double trials[3];
    uint64_t lines = bytes / 64 > 100000 ? bytes / 64 : 100000;

    time_lines(memory, bytes, bytes / 64); /* what fits into a cache is there afterwards */
    for (int i = 0; i < 3; i++)
        trials[i] = (double)lines / time_lines(memory, bytes, lines);
    rc_sort_doubles(trials, 3);
    *speed = trials[1];
}

static int measure_footprints(struct rc_kernel_speed *speed, struct rc_error *error)
{
    uint64_t bytes = (uint64_t)RC_KERNEL_LEAST_FOOTPRINT << (RC_KERNEL_FOOTPRINTS - 1);
    uint64_t *memory = malloc(bytes);

    if (!memory)
        return rc_error_no_memory(error);
    memset(memory, 0, bytes);
    for (int i = 0; i < RC_KERNEL_FOOTPRINTS; i++)
        measure_footprint(memory, (uint64_t)RC_KERNEL_LEAST_FOOTPRINT << i, &speed->lines[i]);
    free(memory);
    return 0;
}

int rc_skeleton_kernel_calibrate(bool with_footprints, struct rc_kernel_speed *speed,
                                 struct rc_error *error)
{
    double wall = seconds_of(CLOCK_MONOTONIC), cpu = cpu_seconds();

    memset(speed, 0, sizeof *speed);
    measure_units(speed);
    if (!(speed->units > 0))
        return rc_error_set(error, "the clock of CPU time does not advance");
    if (with_footprints && measure_footprints(speed, error))
        return -1;
    wall = seconds_of(CLOCK_MONOTONIC) - wall;
    speed->share = wall > 0 ? (cpu_seconds() - cpu) / wall : 1;
    return 0;
}

/* How much faster memory was there, at the size of entry `i`: as at the sizes next to it that were
 * measured there, below all of them as the core itself, and above them as at the largest. */
static double faster_there(const struct rc_kernel_speed *here, const struct rc_trace_speed *there,
                           double i)
{
    double before_at = 0, before = there->units / here->units;

    for (int k = 0; k < RC_TRACE_SPEED_SIZES && there->lines[k] > 0; k++) {
        double bytes = RC_TRACE_SPEED_LEAST * pow(RC_TRACE_SPEED_STEP, k);
        double at = log2(bytes / RC_KERNEL_LEAST_FOOTPRINT);
        double factor = there->lines[k] / here->lines[(int)lround(at)];

        if (i < at)
            return k == 0 ? before
                          : before + (factor - before) * (i - before_at) / (at - before_at);
        before_at = at;
        before = factor;
    }
    return before;
}

bool rc_skeleton_kernel_adapt(struct rc_kernel_speed *speed, const struct rc_trace_speed *recorded)
{
    const struct rc_kernel_speed here = *speed;

    if (!recorded->samples)
        return false;
    speed->units = recorded->units;
    for (int i = 0; i < RC_KERNEL_FOOTPRINTS && here.lines[i] > 0; i++)
        speed->lines[i] = here.lines[i] * faster_there(&here, recorded, i);
    return true;
}
