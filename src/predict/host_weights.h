// SPDX-License-Identifier: GPL-3.0-or-later
/* weights.h - how fast hosts are as compared with those that a model's runs were made on. */
#ifndef RC_PREDICT_HOST_WEIGHTS_H
#define RC_PREDICT_HOST_WEIGHTS_H

#include <stddef.h>

#include "model/regression/speeds.h"
#include "runcast.h"

/* Fills the weights of hosts by their names, by what a model knows of hosts. */
void rc_predict_weights_by(const struct rc_regression_speeds *speeds, const char *const *names,
                           size_t n, double *weights, enum rc_weights_from *from);

/* The same where no regression model is asked: hosts of a platform are compared with those of the
 * runs of `app` on `learnt_from` (NULL: on any), which may be others than these.  A host that the
 * platform has not has the weight 1. */
int rc_predict_weights_of(struct rc_db *store, const char *app, const char *learnt_from,
                          const struct rc_platform *platform, const char *const *names, size_t n,
                          double *weights, enum rc_weights_from *from, struct rc_error *error);

#endif
