// SPDX-License-Identifier: BSD-2-Clause
/* clock.h - the time, behind an interface that tests and simulations can replace. */
#ifndef RC_BASE_CLOCK_H
#define RC_BASE_CLOCK_H

#include <time.h>

struct rc_clock {
    double (*wall)(struct rc_clock *clock);      /* seconds since 1970 */
    double (*monotonic)(struct rc_clock *clock); /* seconds since some moment; never steps back */
    void (*sleep)(struct rc_clock *clock, double seconds); /* may end early, on a signal */
};

/* The machine's own clock; belongs to the library. */
struct rc_clock *rc_clock_system(void);

/* The time of a clock of the kernel, in seconds. */
double rc_clock_read(clockid_t id);
/* The same for CLOCK_MONOTONIC, where tests need no other clock. */
double rc_clock_now(void);

#endif
