// SPDX-License-Identifier: GPL-3.0-or-later
/* bytes_model.c - what a run of a given size will read and write.
 *
 * A prediction cannot know the bytes of a run that has not been, as its time hangs on them; so
 * they are predicted first, by one term: the one whose logarithm is, but for a constant, nearest
 * to that of the bytes.  How far the runs are from that is part of what is drawn. */
#include "model/regression/bytes_model.h"

#include <math.h>

/* Bytes that are a function but for this, relatively: their correlation is above 0.999. */
static const double alike = 0.045;
/* Two coefficients would fit fewer. */
enum { LEAST_RUNS = 6 };

/* The spread of log(bytes / term), and the coefficient; infinite where the term cannot be. */
static double spread_of(const struct rc_regression_rows *rows,
                        const struct rc_regression_term *term, double *coefficient)
{
    double sum = 0, squares = 0, n = 0;

    for (size_t i = 0; i < rows->n; i++) {
        double value = rc_regression_term_in_run(term, rows, rows->runs[i]), ratio;

        if (!(rows->runs[i]->bytes > 0))
            continue;
        ratio = log(rows->runs[i]->bytes / value);
        if (!isfinite(ratio))
            return INFINITY;
        n++;
        sum += ratio;
        squares += ratio * ratio;
    }
    *coefficient = exp(sum / n);
    return n > 0 ? sqrt(fmax(squares / n - sum * sum / n / n, 0)) : INFINITY;
}

/* As the search does: how far off, and how unlikely. */
static double worth(const struct rc_regression_rows *rows, const struct rc_regression_term *term,
                    double *coefficient)
{
    double spread = spread_of(rows, term, coefficient);
    double penalty = rc_regression_size_penalty(term->size, false) +
                     rc_regression_procs_penalty(term->procs, false);

    for (size_t i = 0; i < rows->n_params; i++)
        penalty += rc_regression_factor_penalty(term->factors[i]);
    return penalty + (double)rows->n * log(spread + 0.01);
}

/* The best term: one function is changed at a time, as long as it helps. */
static struct rc_regression_term find_term(const struct rc_regression_rows *rows,
                                           double *coefficient)
{
    struct rc_regression_term best = {0};
    double least = worth(rows, &best, coefficient);

    for (bool better = true; better;) {
        struct rc_regression_term from = best;

        better = false;
        for (unsigned place = 0; place < 2 + rows->n_params; place++) {
            unsigned n = place == 0   ? RC_REGRESSION_SIZES
                         : place == 1 ? RC_REGRESSION_PROCS
                                      : RC_REGRESSION_FACTORS;

            for (unsigned function = 0; function < n; function++) {
                struct rc_regression_term term = from;
                double cost, its;

                if (place == 0)
                    term.size = (unsigned char)function;
                else if (place == 1)
                    term.procs = (unsigned char)function;
                else
                    term.factors[place - 2] = (unsigned char)function;
                cost = worth(rows, &term, &its);
                if (cost < least - 1e-9) {
                    least = cost;
                    best = term;
                    *coefficient = its;
                    better = true;
                }
            }
        }
    }
    return best;
}

void rc_regression_bytes_fit(const struct rc_regression_view *view,
                             struct rc_regression_model *model)
{
    model->bytes_term = find_term(&view->rows[0], &model->bytes_coefficient);
    model->bytes_sigma = spread_of(&view->rows[0], &model->bytes_term, &model->bytes_coefficient);
}

/* ---- whether they are of use ---- */

/* Whether bytes are a + b * the term, with a and b not below 0, but for `alike`. */
static bool is_term_and_constant(const struct rc_regression_rows *rows,
                                 const struct rc_regression_term *term)
{
    double u = 0, v = 0, uu = 0, uv = 0, vv = 0, n = (double)rows->n, a, b, divisor;

    for (size_t i = 0; i < rows->n; i++) {
        double x = 1 / rows->runs[i]->bytes;
        double y = rc_regression_term_in_run(term, rows, rows->runs[i]) * x;

        u += x;
        v += y;
        uu += x * x;
        uv += x * y;
        vv += y * y;
    }
    divisor = uu * vv - uv * uv;
    if (!(divisor > 1e-9 * uu * vv)) /* the term is constant */
        return false;
    a = (u * vv - v * uv) / divisor;
    b = (v * uu - u * uv) / divisor;
    return a >= 0 && b >= 0 && n - a * u - b * v < n * alike * alike;
}

bool rc_regression_bytes_follow(const struct rc_regression_rows *rows)
{
    double coefficient;
    struct rc_regression_term term = find_term(rows, &coefficient);

    if (spread_of(rows, &term, &coefficient) < alike)
        return true;
    for (term.size = 0; term.size < RC_REGRESSION_SIZES && rows->n >= LEAST_RUNS; term.size++)
        for (term.procs = 0; term.procs < RC_REGRESSION_PROCS; term.procs++)
            if (is_term_and_constant(rows, &term))
                return true;
    return false;
}
