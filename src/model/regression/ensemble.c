// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble.c - candidates that are judged by runs that they had not seen, and weighted by that.
 *
 * Of a sum that is fitted by least squares, the error that it would make on a run if that run
 * had not been there is its error on the run over 1 - h, where h = x'(X'X)^-1 x is how much the
 * run decides its own fit: leaving out each run in turn costs nothing.  A member's weight is how
 * likely the runs are by these errors, times how likely its form is beforehand. */
#include "model/regression/ensemble.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/regression/residuals.h"

/* A run that determines its own fit is no test of it. */
static const double most_own = 0.98;
/* Members with less of the best one's weight than this do not count. */
static const double least_weight = 1e-3;

struct judged {
    struct rc_regression_member member;
    double score;
    size_t nominee;
};

static double fitted(const struct rc_regression_library *library,
                     const struct rc_regression_candidate *candidate, const double *coefficients,
                     const double *inverse, size_t row, double *own)
{
    const double *values = library->values + row * library->n_columns;
    unsigned n = candidate->n_terms;
    double sum = 0;

    *own = 0;
    for (unsigned i = 0; i < n; i++) {
        double x = values[candidate->columns[i]];

        sum += coefficients[i] * x;
        for (unsigned j = 0; j < n; j++)
            *own += x * inverse[i * n + j] * values[candidate->columns[j]];
    }
    return sum;
}

/* The nominee's prediction of each row, fitted without it, in the library's scale. */
static bool hold_out(const struct rc_regression_nominee *nominee, double *coefficients,
                     double *inverse, double *held_out)
{
    const struct rc_regression_rows *rows = nominee->rows;

    if (!rc_regression_solve(nominee->library, nominee->candidate.columns,
                             nominee->candidate.n_terms, coefficients, inverse))
        return false;
    for (size_t row = 0; row < rows->n; row++) {
        double own, time = rows->runs[row]->seconds * rows->scales[row];
        double fit =
            fitted(nominee->library, &nominee->candidate, coefficients, inverse, row, &own);

        held_out[row] = time - (time - fit) / (1 - fmin(own, most_own));
    }
    return true;
}

/* ---- a member ---- */

/* The Cholesky factor of the inverse, row by row, for coefficients of columns as they are. */
static void fill_spread(struct rc_regression_member *member, const double *inverse,
                        const double *lengths)
{
    double factor[RC_REGRESSION_TERMS_MAX][RC_REGRESSION_TERMS_MAX];
    unsigned n = member->n_terms, at = 0;

    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++) {
            double sum = inverse[i * n + j];

            for (unsigned k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            factor[i][j] = i == j ? sqrt(fmax(sum, 0)) : factor[j][j] > 0 ? sum / factor[j][j] : 0;
            member->spread[at++] = factor[i][j] / lengths[i];
        }
}

static bool judge(const struct rc_regression_nominee *nominee, double *held_out,
                  struct judged *judged)
{
    const struct rc_regression_library *library = nominee->library;
    const struct rc_regression_candidate *candidate = &nominee->candidate;
    struct rc_regression_member *member = &judged->member;
    double inverse[RC_REGRESSION_TERMS_MAX * RC_REGRESSION_TERMS_MAX],
        lengths[RC_REGRESSION_TERMS_MAX], squares = 0;
    size_t n = nominee->rows->n;

    *judged = (struct judged){.member = {.n_terms = candidate->n_terms}};
    if (!hold_out(nominee, member->coefficients, inverse, held_out))
        return false;
    for (size_t row = 0; row < n; row++) {
        double miss =
            nominee->rows->runs[row]->seconds * nominee->rows->scales[row] - held_out[row];

        squares += miss * miss;
    }
    member->stat = nominee->rows->stat;
    member->error = sqrt(squares / (double)n);
    /* Errors on runs held out count a coefficient once already. */
    judged->score = rc_regression_misfit(squares, n) +
                    member->n_terms * fmax(0.5 * log((double)n) - 1, 0) +
                    rc_regression_form_penalty(library, candidate->columns, candidate->n_terms);
    for (unsigned i = 0; i < member->n_terms; i++) {
        unsigned column = candidate->columns[i];

        member->terms[i] = library->terms[column];
        lengths[i] = library->lengths[column];
        judged->score += library->penalties[column];
        member->coefficients[i] /= lengths[i];
    }
    fill_spread(member, inverse, lengths);
    return isfinite(judged->score);
}

