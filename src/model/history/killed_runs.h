// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.h - the times that killed runs would have had (right-censored runs).
 *
 * A run that was killed shows only that its time was longer.  It gets a random time from what the
 * other runs predict for its configuration, given that it is longer than the time after which it
 * was killed.  This is done several times, and the predictions are put together, since one choice of
 * these times would look more certain than it is (multiple imputation: D. B. Rubin, "Multiple
 * Imputation for Nonresponse in Surveys", 1987). */
#ifndef RC_MODEL_HISTORY_KILLED_RUNS_H
#define RC_MODEL_HISTORY_KILLED_RUNS_H

#include "model/history/few_runs.h"

/* Keeps those of `killed` that have the configuration of one of the `n` completed runs, and returns
 * how many these are.  Of others, nothing but a guess is known, and an estimate would look like a
 * measurement. */
size_t rc_history_killed_usable(const struct rc_history_run *runs, size_t n, size_t n_params,
                                struct rc_history_run *killed, size_t n_killed);

/* As rc_history_predict().  First in `runs` are `n` completed ones, at least 1, then `n_killed` with
 * the times after which they were killed, of configurations of completed ones. */
int rc_history_predict_with_killed(const struct rc_history_run *runs, size_t n, size_t n_killed,
                                   size_t n_params, const struct rc_history_run *question,
                                   struct rc_random *random, double *samples, size_t n_samples,
                                   struct rc_error *error);

#endif
