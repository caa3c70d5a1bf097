// SPDX-License-Identifier: GPL-3.0-or-later
/* walltime.h - the wall time to ask a batch system for, so that a job is killed with at most a
 * given small probability.
 *
 * That is a quantile far out in the tail, where neither draws nor records are many.
 *  - Of n draws, the next time does not exceed the one of rank (1 - risk) (n + 1) with the
 *    probability asked for; where n is too small for that rank, the tail is continued from its
 *    largest draws, as a power of the probability (Weissman's estimate with Hill's exponent).
 *  - Draws know what the model knows of.  How far out runs were really is told by the record of
 *    earlier predictions: of each, how many times the upper end of its 90 % interval the run took.
 *    The same is reckoned of the draws.  (Distances in lengths of the interval would not do: a load
 *    that mostly stays makes narrow ones, and what goes beyond these goes beyond by far.)  The
 *    quantile is that of both together, draws counting as 1 / risk predictions in all: about as
 *    many as it takes to see one run that far out. */
#ifndef RC_ADVISE_WALLTIME_H
#define RC_ADVISE_WALLTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "predict/recalibrate.h"
#include "runcast.h"

struct rc_walltime {
    double seconds;  /* to ask for */
    double own;      /* by the draws alone */
    size_t n_past;   /* predictions that were learnt from */
    bool continued;  /* there were too few draws: the tail was continued */
};

/* From n draws (at least 1) by rising time; those that are not finite are late.  `past` is by
 * rising time, and may be none.  0 < risk < 1.  INFINITY where more of the draws do not end than
 * the risk allows.  -1 where memory runs out. */
int rc_walltime_find(const double *draws, size_t n, double risk,
                     const struct rc_past_prediction *past, size_t n_past,
                     struct rc_walltime *walltime, struct rc_error *error);

/* As people write it: up to the next full minute. */
double rc_walltime_round(double seconds);

#endif
