// SPDX-License-Identifier: GPL-3.0-or-later
/* method_structural.h - a structural model of the app, which the database has.  For who shows what
 * an answer rests on. */
#ifndef RC_PREDICT_METHOD_STRUCTURAL_H
#define RC_PREDICT_METHOD_STRUCTURAL_H

#include "predict/structural_model.h"

/* The model with its latest question, of a state of the method. */
const struct rc_predict_structural *rc_predict_method_structural(const void *state);

#endif
