// SPDX-License-Identifier: GPL-3.0-or-later
/* make.h - making the small runs of 'runcast scale measure', one at a time.
 *
 * Each copy is recorded by 'runcast record' (run/copies.h). */
#ifndef RC_CMD_SCALE_MAKE_H
#define RC_CMD_SCALE_MAKE_H

#include "cmd/scale/scale.h"
#include "run/copies.h"

/* How runs are made. */
struct rc_cmd_making {
    const struct rc_cmd_scale *scale;
    const char *command; /* the user's, with placeholders */
    struct rc_copies copies;
};

/* What keeps the other cores of some hosts busy meanwhile: sequential runs of the block. */
struct rc_cmd_making_beside {
    const char *hosts; /* an expression */
    size_t n_hosts;
    int fillers; /* on each of them */
};
enum { RC_CMD_MAKING_BESIDE = 2 };

/* One run that is to be made. */
struct rc_cmd_making_run {
    int64_t procs;
    struct rc_mesh mesh, block;
    const char *hosts;
    struct rc_cmd_making_beside beside[RC_CMD_MAKING_BESIDE];
    int per_host, copies, network;
    int busy;   /* cores of a host that are, or stand for those that would be */
    bool alone; /* they were not, though: neither copies nor fillers */
};

/* Makes a run and stores it; as rc_run_copies_make(). */
int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                      struct rc_db *db, struct rc_copies_made *made, struct rc_error *error);

#endif
