// SPDX-License-Identifier: BSD-2-Clause
/* clock.h - the time, behind an interface that tests and simulations can replace. */
#ifndef RC_BASE_CLOCK_H
#define RC_BASE_CLOCK_H

struct rc_clock {
    double (*wall)(struct rc_clock *clock);      /* seconds since 1970 */
    double (*monotonic)(struct rc_clock *clock); /* seconds since some moment; never steps back */
    void (*sleep)(struct rc_clock *clock, double seconds); /* may end early, on a signal */
};

/* The machine's own clock; belongs to the library. */
struct rc_clock *rc_clock_system(void);

/* A clock that moves only when it is told to, or slept on.  Wall and monotonic time go together. */
struct rc_clock_manual {
    struct rc_clock clock; /* pass this on */
    double wall_now;
    double monotonic_now;
};
void rc_clock_manual_init(struct rc_clock_manual *manual, double wall);
void rc_clock_manual_advance(struct rc_clock_manual *manual, double seconds);

#endif
