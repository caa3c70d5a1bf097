// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_make.h - making the small runs of 'runcast scale measure', one at a time.
 *
 * Each is made by 'runcast record', into a store of its own that is thrown away: only a run that
 * ended well, with all its copies, gets into the user's, as one. */
#ifndef RC_CMD_SCALE_MAKE_H
#define RC_CMD_SCALE_MAKE_H

#include "cmd/scale/scale.h"

enum { RC_CMD_MAKING_PATH = 4096 };

/* How runs are made. */
struct rc_cmd_making {
    const struct rc_cmd_scale *scale;
    const char *command; /* the user's, with placeholders */
    bool told;           /* the program tells its seconds */
    bool sense;          /* sensors on the hosts */
    struct rc_monitor monitor;
    char self[RC_CMD_MAKING_PATH], scratch[RC_CMD_MAKING_PATH]; /* by rc_cmd_making_begin() */
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

/* Makes a place for temporary files, and removes it. */
int rc_cmd_making_begin(struct rc_cmd_making *making, struct rc_error *error);
void rc_cmd_making_end(const struct rc_cmd_making *making);

/* What became of it. */
struct rc_cmd_making_made {
    int64_t id;    /* in the store */
    bool unsensed; /* sensors were asked for, and did not tell of all its hosts */
};

/* Makes a run and stores it.  None of its processes is left, also where it fails: -1, or -2 where
 * the command could not be started at all (a shell's status 126 or 127), so that no other will be.
 */
int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                      struct rc_db *store, struct rc_cmd_making_made *made, struct rc_error *error);

#endif
