// SPDX-License-Identifier: GPL-3.0-or-later
/* parameter_factors.c - how times depend on further parameters, for the search to begin with.
 *
 * Every term may depend on every parameter in its own way, which is too much to try.  So the
 * search begins with a power law of each parameter: the exponents of a straight line
 * through logarithms, rounded to a function that there is.  With the sums that are found so, one
 * function of one parameter in one term is changed at a time, as long as that helps.  The
 * vectors of functions that the best sums then have are those that the search takes up. */
#include "model/regression/parameter_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/regression/term_search.h"

enum { TRIED = 10, CHANGES_MAX = 12, UNKNOWNS_MAX = RC_REGRESSION_PARAMS_MAX + 5 };

/* ---- a power law ---- */

/* Whether logarithms of a parameter exist in all rows. */
static bool is_positive(const struct rc_regression_rows *rows, size_t param)
{
    for (size_t i = 0; i < rows->n; i++)
        if (!(rows->runs[i]->params[param] > 0))
            return false;
    return true;
}

static void logarithms(const struct rc_regression_rows *rows, const struct rc_regression_run *run,
                       double *x)
{
    x[0] = 1;
    x[1] = log(run->n);
    x[2] = log(run->p);
    x[3] = rows->cpu ? log(run->cpu[rows->stat]) : 0;
    x[4] = rows->bw && run->p > 1 ? log(run->bw[rows->stat]) : 0;
    for (size_t i = 0; i < rows->n_params; i++)
        x[5 + i] = run->params[i] > 0 ? log(run->params[i]) : 0;
}

/* Solves a x = b for a symmetric a by elimination; what hangs on others is taken as 0. */
static void eliminate(double a[][UNKNOWNS_MAX + 1], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(a[i][i] > 1e-9)) {
            for (size_t k = 0; k <= n; k++)
                a[i][k] = 0;
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            double factor = j == i ? 0 : a[j][i] / a[i][i];

            for (size_t k = 0; factor != 0 && k <= n; k++)
                a[j][k] -= factor * a[i][k];
        }
    }
    for (size_t i = 0; i < n; i++)
        a[i][n] = a[i][i] > 0 ? a[i][n] / a[i][i] : 0;
}

/* The power, of those that there are functions for, that is nearest to the given one. */
static unsigned char nearest_function(double exponent)
{
    static const struct {
        unsigned char function;
        double exponent;
    } powers[] = {{0, 0}, {1, 1}, {2, 0.5}, {3, 2}, {4, 3}, {7, -1}, {8, -0.5}, {9, 1.5}};
    size_t best = 0;

    for (size_t i = 1; i < sizeof powers / sizeof *powers; i++)
        if (fabs(powers[i].exponent - exponent) < fabs(powers[best].exponent - exponent))
            best = i;
    return powers[best].function;
}

static struct rc_regression_factors guess(const struct rc_regression_rows *rows)
{
    double a[UNKNOWNS_MAX][UNKNOWNS_MAX + 1] = {{0}}, x[UNKNOWNS_MAX];
    size_t n = 5 + rows->n_params;
    struct rc_regression_factors factors = {{0}};

    for (size_t row = 0; row < rows->n; row++) {
        logarithms(rows, rows->runs[row], x);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                a[i][j] += x[i] * x[j];
            a[i][n] += x[i] * log(rows->runs[row]->seconds);
        }
    }
    eliminate(a, n);
    for (size_t i = 0; i < rows->n_params; i++)
        factors.of[i] = is_positive(rows, i) ? nearest_function(a[5 + i][n]) : 0;
    return factors;
}

/* ---- one change at a time ---- */

struct sum {
    struct rc_regression_term terms[RC_REGRESSION_TERMS_MAX];
    unsigned n_terms;
    double score;
};

/* As the search scores, but for the cost of coefficients, of which a change makes no more; infinite
 * where it cannot be fitted. */
