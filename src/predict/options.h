// SPDX-License-Identifier: GPL-3.0-or-later
/* options.h - how a predictor is to answer, whatever it is asked. */
#ifndef RC_PREDICT_OPTIONS_H
#define RC_PREDICT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/regression/model.h"

/* What does not change from question to question.  rc_predict_options_init() gives the defaults; all
 * that it points to must outlive the predictor. */
struct rc_predict_options {
    unsigned methods; /* those that are asked: a set of 1 << enum rc_method */
    size_t samples;   /* of each distribution; RC_PREDICT_DRAWS */
    /* of regression */
    enum rc_regression_criterion criterion;
    bool parts; /* models of phases and processes */
    /* of structural models, as in structural_model.h: */
    const char *const *set, *const *uses;
    size_t n_set, n_uses;
    double omit; /* NAN */
    bool explain;
};
/* All methods; the default number of samples; nothing of structural models is set. */
void rc_predict_options_init(struct rc_predict_options *options);

#endif
