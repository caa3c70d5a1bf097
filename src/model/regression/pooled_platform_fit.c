// SPDX-License-Identifier: GPL-3.0-or-later
/* pooled_platform_fit.c - an ensemble for another platform, from the runs of both.
 *
 * The paper ports a model by two numbers.  But runs on the other platform show more: communication
 * is most visible with another network.  A core that is Rcpu times as slow is like one with a CPU
 * availability of 1/Rcpu; so runs of both platforms are treated as runs of one, and an ensemble is
 * made from all of them.  The few on the new platform count as often as is needed for them to be a
 * third of all. */
#include <stdlib.h>
#include <string.h>

#include "model/regression/ensemble.h"
#include "model/regression/platform_porting.h"

enum { AT_MOST = 20 }; /* times that a run counts */

static bool knows_bandwidth(const struct rc_regression_table *table)
{
    size_t known = 0, parallel = 0;

    for (size_t i = 0; i < table->n_runs; i++) {
        const struct rc_regression_run *run = &table->runs[i];

        parallel += run->p > 1;
        known += run->p > 1 && (run->bw[0] > 0 || run->bw[1] > 0);
    }
    return known > 0 && known == parallel;
}

/* With a core of the platform that the model is from. */
static struct rc_regression_run as_there(const struct rc_regression_run *run, double r_cpu)
{
    struct rc_regression_run same = *run;

    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        double other_cpu = run->cpu[1 - stat], other_bw = run->bw[1 - stat];
        double cpu = run->cpu[stat] > 0 ? run->cpu[stat] : other_cpu > 0 ? other_cpu : 1;

        same.cpu[stat] = cpu / r_cpu;
        if (!(run->bw[stat] > 0))
            same.bw[stat] = other_bw;
    }
    return same;
}

static int add_runs(struct rc_regression_table *pool, const struct rc_regression_table *table,
                    double r_cpu, size_t times)
{
    for (size_t i = 0; i < table->n_runs; i++) {
        struct rc_regression_run run = as_there(&table->runs[i], r_cpu);

        for (size_t j = 0; j < times; j++)
            if (rc_regression_table_append(pool, &run, NULL) != 0)
                return -1;
    }
    return 0;
}

struct rc_regression_model *rc_regression_port_pool(const struct rc_regression_table *reference,
                                                    const struct rc_regression_table *target,
                                                    double r_cpu)
{
    struct rc_regression_table pool = {.n_params = reference->n_params};
    struct rc_regression_model *model = NULL;
    size_t times = target->n_runs ? reference->n_runs / (2 * target->n_runs) : 0;

    if (reference->n_runs < 4 || target->n_runs == 0 ||
        knows_bandwidth(reference) != knows_bandwidth(target))
        return NULL;
    memcpy(pool.params, reference->params, sizeof pool.params); /* borrowed */
    times = times < 1 ? 1 : times > AT_MOST ? AT_MOST : times;
    if (add_runs(&pool, reference, 1, 1) == 0 && add_runs(&pool, target, r_cpu, times) == 0)
        model = rc_regression_ensemble_fit(&pool, NULL);
    free(pool.runs);
    if (model)
        model->n_runs = reference->n_runs + target->n_runs;
    return model;
}
