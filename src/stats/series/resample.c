// SPDX-License-Identifier: GPL-3.0-or-later
/* resample.c - from samples at any time to an even grid, and the windows of a series.
 *
 * Samples and grid are walked together, once.  Times on the grid are start + i step, never sums of
 * steps, so that no error builds up over a long series. */
#include "stats/series/resample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/statistics.h"

/* How many samples lie before `t`, or up to it. */
static size_t count_before(const struct rc_sample *samples, size_t n, double t, bool with_equal)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (samples[middle].t < t || (with_equal && samples[middle].t == t))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t rc_series_window(const struct rc_sample *samples, size_t n, double from, double to,
                        size_t *first)
{
    size_t begin = isnan(from) ? 0 : count_before(samples, n, from, false);
    size_t end = isnan(to) ? n : count_before(samples, n, to, true);

    *first = begin;
    return end > begin ? end - begin : 0;
}

int rc_series_spacing(const struct rc_sample *samples, size_t n, double *spacing,
                      struct rc_error *error)
{
    size_t n_known;
    double *between, *sorted;

    *spacing = 0;
    if (n < 2)
        return 0;
    between = calloc(n - 1, sizeof *between);
    if (!between)
        return rc_error_no_memory(error);
    for (size_t i = 1; i < n; i++)
        between[i - 1] = samples[i].t - samples[i - 1].t;
    sorted = rc_series_sorted(between, n - 1, &n_known, error);
    free(between);
    if (!sorted)
        return -1;
    *spacing = n_known ? rc_series_quantile(sorted, n_known, 0.5) : 0;
    free(sorted);
    return 0;
}

int rc_series_grid_over(const struct rc_sample *samples, size_t n, double step,
                        struct rc_series_grid *grid, struct rc_error *error)
{
    double steps;

    if (n == 0)
        return rc_error_set(error, "no samples");
    if (step == 0) {
        if (rc_series_spacing(samples, n, &step, error))
            return -1;
        step = step > 0 ? step : 1; /* one point, however long */
    }
    if (!(step > 0) || !isfinite(step))
        return rc_error_set(error, "the step of a grid must be positive, not %g", step);
    steps = floor((samples[n - 1].t - samples[0].t) / step);
    if (!(steps >= 0 && steps < RC_SERIES_POINTS_MAX))
        return rc_error_set(error, "a grid of step %g over these samples has too many points",
                            step);
    *grid = (struct rc_series_grid){samples[0].t, step, (size_t)steps + 1};
    return 0;
}

/* The index of the next sample at or after `i` that has a value, or n. */
static size_t known_from(const struct rc_sample *samples, size_t n, size_t i)
{
    while (i < n && !isfinite(samples[i].value))
        i++;
    return i;
}

/* A place in the samples: the last with a value up to some time, and the next one. */
struct place {
    const struct rc_sample *samples;
    size_t n, last, next; /* n: there is none */
};

static struct place place_begin(const struct rc_sample *samples, size_t n)
{
    return (struct place){samples, n, n, known_from(samples, n, 0)};
}

static void place_step(struct place *place)
{
    place->last = place->next;
    place->next = known_from(place->samples, place->n, place->next + 1);
}

static void place_advance(struct place *place, double t)
{
    while (place->next < place->n && place->samples[place->next].t <= t)
        place_step(place);
}

static double held(const struct place *place, double t, double gap)
{
    const struct rc_sample *last = &place->samples[place->last];

    return place->last < place->n && t - last->t <= gap ? last->value : NAN;
}

static double interpolated(const struct place *place, double t, double gap)
{
    const struct rc_sample *a = &place->samples[place->last], *b = &place->samples[place->next];
    double part;

    if (place->last == place->n)
        return NAN;
    if (a->t == t)
        return a->value;
    if (place->next == place->n || b->t - a->t > gap)
        return NAN;
    part = (t - a->t) / (b->t - a->t);
    return a->value == b->value ? a->value : (1 - part) * a->value + part * b->value;
}

/* The mean over [from, to) of what is held; leaves the place at the last sample before `to`. */
static double mean_over(struct place *place, double from, double to, double gap)
{
    double mean = 0, covered = 0, end, known;

    for (;;) {
        const struct rc_sample *last = &place->samples[place->last];
        bool more = place->next < place->n && place->samples[place->next].t < to;

        if (place->last < place->n) {
            end = more ? place->samples[place->next].t : to;
            known = fmin(end, last->t + gap) - fmax(from, last->t);
            if (known > 0) {
                covered += known;
                /* A running mean stays among the values, where a sum might overflow; and exactly
                 * the same where they are. */
                if (last->value != mean)
                    mean = mean * (1 - known / covered) + last->value * (known / covered);
            }
        }
        if (!more)
            break;
        place_step(place);
    }
    return covered >= (to - from) / 2 ? mean : NAN;
}

int rc_series_resample(const struct rc_sample *samples, size_t n, const struct rc_series_grid *grid,
                       enum rc_series_fill fill, double gap, double *out, struct rc_error *error)
{
    struct place place = place_begin(samples, n);

    if (!(grid->step > 0) || !isfinite(grid->start + grid->step * (double)grid->n))
        return rc_error_set(error, "invalid grid: from %g in steps of %g", grid->start, grid->step);
    if (!(gap > 0))
        return rc_error_set(error, "the longest gap must be positive, not %g", gap);
    for (size_t i = 0; i < grid->n; i++) {
        double t = grid->start + (double)i * grid->step;

        if (fill == RC_SERIES_MEAN) {
            out[i] = mean_over(&place, t, grid->start + (double)(i + 1) * grid->step, gap);
            continue;
        }
        place_advance(&place, t);
        out[i] = fill == RC_SERIES_HOLD ? held(&place, t, gap) : interpolated(&place, t, gap);
    }
    return 0;
}
