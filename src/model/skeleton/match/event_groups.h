// SPDX-License-Identifier: GPL-3.0-or-later
/* event_groups.h - a program of many ranks as one sequence of event groups.
 *
 * An event is one MPI call of one rank (recorded_program.h).  An event group is a smallest set of
 * events that needs no event outside of it: every message that is sent in it is received in it,
 * every request that it begins it completes, every collective call has all its members in it.  Of
 * each rank that takes part it has a stretch of consecutive events.  An all-reduce is an event
 * group; so is a message with its send and receive; an exchange between neighbours that all wait
 * for both sides is one event group of all of them. */
#ifndef RC_MODEL_SKELETON_MATCH_EVENT_GROUPS_H
#define RC_MODEL_SKELETON_MATCH_EVENT_GROUPS_H

#include <stdbool.h>

#include "model/skeleton/match/event_matching.h"

/* The stretch of one rank. */
struct rc_event_group_part {
    uint32_t rank;
    uint32_t begin, end; /* events */
};

struct rc_event_group {
    size_t first; /* of its parts, which are sorted by rank */
    uint32_t n_parts;
    uint32_t level;   /* one more than that of the latest group before it on any of its ranks */
    bool interleaved; /* its calls need not follow each other on their ranks: interleaved.c */
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

/* ---- event groups of programs whose messages cross iterations ----
 *
 * They are called interleaved since the calls of one group stand among those of others on a rank.
 * (Nondeterministic is something else: event_matching.h.)
 *
 * Where receives are posted an iteration ahead, or sends are waited for an iteration later, no
 * event group ends before the loop does: all of it is one.  Such an event group is split into
 * interleaved groups: messages with their two ends, and collective calls with all their members,
 * each with the calls that complete its requests.  The calls of an interleaved group need not
 * follow each other on a rank.
 *
 * A call that completes several requests belongs to one of their interleaved groups alone, the
 * latest; it has to be made whenever any of them is, for those requests that were begun. */

/* An event group is split where some rank has at least so many calls in it ... */
enum { RC_INTERLEAVED_CALLS = 32 };
/* ... it holds this part of all calls of the program ... */
#define RC_INTERLEAVED_PART 0.01
/* ... and loops make it this many times shorter, or each interleaved group is there so often on
 * average. */
#define RC_INTERLEAVED_COMPRESSION 4.0
enum { RC_INTERLEAVED_EQUAL = 16 };

/* Replaces each such event group by its interleaved groups, whose parts are single calls.  They
 * come in the order in which their messages would be under way if each call took equally long and
 * no send was done before its receive.  On failure the event groups are as they were. */
int rc_skeleton_interleaved_split(const struct rc_program *program, const struct rc_match *match,
                                  struct rc_event_groups *groups, struct rc_error *error);

/* ---- the calls of one event group by number, and when each is made ---- */

/* Calls are numbered part after part. */
struct rc_group_calls {
    const struct rc_program *program;
    const struct rc_match *match;
    const struct rc_event_group_part *parts; /* one for each rank of the event group */
    uint32_t n_parts;
    uint32_t *part_of; /* by rank; of ranks that are in the event group */
    uint32_t *first;   /* by part: the number of its first call; then how many there are */
    uint32_t *begun;   /* by call: the first call whose request it completes, or RC_PROGRAM_NONE */
    uint32_t *next;    /* by call: the next one whose request is completed by the same call */
    uint32_t *time;    /* by call: when it is done */
};

/* The number of an event of a rank that is in the group. */
static inline uint32_t rc_skeleton_group_number(const struct rc_group_calls *calls, uint32_t rank,
                                                uint32_t event)
{
    uint32_t part = calls->part_of[rank];

    return calls->first[part] + (event - calls->parts[part].begin);
}

/* The other way round: the event on the rank of a part. */
static inline uint32_t rc_skeleton_group_event(const struct rc_group_calls *calls, uint32_t part,
                                               uint32_t number)
{
    return calls->parts[part].begin + (number - calls->first[part]);
}

/* What a call is linked to. */
static inline const struct rc_match_link *rc_skeleton_group_link(const struct rc_group_calls *calls,
                                                                 uint32_t part, uint32_t number)
{
    return calls->match->links[calls->parts[part].rank] +
           rc_skeleton_group_event(calls, part, number);
}

/* Whether a call belongs to no other. */
bool rc_skeleton_group_is_alone(const struct rc_group_calls *calls, uint32_t part, uint32_t number);

/* When the rank comes to a call. */
static inline uint32_t rc_skeleton_group_arrival(const struct rc_group_calls *calls, uint32_t part,
                                                 uint32_t number)
{
    return number == calls->first[part] ? 0 : calls->time[number - 1];
}

/* Sets `time`; all else is there. */
int rc_skeleton_group_set_times(struct rc_group_calls *calls, struct rc_error *error);

#endif
