// SPDX-License-Identifier: GPL-3.0-or-later
/* local_internal.h - what the files of local slowdown share with one another (local_slowdown.h is for others). */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_INTERNAL_H
#define RC_MODEL_SLOWDOWN_LOCAL_INTERNAL_H

#include "model/slowdown/local_slowdown.h"

/* What a competitor does for a part of its time; `LASTING` is computing of steady ones alone,
 * `YIELDING` of the others. */
enum rc_local_activity {
    RC_LOCAL_COMPUTING,
    RC_LOCAL_COMMUNICATING,
    RC_LOCAL_MEMORY,
    RC_LOCAL_LASTING,
    RC_LOCAL_YIELDING
};
double rc_slowdown_local_share(const struct rc_competitor *competitor, enum rc_local_activity kind);

/* How many competitors are at it at once; to be freed with rc_slowdown_activity_free(). */
int rc_slowdown_local_activity(const struct rc_local_host *host, enum rc_local_activity kind,
                               struct rc_activity *activity, struct rc_error *error);

/* The part of a core that each of k gets. */
double rc_slowdown_local_part(double k, int cores);

/* What competitors that compute add to a slowdown of 1: by the queue, where turns are equal; and
 * where they are not, on one core. */
int rc_slowdown_local_add_by_queue(const struct rc_local_host *host, double *added,
                                   struct rc_error *error);
int rc_slowdown_local_add_by_turns(const struct rc_local_host *host, double *added,
                                   struct rc_error *error);

#endif
