// SPDX-License-Identifier: GPL-3.0-or-later
/* residuals.h - errors of a model for held-out runs, and the variation of runs. */
#ifndef RC_MODEL_REGRESSION_RESIDUALS_H
#define RC_MODEL_REGRESSION_RESIDUALS_H

#include "model/regression/model.h"

/* How uneven runs on so many processes are: errors of each class (model.h), in times of the spread
 * of all.  Start from zeros. */
struct rc_regression_unevenness {
    double squares[RC_REGRESSION_CLASSES], counts[RC_REGRESSION_CLASSES];
};
/* `off` is an error over the spread of all. */
void rc_regression_uneven_add(struct rc_regression_unevenness *uneven, double p, double off);
/* Fills in the noise of each class.  Those with few runs are drawn towards all; those without are
 * like the one below that has some, or like all. */
void rc_regression_uneven_tell(const struct rc_regression_unevenness *uneven, double *noise);

/* The latest errors; start from zeros, or from what a model has. */
struct rc_regression_errors {
    double off[RC_REGRESSION_RESIDUALS_MAX];          /* log(true / predicted) */
    unsigned char class[RC_REGRESSION_RESIDUALS_MAX]; /* of numbers of processes */
    size_t n, next;
};

/* From those that a model has, as wide as they were made there. */
void rc_regression_errors_begin(struct rc_regression_errors *errors,
                                const struct rc_regression_model *model);

/* One more.  Errors of a factor of more than 100, and predictions not above 0, count as that
 * factor. */
void rc_regression_errors_add(struct rc_regression_errors *errors, double p, double seconds,
                              double predicted);
double rc_regression_errors_off(double seconds, double predicted);

/* Fills in the model's residuals, which are made wider by the factor `wider`, noise and sigma. */
void rc_regression_errors_tell(const struct rc_regression_errors *errors, double wider,
                               struct rc_regression_model *model);

/* The standard deviation, were they normal, of numbers whose magnitudes these are: by their median,
 * which a few outliers do not move.  Sorts them.  0 of none. */
double rc_regression_robust_spread(double *magnitudes, size_t n);

/* Errors of a model, as fractions of the time: what half of them, and nine of ten, do not
 * exceed. */
struct rc_regression_error_summary {
    size_t n;
    double median, most; /* NAN if there are none */
};
struct rc_regression_error_summary
rc_regression_errors_summary(const struct rc_regression_model *model);

#endif
