// SPDX-License-Identifier: GPL-3.0-or-later
/* relative_host_speeds.h - how fast hosts are as compared with one another, by runs of the program
 * by itself on each of them. */
#ifndef RC_ADVISE_SPLIT_RELATIVE_HOST_SPEEDS_H
#define RC_ADVISE_SPLIT_RELATIVE_HOST_SPEEDS_H

#include "advise/split/host_times.h"
#include "runcast.h"

/* How fast the hosts are as compared with one another, by the runs of the app with one process on
 * each of them, of the size that is nearest to the one that is asked for of those that all of them
 * have; what was free of the CPU then counts.  `spread` is how far runs were from the mean of their
 * host, relative, as a standard deviation; NAN where no host has several.  1: done; 0: some host
 * has none; -1 where the database fails or memory runs out. */
int rc_split_host_speeds_of_runs(struct rc_db *db, const struct rc_host_times *asked,
                                 double *speeds, double *spread, struct rc_error *error);

#endif