static double score_of(const struct rc_regression_rows *rows, const struct sum *sum)
{
    static const unsigned short columns[RC_REGRESSION_TERMS_MAX] = {0, 1, 2, 3, 4, 5};
    struct rc_regression_library library = {0};
    double coefficients[RC_REGRESSION_TERMS_MAX], squares, score = INFINITY;

    if (rc_regression_library_of(&library, rows, sum->terms, sum->n_terms, NULL) == 0 &&
        library.n_columns == sum->n_terms &&
        rc_regression_solve(&library, columns, sum->n_terms, coefficients, NULL)) {
        squares = library.times;
        score = rc_regression_form_penalty(&library, columns, sum->n_terms);
        for (unsigned i = 0; i < sum->n_terms; i++) {
            squares -= coefficients[i] * library.with_times[i];
            score += library.penalties[i];
        }
        score += rc_regression_misfit(squares, rows->n);
    }
    rc_regression_library_free(&library);
    return score;
}

static bool change_for_the_better(const struct rc_regression_rows *rows, struct sum *sum)
{
    struct sum best = *sum;

    for (unsigned term = 0; term < sum->n_terms; term++)
        for (size_t param = 0; param < rows->n_params; param++)
            for (unsigned char function = 0; function < RC_REGRESSION_FACTORS; function++) {
                struct sum changed = *sum;

                if (changed.terms[term].factors[param] == function ||
                    (!sum->terms[term].cpu && !sum->terms[term].parallel))
                    continue;
                changed.terms[term].factors[param] = function;
                changed.score = score_of(rows, &changed);
                if (changed.score < best.score - 1e-9)
                    best = changed;
            }
    if (!(best.score < sum->score))
        return false;
    *sum = best;
    return true;
}

static int by_score(const void *left, const void *right)
{
    const struct sum *a = left, *b = right;

    return (a->score > b->score) - (a->score < b->score);
}

static void take_vectors(const struct sum *sums, size_t n, struct rc_regression_factor_set *set)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < sums[i].n_terms; j++) {
            const struct rc_regression_term *term = &sums[i].terms[j];
            size_t k = 0;

            if (!isfinite(sums[i].score) || (!term->cpu && !term->parallel))
                continue;
            while (k < set->n &&
                   memcmp(set->vectors[k].of, term->factors, sizeof term->factors) != 0)
                k++;
            if (k == set->n && k < RC_REGRESSION_FACTOR_VECTORS_MAX)
                memcpy(set->vectors[set->n++].of, term->factors, sizeof term->factors);
        }
}

int rc_regression_factors_find(const struct rc_regression_view *view,
                               struct rc_regression_factor_set *set, struct rc_error *error)
{
    const struct rc_regression_rows *rows = &view->rows[0];
    struct rc_regression_library library = {0};
    struct rc_regression_candidate candidates[TRIED];
    struct rc_regression_effort effort = {rows->n < 12 ? 2 : 3, 40};
    struct rc_regression_factors first = {{0}};
    struct sum sums[TRIED];
    size_t n;

    *set = (struct rc_regression_factor_set){.n = 1};
    if (rows->n_params == 0)
        return 0;
    first = guess(rows);
    if (rc_regression_library_make(&library, rows, &first, 1, error) != 0) {
        rc_regression_library_free(&library);
        return -1;
    }
    n = rc_regression_search(&library, effort, candidates, TRIED);
    for (size_t i = 0; i < n; i++) {
        sums[i].n_terms = candidates[i].n_terms;
        for (unsigned j = 0; j < sums[i].n_terms; j++)
            sums[i].terms[j] = library.terms[candidates[i].columns[j]];
    }
    rc_regression_library_free(&library);
    for (size_t i = 0; i < n; i++) {
        sums[i].score = score_of(rows, &sums[i]);
        for (unsigned change = 0; change < CHANGES_MAX; change++)
            if (!change_for_the_better(rows, &sums[i]))
                break;
    }
    qsort(sums, n, sizeof *sums, by_score);
    set->n = 0;
    take_vectors(sums, n, set);
    if (set->n == 0)
        set->vectors[set->n++] = first;
    return 0;
}
