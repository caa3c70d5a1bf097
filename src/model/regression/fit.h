// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.h - from runs to models. */
#ifndef RC_MODEL_REGRESSION_FIT_H
#define RC_MODEL_REGRESSION_FIT_H

#include "model/regression/model.h"

/* Fits to all runs of the table.  NULL, with a hint at what to measure, where there are too few.
 * Destroy with rc_regression_model_destroy(). */
struct rc_regression_model *rc_regression_fit(const struct rc_regression_table *table,
                                              enum rc_regression_criterion criterion,
                                              struct rc_error *error);

/* A model that learns from runs as they come.  It has sums of products of all its members' terms,
 * so that a run costs the same however many came before. */
struct rc_regression_learner;

/* Starts from runs and from the model that was fitted to them (or NULL: it is fitted now), which is
 * copied.  The table is copied as far as it is needed. */
struct rc_regression_learner *rc_regression_learner_create(const struct rc_regression_table *table,
                                                           const struct rc_regression_model *model,
                                                           enum rc_regression_criterion criterion,
                                                           struct rc_error *error);
void rc_regression_learner_destroy(struct rc_regression_learner *learner);

/* The model as it is now; it belongs to the learner, and changes with the next run. */
const struct rc_regression_model *
rc_regression_learner_model(const struct rc_regression_learner *learner);

/* Takes in one more run (a killed one by a time that is estimated; the paper's criterion ignores
 * it), with the table's parameters: new coefficients, and a new order of the
 * members.  By the paper, a member that was in the lowest tenth of the list five times in a row is
 * dropped, and after 50 predictions the search is taken up again from the communication stage; the
 * latter also by default. */
int rc_regression_learner_add(struct rc_regression_learner *learner,
                              const struct rc_regression_run *run, struct rc_error *error);

#endif
