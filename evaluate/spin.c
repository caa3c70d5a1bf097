// SPDX-License-Identifier: GPL-3.0-or-later
/* spin.c - counts as fast as it can, to measure how much of a core it gets.
 *
 * usage: spin WAIT SECONDS [WINDOW]
 *        spin beat CORE SECONDS
 *
 * The first spins for WAIT seconds and then counts for SECONDS: it prints counts in a second and its
 * share of the CPU time, or, with WINDOW, the end of each window of that many seconds on the
 * monotonic clock and counts in a second within it.
 *
 * The second is what the first is compared with: the speed of a core that nobody else uses.  On a
 * virtual machine, whose host has other guests, that speed changes, so it is taken throughout: every
 * 100 ms it has the core to itself for 5 ms, at the priority of a real-time process, and counts in
 * the last four of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PRIORITY = 50 };
#define BEAT 0.1
#define WARM 0.001
#define COUNTED 0.004

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Counts until then.  All is done in registers: processors guess what is read back from memory that
 * was just written, and how well they do so jumps by a factor of three from one moment to the next. */
static unsigned long spin(double end)
{
    unsigned long count = 0, bits = 1;

    while (seconds(CLOCK_MONOTONIC) < end) {
        for (int i = 0; i < 100; i++) {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
        }
        __asm__ volatile("" : "+r"(bits)); /* so that it is not left out */
        count++;
    }
    return count;
}

static int beat(int core, double length)
{
    const struct sched_param priority = {.sched_priority = PRIORITY};
    const struct timespec between = {.tv_nsec = (long)(1e9 * (BEAT - WARM - COUNTED))};
    double end, start, counts = 0, counted = 0;
    cpu_set_t cores;

    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) ||
        sched_setscheduler(0, SCHED_FIFO, &priority)) {
        perror("spin");
        return 1;
    }
    end = seconds(CLOCK_MONOTONIC) + length;
    while (seconds(CLOCK_MONOTONIC) < end) {
        spin(seconds(CLOCK_MONOTONIC) + WARM);
        start = seconds(CLOCK_MONOTONIC);
        counts += (double)spin(start + COUNTED);
        counted += seconds(CLOCK_MONOTONIC) - start;
        nanosleep(&between, NULL);
    }
    printf("%g\n", counts / counted);
    return 0;
}

static int count(double wait, double length, double window)
{
    double start, end, used, counts;

    spin(seconds(CLOCK_MONOTONIC) + wait);
    start = seconds(CLOCK_MONOTONIC);
    end = start + length;
    used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    do {
        double from = seconds(CLOCK_MONOTONIC), now;

        counts = (double)spin(window > 0 ? from + window : end);
        now = seconds(CLOCK_MONOTONIC);
        if (window > 0)
            printf("%f %g\n", now, counts / (now - from));
        else
            printf("%g %f\n", counts / (now - from),
                   (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / (now - from));
        fflush(stdout);
    } while (seconds(CLOCK_MONOTONIC) < end);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "beat") == 0)
        return beat(atoi(argv[2]), atof(argv[3]));
    if (argc == 3 || argc == 4)
        return count(atof(argv[1]), atof(argv[2]), argc == 4 ? atof(argv[3]) : 0);
    fprintf(stderr, "usage: spin WAIT SECONDS [WINDOW] | spin beat CORE SECONDS\n");
    return 2;
}
