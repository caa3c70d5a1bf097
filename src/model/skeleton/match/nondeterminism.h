// SPDX-License-Identifier: GPL-3.0-or-later
/* nondeterminism.h - what was settled by which rank came first when a program was recorded. */
#ifndef RC_MODEL_SKELETON_MATCH_NONDETERMINISM_H
#define RC_MODEL_SKELETON_MATCH_NONDETERMINISM_H

#include "model/skeleton/match/match.h"

struct rc_nondeterminism {
    /* Messages that were taken since they were there first.  A receive from any source, a wait for
     * any request or a probe leaves that to chance only where the rank takes such messages of
     * several others: with a tag of its own for each neighbour there is nothing to choose. */
    uint64_t taken;
    /* Those of them that are requests for work: the next message that the rank sends goes to who
     * sent this one.  Only ranks are counted that answer most of what they take like this; in an
     * exchange among neighbours, the last one that comes in is often the first one that is sent to,
     * but the others are not. */
    uint64_t requests;
};

/* Looks at all messages. */
int rc_skeleton_nondeterminism_find(const struct rc_program *program, const struct rc_match *match,
                                    struct rc_nondeterminism *found, struct rc_error *error);

#endif
