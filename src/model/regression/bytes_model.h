// SPDX-License-Identifier: GPL-3.0-or-later
/* bytes_model.h - what a run of a given size will read and write. */
#ifndef RC_MODEL_REGRESSION_BYTES_MODEL_H
#define RC_MODEL_REGRESSION_BYTES_MODEL_H

#include "model/regression/run_selection.h"

/* Fits bytes = coefficient * function of n and the parameters / function of P, the simplest that
 * explains the runs, all of which have their bytes. */
void rc_regression_bytes_fit(const struct rc_regression_view *view,
                             struct rc_regression_model *model);

/* Whether the bytes of all runs follow from size, processes and parameters: they are proportional
 * to one such function or, with enough runs, to that and a constant.  Then the runs cannot show
 * that their time hangs on the bytes. */
bool rc_regression_bytes_follow(const struct rc_regression_rows *rows);

#endif
