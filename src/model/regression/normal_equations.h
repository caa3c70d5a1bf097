// SPDX-License-Identifier: GPL-3.0-or-later
/* normal_equations.h - least squares of a few columns, from sums of their products. */
#ifndef RC_MODEL_REGRESSION_NORMAL_EQUATIONS_H
#define RC_MODEL_REGRESSION_NORMAL_EQUATIONS_H

enum {
    RC_REGRESSION_COLUMNS_MAX = 4, /* two terms of computation, two of communication */
    RC_REGRESSION_NORMAL_SUMS =
        (RC_REGRESSION_COLUMNS_MAX + 1) * (RC_REGRESSION_COLUMNS_MAX + 2) / 2,
    RC_REGRESSION_SPREAD_MAX = RC_REGRESSION_COLUMNS_MAX * (RC_REGRESSION_COLUMNS_MAX + 1) / 2
};

/* Sums over runs of the products of the columns and, last, of the seconds: the lower triangle, row
 * by row.  Start from zeros and the number of columns. */
struct rc_regression_normal {
    unsigned n_columns;
    double n_runs;
    double sums[RC_REGRESSION_NORMAL_SUMS];
};

/* Adds a run: its `columns`, one number each, and its time. */
void rc_regression_normal_add(struct rc_regression_normal *normal, const double *columns,
                              double seconds);

/* The standard error of section 3, SE = sqrt(SSE / (N - p)), of N runs and p columns, in seconds.
 * INFINITY where the runs are not more than the columns, or the columns are not independent. */
double rc_regression_normal_error(const struct rc_regression_normal *normal);

/* The same, with the coefficients and (where `root` is not NULL) the lower triangle R, row by row,
 * with R R' the inverse of the columns' part of the matrix: SE^2 R R' is the covariance of the
 * coefficients. */
double rc_regression_normal_solve(const struct rc_regression_normal *normal, double *coefficients,
                                  double *root);

#endif
