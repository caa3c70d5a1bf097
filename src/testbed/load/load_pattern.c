// SPDX-License-Identifier: GPL-3.0-or-later
/* load_pattern.c - how what is available of a host or a link changes with time: drawn loads.
 *
 * Invariants:
 * 1. A stay is drawn by the same number of draws whatever comes of it, and time begins at 0: the
 *    steps of a name are one fixed sequence, of which any part can be asked for.
 * 2. Times are counted in whole milliseconds, so that sums of many stays are exact. */
#include "testbed/load/load_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/random.h"
#include "stats/series/resample.h"

enum { LEAST_PERCENT = 1 }; /* a spread never leaves less than this */

static const char *const kinds[RC_LOAD_KINDS] = {
    [RC_LOAD_NONE] = "none",     [RC_LOAD_RANDOM] = "random", [RC_LOAD_MODAL] = "modal",
    [RC_LOAD_BURSTY] = "bursty", [RC_LOAD_REPLAY] = "replay",
};

/* Indexed by kind and by what it is a load of. */
static const struct rc_load_shape shapes[RC_LOAD_REPLAY][2] = {
    [RC_LOAD_NONE] = {{{1}, 1, {86400, 86400}, {0, 0}, 0, 0},
                      {{1}, 1, {86400, 86400}, {0, 0}, 0, 0}},
    [RC_LOAD_RANDOM] = {{{1, 1, 1, .5, .5, .33, .25}, 7, {60, 600}, {0, 0}, 0, 0},
                        {{1, 1, .7, .5, .3}, 5, {60, 600}, {0, 0}, 0, 0}},
    /* The modes of a workstation (Schopf 1998, section 4.B.3), returned to again and again. */
    [RC_LOAD_MODAL] = {{{.94, .94, .94, .49, .49, .33}, 6, {10, 60}, {0, 0}, .7, .04},
                       {{.9, .9, .6}, 3, {10, 60}, {0, 0}, .7, .08}},
    [RC_LOAD_BURSTY] = {{{.5, .33, .2}, 3, {5, 30}, {20, 120}, 0, 0},
                        {{.5, .3, .1}, 3, {2, 20}, {20, 120}, 0, 0}},
};

const char *rc_load_kind_name(enum rc_load_kind kind)
{
    return kinds[kind];
}

int rc_load_kind_find(const char *name)
{
    for (int i = 0; i < RC_LOAD_KINDS; i++)
        if (strcmp(kinds[i], name) == 0)
            return i;
    return -1;
}

const struct rc_load_shape *rc_load_shape_of(enum rc_load_kind kind, enum rc_load_what what)
{
    return kind < RC_LOAD_REPLAY ? &shapes[kind][what == RC_LOAD_LINK] : NULL;
}

void rc_load_steps_free(struct rc_load_steps *steps)
{
    free(steps->items);
    *steps = (struct rc_load_steps){NULL, 0};
}

double rc_load_at(const struct rc_load_steps *steps, double t)
{
    size_t first, upto = rc_series_window(steps->items, steps->n, NAN, t, &first);

    if (steps->n == 0)
        return NAN;
    return steps->items[upto > 0 ? upto - 1 : 0].value;
}

/* ---- shapes ---- */

static int check_range(const char *what, const struct rc_range *range, struct rc_error *error)
{
    if (!(range->low >= RC_LOAD_STAY_MIN && range->low <= range->high &&
          range->high <= RC_LOAD_TIME_MAX))
        return rc_error_set(error, "%s must be from %g s to ten years", what, RC_LOAD_STAY_MIN);
    return 0;
}

int rc_load_shape_check(const struct rc_load_shape *shape, struct rc_error *error)
{
    if (shape->n_levels < 1 || shape->n_levels > RC_LOAD_LEVELS_MAX)
        return rc_error_set(error, "number of levels must be from 1 to %d", RC_LOAD_LEVELS_MAX);
    for (size_t i = 0; i < shape->n_levels; i++)
        if (!(shape->levels[i] > 0 && shape->levels[i] <= 1))
            return rc_error_set(error, "level %g is not greater than 0 and at most 1",
                                shape->levels[i]);
    if (!(shape->again >= 0 && shape->again <= 1) || !(shape->spread >= 0 && shape->spread <= 1))
        return rc_error_set(error, "'again' and 'spread' must be from 0 to 1");
    if (check_range("'dwell'", &shape->dwell, error))
        return -1;
    return shape->rest.high != 0 ? check_range("'rest'", &shape->rest, error) : 0;
}

