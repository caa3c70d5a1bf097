// SPDX-License-Identifier: GPL-3.0-or-later
/* convert_kind.c - turning one kind of value into another. */
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "base/error.h"
#include "stats/value/internal.h"

/* A normal's histogram ends where one in ten thousand million lies beyond. */
static const double NORMAL_TAIL = 1e-10;

enum rc_value_kind rc_value_meet(enum rc_value_kind a, enum rc_value_kind b)
{
    static const enum rc_value_kind meet[RC_VALUE_KINDS][RC_VALUE_KINDS] = {
        [RC_POINT] = {RC_POINT, RC_NORMAL, RC_INTERVAL, RC_MODAL, RC_HISTOGRAM, RC_SAMPLE},
        [RC_NORMAL] = {RC_NORMAL, RC_NORMAL, RC_INTERVAL, RC_MODAL, RC_HISTOGRAM, RC_SAMPLE},
        [RC_INTERVAL] = {RC_INTERVAL, RC_INTERVAL, RC_INTERVAL, RC_HISTOGRAM, RC_HISTOGRAM,
                         RC_SAMPLE},
        [RC_MODAL] = {RC_MODAL, RC_MODAL, RC_HISTOGRAM, RC_MODAL, RC_HISTOGRAM, RC_SAMPLE},
        [RC_HISTOGRAM] = {RC_HISTOGRAM, RC_HISTOGRAM, RC_HISTOGRAM, RC_HISTOGRAM, RC_HISTOGRAM,
                          RC_SAMPLE},
        [RC_SAMPLE] = {RC_SAMPLE, RC_SAMPLE, RC_SAMPLE, RC_SAMPLE, RC_SAMPLE, RC_SAMPLE},
    };

    return meet[a][b];
}

/* ---- to a histogram ---- */

static struct rc_value *normal_to_histogram(const struct rc_value *value, size_t n,
                                            struct rc_error *error)
{
    double *edges, *cdf, reach = -gsl_cdf_ugaussian_Pinv(NORMAL_TAIL);
    struct rc_value *result;

    edges = malloc(2 * (n + 1) * sizeof *edges);
    if (!edges)
        return rc_error_null(rc_error_no_memory(error));
    cdf = edges + n + 1;
    /* Half of the edges at even steps of probability, half at even steps of the deviate: the one
     * keeps the middle, the other the tails. */
    for (size_t i = 0; i <= n; i++) {
        double share = (double)i / (double)n, even = reach * (2 * share - 1);
        double z = i == 0 ? -reach : i == n ? reach : (even + gsl_cdf_ugaussian_Pinv(share)) / 2;

        edges[i] = value->mean + value->sd * z;
        cdf[i] = i == 0 ? 0 : i == n ? 1 : gsl_cdf_ugaussian_P(z);
    }
    result = rc_value_histogram_from_cdf(edges, cdf, n + 1, n, error);
    free(edges);
    return result;
}

static struct rc_value *sample_to_histogram(const struct rc_value *value, size_t n,
                                            struct rc_error *error)
{
    double *edges = malloc(4 * (n + 1) * sizeof *edges), *cdf = edges + 2 * (n + 1), x;
    struct rc_value *result;
    size_t used = 0;

    if (!edges)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i <= n; i++) {
        x = rc_value_quantile(value, (double)i / (double)n);
        if (used && x <= edges[used - 1]) {
            /* Many equal draws: an atom, whose probability the last of them completes. */
            if (used == 1 || edges[used - 2] < x) {
                edges[used] = x;
                cdf[used++] = 0;
            }
            cdf[used - 1] = rc_value_cdf(value, x);
            continue;
        }
        edges[used] = x;
        cdf[used++] = i == 0 ? 0 : (double)i / (double)n;
    }
    result = rc_value_histogram_from_cdf(edges, cdf, used, used, error);
    free(edges);
    return result;
}

