// SPDX-License-Identifier: GPL-3.0-or-later
/* predictors.h - what the run time of a model may depend on, and what it does depend on. */
#ifndef RC_MODEL_REGRESSION_PREDICTORS_H
#define RC_MODEL_REGRESSION_PREDICTORS_H

#include "model/regression/model.h"

enum { RC_REGRESSION_PREDICTORS_MAX = RC_REGRESSION_PARAMS_MAX + 5 };

struct rc_regression_predictor {
    const char *name; /* of a parameter, which the model owns; otherwise as in JSON: "size" */
    double weight;    /* of the members that have it, from 0 to 1 */
};

/* Fills in the predictors that differ between the runs of the model: size, procs,
 * cpu_availability, bandwidth, bytes, and parameters.  Returns how many. */
size_t rc_regression_predictors(const struct rc_regression_model *model,
                                struct rc_regression_predictor *predictors);

#endif
