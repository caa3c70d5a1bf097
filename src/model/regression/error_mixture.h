// SPDX-License-Identifier: GPL-3.0-or-later
/* error_mixture.h - the distribution of errors of which some are only lower bounds.
 *
 * Runs vary for different reasons: small disturbances add up (a normal distribution of the
 * logarithm), the machine is in one of two or three states (a mixture of them), or a few runs take
 * much longer (a normal plus an exponential part, a power law of the time).  Each of these
 * distributions is fitted to errors and bounds by maximum likelihood: normal ones and their mixtures
 * by the EM algorithm (A. P. Dempster, N. M. Laird and D. B. Rubin, "Maximum likelihood from
 * incomplete data via the EM algorithm", 1977), the last one by a compass search.  They are averaged
 * by Schwarz's criterion (G. Schwarz, "Estimating the dimension of a model", 1978). */
#ifndef RC_MODEL_REGRESSION_ERROR_MIXTURE_H
#define RC_MODEL_REGRESSION_ERROR_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>

struct rc_error;

struct rc_regression_error_value {
    double value;
    bool is_bound; /* the error is larger */
};

enum { RC_REGRESSION_MIXED_MAX = 3, RC_REGRESSION_NORMALS_MAX = 6 };

struct rc_regression_normal {
    double weight, mean, sd;
};

struct rc_regression_error_mixture {
    struct rc_regression_normal normals[RC_REGRESSION_NORMALS_MAX]; /* of all mixtures */
    size_t n_normals;
    struct rc_regression_normal core; /* plus an exponential part with this mean: */
    double tail;
    double tail_runs; /* that its mean is from */
};

/* Of n >= 2 errors, of which at least one is no bound.  -1 where memory runs out. */
int rc_regression_error_mixture_fit(const struct rc_regression_error_value *errors, size_t n,
                                    struct rc_regression_error_mixture *mixture,
                                    struct rc_error *error);

/* The share of errors above `value`. */
double rc_regression_error_mixture_above(const struct rc_regression_error_mixture *mixture,
                                         double value);

/* The error that, of those above `bound`, the share `part` does not exceed; 0 < part < 1. */
double rc_regression_error_mixture_beyond(const struct rc_regression_error_mixture *mixture,
                                          double bound, double part);

#endif
