// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_error_correlation.c - how much the errors of models of a run's parts have in common. */
#include "model/regression/phase_error_correlation.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* No single run counts more than this, in times of the spread. */
static const double error_most = 3;

void rc_regression_together_free(struct rc_regression_together *together)
{
    free(together->tallies);
    *together = (struct rc_regression_together){0};
}

int rc_regression_together_run(struct rc_regression_together *together, int64_t run,
                               struct rc_error *error)
{
    if (together->n == together->capacity) {
        size_t capacity = together->capacity ? 2 * together->capacity : 64;
        struct rc_regression_tally *grown =
            realloc(together->tallies, capacity * sizeof *together->tallies);

        if (!grown)
            return rc_error_no_memory(error);
        together->tallies = grown;
        together->capacity = capacity;
    }
    together->tallies[together->n++] = (struct rc_regression_tally){.run = run};
    return 0;
}

static double known(double value, double other, double otherwise)
{
    if (value > 0)
        return value;
    return other > 0 ? other : otherwise;
}

double rc_regression_error_of(const struct rc_regression_model *model,
                              const struct rc_regression_run *run)
{
    struct rc_regression_question question = {.n = run->n, .p = run->p, .bytes = run->bytes};
    double cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS], error;

    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        question.params[i] = run->params[i];
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        cpu[stat] = known(run->cpu[stat], run->cpu[RC_REGRESSION_STATS - 1 - stat], 1);
        bw[stat] = known(run->bw[stat], run->bw[RC_REGRESSION_STATS - 1 - stat], model->bw_mean);
    }
    error = log(run->seconds / rc_regression_seconds_at(model, &question, cpu, bw));
    return isfinite(error) ? error : NAN;
}

void rc_regression_together_part(struct rc_regression_together *together,
                                 const struct rc_regression_table *table,
                                 const struct rc_regression_model *model)
{
    double squares = 0, n = 0, spread;
    size_t at = 0;

    for (size_t i = 0; i < table->n_runs; i++) {
        double error = rc_regression_error_of(model, &table->runs[i]);

        if (isnan(error))
            continue;
        squares += error * error;
        n++;
    }
    spread = n > 0 ? sqrt(squares / n) : 0;
    if (!(spread > 1e-6)) /* rounding has nothing in common */
        return;
    for (size_t i = 0; i < table->n_runs; i++) {
        double error = rc_regression_error_of(model, &table->runs[i]) / spread;

        while (at < together->n && together->tallies[at].run < table->runs[i].id)
            at++;
        if (isnan(error) || at == together->n || together->tallies[at].run != table->runs[i].id)
            continue;
        error = fmin(fmax(error, -error_most), error_most);
        together->tallies[at].sum += error;
        together->tallies[at].squares += error * error;
        together->tallies[at].n++;
    }
}

/* The square of a sum less the sum of squares is twice the sum of the products of all pairs. */
double rc_regression_together_correlation(const struct rc_regression_together *together)
{
    double products = 0, pairs = 0;

    for (size_t i = 0; i < together->n; i++) {
        const struct rc_regression_tally *tally = &together->tallies[i];

        products += tally->sum * tally->sum - tally->squares;
        pairs += tally->n * (tally->n - 1);
    }
    return pairs > 0 ? fmin(fmax(products / pairs, 0), 1) : 0;
}
