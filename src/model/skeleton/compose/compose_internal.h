// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_internal.h - what the files that compose plans share. */
#ifndef RC_MODEL_SKELETON_COMPOSE_COMPOSE_INTERNAL_H
#define RC_MODEL_SKELETON_COMPOSE_COMPOSE_INTERNAL_H

#include <stdbool.h>

#include "model/skeleton/compose/plan.h"
#include "model/skeleton/shrink/shrink.h"

/* A rank's program under way. */
struct rc_compose_pending {
    size_t item_room, step_room;
    struct rc_plan_work waiting; /* computing for which there was no call yet */
};

/* A plan under way. */
struct rc_composer {
    const struct rc_loop_tree *tree;
    const struct rc_shrunk *shrunk;
    struct rc_plan *plan;
    size_t op_room, work_room, list_room;
    struct rc_compose_pending *pending; /* by rank */
    bool *active; /* requests of the part that is looked at which were begun and not completed */
    size_t n_active;
    bool one_tag; /* messages have the tag of the call that stands for all at its place */
    struct rc_error *error;
};

/* ---- plan_builder.c ---- */

/* The kind that a call of `kind` has in a plan; RC_COMPOSE_UNKNOWN where it is not in plans at all,
 * and RC_COMPOSE_NOTHING where it is left out without loss: what it does is done at the beginning,
 * or by another call. */
enum { RC_COMPOSE_UNKNOWN = -1, RC_COMPOSE_NOTHING = -2 };
int rc_skeleton_compose_kind(unsigned kind);

/* Adds a call to the plan, whose number is set; and a number to the list of a call that is to be
 * added.  -1 where memory runs out. */
int rc_skeleton_compose_add_op(struct rc_composer *composer, const struct rc_skeleton_plan_op *op,
                               uint32_t *number);
int rc_skeleton_compose_add_to_list(struct rc_composer *composer, struct rc_skeleton_plan_op *op,
                                    int64_t value);

/* The same fraction of a number of bytes for all who ask; whole doubles stay whole doubles, and
 * something stays something. */
uint64_t rc_skeleton_compose_scaled(double bytes, double size);

/* Which member of a communicator a rank of the world is; RC_TRACE_NONE: none. */
int32_t rc_skeleton_compose_rank_in(const struct rc_match_communicator *group, uint32_t world);

/* Gives the call the request of the recorded one, which is then under way; none where it blocks. */
void rc_skeleton_compose_begin_request(struct rc_composer *composer,
                                       const struct rc_trace_call *recorded,
                                       struct rc_skeleton_plan_op *op);

/* No computing. */
void rc_skeleton_compose_no_work(struct rc_plan_work *work);

/* Adds computing; how it is spread is taken from the longer of two. */
void rc_skeleton_compose_add_up(struct rc_plan_work *sum, const struct rc_plan_work *work);

/* Lets the computing before a call of an event group of the shrunk tree wait for the rank's next
 * call, with that of the groups for which this one does it; nothing where another group does it for
 * this one. */
void rc_skeleton_compose_wait(struct rc_composer *composer, uint32_t item, uint32_t call);

/* Adds an item to a rank's program.  -1 where memory runs out. */
int rc_skeleton_compose_add_item(struct rc_composer *composer, uint32_t rank, uint32_t times,
                                 uint32_t value);

/* Adds a step to a rank's program, with what waits before it.  -1 where memory runs out. */
int rc_skeleton_compose_add_step(struct rc_composer *composer, uint32_t rank, uint32_t op);

/* ---- compose_op.c ---- */

/* The calls that follow are of another rank, or another event group. */
void rc_skeleton_compose_begin_part(struct rc_composer *composer);

/* Adds the call as an op, with sizes multiplied by `size`; sets `*op` to its number, or to
 * RC_PLAN_NO_OP where nothing of it is done.  Calls of one part come in their order.  Requests and
 * tags are those of `event`, which is at the place of the call, or the one that stands for it. */
int rc_skeleton_compose_op(struct rc_composer *composer, const struct rc_loop_tree_call *call,
                           uint32_t event, double size, uint32_t *op);

/* ---- compose_collective.c ---- */

/* Adds a call of all members of a communicator, as rc_skeleton_compose_op() does; its request is
 * that of `recorded`. */
int rc_skeleton_compose_collective(struct rc_composer *composer,
                                   const struct rc_loop_tree_call *call,
                                   const struct rc_trace_call *recorded, double size,
                                   struct rc_skeleton_plan_op *op, uint32_t *number);

/* Gives the communicators of the plan their neighbours, where calls need them. */
int rc_skeleton_compose_neighbours(struct rc_composer *composer);

/* ---- compose_interleaved.c ---- */

/* Composes the programs of all ranks where some event groups are interleaved. */
int rc_skeleton_compose_interleaved(struct rc_composer *composer);

#endif
