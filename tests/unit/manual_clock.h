// SPDX-License-Identifier: GPL-3.0-or-later
/* manual_clock.h - a clock that moves only when it is told to, or slept on.  Wall and monotonic time
 * go together. */
#ifndef RC_UNIT_MANUAL_CLOCK_H
#define RC_UNIT_MANUAL_CLOCK_H

#include "base/clock.h"

struct manual_clock {
    struct rc_clock clock; /* pass this on */
    double wall_now;
    double monotonic_now;
};

static double manual_wall(struct rc_clock *clock)
{
    return ((struct manual_clock *)clock)->wall_now;
}

static double manual_monotonic(struct rc_clock *clock)
{
    return ((struct manual_clock *)clock)->monotonic_now;
}

static void manual_clock_advance(struct manual_clock *manual, double seconds)
{
    if (seconds > 0) {
        manual->wall_now += seconds;
        manual->monotonic_now += seconds;
    }
}

static void manual_sleep(struct rc_clock *clock, double seconds)
{
    manual_clock_advance((struct manual_clock *)clock, seconds);
}

static void manual_clock_init(struct manual_clock *manual, double wall)
{
    *manual = (struct manual_clock){{manual_wall, manual_monotonic, manual_sleep}, wall, 0};
}

#endif
