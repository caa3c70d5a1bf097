// SPDX-License-Identifier: GPL-3.0-or-later
/* group_clock.h - the calls of one event group by number, and when each is made. */
#ifndef RC_MODEL_SKELETON_MATCH_GROUP_CLOCK_H
#define RC_MODEL_SKELETON_MATCH_GROUP_CLOCK_H

#include "model/skeleton/match/event_groups.h"

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
