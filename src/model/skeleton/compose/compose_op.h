// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_op.h - recorded calls as calls of a plan. */
#ifndef RC_MODEL_SKELETON_COMPOSE_COMPOSE_OP_H
#define RC_MODEL_SKELETON_COMPOSE_COMPOSE_OP_H

#include <stdbool.h>

#include "model/skeleton/shrink/loop_tree.h"
#include "model/skeleton/compose/plan.h"

/* A plan under way. */
struct rc_composing {
    const struct rc_loop_tree *tree;
    struct rc_plan *plan;
    size_t op_room, work_room, list_room;
    bool *active; /* requests of the part that is looked at which were begun and not completed */
    size_t n_active;
    bool one_tag; /* messages have the tag of the call that stands for all at its place */
    struct rc_error *error;
};

/* The kind that a call of `kind` has in a plan; -1 where it is not in plans at all, and -2 where it
 * is left out without loss: what it does is done at the beginning, or by another call. */
enum { RC_COMPOSE_UNKNOWN = -1, RC_COMPOSE_NOTHING = -2 };
int rc_skeleton_compose_kind(unsigned kind);

/* The calls that follow are of another rank, or another event group. */
void rc_skeleton_compose_begin_part(struct rc_composing *composing);

/* Adds the call as an op, with sizes multiplied by `size`; sets `*op` to its number, or to
 * RC_PLAN_NO_OP where nothing of it is done.  Calls of one part come in their order.  Requests and
 * tags are those of `event`, which is at the place of the call, or is the one that stands for it.
 */
int rc_skeleton_compose_op(struct rc_composing *composing, const struct rc_loop_tree_call *call,
                           uint32_t event, double size, uint32_t *op);

#endif
