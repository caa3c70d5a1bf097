// SPDX-License-Identifier: GPL-3.0-or-later
/* bytes_model.c - what a run of a given size will read and write.
 *
 * A prediction cannot know the bytes of a run that has not been, as its time hangs on them; so
 * they are predicted first, by one term: the one whose logarithm is, but for a constant, nearest
 * to that of the bytes. */
#include "model/regression/bytes_model.h"

#include <math.h>

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

void rc_regression_bytes_fit(const struct rc_regression_view *view,
                             struct rc_regression_model *model)
{
    const struct rc_regression_rows *rows = &view->rows[0];
    struct rc_regression_term best = {0};
    double coefficient, least = worth(rows, &best, &coefficient);

    model->bytes_coefficient = coefficient;
    for (bool better = true; better;) { /* one function changed at a time, as long as it helps */
        struct rc_regression_term from = best;

        better = false;
        for (unsigned place = 0; place < 2 + rows->n_params; place++) {
            unsigned n = place == 0   ? RC_REGRESSION_SIZES
                         : place == 1 ? RC_REGRESSION_PROCS
                                      : RC_REGRESSION_FACTORS;

            for (unsigned function = 0; function < n; function++) {
                struct rc_regression_term term = from;
                double cost;

                if (place == 0)
                    term.size = (unsigned char)function;
                else if (place == 1)
                    term.procs = (unsigned char)function;
                else
                    term.factors[place - 2] = (unsigned char)function;
                cost = worth(rows, &term, &coefficient);
                if (cost < least - 1e-9) {
                    least = cost;
                    best = term;
                    model->bytes_coefficient = coefficient;
                    better = true;
                }
            }
        }
    }
    model->bytes_term = best;
}