/* The bins of each mode, with its probability; where modes overlap, densities are added. */
static struct rc_value *modal_to_histogram(const struct rc_value *value, size_t n,
                                           struct rc_error *error)
{
    size_t each = n / value->n_modes < 2 ? 2 : n / value->n_modes, n_bins = 0;
    struct rc_bin *bins = malloc((each + 1) * value->n_modes * sizeof *bins);
    struct rc_value *result = NULL;
    int status = bins ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < value->n_modes && !status; i++) {
        const struct rc_mode *mode = &value->modes[i];
        const struct rc_value normal = {.kind = RC_NORMAL, .mean = mode->mean, .sd = mode->sd};
        struct rc_value *part = NULL;

        if (mode->sd == 0) {
            bins[n_bins++] = (struct rc_bin){mode->mean, mode->mean, mode->p};
            continue;
        }
        part = normal_to_histogram(&normal, each, error);
        status = part ? 0 : -1;
        for (size_t k = 0; part && k < part->n_bins && k <= each; k++)
            bins[n_bins++] =
                (struct rc_bin){part->bins[k].low, part->bins[k].high, mode->p * part->bins[k].p};
        rc_value_drop(part);
    }
    if (!status)
        result = rc_value_histogram(bins, n_bins, error);
    free(bins);
    return result;
}

static struct rc_value *to_histogram(const struct rc_value *value,
                                     const struct rc_value_rules *rules, struct rc_error *error)
{
    const struct rc_bin whole = {value->low, value->high, 1};
    size_t n = rules->bins < 2                   ? 2
               : rules->bins > RC_VALUE_BINS_MAX ? RC_VALUE_BINS_MAX
                                                 : rules->bins;

    if (value->low == value->high || value->kind == RC_INTERVAL)
        return rc_value_histogram(&whole, 1, error);
    return value->kind == RC_NORMAL  ? normal_to_histogram(value, n, error)
           : value->kind == RC_MODAL ? modal_to_histogram(value, n, error)
                                     : sample_to_histogram(value, n, error);
}

/* ---- to a sample ---- */

/* From a mode by its probability. */
static double draw_modal(const struct rc_value *value, struct rc_random *random)
{
    double u = rc_random_uniform(random);
    size_t i = 0;

    while (i + 1 < value->n_modes && u >= value->modes[i].p)
        u -= value->modes[i++].p;
    return rc_random_normal(random, value->modes[i].mean, value->modes[i].sd);
}

static double draw_one(const struct rc_value *value, struct rc_random *random)
{
    switch (value->kind) {
    case RC_INTERVAL:
        return value->low + (value->high - value->low) * rc_random_uniform(random);
    case RC_MODAL:
        return draw_modal(value, random);
    case RC_HISTOGRAM:
        return rc_value_histogram_quantile(value, rc_random_uniform(random));
    default:
        return value->mean;
    }
}

static struct rc_value *to_sample(const struct rc_value *value, const struct rc_value_rules *rules,
                                  struct rc_error *error)
{
    size_t n = rules->draws;
    double *draws;

    if (!rules->random && value->kind != RC_POINT)
        return rc_error_null(rc_error_set(error, "cannot sample a %s without random numbers",
                                          rc_value_kind_name(value->kind)));
    if (n == 0 || n > RC_VALUE_DRAWS_MAX)
        return rc_error_null(
            rc_error_set(error, "the number of samples must be from 1 to %d", RC_VALUE_DRAWS_MAX));
    draws = malloc(n * sizeof *draws);
    if (!draws)
        return rc_error_null(rc_error_no_memory(error));
    if (value->kind == RC_NORMAL)
        rc_random_normals(rules->random, value->mean, value->sd, draws, n);
    for (size_t i = 0; i < n && value->kind != RC_NORMAL; i++)
        draws[i] = draw_one(value, rules->random);
    return rc_value_sample_adopt(draws, n, "not a finite number", error);
}

struct rc_value *rc_value_convert(const struct rc_value *value, enum rc_value_kind to,
                                  const struct rc_value_rules *rules, struct rc_error *error)
{
    double low = value->low, high = value->high;

    if (value->kind == to)
        return rc_value_keep(value);
    switch (to) {
    case RC_POINT:
        return rc_value_point(value->mean, error);
    case RC_NORMAL:
        return rc_value_normal(value->mean,
                               value->kind == RC_MODAL ? rc_value_modal_normal_sd(value, rules)
                                                       : value->sd,
                               0, error);
    case RC_MODAL:
        return rc_value_modal(&(struct rc_mode){value->mean, value->sd, 1}, 1, error);
    case RC_INTERVAL:
        if (value->kind == RC_MODAL)
            rc_value_modal_ends(value, rules, &low, &high);
        if (value->kind == RC_NORMAL) {
            low = value->mean - rules->normal_width * value->sd;
            high = value->mean + rules->normal_width * value->sd;
        }
        return rc_value_interval(low, high, error);
    case RC_HISTOGRAM:
        return to_histogram(value, rules, error);
    default:
        return to_sample(value, rules, error);
    }
}
