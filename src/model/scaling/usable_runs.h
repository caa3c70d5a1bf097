// SPDX-License-Identifier: GPL-3.0-or-later
/* usable_runs.h - the runs of an app that a scaling model can use. */
#ifndef RC_MODEL_SCALING_USABLE_RUNS_H
#define RC_MODEL_SCALING_USABLE_RUNS_H

#include "model/scaling/run_groups.h"
#include "platform/hostlist.h"

/* Start from {0}; free with rc_scaling_runs_free(), which makes it {0} again. */
struct rc_scaling_runs {
    struct rc_scaling_run *items;
    size_t n, room;
};
void rc_scaling_runs_free(struct rc_scaling_runs *runs);
/* Appends a copy of the run; -1 where there are too many, or memory runs out. */
int rc_scaling_runs_add(struct rc_scaling_runs *runs, const struct rc_scaling_run *run,
                        struct rc_error *error);

struct rc_db;
/* All runs of the app on this platform (or on none that is named) that are of use: completed ones,
 * and killed ones.  Those on a host that is not in `hosts` are marked as elsewhere, unless that is
 * empty.  Both are {0} on failure. */
int rc_scaling_runs_read(struct rc_db *db, const char *app, const struct rc_platform *platform,
                         const struct rc_hostlist *hosts, struct rc_scaling_runs *runs,
                         struct rc_scaling_runs *killed, struct rc_error *error);

/* The number of runs that another command made than the one with that hash. */
size_t rc_scaling_runs_by_others(const struct rc_scaling_runs *runs, double command);
/* The number of runs that were made elsewhere. */
size_t rc_scaling_runs_elsewhere(const struct rc_scaling_runs *runs);

/* Notes that different commands made these runs, that some were killed, and that hosts were
 * busy. */
int rc_scaling_runs_note(const struct rc_scaling_runs *runs, struct rc_scaling_notes *notes,
                         struct rc_error *error);

#endif
