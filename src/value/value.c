// SPDX-License-Identifier: GPL-3.0-or-later
/* value.c - making stochastic values, and asking them. */
#include "value/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"

void rc_value_rules_init(struct rc_value_rules *rules)
{
    *rules = (struct rc_value_rules){.normal_width = 2, .bins = 256, .draws = 10000};
}

struct rc_value *rc_value_new(enum rc_value_kind kind, struct rc_error *error)
{
    struct rc_value *value = calloc(1, sizeof *value);

    if (!value) {
        rc_error_no_memory(error);
        return NULL;
    }
    value->kind = kind;
    value->references = 1;
    return value;
}

struct rc_value *rc_value_keep(const struct rc_value *value)
{
    struct rc_value *counted = (struct rc_value *)(uintptr_t)value;

    counted->references++;
    return counted;
}

void rc_value_drop(const struct rc_value *value)
{
    struct rc_value *counted = (struct rc_value *)(uintptr_t)value;

    if (!counted || --counted->references > 0)
        return;
    free(counted->terms);
    free(counted->bins);
    free(counted->cumulative);
    free(counted->draws);
    free(counted->sorted);
    free(counted);
}

/* ---- making ---- */

struct rc_value *rc_value_point(double x, struct rc_error *error)
{
    struct rc_value *value;

    if (!isfinite(x)) {
        rc_error_set(error, "a point must be a finite number");
        return NULL;
    }
    value = rc_value_new(RC_POINT, error);
    if (value)
        value->mean = value->low = value->high = x;
    return value;
}

struct rc_value *rc_value_normal(double mean, double sd, uint64_t variable, struct rc_error *error)
{
    struct rc_value *value;

    if (!isfinite(mean) || !isfinite(sd) || sd < 0) {
        rc_error_set(error, "a normal needs a finite mean and a standard deviation of at least 0");
        return NULL;
    }
    value = rc_value_new(RC_NORMAL, error);
    if (!value)
        return NULL;
    value->mean = mean;
    value->sd = sd;
    value->low = sd > 0 ? -INFINITY : mean;
    value->high = sd > 0 ? INFINITY : mean;
    if (variable && sd > 0) {
        value->terms = malloc(sizeof *value->terms);
        if (!value->terms) {
            rc_value_drop(value);
            rc_error_no_memory(error);
            return NULL;
        }
        value->terms[0] = (struct rc_term){variable, sd};
        value->n_terms = 1;
    } else {
        value->rest = sd * sd;
    }
    return value;
}

struct rc_value *rc_value_interval(double low, double high, struct rc_error *error)
{
    struct rc_value *value;

    if (!isfinite(low) || !isfinite(high) || low > high) {
        rc_error_set(error, "an interval needs two finite ends, the lower one first");
        return NULL;
    }
    value = rc_value_new(RC_INTERVAL, error);
    if (!value)
        return NULL;
    value->low = low;
    value->high = high;
    value->mean = low + (high - low) / 2;
    value->sd = (high - low) / sqrt(12);
    return value;
}

struct rc_value *rc_value_sample(const double *draws, size_t n_draws, struct rc_error *error)
{
    struct rc_value *value;
    double mean = 0, squares = 0, step;

    if (n_draws == 0 || n_draws > RC_VALUE_DRAWS_MAX) {
        rc_error_set(error, "a sample needs 1 to %d draws", RC_VALUE_DRAWS_MAX);
        return NULL;
    }
    value = rc_value_new(RC_SAMPLE, error);
    if (!value)
        return NULL;
    value->draws = malloc(n_draws * sizeof *draws);
    if (!value->draws) {
        rc_value_drop(value);
        rc_error_no_memory(error);
        return NULL;
    }
    value->low = INFINITY;
    value->high = -INFINITY;
    for (size_t i = 0; i < n_draws; i++) {
        if (!isfinite(draws[i])) {
            rc_value_drop(value);
            rc_error_set(error, "a draw is not a finite number");
            return NULL;
        }
        value->draws[i] = draws[i];
        if (draws[i] < value->low)
            value->low = draws[i];
        if (draws[i] > value->high)
            value->high = draws[i];
        step = draws[i] - mean; /* Welford's way keeps the digits */
        mean += step / (double)(i + 1);
        squares += step * (draws[i] - mean);
    }
    value->n_draws = n_draws;
    value->mean = mean;
    value->sd = n_draws > 1 ? sqrt(squares / (double)(n_draws - 1)) : 0;
    return value;
}

/* ---- asking ---- */

enum rc_value_kind rc_value_kind(const struct rc_value *value)
{
    return value->kind;
}

const char *rc_value_kind_name(enum rc_value_kind kind)
{
    static const char *const names[] = {"point", "normal", "interval", "histogram", "sample"};

    return (size_t)kind < RC_VALUE_KINDS ? names[kind] : "?";
}

double rc_value_mean(const struct rc_value *value)
{
    return value->mean;
}

double rc_value_sd(const struct rc_value *value)
{
    return value->sd;
}

double rc_value_low(const struct rc_value *value)
{
    return value->low;
}

double rc_value_high(const struct rc_value *value)
{
    return value->high;
}

const struct rc_bin *rc_value_bins(const struct rc_value *value, size_t *n_bins)
{
    *n_bins = value->n_bins;
    return value->bins;
}

const double *rc_value_draws(const struct rc_value *value, size_t *n_draws)
{
    *n_draws = value->n_draws;
    return value->draws;
}

int rc_compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* NULL where memory runs out; questions then fall back to counting. */
static const double *sorted_draws(const struct rc_value *value)
{
    struct rc_value *cached = (struct rc_value *)(uintptr_t)value;

    if (!cached->sorted) {
        cached->sorted = malloc(value->n_draws * sizeof *value->sorted);
        if (!cached->sorted)
            return NULL;
        memcpy(cached->sorted, value->draws, value->n_draws * sizeof *value->sorted);
        qsort(cached->sorted, value->n_draws, sizeof *value->sorted,
              rc_compare_doubles);
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

/* Draws of at most x, or, if `below`, of less than x. */
static size_t count_up_to(const struct rc_value *value, double x, bool below)
{
    const double *sorted = sorted_draws(value);
    size_t low = 0, high = value->n_draws, middle;

    if (!sorted)
        return 0;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (below ? sorted[middle] < x : sorted[middle] <= x)
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
    case RC_HISTOGRAM:
        return rc_histogram_quantile(value, p);
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
    case RC_HISTOGRAM:
        return rc_histogram_cdf(value, x);
    case RC_SAMPLE:
        return (double)count_up_to(value, x, false) / (double)value->n_draws;
    default:
        return x >= value->mean;
    }
}

double rc_value_exceeds(const struct rc_value *value, double x)
{
    if (value->kind == RC_NORMAL && value->sd > 0)
        return gsl_cdf_ugaussian_Q((x - value->mean) / value->sd);
    return 1 - rc_value_cdf(value, x);
}

void rc_value_span(const struct rc_value *value, double level, double *low, double *high)
{
    *low = rc_value_quantile(value, (1 - level) / 2);
    *high = rc_value_quantile(value, (1 + level) / 2);
}
