// SPDX-License-Identifier: GPL-3.0-or-later
/* spin_probe.c - measuring CPU availability with a short spin. */
#include "host/sense/spin_probe.h"

#include "base/clock.h"

#define WARM 0.004     /* CPU seconds at first, when the scheduler favours a new process */
#define WARM_WALL 0.05 /* seconds that these may take */
#define ENOUGH 0.05    /* seconds of CPU time */
#define WALL 0.3       /* seconds */
enum { STEPS = 2000 };

/* Uses the core without touching memory, until so much CPU time was used or the time has come. */
static void spin_until(double used, double when)
{
    while (rc_clock_read(CLOCK_PROCESS_CPUTIME_ID) < used &&
           rc_clock_read(CLOCK_MONOTONIC) < when) {
        unsigned long bits = 1;

        for (int i = 0; i < STEPS; i++)
            bits ^= bits << 13 ^ bits >> 7;
        __asm__ volatile("" : "+r"(bits));
    }
}

struct rc_sense_spin rc_sense_spin(void)
{
    double start = rc_clock_read(CLOCK_PROCESS_CPUTIME_ID), begin, used;

    spin_until(start + WARM, rc_clock_read(CLOCK_MONOTONIC) + WARM_WALL);
    begin = rc_clock_read(CLOCK_MONOTONIC);
    used = rc_clock_read(CLOCK_PROCESS_CPUTIME_ID);
    spin_until(used + ENOUGH, begin + WALL);
    return (struct rc_sense_spin){(rc_clock_read(CLOCK_PROCESS_CPUTIME_ID) - used) /
                                      (rc_clock_read(CLOCK_MONOTONIC) - begin),
                                  rc_clock_read(CLOCK_PROCESS_CPUTIME_ID) - start};
}
