// SPDX-License-Identifier: GPL-3.0-or-later
/* local_internal.h - shared by the files of local slowdown. */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_INTERNAL_H
#define RC_MODEL_SLOWDOWN_LOCAL_INTERNAL_H

#include "model/slowdown/local_slowdown.h"

/* An activity of a competitor for a share of its time; `LASTING` is computing of steady
 * competitors, `YIELDING` of the others. */
enum rc_local_activity {
    RC_LOCAL_COMPUTING,
    RC_LOCAL_COMMUNICATING,
    RC_LOCAL_MEMORY,
    RC_LOCAL_LASTING,
    RC_LOCAL_YIELDING
};
double rc_slowdown_local_share(const struct rc_competitor *competitor, enum rc_local_activity kind);

/* The number of competitors with the same activity at once; free with
 * rc_slowdown_activity_free(). */
int rc_slowdown_local_activity(const struct rc_local_host *host, enum rc_local_activity kind,
                               struct rc_activity *activity, struct rc_error *error);

/* The share of a core that each of k processes gets. */
double rc_slowdown_local_part(double k, int cores);

/* The increase of a slowdown of 1 by computing competitors: by the queueing model with equal
 * weights, and with different weights on one core. */
int rc_slowdown_local_add_by_queue(const struct rc_local_host *host, double *added,
                                   struct rc_error *error);
int rc_slowdown_local_add_by_turns(const struct rc_local_host *host, double *added,
                                   struct rc_error *error);

#endif
