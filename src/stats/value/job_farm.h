// SPDX-License-Identifier: GPL-3.0-or-later
/* job_farm.h - a job farm: jobs handed out one at a time to whichever host asks for the next one.
 */
#ifndef RC_STATS_VALUE_JOB_FARM_H
#define RC_STATS_VALUE_JOB_FARM_H

#include "stats/value/value.h"

enum { RC_FARM_JOBS_MAX = 100000000 };

/* When `jobs` jobs are done that `n_hosts` hosts fetch on demand, each host taking `times[i]` for a
 * job of its own.  (Request-style master-slave programs: the dissertation's section 3.D.2.)
 *
 * A value of the kind at which the times meet:
 *   point      exact
 *   sample     draw by draw: within a draw, all jobs of a host take alike
 *   interval   bounds that hold however the jobs vary between the ends; a faster host can make the
 *              whole slower, by fetching a job that it is the last to finish, so that the ends of
 *              the times do not give the ends of the result
 *   normal, histogram: by way of a sample, for which `rules` must have random numbers
 *
 * Where `finish` is not NULL, it gets n_hosts numbers: when each host is done, with every time at
 * its mean; 0 for a host that gets no job. */
struct rc_value *rc_value_farm(const struct rc_value *const *times, size_t n_hosts, uint64_t jobs,
                               const struct rc_value_rules *rules, double *finish,
                               struct rc_error *error);

#endif
