// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble_fit.h - from runs to an ensemble of models: what is done by default. */
#ifndef RC_MODEL_REGRESSION_ENSEMBLE_FIT_H
#define RC_MODEL_REGRESSION_ENSEMBLE_FIT_H

#include "model/regression/model.h"

/* As rc_regression_fit(). */
struct rc_regression_model *rc_regression_ensemble_fit(const struct rc_regression_table *table,
                                                       struct rc_error *error);

#endif
