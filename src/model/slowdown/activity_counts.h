// SPDX-License-Identifier: GPL-3.0-or-later
/* activity_counts.h - the number of programs with the same activity at once.
 *
 * The probabilities pp and pm of Eq. 2 of S. M. Figueira and F. Berman, "A slowdown model for
 * applications executing on time-shared clusters of workstations" (IEEE TPDS 12(6), 2001): each
 * program computes (or communicates) for a share of the time, independently of the others.
 * Adding one program takes O(p), and all of them O(p^2). */
#ifndef RC_MODEL_SLOWDOWN_ACTIVITY_COUNTS_H
#define RC_MODEL_SLOWDOWN_ACTIVITY_COUNTS_H

#include <stddef.h>

#include "runcast.h"

/* p[i] is the probability that exactly i are active, i from 0 to n; they sum to 1.  Start from
 * {0}; free with rc_slowdown_activity_free(). */
struct rc_activity {
    double *p;
    size_t n;
};

/* For programs that are active for shares[0 .. n) of the time, each in [0, 1]. */
int rc_slowdown_activity_of(const double *shares, size_t n, struct rc_activity *activity,
                            struct rc_error *error);
void rc_slowdown_activity_free(struct rc_activity *activity);

enum { RC_ACTIVITY_PAIRS_MAX = 512 }; /* programs in rc_slowdown_activity_pairs() */

/* For two activities: p[i * (n + 1) + l] is the probability that i do the one and l the other. 
 * The shares of each program sum to at most 1.  At most RC_ACTIVITY_PAIRS_MAX programs.  A wide
 * range of numbers, since large factors may multiply tiny probabilities.  To be freed with
 * free(). */
long double *rc_slowdown_activity_pairs(const double *ones, const double *others, size_t n,
                                        struct rc_error *error);

#endif
