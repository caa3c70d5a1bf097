// SPDX-License-Identifier: GPL-3.0-or-later
/* split_error.c - the error of a model, as a few factors that are equally probable. */
#include "advise/split/split_error.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

enum { FINE = 20 }; /* parts of a step */

/* The more times there are, the fewer steps are needed to make up a distribution. */
static size_t steps_for(size_t n)
{
    return n <= 2000 ? RC_SPLIT_ERROR_STEPS : n <= 20000 ? 20 : 10;
}

/* Steps are the means of equal parts of the samples, which keeps the mean of all. */
static void make_steps(const double *sorted, size_t n, double *steps, size_t n_steps)
{
    double sum = 0;

    for (size_t k = 0; k < n_steps; k++) {
        size_t from = k * n / n_steps, until = (k + 1) * n / n_steps;

        until = until > from ? until : from + 1;
        steps[k] = 0;
        for (size_t i = from; i < until; i++)
            steps[k] += sorted[i] / (double)(until - from);
        sum += steps[k];
    }
    for (size_t k = 0; k < n_steps; k++)
        steps[k] *= (double)n_steps / sum;
}

void rc_split_error_of_samples(double *samples, size_t n, struct rc_split_error *found)
{
    double mean = 0, squares = 0;

    rc_sort_doubles(samples, n);
    for (size_t i = 0; i < n; i++)
        mean += samples[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] / mean - 1) * (samples[i] / mean - 1) / (double)n;
    found->known = true;
    found->sd = sqrt(squares);
    make_steps(samples, n, found->steps, RC_SPLIT_ERROR_STEPS);
}

void rc_split_error_of_sd(double sd, struct rc_split_error *found)
{
    double samples[RC_SPLIT_ERROR_STEPS * FINE], width = sqrt(log1p(sd * sd));
    size_t n = sizeof samples / sizeof *samples;

    for (size_t i = 0; i < n; i++)
        samples[i] = exp(gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / (double)n) * width);
    rc_split_error_of_samples(samples, n, found);
    found->sd = sd;
}

struct rc_value *rc_split_error_spread(const struct rc_split_error *by, const double *times,
                                       size_t n, struct rc_error *error)
{
    double steps[RC_SPLIT_ERROR_STEPS], *all;
    size_t n_steps = steps_for(n);
    struct rc_value *value;

    if (!by->known)
        return rc_value_sample(times, n, error);
    make_steps(by->steps, RC_SPLIT_ERROR_STEPS, steps, n_steps);
    all = malloc(n * n_steps * sizeof *all);
    if (!all) {
        rc_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_steps; k++)
            all[i * n_steps + k] = times[i] * steps[k];
    value = rc_value_sample(all, n * n_steps, error);
    free(all);
    return value;
}
