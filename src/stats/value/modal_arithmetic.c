// SPDX-License-Identifier: GPL-3.0-or-later
/* modal_arithmetic.c - arithmetic of modal values.
 *
 * Each mode is a normal, so an operation is done for each combination of modes by the rules for
 * normals (Table 4.1 of the dissertation, or the exact ones), and has the product of their
 * probabilities.  The operands count as independent.  Modes of the result beyond
 * RC_VALUE_MODES_MAX are merged, neighbours first that change the variance within modes least;
 * mean and sd of the whole stay the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/internal.h"

static int by_mean(const void *a, const void *b)
{
    double left = ((const struct rc_mode *)a)->mean, right = ((const struct rc_mode *)b)->mean;

    return (left > right) - (left < right);
}

/* The variance between two modes, which merging puts into one. */
static double merging_cost(const struct rc_mode *a, const struct rc_mode *b)
{
    return a->p + b->p > 0 ? a->p * b->p / (a->p + b->p) * pow(a->mean - b->mean, 2) : 0;
}

static struct rc_mode merged(const struct rc_mode *a, const struct rc_mode *b)
{
    double p = a->p + b->p, share = p > 0 ? a->p / p : 0.5;
    double mean = share * a->mean + (1 - share) * b->mean;
    double variance = share * (a->sd * a->sd + pow(a->mean - mean, 2)) +
                      (1 - share) * (b->sd * b->sd + pow(b->mean - mean, 2));

    return (struct rc_mode){mean, sqrt(variance), p};
}

/* Merges modes until there are few enough, and makes a value of them. */
static struct rc_value *value_of(struct rc_mode *modes, size_t n, struct rc_error *error)
{
    qsort(modes, n, sizeof *modes, by_mean);
    while (n > RC_VALUE_MODES_MAX) {
        size_t best = 0;

        for (size_t i = 1; i + 1 < n; i++)
            if (merging_cost(modes + i, modes + i + 1) <
                merging_cost(modes + best, modes + best + 1))
                best = i;
        modes[best] = merged(modes + best, modes + best + 1);
        memmove(modes + best + 1, modes + best + 2, (n - best - 2) * sizeof *modes);
        n--;
    }
    return rc_value_modal(modes, n, error);
}

/* What is done to two modes as normals. */
struct pairing {
    bool extreme, max; /* the larger or smaller; otherwise `operation` */
    enum rc_binary operation;
    const struct rc_value_rules *rules;
};

/* One combination of modes, in `mode`. */
static int pair(const struct pairing *pairing, const struct rc_mode *a, const struct rc_mode *b,
                struct rc_mode *mode, struct rc_error *error)
{
    struct rc_value *x = rc_value_normal(a->mean, a->sd, 0, error),
                    *y = x ? rc_value_normal(b->mean, b->sd, 0, error) : NULL, *result = NULL;

    if (y)
        result = pairing->extreme
                     ? rc_value_normal_extreme(x, y, pairing->max, error)
                     : rc_value_normal_binary(pairing->operation, x, y, pairing->rules, error);
    if (result)
        *mode = (struct rc_mode){result->mean, result->sd, a->p * b->p};
    rc_value_drop(x);
    rc_value_drop(y);
    rc_value_drop(result);
    return result ? 0 : -1;
}

static struct rc_value *all_pairs(const struct pairing *pairing, const struct rc_value *a,
                                  const struct rc_value *b, struct rc_error *error)
{
    struct rc_mode *modes = malloc(a->n_modes * b->n_modes * sizeof *modes);
    struct rc_value *value = NULL;
    size_t n = 0;
    int status = modes ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < a->n_modes; i++)
        for (size_t j = 0; j < b->n_modes && !status; j++)
            status = pair(pairing, a->modes + i, b->modes + j, modes + n++, error);
    if (!status)
        value = value_of(modes, n, error);
    free(modes);
    return value;
}

struct rc_value *rc_value_modal_binary(enum rc_binary operation, const struct rc_value *a,
                                       const struct rc_value *b, const struct rc_value_rules *rules,
                                       struct rc_error *error)
{
    return all_pairs(&(struct pairing){.operation = operation, .rules = rules}, a, b, error);
}

struct rc_value *rc_value_modal_extreme(const struct rc_value *a, const struct rc_value *b,
                                        bool max, struct rc_error *error)
{
    return all_pairs(&(struct pairing){.extreme = true, .max = max}, a, b, error);
}

struct rc_value *rc_value_modal_unary(enum rc_unary operation, const struct rc_value *a,
                                      struct rc_error *error)
{
    struct rc_mode modes[RC_VALUE_MODES_MAX];

    for (size_t i = 0; i < a->n_modes; i++) {
        struct rc_value *x = rc_value_normal(a->modes[i].mean, a->modes[i].sd, 0, error),
                        *result = x ? rc_value_normal_unary(operation, x, error) : NULL;

        if (result)
            modes[i] = (struct rc_mode){result->mean, result->sd, a->modes[i].p};
        rc_value_drop(x);
        rc_value_drop(result);
        if (!result)
            return NULL;
    }
    return value_of(modes, a->n_modes, error);
}