static int by_score(const void *left, const void *right)
{
    const struct judged *a = left, *b = right;

    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return (a->nominee > b->nominee) - (a->nominee < b->nominee);
}

/* ---- all together ---- */

static void weigh(struct rc_regression_ensemble *ensemble, const struct judged *judged, size_t n)
{
    double total = 0;

    for (ensemble->n = 0; ensemble->n < n && ensemble->n < RC_REGRESSION_ENSEMBLE_MAX;
         ensemble->n++) {
        double weight = exp(RC_REGRESSION_TEMPER * (judged[0].score - judged[ensemble->n].score));

        if (weight < least_weight)
            break;
        ensemble->members[ensemble->n] = judged[ensemble->n].member;
        ensemble->members[ensemble->n].weight = weight;
        total += weight;
    }
    for (size_t i = 0; i < ensemble->n; i++)
        ensemble->members[i].weight /= total;
    ensemble->score = judged[0].score;
}

/* The combined prediction of each row. */
static bool hold_out_all(struct rc_regression_ensemble *ensemble,
                         const struct rc_regression_nominee *nominees, const struct judged *judged,
                         double *scratch)
{
    const struct rc_regression_rows *rows = nominees[0].rows;
    double coefficients[RC_REGRESSION_TERMS_MAX],
        inverse[RC_REGRESSION_TERMS_MAX * RC_REGRESSION_TERMS_MAX];

    ensemble->n_held_out = rows->n;
    ensemble->held_out = calloc(rows->n, sizeof *ensemble->held_out);
    if (!ensemble->held_out)
        return false;
    for (size_t i = 0; i < ensemble->n; i++) {
        const struct rc_regression_nominee *nominee = &nominees[judged[i].nominee];

        hold_out(nominee, coefficients, inverse, scratch);
        for (size_t row = 0; row < rows->n; row++) {
            double least = 0.01 * rows->runs[row]->seconds; /* no time is below 0 */

            ensemble->held_out[row] += ensemble->members[i].weight *
                                       fmax(scratch[row] / nominee->rows->scales[row], least);
        }
    }
    return true;
}

static double spread_of(const struct rc_regression_ensemble *ensemble,
                        const struct rc_regression_rows *rows, double *scratch)
{
    for (size_t row = 0; row < rows->n; row++)
        scratch[row] = fabs(log(rows->runs[row]->seconds / ensemble->held_out[row]));
    return rc_regression_robust_spread(scratch, rows->n);
}

void rc_regression_ensemble_free(struct rc_regression_ensemble *ensemble)
{
    free(ensemble->held_out);
    ensemble->held_out = NULL;
}

/* Selects among the nominees, the best first; returns how many. */
static size_t judge_all(const struct rc_regression_nominee *nominees, size_t n, double *scratch,
                        struct judged *judged)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (judge(&nominees[i], scratch, &judged[kept]))
            judged[kept++].nominee = i;
    qsort(judged, kept, sizeof *judged, by_score);
    return kept;
}

int rc_regression_ensemble_make(struct rc_regression_ensemble *ensemble,
                                const struct rc_regression_nominee *nominees, size_t n,
                                struct rc_error *error)
{
    struct judged *judged = malloc((n + 1) * sizeof *judged);
    double *scratch = malloc((n ? nominees[0].rows->n : 1) * sizeof *scratch);
    int status = judged && scratch ? 0 : rc_error_no_memory(error);

    ensemble->held_out = NULL;
    ensemble->n = 0;
    if (status == 0) {
        size_t kept = judge_all(nominees, n, scratch, judged);

        if (kept == 0)
            status = rc_error_set(error, "no sum of functions fits these runs");
        else
            weigh(ensemble, judged, kept);
    }
    if (status == 0 && !hold_out_all(ensemble, nominees, judged, scratch))
        status = rc_error_no_memory(error);
    if (status == 0)
        ensemble->sigma = spread_of(ensemble, nominees[0].rows, scratch);
    free(judged);
    free(scratch);
    return status;
}
