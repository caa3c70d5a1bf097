// SPDX-License-Identifier: GPL-3.0-or-later
/* value.c - making stochastic values, and asking them. */
#include "stats/value/internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void rc_value_rules_init(struct rc_value_rules *rules)
{
    *rules = (struct rc_value_rules){.normal_width = 2, .bins = 256, .draws = 10000};
}

struct rc_value *rc_value_new(enum rc_value_kind kind, struct rc_error *error)
{
    struct rc_value *value = calloc(1, sizeof *value);

    if (!value)
        return rc_error_null(rc_error_no_memory(error));
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
    free(counted->modes);
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

    if (!isfinite(x))
        return rc_error_null(rc_error_set(error, "a point must be a finite number"));
    value = rc_value_new(RC_POINT, error);
    if (value)
        value->mean = value->low = value->high = x;
    return value;
}

struct rc_value *rc_value_normal(double mean, double sd, uint64_t variable, struct rc_error *error)
{
    struct rc_value *value;

    if (!isfinite(mean) || !isfinite(sd) || sd < 0)
        return rc_error_null(rc_error_set(
            error, "a normal needs a finite mean and a standard deviation of at least 0"));
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

    if (!isfinite(low) || !isfinite(high) || low > high)
        return rc_error_null(
            rc_error_set(error, "an interval needs two finite bounds, the lower one first"));
    value = rc_value_new(RC_INTERVAL, error);
    if (!value)
        return NULL;
    value->low = low;
    value->high = high;
    value->mean = low + (high - low) / 2;
    value->sd = (high - low) / sqrt(12);
    return value;
}

/* What one way through the draws tells, in four strands, since processors do four at a time. */
struct tally {
    double sum[4], squares[4]; /* of the distances from the first draw */
    double low[4], high[4];
};

static void tally_one(struct tally *tally, size_t strand, double x, double first)
{
    tally->sum[strand] += x - first;
    tally->squares[strand] += (x - first) * (x - first);
    tally->low[strand] = x < tally->low[strand] ? x : tally->low[strand];
    tally->high[strand] = x > tally->high[strand] ? x : tally->high[strand];
}

static void tally_draws(const double *draws, size_t n, struct tally *tally)
{
    const double first = draws[0];
    size_t i;

    *tally =
        (struct tally){.low = {first, first, first, first}, .high = {first, first, first, first}};
    for (i = 0; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            tally_one(tally, k, draws[i + k], first);
    for (; i < n; i++)
        tally_one(tally, 0, draws[i], first);
}

/* Where squares of the draws are too large for a double. */
static void careful_moments(struct rc_value *value)
{
    double size = fmax(fabs(value->low), fabs(value->high)), n = (double)value->n_draws;
    double mean = 0, squares = 0;

    for (size_t i = 0; i < value->n_draws; i++)
        mean += value->draws[i] / size / n;
    for (size_t i = 0; i < value->n_draws; i++)
        squares += pow(value->draws[i] / size - mean, 2);
    value->mean = mean * size;
    value->sd = fmin(sqrt(squares / (n - 1)) * size, DBL_MAX);
}

/* The first draw is at most sqrt(n) standard deviations from the mean: what is lost by counting
 * from there are few digits, of the standard deviation alone. */
static void find_moments(struct rc_value *value, const struct tally *tally)
{
    double n = (double)value->n_draws;
    double sum = (tally->sum[0] + tally->sum[1]) + (tally->sum[2] + tally->sum[3]);
    double squares =
        (tally->squares[0] + tally->squares[1]) + (tally->squares[2] + tally->squares[3]);

    value->low = fmin(fmin(tally->low[0], tally->low[1]), fmin(tally->low[2], tally->low[3]));
    value->high = fmax(fmax(tally->high[0], tally->high[1]), fmax(tally->high[2], tally->high[3]));
    value->mean = value->draws[0] + sum / n;
    value->sd = n > 1 ? sqrt(fmax(squares - sum * sum / n, 0) / (n - 1)) : 0;
    if (!isfinite(squares) || !isfinite(sum * sum))
        careful_moments(value);
    value->mean = fmin(fmax(value->mean, value->low), value->high);
}

struct rc_value *rc_value_sample_adopt(double *draws, size_t n_draws, const char *if_not_finite,
                                       struct rc_error *error)
{
    struct rc_value *value = rc_value_new(RC_SAMPLE, error);
    struct tally tally;

    assert(n_draws > 0);
    if (!value) {
        free(draws);
        return NULL;
    }
    value->draws = draws;
    value->n_draws = n_draws;
    tally_draws(draws, n_draws, &tally);
    /* One draw that is not finite makes the sums not finite; so do draws that are very large. */
    if (!isfinite(tally.sum[0] + tally.sum[1] + tally.sum[2] + tally.sum[3]))
        for (size_t i = 0; i < n_draws; i++)
            if (!isfinite(draws[i])) {
                rc_error_set(error, "%s (sample %zu)", if_not_finite, i + 1);
                rc_value_drop(value);
                return NULL;
            }
    find_moments(value, &tally);
    return value;
}

struct rc_value *rc_value_sample(const double *draws, size_t n_draws, struct rc_error *error)
{
    double *copy;

    if (n_draws == 0 || n_draws > RC_VALUE_DRAWS_MAX)
        return rc_error_null(
            rc_error_set(error, "the number of samples must be from 1 to %d", RC_VALUE_DRAWS_MAX));
    copy = malloc(n_draws * sizeof *copy);
    if (!copy)
        return rc_error_null(rc_error_no_memory(error));
    memcpy(copy, draws, n_draws * sizeof *copy);
    return rc_value_sample_adopt(copy, n_draws, "not a finite number", error);
}

/* ---- asking ---- */

enum rc_value_kind rc_value_kind(const struct rc_value *value)
{
    return value->kind;
}

const char *rc_value_kind_name(enum rc_value_kind kind)
{
    static const char *const names[] = {"point", "normal",    "interval",
                                        "modal", "histogram", "sample"};

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
