// SPDX-License-Identifier: GPL-3.0-or-later
/* normal_equations.c - least squares of a few columns, from sums of their products.
 *
 * The matrix is scaled to ones on its diagonal, so that n^3 and log n weigh the same, and taken
 * apart by Cholesky's method with the seconds as its last column: what is left of the last pivot
 * is the share of the seconds' sum of squares that the columns do not explain. */
#include "model/regression/normal_equations.h"

#include <math.h>

enum { ORDER = RC_REGRESSION_COLUMNS_MAX + 1 };

/* A column of which less than this share (of its sum of squares) is new beside those before it is
 * taken for one of them: sums of products carry no more digits. */
static const double least_pivot = 1e-10;

void rc_regression_normal_add(struct rc_regression_normal *normal, const double *columns,
                              double seconds)
{
    double *sum = normal->sums;

    for (unsigned i = 0; i < normal->n_columns; i++)
        for (unsigned j = 0; j <= i; j++)
            *sum++ += columns[i] * columns[j];
    for (unsigned j = 0; j < normal->n_columns; j++)
        *sum++ += seconds * columns[j];
    *sum += seconds * seconds;
    normal->n_runs++;
}

/* The factor of the scaled matrix, and the scales; the last pivot squared, or -1 where a column is
 * not new or not finite. */
static double factorize(const struct rc_regression_normal *normal, double factor[ORDER][ORDER],
                        double *scale)
{
    unsigned order = normal->n_columns + 1;
    const double *row = normal->sums;
    double pivot = -1;

    for (unsigned i = 0; i < order; row += ++i) {
        if (!(row[i] > 0) || !isfinite(row[i]))
            return -1;
        scale[i] = 1 / sqrt(row[i]);
        pivot = 1;
        for (unsigned j = 0; j < i; j++) {
            double left = row[j] * scale[i] * scale[j];

            for (unsigned k = 0; k < j; k++)
                left -= factor[i][k] * factor[j][k];
            factor[i][j] = left / factor[j][j];
            pivot -= factor[i][j] * factor[i][j];
        }
        if (i + 1 < order && !(pivot > least_pivot))
            return -1;
        factor[i][i] = i + 1 < order ? sqrt(pivot) : 1;
    }
    return pivot > 0 ? pivot : 0;
}

static double error_of(const struct rc_regression_normal *normal, double left)
{
    double squares = normal->sums[(normal->n_columns + 1) * (normal->n_columns + 2) / 2 - 1];

    return sqrt(left * squares / (normal->n_runs - normal->n_columns));
}

double rc_regression_normal_error(const struct rc_regression_normal *normal)
{
    double factor[ORDER][ORDER], scale[ORDER], left;

    if (normal->n_columns == 0 || !(normal->n_runs > normal->n_columns))
        return INFINITY;
    left = factorize(normal, factor, scale);
    return left < 0 ? INFINITY : error_of(normal, left);
}

/* With the matrix L L', its inverse is U' U with U the inverse of L; the root that is asked for is
 * lower, so the inverse is made and taken apart again. */
static void invert(double factor[ORDER][ORDER], unsigned n, const double *scale, double *root)
{
    double lower[ORDER][ORDER] = {{0}}, inverse[ORDER][ORDER];

    for (unsigned column = 0; column < n; column++)
        for (unsigned i = column; i < n; i++) {
            double left = i == column;

            for (unsigned k = column; k < i; k++)
                left -= factor[i][k] * lower[k][column];
            lower[i][column] = left / factor[i][i];
        }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++) {
            inverse[i][j] = 0;
            for (unsigned k = i; k < n; k++)
                inverse[i][j] += lower[k][i] * lower[k][j];
        }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++) {
            double left = inverse[i][j];

            for (unsigned k = 0; k < j; k++)
                left -= lower[i][k] * lower[j][k]; /* rows of the new root, as far as it is made */
            lower[i][j] = i == j ? sqrt(fmax(left, 0)) : left / lower[j][j];
            *root++ = lower[i][j] * scale[i];
        }
}

double rc_regression_normal_solve(const struct rc_regression_normal *normal, double *coefficients,
                                  double *root)
{
    unsigned n = normal->n_columns;
    double factor[ORDER][ORDER], scale[ORDER], left;

    if (n == 0 || !(normal->n_runs > n))
        return INFINITY;
    left = factorize(normal, factor, scale);
    if (left < 0)
        return INFINITY;
    for (unsigned i = n; i-- > 0;) {
        double sum = factor[n][i];

        for (unsigned k = i + 1; k < n; k++)
            sum -= factor[k][i] * coefficients[k];
        coefficients[i] = sum / factor[i][i];
    }
    for (unsigned i = 0; i < n; i++)
        coefficients[i] *= scale[i] / scale[n];
    if (root)
        invert(factor, n, scale, root);
    return error_of(normal, left);
}
