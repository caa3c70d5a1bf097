// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - from runs to models, by either criterion. */
#include "model/regression/fit.h"

#include "model/regression/ensemble_fit.h"
#include "model/regression/paper.h"

struct rc_regression_model *rc_regression_fit(const struct rc_regression_table *table,
                                              enum rc_regression_criterion criterion,
                                              struct rc_error *error)
{
    return criterion == RC_REGRESSION_PAPER ? rc_regression_paper_fit(table, error)
                                            : rc_regression_ensemble_fit(table, error);
}
