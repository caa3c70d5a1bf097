// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_internal.h - the hosts of small runs, and their cost; for this folder only. */
#ifndef RC_MODEL_SCALING_PLAN_INTERNAL_H
#define RC_MODEL_SCALING_PLAN_INTERNAL_H

#include "platform/platform.h"
#include "model/scaling/plan.h"

/* Those that may be used, the slowest first. */
struct rc_scaling_hosts {
    const struct rc_cluster *cluster;
    size_t *order; /* indexes into the cluster's hosts */
    size_t n;
    int target; /* processes of the target on a host */
    size_t target_hosts;
};

/* Finds them; sets what the plan says of the target, and whether small runs of up to `largest`
 * processes must be packed.  To be freed, also on failure. */
int rc_scaling_hosts_find(const struct rc_scaling_request *request, int64_t largest,
                          struct rc_scaling_plan *plan, struct rc_scaling_hosts *hosts,
                          struct rc_error *error);
void rc_scaling_hosts_free(struct rc_scaling_hosts *hosts);

/* Puts a run on hosts. */
int rc_scaling_plan_place(const struct rc_scaling_hosts *hosts, const struct rc_scaling_plan *plan,
                          struct rc_scaling_planned *run, struct rc_error *error);
/* Its memory and its cost, once it is placed. */
int rc_scaling_plan_cost(const struct rc_scaling_request *request,
                         const struct rc_scaling_hosts *hosts, const struct rc_scaling_plan *plan,
                         struct rc_scaling_planned *run, struct rc_error *error);

/* A guess of the seconds of a run with blocks of so many cells; NAN: unknown. */
double rc_scaling_cost_guess_seconds(const struct rc_scaling_request *request, int64_t procs,
                                     double cells);

#endif
