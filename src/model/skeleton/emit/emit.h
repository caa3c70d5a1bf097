// SPDX-License-Identifier: GPL-3.0-or-later
/* emit.h - a plan as a program: one C source for all ranks, which needs nothing but MPI. */
#ifndef RC_MODEL_SKELETON_EMIT_EMIT_H
#define RC_MODEL_SKELETON_EMIT_EMIT_H

#include "base/buffer.h"
#include "runcast.h"
#include "model/skeleton/emit/kernel_speed.h"
#include "model/skeleton/compose/plan.h"

struct rc_emit_options {
    const char *name; /* of the program; characters that are not for file names become '_' */
    struct rc_kernel_speed speed; /* of the machine of the trace */
    double flops;                 /* and for simulations, flop/s; 0: RC_EMIT_FLOPS */
    const char *notes; /* lines for the opening comment, or NULL: what is not reproduced, ... */
};

#define RC_EMIT_FLOPS 1e9

/* Stands in the first line of each program. */
#define RC_EMIT_MARK "a performance skeleton"

enum { RC_EMIT_NAME = 64 };

/* What the program of a file calls itself: the file's name without directories and ".c", with '_'
 * for all that is not a letter, a digit or one of "._-". */
void rc_skeleton_emit_name(const char *path, char name[RC_EMIT_NAME]);

/* Appends the program to `out`.  The plan must be one that rc_skeleton_plan_check() finds good;
 * here only what MPI's counts cannot hold is refused.  -1 where that is so, or memory runs out;
 * `out` is then incomplete. */
int rc_skeleton_plan_emit(const struct rc_plan *plan, const struct rc_emit_options *options,
                          struct rc_buffer *out, struct rc_error *error);

#endif
