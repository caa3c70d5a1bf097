// SPDX-License-Identifier: BSD-2-Clause
/* about.h - trace.json, which describes the run that was recorded. */
#ifndef RC_MPI_TRACE_ABOUT_H
#define RC_MPI_TRACE_ABOUT_H

#include "mpi/trace/trace_set.h"

/* Reads trace.json of a directory.  Where there is none, all is unknown; where it makes no sense,
 * a fault is added. */
void rc_trace_about_read(struct rc_trace_about *about, const char *directory,
                         struct rc_faults *faults);
/* The same from memory. */
void rc_trace_about_parse(struct rc_trace_about *about, const char *text, size_t length,
                          struct rc_faults *faults);
void rc_trace_about_free(struct rc_trace_about *about);

/* A run that was recorded. */
struct rc_trace_run {
    char *const *command; /* words, up to a NULL */
    const char *runcast;  /* the version that recorded it */
    const char *mpi;
    double began, seconds; /* UTC, seconds since 1970; of the whole command, NAN: not said */
    int status;            /* with which it ended */
};

/* Writes trace.json, whole or not at all, into the directory of the set. */
int rc_trace_about_write(const struct rc_trace_set *set, const struct rc_trace_run *run,
                         struct rc_error *error);

#endif
