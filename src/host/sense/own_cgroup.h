// SPDX-License-Identifier: GPL-3.0-or-later
/* own_cgroup.h - the control group that this process is in: what it uses, and what it may use. */
#ifndef RC_HOST_SENSE_OWN_CGROUP_H
#define RC_HOST_SENSE_OWN_CGROUP_H

#include <stdbool.h>

#include "base/cgroup.h"

struct rc_sense_group {
    struct rc_cgroup cpu, usage; /* where the limits are, and where CPU time is counted */
    bool found;                  /* there are control groups */
    bool there;                  /* it is one below the top, or has a limit */
};

/* Finds it.  `there` is false where this process is at the top of the hierarchy and that has no
 * limit, or where there are no control groups. */
void rc_sense_group_find(struct rc_sense_group *group);

/* Seconds of CPU time that were used in it so far; NAN: not known. */
double rc_sense_group_used(const struct rc_sense_group *group);

/* Cores that it, or one above it, may use at most by its quota; INFINITY: no limit. */
double rc_sense_group_quota(const struct rc_sense_group *group);

#endif
