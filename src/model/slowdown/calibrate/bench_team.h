// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_team.h - what the measurements share: memory in which their processes report results. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_TEAM_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_TEAM_H

#include <stdatomic.h>

#include "testbed/load/team.h"

/* Begins what is shared. */
struct rc_bench_shared {
    _Atomic size_t done, total; /* steps, for progress */
    _Atomic bool finished;      /* those who only keep something busy may go */
};

/* Zeroed memory that processes started from now on have in common with this one. */
void *rc_slowdown_bench_share(size_t size, struct rc_error *error);
void rc_slowdown_bench_unshare(void *shared, size_t size);

/* Runs these processes until all have ended, and reports their progress to the monitor.  `sum` (or
 * NULL) gets their sums from the second on, added up.  -1 also where the monitor cancelled. */
int rc_slowdown_bench_run(const struct rc_load_task *tasks, size_t n,
                          struct rc_bench_shared *shared, const struct rc_monitor *monitor,
                          struct rc_load_tally *sum, struct rc_error *error);

/* rc_load_over() of a seat, for rc_slowdown_bench_sweep(). */
bool rc_slowdown_bench_over(const void *seat);

#endif
