// SPDX-License-Identifier: GPL-3.0-or-later
/* target_usage.c - producing the availability of load steps on this machine. */
#include "testbed/load/target_usage.h"

#include <math.h>

size_t rc_load_share(double availability, size_t most, double *fraction)
{
    double used = 1 - fmax(availability, 1 / ((double)most + 1));
    size_t n;

    *fraction = 0;
    if (!(used > 0) || most == 0)
        return 0;
    n = (size_t)ceil(used / (1 - used) - 1e-9);
    if (n < 1)
        n = 1;
    *fraction = used / (double)n;
    return n;
}

double rc_load_follow_at(const struct rc_load_follow *follow, double since_begin)
{
    double passed = since_begin * follow->speed;

    if (follow->span > 0)
        passed = fmod(passed, follow->span);
    return rc_load_at(&follow->steps, follow->from + passed);
}

/* Adds up what the steps give from their time `from` to `to`. */
static void add_up(const struct rc_load_follow *follow, double from, double to, double sums[2])
{
    const struct rc_load_steps *steps = &follow->steps;
    double least = follow->most ? 1 / ((double)follow->most + 1) : 0;

    for (size_t i = 0; i < steps->n; i++) {
        double begin = fmax(i == 0 ? -INFINITY : steps->items[i].t, from);
        double end = fmin(i + 1 < steps->n ? steps->items[i + 1].t : INFINITY, to);

        if (end <= begin)
            continue;
        sums[0] += steps->items[i].value * (end - begin);
        sums[1] += fmax(steps->items[i].value, least) * (end - begin);
    }
}

double rc_load_follow_mean(const struct rc_load_follow *follow, double seconds, double *made)
{
    double passed = seconds * follow->speed, rounds = 0, sums[2] = {0, 0}, once[2] = {0, 0};

    if (follow->span > 0 && passed > follow->span) {
        rounds = floor(passed / follow->span);
        add_up(follow, follow->from, follow->from + follow->span, once);
        passed -= rounds * follow->span;
    }
    add_up(follow, follow->from, follow->from + passed, sums);
    passed += rounds * follow->span;
    *made = passed > 0 ? (sums[1] + rounds * once[1]) / passed : NAN;
    return passed > 0 ? (sums[0] + rounds * once[0]) / passed : NAN;
}

double rc_load_follow_fraction(const void *core, double since_begin)
{
    const struct rc_load_follow_core *of = core;
    double fraction;
    size_t n =
        rc_load_share(rc_load_follow_at(of->follow, since_begin), of->follow->most, &fraction);

    return of->index < n ? fraction : 0;
}

double rc_load_follow_rate(const void *link, double since_begin)
{
    const struct rc_load_follow_link *of = link;

    return of->bandwidth * (1 - rc_load_follow_at(of->follow, since_begin));
}
