// SPDX-License-Identifier: GPL-3.0-or-later
/* event_groups.h - a program of many ranks as one sequence of event groups.
 *
 * An event is one MPI call of one rank (program.h).  An event group is a smallest set of events
 * that needs no event outside of it: every message that is sent in it is received in it, every
 * request that it begins it completes, every collective call has all its members in it.  Of each
 * rank that takes part it has a stretch of consecutive events.  An all-reduce is an event group; so
 * is a message with its send and receive; an exchange between neighbours that all wait for both
 * sides is one event group of all of them. */
#ifndef RC_MODEL_SKELETON_MATCH_EVENT_GROUPS_H
#define RC_MODEL_SKELETON_MATCH_EVENT_GROUPS_H

#include <stdbool.h>

#include "model/skeleton/match/match.h"

/* The stretch of one rank. */
struct rc_event_group_part {
    uint32_t rank;
    uint32_t begin, end; /* events */
};

struct rc_event_group {
    size_t first; /* of its parts, which are sorted by rank */
    uint32_t n_parts;
    uint32_t level;   /* one more than that of the latest group before it on any of its ranks */
    bool interleaved; /* its calls need not follow each other on their ranks: interleaved.h */
};

struct rc_event_groups {
    struct rc_event_group *at; /* by level, and then by their first rank */
    size_t n;
    struct rc_event_group_part *parts;
    size_t n_parts;
    bool interleaved; /* some group is */
};

/* Finds the event groups of a matched program.  Free with rc_skeleton_event_groups_free(); on
 * failure there is nothing to free. */
int rc_skeleton_event_groups_find(const struct rc_program *program, const struct rc_match *match,
                                  struct rc_event_groups *groups, struct rc_error *error);
void rc_skeleton_event_groups_free(struct rc_event_groups *groups);

#endif
