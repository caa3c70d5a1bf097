// SPDX-License-Identifier: GPL-3.0-or-later
/* timing.h - the interface between choosing and predicting: run times of candidates.
 *
 * The choice knows neither models nor the database.  timing_regress.h has the implementation that
 * asks a regression model under scenarios of all hosts together. */
#ifndef RC_ADVISE_PLACE_TIMING_H
#define RC_ADVISE_PLACE_TIMING_H

#include <stddef.h>
#include <stdint.h>

#include "advise/place/candidates.h"
#include "runcast.h"

/* A host's share is its speed, relative to the hosts of the model's runs, times its CPU
 * availability. */
struct rc_timing {
    void *data;

    /* Quick: the approximate time of a run whose slowest host has this share.  INFINITY if unknown.
     */
    double (*guess)(void *data, int64_t procs, double share);

    /* The expected share of each of these hosts over the next `seconds`. */
    int (*forecast_shares)(void *data, const size_t *hosts, size_t n, double seconds,
                           double *shares, struct rc_error *error);

    /* `n_samples` possible times of each candidate, one after the other; INFINITY: it does not end.
     * The candidates' `seconds` are their approximate times.  Sample i of all candidates has common
     * random numbers, so that they can be compared sample by sample. */
    int (*sample)(void *data, const struct rc_candidate *const *candidates, size_t n,
                  size_t n_samples, double *samples, struct rc_error *error);
};

#endif
