// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit.h - the time limit of a batch job, exceeded with a given small probability.
 *
 * That is a quantile far in the tail, where samples and track records are few.
 *  - Of n samples, the one of rank (1 - risk) (n + 1) is not exceeded with the required
 *    probability.  If n is too small for that rank, the tail is extrapolated from its largest
 *    samples, as a power of the probability (Weissman's estimate with Hill's exponent).
 *  - The track record corrects the model.  Each earlier prediction gives a probability to a run
 *    longer than the measured one.  If 3 in 100 runs exceed what 1 in 100 should, a higher quantile
 *    is taken, which 1 in 100 exceed.  The probability is corrected, not the time, since the spread
 *    differs from run to run.  The model counts as 1 / risk predictions: about as many as it takes
 *    to see one run that long.
 *  - The corrected probability is at least a tenth of the risk, since few long runs cannot show how
 *    long runs can be.  If more past runs than the risk allows took longer than all samples of
 *    their predictions, and not by chance, the time limit is multiplied by their excess. */
#ifndef RC_PREDICT_TIME_LIMIT_H
#define RC_PREDICT_TIME_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* An earlier prediction and its run. */
struct rc_time_limit_past {
    double beyond; /* predicted probability of a longer run than the measured one */
    double over;   /* the measured time, relative to the largest predicted one */
};
/* From n >= 2 quantiles of it, evenly spaced from 0 to 1, all above 0. */
struct rc_time_limit_past rc_predict_time_limit_past_of(const double *quantiles, size_t n,
                                                        double came);

struct rc_time_limit {
    double seconds; /* the time limit */
    double own;     /* by the samples alone */
    size_t n_past;  /* earlier predictions that count */
    bool continued; /* too few samples: the tail is extrapolated */
};

/* From n samples (at least 1) by rising time; those that are not finite are late.  `past` is by
 * rising time, and may be none; the latest 1000 count.  0 < risk < 1.  INFINITY where more of the
 * samples do not end than the risk allows.  -1 where memory runs out. */
int rc_predict_time_limit_find(const double *samples, size_t n, double risk,
                               const struct rc_time_limit_past *past, size_t n_past,
                               struct rc_time_limit *time_limit, struct rc_error *error);

/* Up to the next full minute. */
double rc_predict_time_limit_round(double seconds);

#endif
