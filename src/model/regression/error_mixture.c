// SPDX-License-Identifier: GPL-3.0-or-later
/* error_mixture.c - the distribution of errors of which some are only lower bounds. */
#include "model/regression/error_mixture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>

#include "base/error.h"
#include "base/normal.h"

enum {
    STEPS = 200,
    HALVINGS = 60,
    COMPLETED_LEAST = 5, /* for each normal distribution of a mixture */
    SHAPES = RC_REGRESSION_MIXED_MAX + 1
};
static const double enough = 1e-6;     /* a relative change of the likelihood to end with */
static const double sd_counts = 3;     /* errors that the prior of a standard deviation counts as */
static const double sd_expected = 0.5; /* by it, in shares of the spread over their number */
static const double tail_expected = 0.1, tail_unsure = 0.5; /* of an exponential part */
static const double core_unsure = 1.5;
static const double tail_enough = 0.01; /* a step of the logarithm to end with */
static const double tail_likely = 0.25; /* how likely an exponential part is, before the errors */
static const double tail_share = 0.25;  /* of the completed runs are assumed to be in it */
static const double least_sd = 1e-4, least_weight = 1e-4, farthest = 20;

/* A shape, and its criterion: the larger, the better. */
struct shape {
    struct rc_regression_normal normals[RC_REGRESSION_MIXED_MAX];
    size_t n;
    double tail; /* above 0: one normal plus an exponential part */
    double criterion;
};

/* Errors in rising order of their values. */
struct sample {
    const struct rc_regression_error_value *errors;
    const double *sorted;
    size_t n, completed;
};

/* ---- mixtures of normal distributions ---- */

/* Equal parts of the sorted values. */
static void begin(const struct sample *sample, struct shape *shape)
{
    double mean = 0, squares = 0, width;

    for (size_t i = 0; i < sample->n; i++)
        mean += sample->sorted[i] / (double)sample->n;
    for (size_t i = 0; i < sample->n; i++)
        squares += (sample->sorted[i] - mean) * (sample->sorted[i] - mean) / (double)sample->n;
    width = (sqrt(squares) + least_sd) / (double)shape->n;
    for (size_t k = 0; k < shape->n; k++) {
        size_t from = k * sample->n / shape->n, to = (k + 1) * sample->n / shape->n;
        struct rc_regression_normal *normal = &shape->normals[k];

        *normal = (struct rc_regression_normal){1 / (double)shape->n, 0, width};
        for (size_t i = from; i < to; i++)
            normal->mean += sample->sorted[i] / (double)(to - from);
    }
}

/* One step of the EM algorithm; `width` is that of the prior.  Returns the log likelihood. */
static double step(const struct sample *sample, double width, struct shape *shape)
{
    double sums[RC_REGRESSION_MIXED_MAX][3] = {{0}}, likelihood = 0;

    for (size_t i = 0; i < sample->n; i++) {
        double parts[RC_REGRESSION_MIXED_MAX], z[RC_REGRESSION_MIXED_MAX], all = 1e-300;

        for (size_t k = 0; k < shape->n; k++) {
            const struct rc_regression_normal *normal = &shape->normals[k];

            z[k] = (sample->errors[i].value - normal->mean) / normal->sd;
            parts[k] = normal->weight * (sample->errors[i].is_bound
                                             ? gsl_cdf_ugaussian_Q(z[k])
                                             : gsl_ran_ugaussian_pdf(z[k]) / normal->sd);
            all += parts[k];
        }
        likelihood += log(all);
        for (size_t k = 0; k < shape->n; k++) {
            double above = sample->errors[i].is_bound ? rc_normal_mean_above(z[k]) : z[k];

            sums[k][0] += parts[k] / all;
            sums[k][1] += parts[k] / all * above;
            sums[k][2] +=
                parts[k] / all * (sample->errors[i].is_bound ? 1 + z[k] * above : above * above);
        }
    }
    for (size_t k = 0; k < shape->n; k++) {
        struct rc_regression_normal *normal = &shape->normals[k];
        double share = fmax(sums[k][0], 1e-9), off = sums[k][1] / share;
        double squares = fmax(sums[k][2] - share * off * off, 0) * normal->sd * normal->sd;

        normal->weight = (sums[k][0] + 0.5) / ((double)sample->n + 0.5 * (double)shape->n);
        normal->mean += off * normal->sd;
        normal->sd = sqrt((squares + sd_counts * width * width) / (share + sd_counts));
    }
    return likelihood;
}

