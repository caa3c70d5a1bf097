// SPDX-License-Identifier: GPL-3.0-or-later
/* prologue.h - computing before a loop, as distinct from the computing between its iterations.
 *
 * What is computed before a loop is, in a trace, computing before the first call of its body, in
 * the first iteration.  Averaged over the iterations it would move into the loop; and where ranks
 * wait for each other in there, as in a pipeline, that takes another time. */
#ifndef RC_MODEL_SKELETON_MATCH_PROLOGUE_H
#define RC_MODEL_SKELETON_MATCH_PROLOGUE_H

#include "mpi/trace/reader.h"

/* Of the first call of a loop's body. */
struct rc_prologue {
    double share; /* the part of all its computing that is done on top before the loop; 0: none */
    double rest;  /* the part of its times that are those of other iterations */
};

/* `iterations` are those of the loop, at least 2, each time that it is come to. */
struct rc_prologue rc_skeleton_prologue_find(const struct rc_trace_position *position,
                                             uint64_t iterations);

#endif
