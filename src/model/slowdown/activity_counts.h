// SPDX-License-Identifier: GPL-3.0-or-later
/* activity_counts.h - how many of several programs do the same thing at the same time.
 *
 * The probabilities pp and pm of Eq. 2 of S. M. Figueira and F. Berman, "A slowdown model for
 * applications executing on time-shared clusters of workstations" (IEEE TPDS 12(6), 2001): each
 * program computes (or communicates) for a part of the time, independently of the others.  Adding
 * one program to the distribution of the others' number takes a time that grows with that number,
 * so that all together take O(p^2). */
#ifndef RC_MODEL_SLOWDOWN_ACTIVITY_COUNTS_H
#define RC_MODEL_SLOWDOWN_ACTIVITY_COUNTS_H

#include <stddef.h>

#include "runcast.h"

/* p[i] is the probability that exactly i are at it, i from 0 to n; they sum to 1.  Start from {0};
 * free with rc_slowdown_activity_free(). */
struct rc_activity {
    double *p;
    size_t n;
};

/* Of programs that are at it for the parts shares[0 .. n) of the time, each in [0, 1]. */
int rc_slowdown_activity_of(const double *shares, size_t n, struct rc_activity *activity,
                            struct rc_error *error);
void rc_slowdown_activity_free(struct rc_activity *activity);

enum { RC_ACTIVITY_PAIRS_MAX = 512 }; /* programs, of which pairs of numbers are asked */

/* Of two things at once: p[i * (n + 1) + l] is the probability that i do the one and l the other,
 * where each program does so for its parts of the time, together at most 1.  At most
 * RC_ACTIVITY_PAIRS_MAX programs.  Of a wide range, since what is hardly ever met may count where
 * factors are large.  To be freed with free(). */
long double *rc_slowdown_activity_pairs(const double *ones, const double *others, size_t n,
                                        struct rc_error *error);

#endif
