// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_small_runs.h - the times that killed small runs would have had (right-censored runs).
 *
 * A run that was killed shows only that its time was longer.  If the database also has completed
 * runs of the same mesh on as many processes, it gets the time that is expected of it, given that
 * it is longer than the time after which it was killed.  Times of equal runs are taken to be normal,
 * with the relative standard deviation of all completed runs (rc_scaling_samples_noise()), and
 * their mean is that with the largest likelihood. */
#ifndef RC_MODEL_SCALING_KILLED_SMALL_RUNS_H
#define RC_MODEL_SCALING_KILLED_SMALL_RUNS_H

#include "model/scaling/run_groups.h"

/* Changes the times of `killed`, which are those after which the runs were killed, to those that
 * are expected.  `samples` has the groups of the completed runs.  Runs that are in no group are
 * removed; returns how many are left. */
size_t rc_scaling_killed_estimate(const struct rc_scaling_samples *samples,
                                  struct rc_scaling_run *killed, size_t n);

#endif
