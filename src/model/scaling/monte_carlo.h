// SPDX-License-Identifier: GPL-3.0-or-later
/* draws.h - what the model might have been, had the small runs come out otherwise; and the form of
 * growth another one.
 *
 * In every draw the noise is drawn (by chi squared with its degrees of freedom), then the mean of
 * each group, then k of phi_k, and the method's own error; and the fit is made anew.  The seed is
 * fixed, and the stream comes from the names of cluster and network: a model is drawn in the same
 * way in every question, so that choices are compared under the same luck, and two clusters are
 * drawn independently. */
#ifndef RC_MODEL_SCALING_MONTE_CARLO_H
#define RC_MODEL_SCALING_MONTE_CARLO_H

#include "model/scaling/model.h"

enum { RC_SCALING_MC_SAMPLES = 2000 };

struct rc_scaling_mc;

/* `model` must outlive them.  NULL where memory runs out, or the model cannot be drawn.  Free with
 * rc_scaling_mc_free().  They are some milliseconds' work: make them once for a model. */
struct rc_scaling_mc *rc_scaling_mc_create(const struct rc_scaling_model *model, uint64_t seed,
                                           struct rc_error *error);
void rc_scaling_mc_free(struct rc_scaling_mc *mc);

/* The number of processes whose communication a part of a run on `procs` has; `joined`: other
 * clusters have parts of it, too, so that even one process has neighbours. */
int64_t rc_scaling_talking(int64_t procs, bool joined);

/* The times of `mesh` on `procs` processes in every draw; each array has RC_SCALING_MC_SAMPLES places.
 * `seconds` are of one run to come, with its own noise; the parts are without it.  Communication is
 * at least 0; the sum of both parts may be a little below computing, by the noise of the small
 * runs, and no farther out than it is there. */
int rc_scaling_mc_times(const struct rc_scaling_mc *mc, const struct rc_mesh *mesh, int64_t procs,
                        bool joined, double *computing, double *communicating, double *seconds,
                        struct rc_error *error);

#endif
