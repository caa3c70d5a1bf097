// SPDX-License-Identifier: GPL-3.0-or-later
/* timing.h - how long a run takes on a candidate: the seam between choosing and predicting.
 *
 * The choice knows neither models nor the database.  timing_regress.h has the implementation that asks a
 * regression model under scenarios of all hosts together. */
#ifndef RC_ADVISE_PLACE_TIMING_H
#define RC_ADVISE_PLACE_TIMING_H

#include <stddef.h>
#include <stdint.h>

#include "advise/place/candidates.h"
#include "runcast.h"

/* A host's share is what a process gets done there in a second, as compared with an idle host of
 * the runs that the model knows: its speed times its availability. */
struct rc_timing {
    void *data;

    /* Quick: about how long a run takes whose worst host has this share all the time.  INFINITY
     * where that is not known. */
    double (*guess)(void *data, int64_t procs, double share);

    /* The share of each of these hosts over the next `seconds` that is to be expected. */
    int (*foresee)(void *data, const size_t *hosts, size_t n, double seconds, double *shares,
                   struct rc_error *error);

    /* `n_samples` possible times of each candidate, one after the other; INFINITY: it does not end.
     * The candidates' `seconds` say about how long they take.  Draw i of all candidates is with
     * common random numbers, so that they can be compared sample by sample. */
    int (*sample)(void *data, const struct rc_candidate *const *candidates, size_t n,
                  size_t n_samples, double *samples, struct rc_error *error);
};

#endif
