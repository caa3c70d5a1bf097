// SPDX-License-Identifier: GPL-3.0-or-later
/* phases.h - the phases of a program, by its loops, and how long each rank was in them. */
#ifndef RC_MODEL_SKELETON_SHRINK_PHASES_H
#define RC_MODEL_SKELETON_SHRINK_PHASES_H

#include <stddef.h>

#include "runcast.h"

enum { RC_PHASES_MAX = 20, RC_PHASES_NAME = 16 };

/* Loops that take at least this part of the time are phases of their own. */
#define RC_PHASES_LEAST 0.05

struct rc_phases {
    struct rc_phases_one {
        char name[RC_PHASES_NAME]; /* "loop1", "loop2" ... in the order of time; and "rest" */
        double *seconds;           /* by rank, elapsed time; 0 where it has no part in it */
    } at[RC_PHASES_MAX];
    size_t n;
};

/* Of the program in a trace, the outermost loops that take much of the time, and the rest, which is
 * all else of `whole`: how long each rank ran.  Free with rc_skeleton_phases_free(); on failure
 * there is nothing to free. */
int rc_skeleton_phases_read(const char *directory, const double *whole, struct rc_phases *phases,
                            struct rc_error *error);
void rc_skeleton_phases_free(struct rc_phases *phases);

#endif
