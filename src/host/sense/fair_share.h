// SPDX-License-Identifier: GPL-3.0-or-later
/* fair_share.h - the share of a new process with competitors: fair shares of a core, or of several.
 *
 * The kernel shares a core out by weight between the processes that want it; one that wants less
 * than its share leaves the rest to the others.  So there is a level up to which all are served,
 * and a new process, which wants all it can get, is served exactly up to it. */
#ifndef RC_HOST_SENSE_FAIR_SHARE_H
#define RC_HOST_SENSE_FAIR_SHARE_H

#include <stddef.h>

/* A competitor. */
struct rc_sense_competitor {
    double demand; /* its use of a core now: with one more competitor, it will not use more */
    double weight; /* 1: that of a process of nice 0 */
};

/* The fraction of one core, 0 to 1, that a new process of weight 1 gets of `capacity` cores with
 * these competitors. */
double rc_sense_fair_share(double capacity, const struct rc_sense_competitor *competitors,
                           size_t n);

/* The same for a group of that weight, which wants all of it: cores. */
double rc_sense_fair_share_group(double capacity, const struct rc_sense_competitor *competitors,
                                 size_t n, double weight);

/* The weight of a process by its nice value, -20 to 19: a step is a factor of 1.25, as in the
 * kernel's table. */
double rc_sense_weight(int nice);

#endif
