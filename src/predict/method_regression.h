// SPDX-License-Identifier: GPL-3.0-or-later
/* method_regression.h - regression: a model of the app's runs.  For who shows what an answer rests
 * on. */
#ifndef RC_PREDICT_METHOD_REGRESSION_H
#define RC_PREDICT_METHOD_REGRESSION_H

#include "predict/run_model.h"

/* The model with its latest question, of a state of the method. */
const struct rc_run_model *rc_predict_method_run_model(const void *state);

#endif
