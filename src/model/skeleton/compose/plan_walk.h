// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_walk.h - what the two halves of the walk through a plan share: who is where, and what is
 * under way.  Only plan_check.c and plan_match.c include it. */
#ifndef RC_MODEL_SKELETON_COMPOSE_PLAN_WALK_H
#define RC_MODEL_SKELETON_COMPOSE_PLAN_WALK_H

#include <stdbool.h>

#include <uthash.h>

#include "model/skeleton/compose/plan_calls.h"
#include "model/skeleton/compose/plan_check.h"

/* A blocking call waits for requests of its own: for what it sends, and for what it receives. */
enum { WALK_SENDS, WALK_RECEIVES, WALK_OWN };

enum walk_state { WALK_FREE, WALK_PENDING, WALK_DONE };

struct walk_request {
    enum walk_state state;
    bool awaited; /* its rank waits for it */
    uint32_t op;  /* that filled it */
};

/* One side of a message that the other side has not come for. */
struct walk_post {
    uint32_t rank;
    uint32_t request; /* WALK_NONE: nobody waits for it */
    uint64_t bytes;
};
#define WALK_NONE UINT32_MAX

/* All that is sent from one rank to another with one tag: either sends or receives are waiting. */
struct walk_channel {
    struct {
        uint32_t communicator, source, destination; /* ranks of the world */
        int32_t tag;
    } key;
    struct walk_post *posts; /* a ring */
    size_t first, n, capacity;
    bool receives; /* they are receives */
    bool probed;   /* the destination waits for a message */
    UT_hash_handle hh;
};

/* One collective call of a communicator. */
struct walk_meeting {
    uint32_t arrived;
    uint32_t *ops; /* by rank there; WALK_NONE: has not come */
    uint32_t *requests;
};

struct walk_communicator {
    uint32_t *rank_of;             /* by rank of the world; WALK_NONE: is no member */
    uint64_t *next;                /* by rank there: the meeting that it comes to next */
    struct walk_meeting *meetings; /* a ring of those that not all have come to */
    uint64_t first;                /* number of the first of them */
    size_t start, n, capacity;
};

struct walk_loop {
    size_t begin, end;
    uint32_t left;
};

struct walk_rank {
    struct walk_loop *loops;
    size_t depth, room;
    size_t at;      /* item */
    uint32_t step;  /* that it is at */
    uint32_t op;    /* of it */
    uint32_t waits; /* for so many requests */
    bool probes, ended, queued;
    struct walk_request *requests;
    size_t n_requests;
};

struct walk {
    const struct rc_plan *plan;
    bool synchronous; /* all sends wait */
    struct walk_rank *ranks;
    struct walk_communicator *communicators;
    struct walk_channel *channels;
    uint32_t *ready; /* a ring of ranks that can go on */
    size_t ready_first, ready_n;
    uint64_t calls, posts; /* posts that wait */
    struct rc_error *error;
};

/* Puts a rank among those that can go on. */
void rc_skeleton_walk_wake(struct walk *walk, uint32_t rank);
/* The request is done; its rank goes on if it waited for nothing else. */
void rc_skeleton_walk_done(struct walk *walk, uint32_t rank, uint32_t request);

/* One side of a message has come, that of `rank`.  `request` as in struct walk_post. */
int rc_skeleton_walk_come(struct walk *walk, uint32_t rank, const struct rc_plan_message *message,
                          uint32_t request, bool receives);
/* 1 where there is a message; 0, and the rank is woken when there is; -1 with the error set. */
int rc_skeleton_walk_probe(struct walk *walk, uint32_t rank, const struct rc_plan_message *in);
/* The rank has come to its next collective call. */
int rc_skeleton_walk_meet(struct walk *walk, uint32_t rank, uint32_t request);

/* Whether anything is left that nobody came for. */
int rc_skeleton_walk_rest(struct walk *walk);
void rc_skeleton_walk_free_channels(struct walk *walk);

/* Sets the error: rank, step and call, and what is wrong with it. */
int rc_skeleton_walk_fault(struct walk *walk, uint32_t rank, const char *format, ...)
    RC_PRINTF(3, 4);
/* What a call does, for people. */
void rc_skeleton_walk_describe(const struct rc_plan *plan, uint32_t op, char *text, size_t size);

#endif
