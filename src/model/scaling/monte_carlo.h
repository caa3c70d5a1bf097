// SPDX-License-Identifier: GPL-3.0-or-later
/* monte_carlo.h - Monte Carlo samples of a model: what it might have been, had the small runs taken
 * other times, or were the form of growth another one.
 *
 * Each sample draws the noise (by chi squared with its degrees of freedom), then the mean of each
 * group, then k of phi_k, and the method's own error, and fits again.  The seed is fixed, and the
 * stream comes from the names of cluster and network: a model has the same samples in every
 * question, so that choices are compared with common random numbers, and two clusters are
 * independent. */
#ifndef RC_MODEL_SCALING_MONTE_CARLO_H
#define RC_MODEL_SCALING_MONTE_CARLO_H

#include "model/scaling/model.h"

enum { RC_SCALING_MC_SAMPLES = 2000 };

struct rc_scaling_mc;

/* `model` must outlive them.  NULL where memory runs out.  Free with
 * rc_scaling_mc_free().  They are some milliseconds' work: make them once for a model. */
struct rc_scaling_mc *rc_scaling_mc_create(const struct rc_scaling_model *model, uint64_t seed,
                                           struct rc_error *error);
void rc_scaling_mc_free(struct rc_scaling_mc *mc);

/* The number of processes whose communication a part of a run on `procs` has; `joined`: other
 * clusters have parts of it, too, so that even one process has neighbours. */
int64_t rc_scaling_talking(int64_t procs, bool joined);

/* The times of `mesh` on `procs` processes in every sample; each array has RC_SCALING_MC_SAMPLES
 * places. `seconds` are of one future run, with its own noise; the parts are without it.
 * Communication is at least 0; the sum of both parts may be a little below computing, by the noise
 * of the small runs, and no farther out than it is there. */
int rc_scaling_mc_times(const struct rc_scaling_mc *mc, const struct rc_mesh *mesh, int64_t procs,
                        bool joined, double *computing, double *communicating, double *seconds,
                        struct rc_error *error);

#endif
