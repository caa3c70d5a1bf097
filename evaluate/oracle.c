// SPDX-License-Identifier: GPL-3.0-or-later
/* oracle.c - scenarios of simulated hosts, drawn as their load is.
 *
 * A level is held for a time drawn evenly from the shape's dwell, and then another is drawn, which
 * may be the same again (testbed/load/load_pattern.c).  What is seen of it is that a level began at some moment
 * and has not changed since.  Stays that fit are drawn by trying: from that moment on stay after
 * stay, until one lasts beyond the present; if one that ended before did not draw the same level
 * again, what was seen would not have been, and it is tried anew. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS = 1000, TRIES = 100000 };

struct seen {
    double level, for_how_long; /* seconds */
};

struct oracle {
    struct seen *seen; /* of CPUs, then of links */
    size_t n_hosts;
    double bandwidth, step;
    double *values;  /* CELLS of each of them */
    double *scratch; /* 2 for each of them */
};

static double draw_level(const struct rc_load_shape *shape, struct rc_random *random)
{
    return shape->levels[rc_random_below(random, shape->n_levels)];
}

static double draw_stay(const struct rc_load_shape *shape, struct rc_random *random)
{
    return shape->dwell.low + rc_random_uniform(random) * (shape->dwell.high - shape->dwell.low);
}

/* How long the present stay will last on. */
static double draw_rest(const struct rc_load_shape *shape, const struct seen *seen,
                        struct rc_random *random)
{
    for (int i = 0; i < TRIES; i++) {
        double end = draw_stay(shape, random);

        while (end <= seen->for_how_long && draw_level(shape, random) == seen->level)
            end += draw_stay(shape, random);
        if (end > seen->for_how_long)
            return end - seen->for_how_long;
    }
    return draw_stay(shape, random); /* what was seen is too unlikely to be drawn */
}

static int look_at(struct seen *seen, enum rc_load_what what, uint64_t seed, const char *host,
                   double at, struct rc_error *error)
{
    struct rc_load_steps steps;
    /* A level is drawn again and again, but not for hours. */
    double from = fmax(0, at - 86400);

    if (rc_load_draw(RC_LOAD_RANDOM, what, seed, host, from, at, &steps, error))
        return -1;
    for (size_t i = 0; i < steps.n && steps.items[i].t <= at; i++)
        *seen = (struct seen){steps.items[i].value, at - steps.items[i].t};
    rc_load_steps_free(&steps);
    return 0;
}

struct oracle *oracle_create(const char *const *hosts, size_t n_hosts, uint64_t seed, double at,
                             double bandwidth, struct rc_error *error)
{
    struct oracle *oracle = calloc(1, sizeof *oracle);
    int status = oracle ? 0 : -1;

    if (oracle) {
        oracle->n_hosts = n_hosts;
        oracle->bandwidth = bandwidth;
        oracle->seen = calloc(2 * n_hosts, sizeof *oracle->seen);
        oracle->values = calloc(2 * n_hosts * CELLS, sizeof *oracle->values);
        oracle->scratch = calloc(4 * n_hosts, sizeof *oracle->scratch);
        status = oracle->seen && oracle->values && oracle->scratch ? 0 : -1;
    }
    for (size_t i = 0; i < n_hosts && status == 0; i++) {
        struct seen *cpu = &oracle->seen[i], *link = cpu + n_hosts;

        status = look_at(cpu, RC_LOAD_CPU, seed, hosts[i], at, error) ||
                         look_at(link, RC_LOAD_LINK, seed, hosts[i], at, error)
                     ? -1
                     : 0;
    }
    if (status == 0)
        return oracle;
    oracle_destroy(oracle);
    return NULL;
}

void oracle_destroy(struct oracle *oracle)
{
    if (!oracle)
        return;
    free(oracle->seen);
    free(oracle->values);
    free(oracle->scratch);
    free(oracle);
}

void oracle_look(struct oracle *oracle, double seconds)
{
    oracle->step = seconds / CELLS;
}

/* One host or link: each cell has what there is in its middle. */
static void draw_one(const struct oracle *oracle, const struct rc_load_shape *shape,
                     const struct seen *seen, double full, struct rc_random *random, double *values)
{
    double level = seen->level, end = draw_rest(shape, seen, random);

    for (size_t i = 0; i < CELLS; i++) {
        double t = ((double)i + .5) * oracle->step;

        while (end <= t) {
            level = draw_level(shape, random);
            end += draw_stay(shape, random);
        }
        values[i] = level * full;
    }
}

void oracle_draw(struct oracle *oracle, struct rc_random *random, struct rc_predict_future *future)
{
    const struct rc_load_shape *cpu = rc_load_shape_of(RC_LOAD_RANDOM, RC_LOAD_CPU);
    const struct rc_load_shape *link = rc_load_shape_of(RC_LOAD_RANDOM, RC_LOAD_LINK);
    size_t n = oracle->n_hosts;

    for (size_t i = 0; i < n; i++) {
        draw_one(oracle, cpu, &oracle->seen[i], 1, random, oracle->values + i * CELLS);
        draw_one(oracle, link, &oracle->seen[n + i], oracle->bandwidth, random,
                 oracle->values + (n + i) * CELLS);
    }
    future->cpu =
        (struct rc_predict_lane){oracle->values, n, CELLS, oracle->step, 1, oracle->scratch};
    future->bw = (struct rc_predict_lane){
        oracle->values + n * CELLS, n, CELLS, oracle->step, oracle->bandwidth,
        oracle->scratch + 2 * n};
    future->begin = 0;
}