static void fit_normals(const struct sample *sample, struct shape *shape)
{
    double likelihood = -HUGE_VAL, width;

    begin(sample, shape);
    width = sd_expected * shape->normals[0].sd;
    for (int i = 0; i < STEPS; i++) {
        double now = step(sample, width, shape);
        bool done = fabs(now - likelihood) < enough * (fabs(now) + 1);

        likelihood = now;
        if (done)
            break;
    }
    shape->criterion =
        likelihood - 0.5 * (double)(3 * shape->n - 1) * log((double)sample->completed + 1);
}

/* ---- a normal distribution plus an exponential part ---- */

static double log_above(double x, const struct rc_regression_normal *core, double tail)
{
    double z = (x - core->mean) / core->sd, s = core->sd / tail;
    double a = rc_normal_log_below(-z), b = 0.5 * s * s - z * s + rc_normal_log_below(z - s);
    double most = fmax(a, b);

    return most + log(exp(a - most) + exp(b - most));
}

static double log_density(double x, const struct rc_regression_normal *core, double tail)
{
    double z = (x - core->mean) / core->sd, s = core->sd / tail;

    return 0.5 * s * s - z * s + rc_normal_log_below(z - s) - log(tail);
}

enum { MEAN, LOG_SD, LOG_TAIL, ARGUMENTS };

/* The log likelihood plus the log prior of the arguments. */
static double judge(const struct sample *sample, double spread, const double at[ARGUMENTS])
{
    struct rc_regression_normal core = {1, at[MEAN], exp(at[LOG_SD])};
    double tail = exp(at[LOG_TAIL]), sum;
    double narrower = (at[LOG_SD] - log(spread)) / core_unsure;
    double longer = (at[LOG_TAIL] - log(tail_expected)) / tail_unsure;

    sum = -0.5 * (narrower * narrower + longer * longer);
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->errors[i].is_bound ? log_above(sample->errors[i].value, &core, tail)
                                          : log_density(sample->errors[i].value, &core, tail);
    return sum;
}

/* One step of the search in either direction of an argument; whether it was better there. */
static bool try_argument(const struct sample *sample, double spread, int which, double by,
                         double at[ARGUMENTS], double *best)
{
    double had = at[which];

    for (int side = -1; side <= 1; side += 2) {
        double now;

        at[which] = had + side * by;
        now = judge(sample, spread, at);
        if (now > *best) {
            *best = now;
            return true;
        }
    }
    at[which] = had;
    return false;
}

/* A compass search: steps along each argument, which are halved where none is better. */
static void fit_tail(const struct sample *sample, struct shape *shape)
{
    double median = sample->sorted[sample->n / 2];
    double spread = fmax(median - sample->sorted[sample->n / 10], least_sd);
    double at[ARGUMENTS] = {median - 0.5 * spread, log(0.5 * spread), log(tail_expected)};
    double by[ARGUMENTS] = {0.5 * spread, 0.5, 0.5}, best = judge(sample, spread, at);

    for (int round = 0; round < STEPS && by[LOG_TAIL] > tail_enough; round++) {
        bool better = false;

        for (int which = 0; which < ARGUMENTS; which++)
            better |= try_argument(sample, spread, which, by[which], at, &best);
        for (int which = 0; which < ARGUMENTS && !better; which++)
            by[which] *= 0.5;
    }
    shape->normals[0] = (struct rc_regression_normal){1, at[MEAN], exp(at[LOG_SD])};
    shape->n = 1;
    shape->tail = exp(at[LOG_TAIL]);
    shape->criterion = log(tail_likely) + best - 1.5 * log((double)sample->completed + 1);
}

