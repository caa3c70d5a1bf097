// SPDX-License-Identifier: GPL-3.0-or-later
/* few_runs.h - the run time of a program after a few runs, from one run on.
 *
 * A Bayesian average over scaling laws (scaling_laws.h), over the noise of repeated runs, and over
 * how far programs depart from laws.  The runs determine the factor of each law and weight it.  So
 * the median at the configuration of a single run is its time, and the interval is that of the prior
 * of the noise; elsewhere, the interval widens with the distance from the runs. */
#ifndef RC_MODEL_HISTORY_FEW_RUNS_H
#define RC_MODEL_HISTORY_FEW_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "runcast.h"

enum {
    RC_HISTORY_PARAMS_MAX = 8,
    RC_HISTORY_GROUPS_MAX = 16 /* configurations that count: those nearest to the question */
};

/* A run, or a question, whose `seconds` do not count. */
struct rc_history_run {
    double size, procs; /* above 0; at least 1 */
    double seconds;     /* above 0 */
    double cpu;         /* CPU availability, above 0; 1 if unknown */
    double params[RC_HISTORY_PARAMS_MAX];
};

/* Whether size, processes and parameters are the same. */
bool rc_history_same(const struct rc_history_run *a, const struct rc_history_run *b,
                     size_t n_params);

/* Fills `samples` of the run time in the order of rising time.  `n` is at least 1; all runs have the
 * same parameters.  -1: out of memory. */
int rc_history_predict(const struct rc_history_run *runs, size_t n, size_t n_params,
                       const struct rc_history_run *question, struct rc_random *random,
                       double *samples, size_t n_samples, struct rc_error *error);

#endif
