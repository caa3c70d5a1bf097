// SPDX-License-Identifier: GPL-3.0-or-later
/* activity.h - how many of several programs do the same thing at the same time.
 *
 * The probabilities pp and pm of Eq. 2 of S. M. Figueira and F. Berman, "A slowdown model for
 * applications executing on time-shared clusters of workstations" (IEEE TPDS 12(6), 2001): each
 * program computes (or communicates) for a part of the time, independently of the others.  Adding
 * one program to the distribution of the others' number takes a time that grows with that number,
 * so that all together take O(p^2). */
#ifndef RC_SLOWDOWN_ACTIVITY_H
#define RC_SLOWDOWN_ACTIVITY_H

#include <stddef.h>

#include "runcast.h"

/* p[i] is the probability that exactly i are at it, i from 0 to n; they sum to 1.  Start from {0};
 * free with rc_activity_free(). */
struct rc_activity {
    double *p;
    size_t n;
};

/* Of programs that are at it for the parts shares[0 .. n) of the time, each in [0, 1]. */
int rc_activity_of(const double *shares, size_t n, struct rc_activity *activity,
                   struct rc_error *error);
void rc_activity_free(struct rc_activity *activity);

/* How many are at it on average. */
double rc_activity_mean(const struct rc_activity *activity);

#endif
