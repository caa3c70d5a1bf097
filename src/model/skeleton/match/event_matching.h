// SPDX-License-Identifier: GPL-3.0-or-later
/* event_matching.h - who talks to whom in a recorded program: which receive takes which message,
 * which calls of different ranks are one collective call, and which call completes which request.
 */
#ifndef RC_MODEL_SKELETON_MATCH_EVENT_MATCHING_H
#define RC_MODEL_SKELETON_MATCH_EVENT_MATCHING_H

#include <stdbool.h>

#include "model/skeleton/match/recorded_program.h"

/* From one call to another.  Ranks are those of the world, calls are numbers of events there. */
struct rc_match_message {
    uint32_t communicator;
    int32_t tag;
    uint32_t sender, send;
    uint32_t receiver, receive;
    uint64_t bytes;
    uint32_t next; /* in its channel, for who makes it */
    uint16_t kind; /* of the call that sends it, or that made the request which is started */
    uint16_t
        freedom; /* of enum rc_match_freedom: what else could have been received in its place */
};

enum rc_match_freedom {
    RC_MATCH_ANY_SOURCE = 1,  /* one of any rank */
    RC_MATCH_ANY_TAG = 2,     /* of any tag */
    RC_MATCH_ANY_REQUEST = 4, /* that of another request: it was taken since it was there first */
};

/* One call that all members of a communicator make. */
struct rc_match_collective {
    uint32_t communicator;
    uint32_t kind;
    size_t first; /* place in `members` of the first member's event; the others follow */
};

/* What an event belongs to; RC_PROGRAM_NONE where it is nothing. */
struct rc_match_link {
    uint32_t out, in; /* messages that it sends and receives */
    uint32_t collective;
    uint32_t done; /* the event that completes the request which this one begins, or that receives
                    * the message which it has probed */
};

/* Whether an event has to do with no other rank. */
static inline bool rc_skeleton_match_is_local(const struct rc_match_link *link)
{
    return link->out == RC_PROGRAM_NONE && link->in == RC_PROGRAM_NONE &&
           link->collective == RC_PROGRAM_NONE;
}

struct rc_match_communicator {
    uint32_t *members; /* ranks of the world */
    uint32_t n;
    int has_topology;
    const struct rc_trace_call **made; /* by member: the call that made it, or NULL */
    int changes; /* it was made again, once it was freed, with other neighbours */
};

/* Ranks of a communicator; those below 0 are nobody. */
struct rc_skeleton_match_neighbours {
    const int32_t *sources, *destinations;
    uint32_t n_sources, n_destinations;
};

struct rc_match {
    struct rc_match_link **links; /* by rank and event */
    struct rc_match_message *messages;
    size_t n_messages;
    struct rc_match_collective *collectives;
    size_t n_collectives;
    uint32_t *members; /* events of collectives */
    size_t n_members;
    struct rc_match_communicator *communicators; /* the first is the world */
    size_t n_communicators;
    uint32_t ranks;
    uint64_t unmatched; /* messages that are linked to nothing: see event_matching.c */
};

/* Matches all of it.  Messages go from sender to receiver in order, for each communicator and tag;
 * collective calls are matched by their order on each communicator; communicators by their members
 * and the order in which they are made.  Fails where ranks disagree on a collective call, a
 * communicator is not known, or neighbours change.  Free with rc_skeleton_match_free(); on failure
 * there is nothing to free. */
int rc_skeleton_match_find(const struct rc_program *program, struct rc_match *match,
                           struct rc_error *error);
void rc_skeleton_match_free(struct rc_match *match);

/* Whether a kind of call completes whichever requests are done first. */
bool rc_skeleton_match_is_for_any(unsigned kind);

/* The neighbours of a member.  -1 where it is not known who they are. */
int rc_skeleton_match_neighbours(const struct rc_match_communicator *communicator, uint32_t member,
                                 struct rc_skeleton_match_neighbours *neighbours,
                                 struct rc_error *error);

/* ---- what was settled by which rank came first when a program was recorded ---- */

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
