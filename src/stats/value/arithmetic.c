// SPDX-License-Identifier: GPL-3.0-or-later
/* arithmetic.c - operations on values of any kind: brings them to one kind, and asks that one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/internal.h"

/* ---- points ---- */

static int point_binary(enum rc_binary operation, double a, double b, double *result,
                        struct rc_error *error)
{
    const double x[2] = {a, a}, y[2] = {b, b};
    double ends[2];

    if (rc_value_interval_binary(operation, x, y, ends, error))
        return -1;
    *result = ends[0];
    return 0;
}

static int point_unary(enum rc_unary operation, double a, double *result, struct rc_error *error)
{
    const double x[2] = {a, a};
    double ends[2];

    if (rc_value_interval_unary(operation, x, ends, error))
        return -1;
    *result = ends[0];
    return 0;
}

/* ---- samples ---- */

/* One of two operands: the draws of a sample or, over and over, the one number of a point. */
struct operand {
    const double *x;
    size_t step;
};

static struct operand operand_of(const struct rc_value *value)
{
    return value->kind == RC_SAMPLE ? (struct operand){value->draws, 1}
                                    : (struct operand){&value->mean, 0};
}

static void combine_draws(enum rc_binary operation, struct operand a, struct operand b, double *out,
                          size_t n)
{
    switch (operation) {
    case RC_ADD:
        for (size_t i = 0; i < n; i++)
            out[i] = a.x[i * a.step] + b.x[i * b.step];
        break;
    case RC_SUBTRACT:
        for (size_t i = 0; i < n; i++)
            out[i] = a.x[i * a.step] - b.x[i * b.step];
        break;
    case RC_MULTIPLY:
        for (size_t i = 0; i < n; i++)
            out[i] = a.x[i * a.step] * b.x[i * b.step];
        break;
    case RC_DIVIDE:
        for (size_t i = 0; i < n; i++)
            out[i] = a.x[i * a.step] / b.x[i * b.step];
        break;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = pow(a.x[i * a.step], b.x[i * b.step]);
    }
}

/* How many draws the result of two operands has, of which one is a sample; 0 where they do not
 * belong together. */
static size_t common_length(const struct rc_value *a, const struct rc_value *b,
                            struct rc_error *error)
{
    if (a->kind != RC_SAMPLE || b->kind != RC_SAMPLE)
        return a->kind == RC_SAMPLE ? a->n_draws : b->n_draws;
    if (a->n_draws == b->n_draws)
        return a->n_draws;
    rc_error_set(error, "values have different numbers of samples: %zu and %zu", a->n_draws,
                 b->n_draws);
    return 0;
}

static const char NOT_FINITE[] = "the result is not a finite number";

static double *new_draws(size_t n, struct rc_error *error)
{
    double *draws = malloc(n * sizeof *draws);

    if (!draws)
        rc_error_no_memory(error);
    return draws;
}

static bool has_zero(const struct rc_value *value)
{
    if (value->kind != RC_SAMPLE)
        return value->mean == 0;
    for (size_t i = 0; i < value->n_draws && value->low <= 0 && value->high >= 0; i++)
        if (value->draws[i] == 0)
            return true;
    return false;
}

/* At least one of the two is a sample; the other one may be a point. */
static struct rc_value *sample_binary(enum rc_binary operation, const struct rc_value *a,
                                      const struct rc_value *b, struct rc_error *error)
{
    size_t n = common_length(a, b, error);
    double *draws;

    if (n == 0)
        return NULL;
    if (operation == RC_DIVIDE && has_zero(b))
        return rc_error_null(rc_error_set(error, b->kind == RC_SAMPLE
                                                     ? "division by a sample that contains 0"
                                                     : "division by 0"));
    draws = new_draws(n, error);
    if (!draws)
        return NULL;
    combine_draws(operation, operand_of(a), operand_of(b), draws, n);
    return rc_value_sample_adopt(draws, n, NOT_FINITE, error);
}

static struct rc_value *sample_unary(enum rc_unary operation, const struct rc_value *a,
                                     struct rc_error *error)
{
    double *draws = new_draws(a->n_draws, error);

    for (size_t i = 0; draws && i < a->n_draws; i++)
        if (point_unary(operation, a->draws[i], &draws[i], error)) {
            free(draws);
            return NULL;
        }
    return draws ? rc_value_sample_adopt(draws, a->n_draws, NOT_FINITE, error) : NULL;
}