/* ---- drawing ---- */

struct drawing {
    const struct rc_load_shape *shape;
    struct rc_random *random;
    struct rc_load_steps *steps;
    size_t capacity, level;
    uint64_t now, from, to; /* milliseconds */
};

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine. */
static uint64_t stream_of(enum rc_load_what what, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;

    hash = (hash ^ (uint64_t)(what == RC_LOAD_LINK ? 'l' : 'c')) * 0x100000001b3u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

static uint64_t draw_time(struct drawing *drawing, const struct rc_range *range)
{
    double u = rc_random_uniform(drawing->random);

    return (uint64_t)(range->low * 1e3 + u * (range->high - range->low) * 1e3 + .5);
}

static double draw_value(struct drawing *drawing)
{
    const struct rc_load_shape *shape = drawing->shape;
    double again = rc_random_uniform(drawing->random);
    double pick = rc_random_uniform(drawing->random);
    double off = 2 * rc_random_uniform(drawing->random) - 1, value;

    if (drawing->now == 0 || again >= shape->again) {
        drawing->level = (size_t)(pick * (double)shape->n_levels);
        if (drawing->level >= shape->n_levels)
            drawing->level = shape->n_levels - 1;
    }
    value = shape->levels[drawing->level];
    if (shape->spread == 0)
        return value;
    value = floor((value + off * shape->spread) * 1e4 + .5) / 1e4;
    return value > 1 ? 1 : value < LEAST_PERCENT / 1e2 ? LEAST_PERCENT / 1e2 : value;
}

/* Adds a step that begins now and takes `length`, unless it is over before the time asked for; one
 * that goes on as before is no step. */
static int add_step(struct drawing *drawing, double value, uint64_t length, struct rc_error *error)
{
    struct rc_load_steps *steps = drawing->steps;
    uint64_t begin = drawing->now;

    drawing->now += length;
    if (drawing->now <= drawing->from || begin > drawing->to)
        return 0;
    if (steps->n > 0 && steps->items[steps->n - 1].value == value)
        return 0;
    if (rc_array_room(&steps->items, steps->n + 1, &drawing->capacity, sizeof *steps->items, error))
        return -1;
    steps->items[steps->n++] = (struct rc_sample){(double)begin / 1e3, value};
    return 0;
}

int rc_load_shape_draw(const struct rc_load_shape *shape, enum rc_load_what what, uint64_t seed,
                       const char *name, double from, double to, struct rc_load_steps *steps,
                       struct rc_error *error)
{
    struct drawing drawing = {.shape = shape, .steps = steps};
    int status = 0;

    *steps = (struct rc_load_steps){NULL, 0};
    if (rc_load_shape_check(shape, error))
        return -1;
    if (!(from >= 0 && from <= to && to <= RC_LOAD_TIME_MAX))
        return rc_error_set(error, "time is outside the ten years of a load");
    drawing.from = (uint64_t)floor(from * 1e3);
    drawing.to = (uint64_t)ceil(to * 1e3);
    drawing.random = rc_random_create(seed, stream_of(what, name));
    if (!drawing.random)
        return rc_error_no_memory(error);
    while (drawing.now <= drawing.to && status == 0) {
        double value = draw_value(&drawing);

        if (shape->rest.high > 0)
            status = add_step(&drawing, 1, draw_time(&drawing, &shape->rest), error);
        if (status == 0)
            status = add_step(&drawing, value, draw_time(&drawing, &shape->dwell), error);
    }
    rc_random_destroy(drawing.random);
    if (status)
        rc_load_steps_free(steps);
    return status;
}

int rc_load_draw(enum rc_load_kind kind, enum rc_load_what what, uint64_t seed, const char *name,
                 double from, double to, struct rc_load_steps *steps, struct rc_error *error)
{
    const struct rc_load_shape *shape = rc_load_shape_of(kind, what);

    *steps = (struct rc_load_steps){NULL, 0};
    if (!shape)
        return rc_error_set(error, "a replayed load cannot be generated");
    return rc_load_shape_draw(shape, what, seed, name, from, to, steps, error);
}
