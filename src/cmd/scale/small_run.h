// SPDX-License-Identifier: GPL-3.0-or-later
/* small_run.h - making the small runs of 'runcast scale measure', one at a time.
 *
 * Each copy is recorded by 'runcast record' (run/concurrent_copies.h). */
#ifndef RC_CMD_SCALE_SMALL_RUN_H
#define RC_CMD_SCALE_SMALL_RUN_H

#include "cmd/scale/scale.h"
#include "run/concurrent_copies.h"

/* How runs are made. */
struct rc_cmd_making {
    const struct rc_cmd_scale *scale;
    const char *command; /* the user's, with placeholders */
    bool alone;          /* without copies and fillers */
    size_t network;      /* of the cluster */
    struct rc_copies copies;
};

/* Makes a run and stores it; as rc_run_copies_make().  Fillers are those of `sides`, which have its
 * hosts. */
int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_scaling_planned *run,
                      const struct rc_scaling_planned *sides, size_t n_sides, struct rc_db *db,
                      struct rc_copies_made *made, struct rc_error *error);

#endif
