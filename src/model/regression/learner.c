// SPDX-License-Identifier: GPL-3.0-or-later
/* learner.c - fits models, which then learn from runs as they come: each criterion has its own way.
 */
#include <stdlib.h>

#include "base/error.h"
#include "model/regression/ensemble_learner.h"
#include "model/regression/ensemble.h"
#include "model/regression/fit.h"
#include "model/regression/sanjay_vadhiyar_learner.h"

struct rc_regression_model *rc_regression_fit(const struct rc_regression_table *table,
                                              enum rc_regression_criterion criterion,
                                              struct rc_error *error)
{
    return criterion == RC_REGRESSION_PAPER ? rc_regression_paper_fit(table, error)
                                            : rc_regression_ensemble_fit(table, error);
}

/* One of the two. */
struct rc_regression_learner {
    struct rc_regression_paper_learner *paper;
    struct rc_regression_ensemble_learner *ensemble;
};

struct rc_regression_learner *rc_regression_learner_create(const struct rc_regression_table *table,
                                                           const struct rc_regression_model *model,
                                                           enum rc_regression_criterion criterion,
                                                           struct rc_error *error)
{
    struct rc_regression_learner *learner = calloc(1, sizeof *learner);

    if (!learner) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (criterion == RC_REGRESSION_PAPER)
        learner->paper = rc_regression_paper_learner_create(table, model, error);
    else
        learner->ensemble = rc_regression_ensemble_learner_create(table, model, error);
    if (learner->paper || learner->ensemble)
        return learner;
    free(learner);
    return NULL;
}

void rc_regression_learner_destroy(struct rc_regression_learner *learner)
{
    if (!learner)
        return;
    rc_regression_paper_learner_destroy(learner->paper);
    rc_regression_ensemble_learner_destroy(learner->ensemble);
    free(learner);
}

const struct rc_regression_model *
rc_regression_learner_model(const struct rc_regression_learner *learner)
{
    return learner->paper ? rc_regression_paper_learner_model(learner->paper)
                          : rc_regression_ensemble_learner_model(learner->ensemble);
}

int rc_regression_learner_add(struct rc_regression_learner *learner,
                              const struct rc_regression_run *run, struct rc_error *error)
{
    if (learner->paper && run->at_least > 0) /* the paper has only completed runs */
        return rc_regression_paper_learner_pass(learner->paper, run->id), 0;
    return learner->paper ? rc_regression_paper_learner_add(learner->paper, run, error)
                          : rc_regression_ensemble_learner_add(learner->ensemble, run, error);
}
