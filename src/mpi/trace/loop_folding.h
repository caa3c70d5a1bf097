// SPDX-License-Identifier: BSD-2-Clause
/* loop_folding.h - finds the loops of a string of calls while it grows; loop_folding.c describes
 * how. */
#ifndef RC_MPI_TRACE_LOOP_FOLDING_H
#define RC_MPI_TRACE_LOOP_FOLDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/trace/format.h"
#include "mpi/trace/time_statistics.h"
#include "mpi/trace/trace.h"
#include "mpi/trace/writer_limits.h"

enum {
    RC_FOLD_LEVELS = 4,
    RC_FOLD_STEP = 16, /* loop bodies of level i have 16^i to 16^(i + 1) - 1 nodes */
    RC_FOLD_DEPTH_MAX = 48,
    RC_FOLD_MANY = RC_TRACE_SAMPLES + 1 /* calls are no longer kept one by one */
};

struct rc_fold_samples {
    struct rc_trace_sample items[RC_TRACE_SAMPLES];
};

/* A call, or a loop.  Nodes, samples, times and symbols are known by their number, which takes half
 * of what a pointer does; number 0 is none. */
struct rc_fold_node {
    uint64_t id;    /* equal for equal calls and for loops of the same body and count */
    uint32_t next;  /* in the body that it is in */
    uint32_t depth; /* 0 for a call, 1 for a loop of calls, ... */
    uint64_t count; /* of repetitions; 1 for a call */
    union {
        struct {
            struct rc_trace_sample one; /* its times, if n is 1 */
            uint32_t symbol;
            uint32_t n;    /* how often it was made here; RC_FOLD_MANY for any more than that */
            uint32_t kept; /* its samples, if n is 2 or more, or its times, if it is RC_FOLD_MANY */
        } call;
        struct {
            uint64_t hash; /* of the body */
            uint32_t first;
            uint32_t length;    /* of the body, in nodes */
            uint32_t positions; /* calls in it, and in the loops in it */
        } loop;
    };
};

/* One of those in a row. */
struct rc_fold_entry {
    uint64_t prefix; /* hash of all nodes up to here */
    uint32_t node;
    uint32_t due_next;                /* see rc_trace_fold.due */
    uint32_t earlier[RC_FOLD_LEVELS]; /* the place + 1 before this one in its slot, by level */
};

/* Numbers that are given out and taken back. */
struct rc_fold_pool {
    uint32_t used; /* all below were given once */
    uint32_t maximum;
    uint32_t free;
    uint32_t free_count;
    uint32_t *links; /* from one that is free to the next */
};

struct rc_trace_fold {
    /* The calls and loops so far, in a row; places count from 0. */
    struct rc_fold_entry *row;
    uint32_t length;
    uint32_t window;
    uint64_t *powers;
    /* For each level the last place + 1 where a string of that many nodes ended, by its hash (of
     * one node alone: by that of its body, if it is a loop). */
    uint32_t *slots[RC_FOLD_LEVELS];
    unsigned slot_bits;
    uint32_t entered[RC_FOLD_LEVELS]; /* places that are in there: the first so many */
    /* For each place the last loop (its place + 1) that has gone round once more if a copy of its
     * body ends there. */
    uint32_t *due;
    struct rc_fold_node *nodes;
    struct rc_fold_samples *samples;
    struct rc_trace_times *times;
    struct rc_fold_pool node_pool, sample_pool, time_pool;
    uint32_t
        starved; /* so many nodes at the end were not folded, for want of memory for their times */
    uint32_t longest; /* body that is looked for */
};

/* All memory belongs to the caller: rc_trace_fold_size() bytes of zeros that rc_trace_fold_init()
 * divides up. */
size_t rc_trace_fold_size(const struct rc_trace_limits *limits);
void rc_trace_fold_init(struct rc_trace_fold *fold, const struct rc_trace_limits *limits,
                        void *memory);

/* How many more can be given out. */
static inline uint32_t rc_trace_fold_pool_left(const struct rc_fold_pool *pool)
{
    return pool->maximum - pool->used + pool->free_count;
}

/* Whether another call can be added; if not, some must be dropped. */
static inline bool rc_trace_fold_has_room(const struct rc_trace_fold *fold)
{
    return fold->length + 1 < fold->window && rc_trace_fold_pool_left(&fold->node_pool) >= 2;
}

/* Adds a call; `hash` is that of its symbol. */
void rc_trace_fold_add(struct rc_trace_fold *fold, uint32_t symbol, uint64_t hash,
                       const struct rc_trace_sample *sample);

/* How many of the first places to write out and drop when memory is full: about half. */
uint32_t rc_trace_fold_cut(const struct rc_trace_fold *fold);

/* Forgets the first `count` places. */
void rc_trace_fold_drop(struct rc_trace_fold *fold, uint32_t count);

/* Folds what can be folded at the end, again. */
void rc_trace_fold_again(struct rc_trace_fold *fold);

/* ---- nodes: where they are kept, and two made one ---- */

/* A free node; there must be one. */
uint32_t rc_trace_fold_node_take(struct rc_trace_fold *fold);

/* Frees a node, with all that is in it. */
void rc_trace_fold_node_free(struct rc_trace_fold *fold, uint32_t node);

/* Whether two nodes are the same in all but their times: looks at all of both. */
bool rc_trace_fold_node_same(const struct rc_trace_fold *fold, uint32_t a, uint32_t b);

/* How many samples may be needed when the node is merged with another: not less. */
static inline uint32_t rc_trace_fold_node_needs_samples(const struct rc_fold_node *node)
{
    return node->depth == 0 && node->call.n == 1;
}

/* The same of times. */
static inline uint32_t rc_trace_fold_node_needs_times(const struct rc_fold_node *node)
{
    return node->depth > 0 && node->count < RC_FOLD_MANY ? node->loop.positions : 0;
}

/* Adds the times of one call to those of a call, for which there must be memory. */
void rc_trace_fold_node_add(struct rc_trace_fold *fold, struct rc_fold_node *call,
                            const struct rc_trace_sample *sample);

/* Puts the times of `more` into `node`, which is the same, and frees `more`.  There must be memory
 * for what rc_trace_fold_node_needs_...() return. */
void rc_trace_fold_node_merge(struct rc_trace_fold *fold, uint32_t node, uint32_t more);

#endif
