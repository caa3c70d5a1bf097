// SPDX-License-Identifier: GPL-3.0-or-later
/* concurrent_copies.h - copies of a program that run at once, each with its recorder, and become
 * one run.
 *
 * Each recorder writes to a file in a temporary directory: only a run that ended well, with all its
 * copies, gets into the database. */
#ifndef RC_RUN_CONCURRENT_COPIES_H
#define RC_RUN_CONCURRENT_COPIES_H

#include "run/concurrent_programs.h"
#include "runcast.h"

enum { RC_COPIES_PATH = 4096 };

struct rc_copies {
    bool reported; /* the program reports its seconds */
    bool sensors;  /* there are sensors on the hosts */
    struct rc_monitor monitor;
    char scratch[RC_COPIES_PATH]; /* the temporary directory */
};
/* Makes the temporary directory, and removes it with all that is in it. */
int rc_run_copies_begin(struct rc_copies *copies, struct rc_error *error);
void rc_run_copies_end(const struct rc_copies *copies);

struct rc_copies_made {
    int64_t id;    /* of the run in the database */
    bool unsensed; /* there are sensors, and they did not measure all of its hosts */
};

/* Runs the jobs, of which the first `n_copies` are recorders that write to "SCRATCH/I.json", and
 * stores one run: as long as the copies took on average, with the most memory of them.  None of
 * their processes is left, also where it fails: -1, or -2 where a command could not be started at
 * all (a shell's status 126 or 127).  A run that the database does not take is saved to a file. */
int rc_run_copies_make(const struct rc_copies *copies, struct rc_run_job *jobs, size_t n_jobs,
                       size_t n_copies, struct rc_db *db, struct rc_copies_made *made,
                       struct rc_error *error);

#endif
