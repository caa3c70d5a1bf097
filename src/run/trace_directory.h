// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_directory.h - the directory that a trace is made in, and the one that is replaced there. */
#ifndef RC_RUN_TRACE_DIRECTORY_H
#define RC_RUN_TRACE_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>

#include "runcast.h"

struct rc_trace_directory {
    const char *output;       /* as the user calls it */
    char directory[PATH_MAX]; /* its path */
    bool made;                /* it was not there before */
    bool aside;               /* a trace that was there is kept below it */
};

/* Makes the directory `output`, or takes the one that is there.  A trace in it is an error or,
 * where it is to be replaced (`force`), put aside.  End with rc_run_trace_directory_end(). */
int rc_run_trace_directory_begin(struct rc_trace_directory *place, const char *output, bool force,
                                 struct rc_error *error);

/* Takes away what was put aside, where there is a trace in its place (`recorded`).  Otherwise
 * it is put back, and nothing of the new one remains. */
void rc_run_trace_directory_end(struct rc_trace_directory *place, bool recorded);

#endif
