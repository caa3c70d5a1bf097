// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_place.h - the directory that a trace is made in, and the one that is replaced there. */
#ifndef RC_CMD_TRACE_PLACE_H
#define RC_CMD_TRACE_PLACE_H

#include <limits.h>
#include <stdbool.h>

#include "runcast.h"

struct rc_cmd_trace_place {
    const char *output;       /* as the user calls it */
    char directory[PATH_MAX]; /* its path */
    bool made;                /* it was not there before */
    bool aside;               /* a trace that was there is kept below it */
};

/* Makes the directory `output`, or takes the one that is there.  A trace in it is an error or,
 * where it is to be replaced (`force`), put aside.  End with rc_cmd_trace_place_end(). */
int rc_cmd_trace_place_begin(struct rc_cmd_trace_place *place, const char *output, bool force,
                             struct rc_error *error);

/* Takes away what was put aside, where there is a trace in its place (`recorded`).  Otherwise
 * it is put back, and nothing of the new one remains. */
void rc_cmd_trace_place_end(struct rc_cmd_trace_place *place, bool recorded);

#endif
