// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_parts.h - what the files that turn recorded calls into calls of a plan share. */
#ifndef RC_MODEL_SKELETON_COMPOSE_COMPOSE_PARTS_H
#define RC_MODEL_SKELETON_COMPOSE_COMPOSE_PARTS_H

#include "model/skeleton/compose/compose_op.h"

/* Adds a call to the plan, and a number to the list of a call that is to be added. */
int rc_skeleton_compose_add_op(struct rc_composing *composing, const struct rc_skeleton_plan_op *op,
                               uint32_t *number);
int rc_skeleton_compose_add_to_list(struct rc_composing *composing, struct rc_skeleton_plan_op *op,
                                    int64_t value);

/* The same fraction of a number of bytes for all who ask; whole doubles stay whole doubles, and
 * something stays something. */
uint64_t rc_skeleton_compose_scaled(double bytes, double size);

/* Which member of a communicator a rank of the world is; RC_TRACE_NONE: none. */
int32_t rc_skeleton_compose_rank_in(const struct rc_match_communicator *group, uint32_t world);

/* Gives the call the request of the recorded one, which is then under way; nothing where it blocks.
 */
void rc_skeleton_compose_begin_request(struct rc_composing *composing,
                                       const struct rc_trace_call *recorded,
                                       struct rc_skeleton_plan_op *op);

/* Adds a call of all members of a communicator, as rc_skeleton_compose_op() does; its request is
 * that of `recorded`. */
int rc_skeleton_compose_collective(struct rc_composing *composing,
                                   const struct rc_loop_tree_call *call,
                                   const struct rc_trace_call *recorded, double size,
                                   struct rc_skeleton_plan_op *op, uint32_t *number);

/* A collective call with all who make it. */
struct rc_skeleton_compose_collective {
    const struct rc_loop_tree *tree;
    const struct rc_match_collective *at;
    const struct rc_match_communicator *group;
    double factor; /* on all sizes */
};

const struct rc_trace_call *
rc_skeleton_compose_member(const struct rc_skeleton_compose_collective *collective,
                           uint32_t member);

/* Sets the sizes of a neighbourhood call of the member `me`. */
int rc_skeleton_compose_neighbour_sizes(struct rc_composing *composing,
                                        const struct rc_skeleton_compose_collective *collective,
                                        uint32_t me, struct rc_skeleton_plan_op *op);

/* Gives the communicators of the plan their neighbours, where calls need them. */
int rc_skeleton_compose_neighbours(struct rc_composing *composing);

/* Joins the calls of the finished plan that were of one Startall, where they follow each other. */
int rc_skeleton_compose_starts(struct rc_composing *composing);

#endif
