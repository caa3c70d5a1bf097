// SPDX-License-Identifier: GPL-3.0-or-later
/* distribution.c - quantiles and probabilities of a value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/sort.h"
#include "stats/value/internal.h"

/* NULL where memory runs out; questions then fall back to counting. */
static const double *sorted_draws(const struct rc_value *value)
{
    struct rc_value *cached = (struct rc_value *)(uintptr_t)value;

    if (!cached->sorted) {
        cached->sorted = malloc(value->n_draws * sizeof *value->sorted);
        if (!cached->sorted)
            return NULL;
        memcpy(cached->sorted, value->draws, value->n_draws * sizeof *value->sorted);
        rc_sort_doubles(cached->sorted, value->n_draws);
    }
    return cached->sorted;
}

static double sample_quantile(const struct rc_value *value, double p)
{
    const double *sorted = sorted_draws(value);
    double rank = ceil(p * (double)value->n_draws - 1e-9); /* 0.1 * 10 is a little more than 1 */

    if (!sorted)
        return NAN;
    return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}

/* Draws of at most x. */
static size_t count_up_to(const struct rc_value *value, double x)
{
    const double *sorted = sorted_draws(value);
    size_t low = 0, high = value->n_draws, middle;

    if (!sorted)
        return 0;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (sorted[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double rc_value_quantile(const struct rc_value *value, double p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    switch (value->kind) {
    case RC_NORMAL:
        if (value->sd == 0)
            return value->mean;
        return value->mean + (p == 0   ? -INFINITY
                              : p == 1 ? INFINITY
                                       : value->sd * gsl_cdf_ugaussian_Pinv(p));
    case RC_INTERVAL:
        return p == 1 ? value->high : value->low + p * (value->high - value->low);
    case RC_MODAL:
        return rc_value_modal_quantile(value, p);
    case RC_HISTOGRAM:
        return rc_value_histogram_quantile(value, p);
    case RC_SAMPLE:
        return sample_quantile(value, p);
    default:
        return value->mean;
    }
}

double rc_value_cdf(const struct rc_value *value, double x)
{
    switch (value->kind) {
    case RC_NORMAL:
        if (value->sd > 0)
            return gsl_cdf_ugaussian_P((x - value->mean) / value->sd);
        return x >= value->mean;
    case RC_INTERVAL:
        if (x >= value->high)
            return 1;
        return x <= value->low ? 0 : (x - value->low) / (value->high - value->low);
    case RC_MODAL:
        return rc_value_modal_cdf(value, x);
    case RC_HISTOGRAM:
        return rc_value_histogram_cdf(value, x);
    case RC_SAMPLE:
        return (double)count_up_to(value, x) / (double)value->n_draws;
    default:
        return x >= value->mean;
    }
}

double rc_value_exceeds(const struct rc_value *value, double x)
{
    if (value->kind == RC_NORMAL && value->sd > 0)
        return gsl_cdf_ugaussian_Q((x - value->mean) / value->sd);
    return value->kind == RC_MODAL ? rc_value_modal_exceeds(value, x) : 1 - rc_value_cdf(value, x);
}

void rc_value_span(const struct rc_value *value, double level, double *low, double *high)
{
    *low = rc_value_quantile(value, (1 - level) / 2);
    *high = rc_value_quantile(value, (1 + level) / 2);
}
