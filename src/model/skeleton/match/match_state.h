// SPDX-License-Identifier: GPL-3.0-or-later
/* match_state.h - what is known while messages are matched: channels, and the requests and
 * communicators that the rank which is looked at has at the moment. */
#ifndef RC_MODEL_SKELETON_MATCH_MATCH_STATE_H
#define RC_MODEL_SKELETON_MATCH_MATCH_STATE_H

#include <stdbool.h>

#include <uthash.h>

#include "model/skeleton/match/event_matching.h"

/* Stands for MPI_COMM_SELF, on which nothing is matched. */
#define RC_MATCH_SELF (UINT32_MAX - 1)

struct rc_channel_key {
    uint32_t communicator, sender, receiver;
    int32_t tag;
};

struct rc_channel {
    struct rc_channel_key key;
    uint32_t last;                    /* message */
    uint32_t next_send, next_receive; /* the first message that has no send, no receive yet */
    uint32_t probe;                   /* the event that has found the next message to receive */
    unsigned freedom;                 /* enum rc_match_freedom of that */
    UT_hash_handle hh;
};

/* The collective calls on a communicator, in their order. */
struct rc_match_order {
    uint32_t *collectives;
    size_t n, room;
    size_t at;   /* the next one of the rank that is looked at */
    bool in_use; /* that rank has made the communicator, and not freed it */
};

struct rc_match_request {
    uint32_t event;                    /* that began it; RC_PROGRAM_NONE where it is not active */
    const struct rc_trace_call *asked; /* what for */
    bool persistent;
};

struct rc_matching {
    const struct rc_program *program;
    struct rc_match *match;
    struct rc_error *error;
    size_t message_room, collective_room, member_room;
    struct rc_channel *channels;
    struct rc_match_order *orders; /* by communicator */
    /* Of the rank that is looked at. */
    uint32_t rank;
    struct rc_match_link *links;
    struct rc_match_request *requests; /* by number */
    size_t n_requests;
    uint32_t *numbers; /* communicators by the recorder's number; RC_PROGRAM_NONE: not known */
    size_t n_numbers;
};

/* Makes the world, the first communicator.  -1 where memory runs out. */
int rc_skeleton_matching_world(struct rc_matching *matching);
/* Forgets the communicators and requests of the rank before. */
void rc_skeleton_matching_begin_rank(struct rc_matching *matching);
/* Frees all that is known while messages are matched, but not `match`. */
void rc_skeleton_matching_free(struct rc_matching *matching);

/* The communicator with that number, or RC_MATCH_SELF. */
int rc_skeleton_matching_communicator(struct rc_matching *matching, int32_t number,
                                      uint32_t *communicator);
/* A call that makes a communicator, or frees one. */
int rc_skeleton_matching_construct(struct rc_matching *matching, uint32_t event,
                                   const struct rc_trace_call *call);
/* The rank's next collective call on the communicator. */
int rc_skeleton_matching_collective(struct rc_matching *matching, uint32_t event,
                                    uint32_t communicator, unsigned kind);

/* Links an event to all that it belongs to. */
int rc_skeleton_matching_event(struct rc_matching *matching, uint32_t event,
                               const struct rc_trace_call *call);

#endif
