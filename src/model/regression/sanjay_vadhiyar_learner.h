// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_learner.h - the paper's list of models as runs come in (section 3.4).
 *
 * A run is first predicted, then learned: it goes into the sums of all members, which are fitted
 * anew and sorted by their standard errors.  Members that were in the lowest tenth of the list
 * five times in a row are dropped.  After 50 predictions the search is taken up again from the
 * communication stage, with the functions that the first stage left, and all runs.
 *
 * A model from elsewhere (ported from another platform: fitted to more runs than are here) stays as
 * it is until there are 20 runs on two processes or more, and on two or more numbers of them; then
 * the search is made with these. */
#ifndef RC_MODEL_REGRESSION_SANJAY_VADHIYAR_LEARNER_H
#define RC_MODEL_REGRESSION_SANJAY_VADHIYAR_LEARNER_H

#include "model/regression/sanjay_vadhiyar.h"

struct rc_regression_paper_learner;

/* As rc_regression_learner_create() and its like in fit.h, for models by the paper. */
struct rc_regression_paper_learner *
rc_regression_paper_learner_create(const struct rc_regression_table *table,
                                   const struct rc_regression_model *model, struct rc_error *error);
void rc_regression_paper_learner_destroy(struct rc_regression_paper_learner *learner);
const struct rc_regression_model *
rc_regression_paper_learner_model(const struct rc_regression_paper_learner *learner);
int rc_regression_paper_learner_add(struct rc_regression_paper_learner *learner,
                                    const struct rc_regression_run *run, struct rc_error *error);
/* Goes on to the run with this id, which is not learned. */
void rc_regression_paper_learner_pass(struct rc_regression_paper_learner *learner, int64_t id);

#endif