/* Whether two values are combined draw by draw as they are. */
static bool meet_as_draws(const struct rc_value *a, const struct rc_value *b)
{
    return (a->kind == RC_SAMPLE && (b->kind == RC_SAMPLE || b->kind == RC_POINT)) ||
           (b->kind == RC_SAMPLE && a->kind == RC_POINT);
}

/* ---- any kind ---- */

/* A point among samples needs no random numbers, but as many draws as the other one has. */
static struct rc_value *bring(const struct rc_value *value, enum rc_value_kind kind,
                              const struct rc_value *other, const struct rc_value_rules *rules,
                              struct rc_error *error)
{
    struct rc_value_rules same = *rules;

    if (kind == RC_SAMPLE && other->kind == RC_SAMPLE)
        same.draws = other->n_draws;
    return rc_value_convert(value, kind, &same, error);
}

/* Both, in the kind at which they meet; drop them.  -1 where that fails, with nothing to drop. */
static int bring_both(const struct rc_value *a, const struct rc_value *b,
                      const struct rc_value_rules *rules, struct rc_value *both[2],
                      struct rc_error *error)
{
    enum rc_value_kind kind = rc_value_meet(a->kind, b->kind);

    both[0] = bring(a, kind, b, rules, error);
    both[1] = both[0] ? bring(b, kind, a, rules, error) : NULL;
    if (both[1])
        return 0;
    rc_value_drop(both[0]);
    return -1;
}

static struct rc_value *same_kind_binary(enum rc_binary operation, const struct rc_value *a,
                                         const struct rc_value *b,
                                         const struct rc_value_rules *rules, struct rc_error *error)
{
    const double x[2] = {a->low, a->high}, y[2] = {b->low, b->high};
    double ends[2];

    switch (a->kind) {
    case RC_POINT:
        return point_binary(operation, a->mean, b->mean, ends, error)
                   ? NULL
                   : rc_value_point(*ends, error);
    case RC_NORMAL:
        return rc_value_normal_binary(operation, a, b, rules, error);
    case RC_INTERVAL:
        return rc_value_interval_binary(operation, x, y, ends, error)
                   ? NULL
                   : rc_value_interval(ends[0], ends[1], error);
    case RC_MODAL:
        return rc_value_modal_binary(operation, a, b, rules, error);
    case RC_HISTOGRAM:
        return rc_value_histogram_binary(operation, a, b, rules->bins, error);
    default:
        return sample_binary(operation, a, b, error);
    }
}

struct rc_value *rc_value_binary(enum rc_binary operation, const struct rc_value *a,
                                 const struct rc_value *b, const struct rc_value_rules *rules,
                                 struct rc_error *error)
{
    struct rc_value *both[2], *result;

    if (meet_as_draws(a, b))
        return sample_binary(operation, a, b, error);
    if (bring_both(a, b, rules, both, error))
        return NULL;
    result = same_kind_binary(operation, both[0], both[1], rules, error);
    rc_value_drop(both[0]);
    rc_value_drop(both[1]);
    return result;
}

struct rc_value *rc_value_unary(enum rc_unary operation, const struct rc_value *a,
                                const struct rc_value_rules *rules, struct rc_error *error)
{
    const double x[2] = {a->low, a->high};
    double ends[2];

    switch (a->kind) {
    case RC_POINT:
        return point_unary(operation, a->mean, ends, error) ? NULL : rc_value_point(*ends, error);
    case RC_NORMAL:
        return rc_value_normal_unary(operation, a, error);
    case RC_INTERVAL:
        return rc_value_interval_unary(operation, x, ends, error)
                   ? NULL
                   : rc_value_interval(ends[0], ends[1], error);
    case RC_MODAL:
        return rc_value_modal_unary(operation, a, error);
    case RC_HISTOGRAM:
        return rc_value_histogram_unary(operation, a, rules->bins, error);
    default:
        return sample_unary(operation, a, error);
    }
}

/* ---- the largest and the smallest ---- */

/* What a value is compared by when one of the given values is to be picked. */
static double measure(const struct rc_value *value, const struct rc_value_rules *rules, bool max)
{
    double low, high;

    if (rules->extreme == RC_EXTREME_MEAN)
        return value->mean;
    if (value->kind == RC_MODAL) {
        rc_value_modal_ends(value, rules, &low, &high);
        return max ? high : low;
    }
    if (value->kind == RC_NORMAL)
        return value->mean + (max ? 1 : -1) * rules->normal_width * value->sd;
    return max ? value->high : value->low;
}

