// SPDX-License-Identifier: GPL-3.0-or-later
/* relative_host_speeds.h - relative speeds of hosts, by runs of the app on one host each. */
#ifndef RC_ADVISE_SPLIT_RELATIVE_HOST_SPEEDS_H
#define RC_ADVISE_SPLIT_RELATIVE_HOST_SPEEDS_H

#include "advise/split/host_times.h"
#include "runcast.h"

/* Relative speeds by runs of the app with one process on each of the hosts, of the nearest size
 * that all of them have, corrected by the CPU availability during the run.  `spread` is the
 * relative standard deviation of runs from the mean of their host; NAN if no host has several.  1:
 * done; 0: some host has no run; -1 where the database fails or memory runs out. */
int rc_split_host_speeds_of_runs(struct rc_db *db, const struct rc_host_times *asked,
                                 double *speeds, double *spread, struct rc_error *error);

#endif
