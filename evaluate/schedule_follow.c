// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule_follow.c - a program's progress along the load of its hosts. */
#include "schedule_follow.h"

#include <math.h>

static const double least = 1e-9; /* of a core, as simulated hosts have it */

struct place {
    size_t step; /* of the load, that holds at the time that was reached */
    double at;   /* when the host has done its part */
};

/* When a host that goes on at `from` has done so many operations; moves its place there. */
static void compute(const struct rc_follow_host *host, struct place *place, double from,
                    double operations)
{
    const struct rc_load_steps *steps = &host->steps;

    for (double now = from;;) {
        double until, pace;

        while (place->step + 1 < steps->n && steps->items[place->step + 1].t <= now)
            place->step++;
        until = place->step + 1 < steps->n ? steps->items[place->step + 1].t : (double)INFINITY;
        pace = host->speed * fmax(steps->items[place->step].value, least);
        if (operations <= pace * (until - now)) {
            place->at = now + operations / pace;
            return;
        }
        operations -= pace * (until - now);
        now = until;
    }
}

/* When host h has what it waits for: its own part, and those of the others or of its neighbours. */
static double ready(const struct rc_follow_program *program, const struct place *places, size_t n,
                    size_t h)
{
    size_t first = program->neighbours && h > 0 ? h - 1 : program->neighbours ? h : 0;
    size_t last = program->neighbours && h + 1 < n ? h + 1 : program->neighbours ? h : n - 1;
    double when = 0;

    for (size_t i = first; i <= last; i++)
        when = fmax(when, places[i].at);
    return when + program->messages;
}

double rc_follow(const struct rc_follow_program *program, const struct rc_follow_host *hosts,
                 size_t n, double start, const double *units)
{
    struct place places[RC_FOLLOW_HOSTS] = {{0}};
    double from[RC_FOLLOW_HOSTS], end = start;

    for (size_t h = 0; h < n; h++)
        from[h] = start;
    for (size_t k = 0; k < program->iterations; k++) {
        for (size_t h = 0; h < n; h++)
            compute(&hosts[h], &places[h], from[h],
                    program->operations * units[h] + program->beside);
        for (size_t h = 0; h < n; h++)
            from[h] = ready(program, places, n, h);
    }
    for (size_t h = 0; h < n; h++)
        end = fmax(end, from[h]);
    return end - start;
}
