// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.h - the times that killed runs would have had (right-censored runs).
 *
 * A run that was killed, for example at its time limit, shows only that its time was longer. Models
 * that left such runs out would predict the times of the runs that were short enough.  Instead,
 * each killed run gets a time from the distribution that the model has for it, given that it is
 * longer than the time after which the run was killed; then the model is fitted again (data
 * augmentation: M. A. Tanner and W. H. Wong, "The calculation of posterior distributions by data
 * augmentation", 1987).  The probabilities of these times are evenly spaced, so that the same runs
 * always make the same model.
 *
 * The distribution is that of the errors of completed and killed runs together
 * (error_mixture.h). */
#ifndef RC_MODEL_REGRESSION_KILLED_RUNS_H
#define RC_MODEL_REGRESSION_KILLED_RUNS_H

#include "model/regression/ensemble.h"
#include "model/regression/run_selection.h"

/* Estimates the times of the killed runs of a view from an ensemble that was made of it.  `noise`
 * is the unevenness of each class of numbers of processes.  -1 where memory runs out. */
int rc_regression_killed_estimate(struct rc_regression_view *view,
                                  const struct rc_regression_ensemble *ensemble,
                                  const double *noise, struct rc_error *error);

#endif
