// SPDX-License-Identifier: BSD-2-Clause
/* about.h - trace.json, which tells of the run that was recorded. */
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

#endif
