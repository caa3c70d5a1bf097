// SPDX-License-Identifier: GPL-3.0-or-later
/* acts.h - a program of many ranks as one sequence of acts.
 *
 * An act is a smallest group of calls that needs no call outside of it: every message that is sent
 * in it is received in it, every request that it begins it completes, every collective call has all
 * its members in it.  Of each rank that takes part it has a stretch of consecutive calls.  An
 * all-reduce is an act; so is a message with its send and receive; an exchange between neighbours
 * that all wait for both sides is one act of all of them. */
#ifndef RC_MODEL_SKELETON_MATCH_ACTS_H
#define RC_MODEL_SKELETON_MATCH_ACTS_H

#include <stdbool.h>

#include "model/skeleton/match/match.h"

/* The stretch of one rank. */
struct rc_act_part {
    uint32_t rank;
    uint32_t begin, end; /* events */
};

struct rc_act {
    size_t first; /* of its parts, which are sorted by rank */
    uint32_t n_parts;
    uint32_t level; /* one more than that of the latest act before it on any of its ranks */
    bool loose;     /* its calls need not follow each other on their ranks: loose.h */
};

struct rc_acts {
    struct rc_act *acts; /* by level, and then by their first rank */
    size_t n;
    struct rc_act_part *parts;
    size_t n_parts;
    bool loose; /* some act is */
};

/* Free with rc_skeleton_acts_free(); on failure there is nothing to free. */
int rc_skeleton_acts_find(const struct rc_program *program, const struct rc_match *match,
                          struct rc_acts *acts, struct rc_error *error);
void rc_skeleton_acts_free(struct rc_acts *acts);

#endif
