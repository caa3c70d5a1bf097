// SPDX-License-Identifier: GPL-3.0-or-later
/* parameter_factors.h - how times depend on further parameters, for the search to begin with. */
#ifndef RC_MODEL_REGRESSION_PARAMETER_FACTORS_H
#define RC_MODEL_REGRESSION_PARAMETER_FACTORS_H

#include "model/regression/run_selection.h"

enum { RC_REGRESSION_FACTOR_VECTORS_MAX = 6 };

struct rc_regression_factor_set {
    struct rc_regression_factors vectors[RC_REGRESSION_FACTOR_VECTORS_MAX];
    size_t n;
};

/* Finds vectors of functions of the further parameters that terms may come with.  Without
 * parameters: the one of nothing. */
int rc_regression_factors_find(const struct rc_regression_view *view,
                               struct rc_regression_factor_set *set, struct rc_error *error);

#endif
