// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit.h - the time limit to ask a batch system for, so that a job is killed with at most a
 * given small probability.
 *
 * That is a quantile far out in the tail, where neither samples nor records are many.
 *  - Of n samples, the next time does not exceed the one of rank (1 - risk) (n + 1) with the
 *    probability asked for; where n is too small for that rank, the tail is continued from its
 *    largest samples, as a power of the probability (Weissman's estimate with Hill's exponent).
 *  - Samples know what the model knows of.  How far out runs really were is in the record of
 *    earlier predictions: of each, the probability that it gave to a longer run than the one that
 *    came.  Where 3 in 100 runs come beyond what 1 in 100 should, the quantile that is taken is one
 *    beyond which fewer should be, so that 1 in 100 are.  What is moved is the probability, and not
 *    the time: what may come at all differs from run to run, and the samples know.  The model's word
 *    counts as 1 / risk predictions: about as many as it takes to see one run that far out.
 *  - No quantile is taken further out than a tenth of the risk, since a few runs far beyond do not
 *    tell how far.  Where more runs than the risk allows are beyond all samples, and not by chance,
 *    the time is multiplied by what they went beyond by. */
#ifndef RC_ADVISE_PLACE_TIME_LIMIT_H
#define RC_ADVISE_PLACE_TIME_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* How an earlier prediction fared. */
struct rc_time_limit_past {
    double beyond; /* the probability that it gave to a longer run than the one that came */
    double over;   /* what came, by the largest time that it foresaw */
};
/* From n >= 2 quantiles of it, evenly spaced from 0 to 1, all above 0. */
struct rc_time_limit_past rc_place_time_limit_past_of(const double *quantiles, size_t n,
                                                      double came);

struct rc_time_limit {
    double seconds; /* to ask for */
    double own;     /* by the samples alone */
    size_t n_past;  /* predictions that were learnt from */
    bool continued; /* there were too few samples: the tail was continued */
};

/* From n samples (at least 1) by rising time; those that are not finite are late.  `past` is by
 * rising time, and may be none; the latest 1000 count.  0 < risk < 1.  INFINITY where more of the samples do not end than
 * the risk allows.  -1 where memory runs out. */
int rc_place_time_limit_find(const double *samples, size_t n, double risk,
                             const struct rc_time_limit_past *past, size_t n_past,
                             struct rc_time_limit *time_limit, struct rc_error *error);

/* As people write it: up to the next full minute. */
double rc_place_time_limit_round(double seconds);

#endif
