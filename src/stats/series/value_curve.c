// SPDX-License-Identifier: GPL-3.0-or-later
/* value_curve.c - the density and the cdf of a value as curves that can be drawn. */
#include "stats/series/value_curve.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>

#include "base/error.h"
#include "stats/series/statistics.h"

enum {
    CURVE_POINTS = 301,
    CDF_POINTS = 401,
    BARS_LEAST = 6,
    BARS_MOST = 150,
    FEW = 12,       /* so many different draws are shown one by one */
    ATOM_TIMES = 10 /* an atom is drawn so many times as often as a draw is on average */
};
static const double ATOM_LEAST = 0.02;
static const double TAIL = 0.005;

static int make_room(struct rc_series_curve *curve, size_t n, size_t n_atoms,
                     struct rc_error *error)
{
    curve->x = calloc(n + 1, sizeof *curve->x);
    curve->density = calloc(n + 1, sizeof *curve->density);
    curve->atoms = calloc(n_atoms + 1, sizeof *curve->atoms);
    return curve->x && curve->density && curve->atoms ? 0 : rc_error_no_memory(error);
}

void rc_series_curve_free(struct rc_series_curve *curve)
{
    free(curve->x);
    free(curve->density);
    free(curve->atoms);
    free(curve->at);
    free(curve->cdf);
    *curve = (struct rc_series_curve){0};
}

/* The end of a flat part; what comes before it has begun its own with put_step(). */
static void put_step(struct rc_series_curve *curve, double x, double density)
{
    if (curve->n > 0 && curve->x[curve->n - 1] == x)
        curve->n--;
    curve->x[curve->n] = x;
    curve->density[curve->n++] = density;
}

/* ---- the kinds ---- */

static int draw_normal(const struct rc_value *value, struct rc_series_curve *curve,
                       struct rc_error *error)
{
    double mean = rc_value_mean(value), sd = rc_value_sd(value);

    if (make_room(curve, CURVE_POINTS, 0, error))
        return -1;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double x = curve->low + (curve->high - curve->low) * (double)i / (CURVE_POINTS - 1);
        double z = (x - mean) / sd;

        curve->x[i] = x;
        curve->density[i] = exp(-z * z / 2) / sd / sqrt(2 * M_PI);
    }
    curve->n = CURVE_POINTS;
    return 0;
}

static int draw_bins(const struct rc_bin *bins, size_t n_bins, struct rc_series_curve *curve,
                     struct rc_error *error)
{
    if (make_room(curve, 2 * n_bins, n_bins, error))
        return -1;
    curve->steps = true;
    for (size_t i = 0; i < n_bins; i++) {
        double width = bins[i].high - bins[i].low;

        if (width > 0) {
            put_step(curve, bins[i].low, bins[i].p / width);
            put_step(curve, bins[i].high, 0);
        } else if (bins[i].p > 0) {
            curve->atoms[curve->n_atoms++] = (struct rc_series_atom){bins[i].low, bins[i].p};
        }
    }
    return 0;
}

/* How many of the rising numbers differ. */
static size_t count_distinct(const double *sorted, size_t n)
{
    size_t distinct = n > 0;

    for (size_t i = 1; i < n; i++)
        distinct += sorted[i] != sorted[i - 1];
    return distinct;
}

/* Takes out those that are atoms; the others stay, in their order, and their number is returned. */
static size_t take_atoms(struct rc_series_curve *curve, double *sorted, size_t n, size_t distinct)
{
    double average = (double)n / (double)distinct;
    size_t kept = 0, end;

    for (size_t i = 0; i < n; i = end) {
        double count;

        for (end = i; end < n && sorted[end] == sorted[i]; end++)
            ;
        count = (double)(end - i);
        if (distinct <= FEW || (count > ATOM_TIMES * average && count >= ATOM_LEAST * (double)n))
            curve->atoms[curve->n_atoms++] = (struct rc_series_atom){sorted[i], count / (double)n};
        else
            for (size_t j = i; j < end; j++)
                sorted[kept++] = sorted[j];
    }
    return kept;
}

