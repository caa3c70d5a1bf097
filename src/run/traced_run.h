// SPDX-License-Identifier: GPL-3.0-or-later
/* traced_run.h - the run that a recording of MPI calls is of, with the times of its processes. */
#ifndef RC_RUN_TRACED_RUN_H
#define RC_RUN_TRACED_RUN_H

#include "mpi/trace/profile.h"

/* A phase of a program, and how long each rank was in it. */
struct rc_traced_phase {
    const char *name;      /* at most RC_PHASE_MAX bytes, not "" */
    const double *seconds; /* by rank; NAN: it had none */
};

/* A run.  Start from {0}; free with rc_run_traced_free(). */
struct rc_traced {
    struct rc_run run; /* its texts are the profile's, the phases', or this struct's */
    char *app, *hosts;
    struct rc_run_time *times;
};

/* Fills in what the trace has: processes, hosts, start, run time and status; the time of each
 * process, up to the start of its final wait, so that waiting for slower ones does not count as
 * work; and that of each process in each phase, if there are phases.  The app is the name of the
 * program.  The caller adds size, further parameters and platform.  `hosts`: such as "a[1-4]"; it
 * is copied; NULL: unknown.  -1: the trace is not complete. */
int rc_run_traced_fill(struct rc_traced *traced, const struct rc_profile *profile,
                       const char *hosts, const struct rc_traced_phase *phases, size_t n_phases,
                       struct rc_error *error);
void rc_run_traced_free(struct rc_traced *traced);

/* Adds the run to the database, and sets its number.  -1 also where it has a run of that app
 * that began at the same moment on as many processes: it was kept before. */
int rc_run_traced_store(struct rc_db *db, const struct rc_run *run, int64_t *id,
                        struct rc_error *error);

#endif
