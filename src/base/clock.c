// SPDX-License-Identifier: BSD-2-Clause
/* clock.c - the time, behind an interface that tests and simulations can replace. */
#include "base/clock.h"

#include <math.h>
#include <time.h>

double rc_clock_read(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now); /* cannot fail for the clocks of Linux */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double rc_clock_now(void)
{
    return rc_clock_read(CLOCK_MONOTONIC);
}

static double system_wall(struct rc_clock *clock)
{
    (void)clock;
    return rc_clock_read(CLOCK_REALTIME);
}

static double system_monotonic(struct rc_clock *clock)
{
    (void)clock;
    return rc_clock_read(CLOCK_MONOTONIC);
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
