// SPDX-License-Identifier: GPL-3.0-or-later
/* loose_clock.h - the calls of one act by number, and when each is made. */
#ifndef RC_MODEL_SKELETON_MATCH_LOOSE_CLOCK_H
#define RC_MODEL_SKELETON_MATCH_LOOSE_CLOCK_H

#include "model/skeleton/match/acts.h"

/* Calls are numbered part after part. */
struct rc_loose {
    const struct rc_program *program;
    const struct rc_match *match;
    const struct rc_act_part *parts; /* one for each rank of the act */
    uint32_t n_parts;
    uint32_t *part_of; /* by rank; of ranks that are in the act */
    uint32_t *first;   /* by part: the number of its first call; then how many there are */
    uint32_t *begun;   /* by call: the first call whose request it completes, or RC_PROGRAM_NONE */
    uint32_t *next;    /* by call: the next one whose request is completed by the same call */
    uint32_t *time;    /* by call: when it is done */
};

static inline uint32_t rc_skeleton_loose_number(const struct rc_loose *loose, uint32_t rank,
                                                uint32_t event)
{
    uint32_t part = loose->part_of[rank];

    return loose->first[part] + (event - loose->parts[part].begin);
}

/* The other way round: the event on the rank of a part. */
static inline uint32_t rc_skeleton_loose_event(const struct rc_loose *loose, uint32_t part,
                                               uint32_t number)
{
    return loose->parts[part].begin + (number - loose->first[part]);
}

static inline const struct rc_match_link *rc_skeleton_loose_link(const struct rc_loose *loose,
                                                                 uint32_t part, uint32_t number)
{
    return loose->match->links[loose->parts[part].rank] +
           rc_skeleton_loose_event(loose, part, number);
}

/* Whether a call belongs to no other. */
bool rc_skeleton_loose_is_alone(const struct rc_loose *loose, uint32_t part, uint32_t number);

/* When the rank comes to a call. */
static inline uint32_t rc_skeleton_loose_arrival(const struct rc_loose *loose, uint32_t part,
                                                 uint32_t number)
{
    return number == loose->first[part] ? 0 : loose->time[number - 1];
}

/* Sets `time`; all else is there. */
int rc_skeleton_loose_set_times(struct rc_loose *loose, struct rc_error *error);

#endif
