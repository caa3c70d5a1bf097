// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble_learner.h - an ensemble of models as runs come in.
 *
 * A run is first predicted by every member, and each one's weight grows or shrinks by how likely
 * the run was with it; then it is learned: it goes into the sums of all members, which are fitted
 * anew.  After 50 runs the ensemble is made anew from all runs; and at once where two in a row
 * were predicted badly, as long as that is not too often.
 *
 * A model from elsewhere (ported from another platform: fitted to over twice the runs that are
 * here) keeps its coefficients until there are 20 runs; then an ensemble is made from these. */
#ifndef RC_MODEL_REGRESSION_ENSEMBLE_LEARNER_H
#define RC_MODEL_REGRESSION_ENSEMBLE_LEARNER_H

#include "model/regression/model.h"

struct rc_regression_ensemble_learner;

/* As rc_regression_learner_create() and its like in fit.h, for models by default. */
struct rc_regression_ensemble_learner *
rc_regression_ensemble_learner_create(const struct rc_regression_table *table,
                                      const struct rc_regression_model *model,
                                      struct rc_error *error);
void rc_regression_ensemble_learner_destroy(struct rc_regression_ensemble_learner *learner);
const struct rc_regression_model *
rc_regression_ensemble_learner_model(const struct rc_regression_ensemble_learner *learner);
int rc_regression_ensemble_learner_add(struct rc_regression_ensemble_learner *learner,
                                       const struct rc_regression_run *added,
                                       struct rc_error *error);

#endif