/* ---- all shapes ---- */

static void average(const struct shape *shapes, size_t n,
                    struct rc_regression_error_mixture *mixture)
{
    double best = -HUGE_VAL, all = 0;

    memset(mixture, 0, sizeof *mixture);
    for (size_t i = 0; i < n; i++)
        best = fmax(best, shapes[i].criterion);
    for (size_t i = 0; i < n; i++)
        all += exp(shapes[i].criterion - best);
    for (size_t i = 0; i < n; i++) {
        double weight = exp(shapes[i].criterion - best) / all;

        for (size_t k = 0; k < shapes[i].n; k++) {
            struct rc_regression_normal normal = shapes[i].normals[k];

            normal.weight *= weight;
            if (shapes[i].tail > 0) {
                mixture->core = normal;
                mixture->tail = shapes[i].tail;
            } else if (normal.weight > least_weight) {
                mixture->normals[mixture->n_normals++] = normal;
            }
        }
    }
}

int rc_regression_error_mixture_fit(const struct rc_regression_error_value *errors, size_t n,
                                    struct rc_regression_error_mixture *mixture,
                                    struct rc_error *error)
{
    struct shape shapes[SHAPES] = {0};
    double *sorted = malloc(n * sizeof *sorted);
    struct sample sample = {errors, sorted, n, 0};
    size_t found = 0;

    assert(n >= 2);
    if (!sorted)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = errors[i].value;
        sample.completed += !errors[i].is_bound;
    }
    assert(sample.completed > 0);
    gsl_sort(sorted, 1, n);
    do {
        shapes[found].n = found + 1;
        fit_normals(&sample, &shapes[found]);
        found++;
    } while (found < RC_REGRESSION_MIXED_MAX && sample.completed >= COMPLETED_LEAST * (found + 1));
    fit_tail(&sample, &shapes[found]);
    free(sorted);
    average(shapes, found + 1, mixture);
    mixture->tail_runs = fmax(tail_share * (double)sample.completed, 2);
    return 0;
}

/* The mean of the exponential part is known from few runs.  Averaged over its uncertainty, the tail
 * is that of a Lomax distribution. */
static double tail_above(const struct rc_regression_error_mixture *mixture, double value)
{
    double z = (value - mixture->core.mean) / mixture->core.sd;
    double core = gsl_cdf_ugaussian_Q(z);
    double tail = exp(log_above(value, &mixture->core, mixture->tail)) - core;

    return core + (tail > 0 ? pow(1 - log(tail) / mixture->tail_runs, -mixture->tail_runs) : 0);
}

double rc_regression_error_mixture_above(const struct rc_regression_error_mixture *mixture,
                                         double value)
{
    double sum = mixture->core.weight > 0 ? mixture->core.weight * tail_above(mixture, value) : 0;

    for (size_t i = 0; i < mixture->n_normals; i++)
        sum += mixture->normals[i].weight *
               gsl_cdf_ugaussian_Q((value - mixture->normals[i].mean) / mixture->normals[i].sd);
    return sum;
}

double rc_regression_error_mixture_beyond(const struct rc_regression_error_mixture *mixture,
                                          double bound, double part)
{
    double left = (1 - part) * rc_regression_error_mixture_above(mixture, bound);
    double low = bound, high = bound + 1;

    assert(part > 0 && part < 1);
    if (left < 1e-12)
        return bound;
    while (high < bound + farthest && rc_regression_error_mixture_above(mixture, high) > left)
        high += high - bound;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);

        if (rc_regression_error_mixture_above(mixture, middle) > left)
            low = middle;
        else
            high = middle;
    }
    return high;
}
