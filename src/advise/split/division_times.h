// SPDX-License-Identifier: GPL-3.0-or-later
/* division_times.h - how long divided work takes along load scenarios.
 *
 * A host that takes w seconds for its work when nothing else runs takes w / a where it has the
 * share a of a core, plus `fixed` seconds.
 *
 * With tight coupling (processes exchange data in each of many iterations), all have the speed of
 * the slowest at each time: in a short time dt, dt / max (w / a + fixed) of the run is done.  With
 * loose coupling (they wait once, at the end), each host has its own speed, and the last one
 * counts. */
#ifndef RC_ADVISE_SPLIT_DIVISION_TIMES_H
#define RC_ADVISE_SPLIT_DIVISION_TIMES_H

#include <stddef.h>

#include "advise/split/availability_paths.h"

enum rc_split_coupling { RC_COUPLING_TIGHT, RC_COUPLING_LOOSE };

/* The work of each host: dedicated seconds, and fixed seconds.  A host without
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
