// SPDX-License-Identifier: BSD-2-Clause
/* clock.c - the time, behind an interface that tests and simulations can replace. */
#include "base/clock.h"

#include <math.h>
#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now); /* cannot fail for these two clocks */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double system_wall(struct rc_clock *clock)
{
    (void)clock;
    return read_clock(CLOCK_REALTIME);
}

static double system_monotonic(struct rc_clock *clock)
{
    (void)clock;
    return read_clock(CLOCK_MONOTONIC);
}

static void system_sleep(struct rc_clock *clock, double seconds)
{
    struct timespec length;

    (void)clock;
    if (!(seconds > 0))
        return;
    length.tv_sec = (time_t)seconds;
    length.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    nanosleep(&length, NULL);
}

struct rc_clock *rc_clock_system(void)
{
    static struct rc_clock clock = {system_wall, system_monotonic, system_sleep};

    return &clock;
}

static double manual_wall(struct rc_clock *clock)
{
    return ((struct rc_clock_manual *)clock)->wall_now;
}

static double manual_monotonic(struct rc_clock *clock)
{
    return ((struct rc_clock_manual *)clock)->monotonic_now;
}

static void manual_sleep(struct rc_clock *clock, double seconds)
{
    rc_clock_manual_advance((struct rc_clock_manual *)clock, seconds);
}

void rc_clock_manual_init(struct rc_clock_manual *manual, double wall)
{
    manual->clock.wall = manual_wall;
    manual->clock.monotonic = manual_monotonic;
    manual->clock.sleep = manual_sleep;
    manual->wall_now = wall;
    manual->monotonic_now = 0;
}

void rc_clock_manual_advance(struct rc_clock_manual *manual, double seconds)
{
    if (seconds > 0) {
        manual->wall_now += seconds;
        manual->monotonic_now += seconds;
    }
}
