// SPDX-License-Identifier: GPL-3.0-or-later
/* split_error.h - the error of the model that predicts the dedicated run time.
 *
 * It is the same for all hosts, so it does not change the division; but the prediction interval
 * includes it. */
#ifndef RC_ADVISE_SPLIT_SPLIT_ERROR_H
#define RC_ADVISE_SPLIT_SPLIT_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"
#include "stats/value/value.h"

enum { RC_SPLIT_ERROR_STEPS = 100 };

/* {0}: unknown. */
struct rc_split_error {
    bool known;
    double sd;                          /* relative */
    double steps[RC_SPLIT_ERROR_STEPS]; /* factors that are as probable as one another, by rising
                                           size, with a mean of 1 */
};

/* From n samples (at least one, all above 0) of a time, which are sorted. */
void rc_split_error_of_samples(double *samples, size_t n, struct rc_split_error *found);

/* Of a lognormal factor with that standard deviation, not below 0. */
void rc_split_error_of_sd(double sd, struct rc_split_error *found);

/* A sample of times, each of the n (at least one) under each of the factors, so that the mean
 * stays; the times themselves where nothing is known of the error.  NULL where memory runs out. */
struct rc_value *rc_split_error_spread(const struct rc_split_error *by, const double *times,
                                       size_t n, struct rc_error *error);

#endif
