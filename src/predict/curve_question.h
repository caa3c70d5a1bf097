// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_question.h - what the scaling curve of a model holds constant. */
#ifndef RC_PREDICT_CURVE_QUESTION_H
#define RC_PREDICT_CURVE_QUESTION_H

#include "model/regression/model.h"
#include "predict/question.h"

/* Fills in size, number of processes and parameters of `question`, which has the app and the
 * platform, by its successful runs: the size and parameters of the model that were measured with
 * most numbers of processes or, if each was measured with one only, the number of processes and
 * parameters that were measured with most sizes.  The curve is over the other of the two.  `params` has
 * room for RC_REGRESSION_PARAMS_MAX; names are those of the model. */
int rc_predict_curve_question(struct rc_db *db, const struct rc_regression_model *model,
                              struct rc_question *question, struct rc_param *params,
                              bool *over_procs, struct rc_error *error);

#endif
