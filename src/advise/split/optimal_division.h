// SPDX-License-Identifier: GPL-3.0-or-later
/* optimal_division.h - the division of work with the least mean, or quantile, of the run time over
 * many load scenarios.
 *
 * Balancing means (time_balancing.h) is right for a constant load.  If it changes, a host that
 * becomes slower costs more than one that becomes faster gains.  The scenarios are drawn once, so
 * divisions are compared with common random numbers.  The search itself is deterministic. */
#ifndef RC_ADVISE_SPLIT_OPTIMAL_DIVISION_H
#define RC_ADVISE_SPLIT_OPTIMAL_DIVISION_H

#include "advise/split/time_balancing.h"
#include "advise/split/division_times.h"

struct rc_optimal {
    const struct rc_paths *paths;
    const struct rc_balance_host *hosts; /* `unit` when nothing else runs */
    double total;                        /* units of work */
    enum rc_split_coupling coupling;
    double quantile; /* of the times along the scenarios, in 0..1; NAN: their mean */
};

/* The time along each scenario of a division, in units, into `times`.  -1 where memory runs out. */
int rc_split_optimal_times(const struct rc_optimal *optimal, const double *units, double *times,
                           struct rc_error *error);

/* The mean or the quantile, which is minimized.  Sorts `times` for the quantile. */
double rc_split_optimal_cost(const struct rc_optimal *optimal, double *times);

/* Searches from the best of `n_starts` divisions (of as many numbers as there are hosts, one after
 * the other; one that exceeds a host's room, or does not sum to the total, is made to fit first),
 * and puts the best into `units`: it costs no more than any start.  -1 where memory runs out. */
int rc_split_optimal_find(const struct rc_optimal *optimal, const double *starts, size_t n_starts,
                          double *units, struct rc_error *error);

#endif
