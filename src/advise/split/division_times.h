// SPDX-License-Identifier: GPL-3.0-or-later
/* division_times.h - how long divided work takes along load scenarios.
 *
 * A host that takes w seconds for its work when nothing else runs takes w / a where it has the
 * share a of a core, and `fixed` seconds besides.
 *
 * Where the program waits often (its processes exchange data in each of many iterations), all go at
 * the pace of the slowest at each instant: in a short time dt the run gets dt / max (w / a + fixed)
 * further.  Where it waits once, at the end, each host goes at its own pace, and the last one
 * counts. */
#ifndef RC_ADVISE_SPLIT_DIVISION_TIMES_H
#define RC_ADVISE_SPLIT_DIVISION_TIMES_H

#include <stddef.h>

#include "advise/split/availability_paths.h"

enum rc_split_coupling { RC_COUPLING_TIGHT, RC_COUPLING_LOOSE };

/* What each host has to do: seconds when nothing else runs, and seconds besides.  A host without
 * work is not waited for. */
struct rc_paths_work {
    const double *work, *fixed;
};

/* How long it takes along one scenario.  Where `slopes` is not NULL, how much longer it takes for a
 * second more of each host's work is added there; it has 2 n_hosts places, of which the second half
 * is for the work in between. */
double rc_split_paths_time(const struct rc_paths *paths, size_t path,
                           enum rc_split_coupling coupling, const struct rc_paths_work *work,
                           double *slopes);

#endif
