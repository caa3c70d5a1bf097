// SPDX-License-Identifier: GPL-3.0-or-later
/* correct.h - a whole distribution moved to where a record says that it should be. */
#ifndef RC_PREDICT_CORRECT_H
#define RC_PREDICT_CORRECT_H

#include "predict/predict.h"
#include "predict/recalibrate.h"

/* Changes a summary as rc_predict_recalibrate() does, and its draws, which rise, with it: each side of the
 * one number is stretched to where its end goes, so that draws stay in order, and quantiles go with
 * the rest.  Nothing happens where nothing was learnt. */
void rc_predict_correct(const struct rc_recalibration *learnt, double *draws, size_t n,
                        struct rc_predict_summary *summary);

#endif