/* Bars of equal width over the part that is shown; p is of all n draws. */
static void draw_bars(struct rc_series_curve *curve, const double *sorted, size_t kept, size_t n)
{
    double low = fmax(curve->low, sorted[0]), high = fmin(curve->high, sorted[kept - 1]);
    double spread = rc_series_quantile(sorted, kept, 0.75) - rc_series_quantile(sorted, kept, 0.25);
    double width = 2 * spread / cbrt((double)count_distinct(sorted, kept)), wanted;
    size_t bars, before;

    if (!(low < high))
        return;
    wanted = width > 0 ? ceil((high - low) / width) : BARS_MOST;
    bars = (size_t)fmin(fmax(wanted, BARS_LEAST), BARS_MOST);
    width = (high - low) / (double)bars;
    before = rc_series_count_below(sorted, kept, low);
    for (size_t i = 0; i < bars; i++) {
        double end = i + 1 < bars ? low + (double)(i + 1) * width : nextafter(high, INFINITY);
        size_t up_to = rc_series_count_below(sorted, kept, end);

        put_step(curve, low + (double)i * width, (double)(up_to - before) / (double)n / width);
        before = up_to;
    }
    put_step(curve, high, 0);
    curve->steps = true;
}

static int draw_sample(const struct rc_value *value, struct rc_series_curve *curve,
                       struct rc_error *error)
{
    size_t n, kept, distinct;
    const double *draws = rc_value_draws(value, &n);
    double *sorted = rc_series_sorted(draws, n, &n, error);

    if (!sorted)
        return -1;
    distinct = count_distinct(sorted, n);
    if (make_room(curve, 2 * BARS_MOST, distinct, error)) {
        free(sorted);
        return -1;
    }
    kept = take_atoms(curve, sorted, n, distinct);
    if (kept > 0)
        draw_bars(curve, sorted, kept, n);
    free(sorted);
    return 0;
}

/* ---- the whole ---- */

/* What is worth showing: all but far tails, or up to the ends where these are near; and a little
 * room on both sides, where the cdf is flat. */
static void find_part(const struct rc_value *value, double level, struct rc_series_curve *curve)
{
    double low = rc_value_quantile(value, TAIL), high = rc_value_quantile(value, 1 - TAIL);
    double level_low, level_high, room = 0.1 * (high - low);

    rc_value_span(value, level, &level_low, &level_high);
    low = fmax(rc_value_low(value), fmin(low - room, level_low));
    high = fmin(rc_value_high(value), fmax(high + room, level_high));
    room = low < high ? 0.04 * (high - low) : low == 0 ? 1 : 0.1 * fabs(low);
    curve->low = low - room;
    curve->high = high + room;
}

static int draw_cdf(const struct rc_value *value, struct rc_series_curve *curve,
                    struct rc_error *error)
{
    size_t n = 0;

    curve->at = calloc(CDF_POINTS + 2 * curve->n_atoms, sizeof *curve->at);
    curve->cdf = calloc(CDF_POINTS + 2 * curve->n_atoms, sizeof *curve->cdf);
    if (!curve->at || !curve->cdf)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < CDF_POINTS; i++)
        curve->at[n++] = curve->low + (curve->high - curve->low) * (double)i / (CDF_POINTS - 1);
    for (size_t i = 0; i < curve->n_atoms; i++) {
        curve->at[n++] = nextafter(curve->atoms[i].x, -INFINITY);
        curve->at[n++] = curve->atoms[i].x;
    }
    gsl_sort(curve->at, 1, n);
    for (size_t i = 0; i < n; i++)
        curve->cdf[i] = rc_value_cdf(value, curve->at[i]);
    curve->n_cdf = n;
    return 0;
}

/* As a histogram with narrow bins. */
static int draw_modal(const struct rc_value *value, struct rc_series_curve *curve,
                      struct rc_error *error)
{
    struct rc_value_rules rules;
    struct rc_value *histogram;
    const struct rc_bin *bins;
    size_t n_bins;
    int status;

    rc_value_rules_init(&rules);
    histogram = rc_value_convert(value, RC_HISTOGRAM, &rules, error);
    if (!histogram)
        return -1;
    bins = rc_value_bins(histogram, &n_bins);
    status = draw_bins(bins, n_bins, curve, error);
    rc_value_drop(histogram);
    return status;
}

int rc_series_curve(const struct rc_value *value, double level, struct rc_series_curve *curve,
                    struct rc_error *error)
{
    const struct rc_bin whole = {rc_value_low(value), rc_value_high(value), 1};
    enum rc_value_kind kind = rc_value_kind(value);
    size_t n_bins;
    const struct rc_bin *bins = rc_value_bins(value, &n_bins);
    int status;

    find_part(value, level, curve);
    if (bins)
        status = draw_bins(bins, n_bins, curve, error);
    else if (kind == RC_SAMPLE)
        status = draw_sample(value, curve, error);
    else if (kind == RC_MODAL)
        status = draw_modal(value, curve, error);
    else if (kind == RC_NORMAL && whole.low < whole.high)
        status = draw_normal(value, curve, error);
    else
        status = draw_bins(&whole, 1, curve, error);
    return status ? -1 : draw_cdf(value, curve, error);
}
