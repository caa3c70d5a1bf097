// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - from runs to models. */
#include "regress/fit.h"

#include "base/error.h"

struct rc_rg_model *rc_rg_fit(const struct rc_rg_table *table, enum rc_rg_criterion criterion,
                              struct rc_error *error)
{
    (void)table;
    (void)criterion;
    rc_error_set(error, "not yet");
    return NULL;
}

struct rc_rg_learner *rc_rg_learner_create(const struct rc_rg_table *table,
                                           const struct rc_rg_model *model,
                                           enum rc_rg_criterion criterion, struct rc_error *error)
{
    (void)table;
    (void)model;
    (void)criterion;
    rc_error_set(error, "not yet");
    return NULL;
}

void rc_rg_learner_destroy(struct rc_rg_learner *learner)
{
    (void)learner;
}

const struct rc_rg_model *rc_rg_learner_model(const struct rc_rg_learner *learner)
{
    (void)learner;
    return NULL;
}

int rc_rg_learner_add(struct rc_rg_learner *learner, const struct rc_rg_run *run,
                      struct rc_error *error)
{
    (void)learner;
    (void)run;
    return rc_error_set(error, "not yet");
}
