// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_value.c - what arithmetic on stochastic values costs, and how that grows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "stats/value/value.h"

static double now(void)
{
    struct rc_clock *clock = rc_clock_system();

    return clock->monotonic(clock);
}

/* Seconds for a chain of `length` operations at `bins` bins: +, *, -, / in turn. */
static double chain(size_t length, size_t bins)
{
    static const enum rc_binary operations[] = {RC_ADD, RC_MULTIPLY, RC_SUBTRACT, RC_DIVIDE};
    static const struct rc_bin wide = {1, 5, 1}, near_one = {0.9, 1.1, 1};
    struct rc_value_rules rules;
    struct rc_value *x = rc_value_histogram(&wide, 1, NULL);
    struct rc_value *y = rc_value_histogram(&near_one, 1, NULL), *next;
    double start;

    rc_value_rules_init(&rules);
    rules.bins = bins;
    start = now();
    for (size_t i = 0; i < length; i++) {
        next = rc_value_binary(operations[i % 4], x, y, &rules, NULL);
        if (!next)
            exit(1);
        rc_value_drop(x);
        x = next;
    }
    start = now() - start;
    rc_value_drop(x);
    rc_value_drop(y);
    return start;
}

/* Seconds for the largest of `hosts` samples of `draws` draws, each a quotient. */
static double largest(size_t hosts, size_t draws)
{
    struct rc_value_rules rules;
    struct rc_value *work, *cpu, **times = calloc(hosts, sizeof *times), *max;
    double start;

    rc_value_rules_init(&rules);
    rules.draws = draws;
    rules.random = rc_random_create(1, 0);
    work = rc_value_point(100, NULL);
    start = now();
    for (size_t i = 0; i < hosts; i++) {
        struct rc_value *range = rc_value_interval(0.3, 1, NULL);

        cpu = rc_value_convert(range, RC_SAMPLE, &rules, NULL);
        times[i] = rc_value_binary(RC_DIVIDE, work, cpu, &rules, NULL);
        rc_value_drop(range);
        rc_value_drop(cpu);
    }
    max = rc_value_max((const struct rc_value *const *)times, hosts, &rules, NULL);
    start = now() - start;
    rc_value_drop(max);
    for (size_t i = 0; i < hosts; i++)
        rc_value_drop(times[i]);
    free(times);
    rc_value_drop(work);
    rc_random_destroy(rules.random);
    return start;
}

int main(void)
{
    puts("Histograms: a chain of operations (our bar: 1000 at 256 bins in under 1 s)");
    for (size_t length = 250; length <= 4000; length *= 2)
        printf("  %5zu operations at 256 bins %36.3f s\n", length, chain(length, 256));
    for (size_t bins = 64; bins <= 1024; bins *= 2)
        printf("   1000 operations at %4zu bins %36.3f s\n", bins, chain(1000, bins));
    puts("Samples: the largest of many quotients");
    for (size_t hosts = 16; hosts <= 256; hosts *= 2)
        printf("  %5zu hosts, 10000 draws %40.4f s\n", hosts, largest(hosts, 10000));
    for (size_t draws = 2500; draws <= 40000; draws *= 2)
        printf("     64 hosts, %5zu draws %40.4f s\n", draws, largest(64, draws));
    return 0;
}
