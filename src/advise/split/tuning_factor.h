// SPDX-License-Identifier: GPL-3.0-or-later
/* tuning_factor.h - the Tuning Factor: how many standard deviations are added to the mean time of a
 * unit of work before times are balanced.
 *
 * J. M. Schopf's dissertation (see time_balancing.h), section 5.B: above 0 a split is conservative,
 * and gives less to hosts whose speed varies; below 0 it is optimistic.  0 is the policy Mean, 2
 * the policy 95TF; the algorithm of Figure 5.3 makes one factor of what all hosts are like (VTF).
 */
#ifndef RC_ADVISE_SPLIT_TUNING_FACTOR_H
#define RC_ADVISE_SPLIT_TUNING_FACTOR_H

#include <stddef.h>

#include "runcast.h"

/* The parameters of Figure 5.3; rc_split_tuning_rules_init() gives the dissertation's. */
struct rc_tuning_rules {
    double high_power;       /* hosts above it are powerful; NAN: above the mean over the hosts */
    double high_variability; /* sd of the availability above which a host varies: 0.07 */
    double least, middle, most; /* values of a host: 0, 1, 2 */
    double window;              /* seconds of the past that mean and sd are taken over: 300 */
};
void rc_split_tuning_rules_init(struct rc_tuning_rules *rules);

/* What a host is like. */
struct rc_tuning_host {
    double power;    /* units of work in a second, when nothing else runs */
    double mean, sd; /* of its availability over the window */
};

/* The factor for these hosts, at least one: the mean of what each of them calls for, which is put
 * into `values` (or NULL). */
double rc_split_tuning_factor(const struct rc_tuning_rules *rules,
                              const struct rc_tuning_host *hosts, size_t n, double *values);

/* Eq. (5.3): the time of a unit of work that is reckoned with. */
double rc_split_tuning_time(double mean, double sd, double factor);

/* The same for a host that takes `unit` seconds when nothing else runs.  The mean time is unit /
 * mean availability, with the same relative sd, as the dissertation's rules divide by a normal.
 * Never below `unit`, since no host has more than all of itself. */
double rc_split_tuning_unit(double unit, const struct rc_tuning_host *host, double factor);

/* Mean and sd of the availability over the last `window` seconds before `at`, each value weighted
 * by how long it held: until the next, or `at`.  At least the last one counts.  n at least 1. */
void rc_split_tuning_window(const struct rc_sample *samples, size_t n, double at, double window,
                            double *mean, double *sd);

#endif
