// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.h - the times that killed runs would have had (right-censored runs).
 *
 * A run that was killed shows only that its time was longer.  It gets a time from what the other
 * runs predict for its configuration, given that it is longer than the time after which it was
 * killed; the predictions are then made again with these times.  The probabilities of these times
 * are evenly spaced. */
#ifndef RC_MODEL_HISTORY_KILLED_RUNS_H
#define RC_MODEL_HISTORY_KILLED_RUNS_H

#include "model/history/few_runs.h"

/* Changes the times of `killed`, which are those after which the runs were killed, to estimates.
 * Both are parts of one array of runs: first `n` completed ones, at least 1, then `n_killed`.  -1:
 * out of memory. */
int rc_history_killed_estimate(struct rc_history_run *runs, size_t n, size_t n_killed,
                               size_t n_params, struct rc_random *random, struct rc_error *error);

#endif