static struct rc_value *pick(const struct rc_value *const *values, size_t n_values,
                             const struct rc_value_rules *rules, bool max)
{
    const struct rc_value *best = values[0];

    for (size_t i = 1; i < n_values; i++) {
        double a = measure(values[i], rules, max), b = measure(best, rules, max);

        if (max ? a > b : a < b)
            best = values[i];
    }
    return rc_value_keep(best);
}

static struct rc_value *sample_extreme(const struct rc_value *a, const struct rc_value *b, bool max,
                                       struct rc_error *error)
{
    const struct operand x = operand_of(a), y = operand_of(b);
    size_t n = common_length(a, b, error);
    double *draws = n ? new_draws(n, error) : NULL;

    if (!draws)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        double u = x.x[i * x.step], v = y.x[i * y.step];

        draws[i] = (max ? u > v : u < v) ? u : v; /* fmax() is a call, and these are numbers */
    }
    return rc_value_sample_adopt(draws, n, NOT_FINITE, error);
}

static struct rc_value *same_kind_extreme(const struct rc_value *x, const struct rc_value *y,
                                          const struct rc_value_rules *rules, bool max,
                                          struct rc_error *error)
{
    switch (x->kind) {
    case RC_POINT:
        return rc_value_keep((x->mean > y->mean) == max ? x : y);
    case RC_NORMAL:
        return rc_value_normal_extreme(x, y, max, error);
    case RC_INTERVAL:
        return max ? rc_value_interval(fmax(x->low, y->low), fmax(x->high, y->high), error)
                   : rc_value_interval(fmin(x->low, y->low), fmin(x->high, y->high), error);
    case RC_MODAL:
        return rc_value_modal_extreme(x, y, max, error);
    case RC_HISTOGRAM:
        return rc_value_histogram_extreme(x, y, max, rules->bins, error);
    default:
        return sample_extreme(x, y, max, error);
    }
}

static struct rc_value *extreme_of_two(const struct rc_value *a, const struct rc_value *b,
                                       const struct rc_value_rules *rules, bool max,
                                       struct rc_error *error)
{
    struct rc_value *both[2], *result;

    if (meet_as_draws(a, b))
        return sample_extreme(a, b, max, error);
    if (bring_both(a, b, rules, both, error))
        return NULL;
    result = same_kind_extreme(both[0], both[1], rules, max, error);
    rc_value_drop(both[0]);
    rc_value_drop(both[1]);
    return result;
}

static int by_spread(const void *a, const void *b)
{
    double left = (*(const struct rc_value *const *)a)->sd;
    double right = (*(const struct rc_value *const *)b)->sd;

    return (left > right) - (left < right);
}

/* Clark's way takes each result for normal before the next one comes; that costs least when the
 * ones that spread most, and so skew the result most, come last. */
static struct rc_value *true_extreme(const struct rc_value *const *values, size_t n_values,
                                     const struct rc_value_rules *rules, bool max,
                                     struct rc_error *error)
{
    const struct rc_value **ordered = malloc(n_values * sizeof *ordered);
    struct rc_value *result, *next;

    if (!ordered)
        return rc_error_null(rc_error_no_memory(error));
    memcpy(ordered, values, n_values * sizeof *ordered);
    qsort(ordered, n_values, sizeof *ordered, by_spread);
    result = rc_value_keep(ordered[0]);
    for (size_t i = 1; i < n_values && result; i++) {
        next = extreme_of_two(result, ordered[i], rules, max, error);
        rc_value_drop(result);
        result = next;
    }
    free(ordered);
    return result;
}

static struct rc_value *extreme(const struct rc_value *const *values, size_t n_values,
                                const struct rc_value_rules *rules, bool max,
                                struct rc_error *error)
{
    if (n_values == 0)
        return rc_error_null(rc_error_set(error, "at least one value is needed"));
    return rules->extreme == RC_EXTREME_TRUE ? true_extreme(values, n_values, rules, max, error)
                                             : pick(values, n_values, rules, max);
}

struct rc_value *rc_value_max(const struct rc_value *const *values, size_t n_values,
                              const struct rc_value_rules *rules, struct rc_error *error)
{
    return extreme(values, n_values, rules, true, error);
}

struct rc_value *rc_value_min(const struct rc_value *const *values, size_t n_values,
                              const struct rc_value_rules *rules, struct rc_error *error)
{
    return extreme(values, n_values, rules, false, error);
}
