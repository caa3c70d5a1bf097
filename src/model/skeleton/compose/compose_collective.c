// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_collective.c - recorded calls of all members of a communicator as calls of a plan. */
#include <math.h>

#include "model/skeleton/compose/compose_parts.h"

const struct rc_trace_call *
rc_skeleton_compose_member(const struct rc_skeleton_compose_collective *collective, uint32_t member)
{
    return rc_skeleton_program_call(
        collective->tree->program->rank + collective->group->members[member],
        collective->tree->match.members[collective->at->first + member]);
}

/* The one size of a call in which all give the same: the largest that anyone says, for not all
 * arguments matter on all ranks. */
static double common_bytes(const struct rc_skeleton_compose_collective *collective)
{
    double bytes = 0;

    for (uint32_t m = 0; m < collective->group->n; m++) {
        const struct rc_trace_call *call = rc_skeleton_compose_member(collective, m);

        bytes = fmax(bytes, fmax((double)call->message.count * call->message.size,
                                 (double)call->from.count * call->from.size));
    }
    return bytes;
}

/* What a member gives to (or gets from) the root, or gives to all. */
static double own_bytes(const struct rc_skeleton_compose_collective *collective, uint32_t member,
                        bool is_scatter, int32_t root)
{
    const struct rc_trace_call *call = rc_skeleton_compose_member(collective, member);

    if (is_scatter && root >= 0 && (uint32_t)root < collective->group->n) {
        const struct rc_trace_call *at_root =
            rc_skeleton_compose_member(collective, (uint32_t)root);

        return member < at_root->list_length ? (double)at_root->list[member] * at_root->message.size
                                             : 0;
    }
    return (double)call->message.count * call->message.size;
}

static double bytes_between(const struct rc_skeleton_compose_collective *collective, uint32_t from,
                            uint32_t to)
{
    const struct rc_trace_call *call = rc_skeleton_compose_member(collective, from);

    return to < call->list_length / 2 ? (double)call->list[to] * call->message.size : 0;
}

/* What this rank gives, or gets, of the sizes that were listed. */
static void set_own_size(const struct rc_plan *plan, uint32_t me, struct rc_skeleton_plan_op *op)
{
    uint64_t own = (uint64_t)plan->lists[op->list + me];

    switch (op->kind) {
    case RC_TRACE_Gatherv:
    case RC_TRACE_Igatherv:
    case RC_TRACE_Allgatherv:
    case RC_TRACE_Iallgatherv:
        op->out.bytes = own;
        return;
    case RC_TRACE_Scatterv:
    case RC_TRACE_Iscatterv:
        op->in.bytes = own;
        return;
    default:
        return;
    }
}

static int add_sizes(struct rc_composing *composing,
                     const struct rc_skeleton_compose_collective *collective,
                     const struct rc_loop_tree_call *call, struct rc_skeleton_plan_op *op)
{
    uint32_t n = collective->group->n;
    uint32_t me = (uint32_t)rc_skeleton_compose_rank_in(collective->group, call->rank);

    for (uint32_t way = 0; way < 2; way++) {
        for (uint32_t m = 0; m < n; m++) {
            double bytes;

            if (op->kind == RC_TRACE_Alltoallv || op->kind == RC_TRACE_Ialltoallv)
                bytes = way ? bytes_between(collective, m, me) : bytes_between(collective, me, m);
            else if (op->kind == RC_TRACE_Reduce_scatter || op->kind == RC_TRACE_Ireduce_scatter) {
                const struct rc_trace_call *first = rc_skeleton_compose_member(collective, 0);

                bytes = m < first->list_length ? (double)first->list[m] * first->message.size : 0;
            } else
                bytes = own_bytes(collective, m,
                                  op->kind == RC_TRACE_Scatterv || op->kind == RC_TRACE_Iscatterv,
                                  op->root);
            if (rc_skeleton_compose_add_to_list(
                    composing, op, (int64_t)rc_skeleton_compose_scaled(bytes, collective->factor)))
                return -1;
        }
        if (op->kind != RC_TRACE_Alltoallv && op->kind != RC_TRACE_Ialltoallv)
            break;
    }
    set_own_size(composing->plan, me, op);
    return 0;
}

static bool has_sizes(unsigned kind)
{
    static const unsigned kinds[] = {RC_TRACE_Gatherv,        RC_TRACE_Igatherv,
                                     RC_TRACE_Scatterv,       RC_TRACE_Iscatterv,
                                     RC_TRACE_Allgatherv,     RC_TRACE_Iallgatherv,
                                     RC_TRACE_Reduce_scatter, RC_TRACE_Ireduce_scatter,
                                     RC_TRACE_Alltoallv,      RC_TRACE_Ialltoallv};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

int rc_skeleton_compose_collective(struct rc_composing *composing,
                                   const struct rc_loop_tree_call *call,
                                   const struct rc_trace_call *recorded, double size,
                                   struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const struct rc_match *match = &composing->tree->match;
    const struct rc_match_link *link = match->links[call->rank] + call->event;
    struct rc_skeleton_compose_collective collective = {.tree = composing->tree};
    double given = 0;

    if (link->collective == RC_PROGRAM_NONE)
        return 0;
    collective.at = match->collectives + link->collective;
    collective.group = match->communicators + collective.at->communicator;
    for (uint32_t m = 0; m < collective.group->n; m++)
        given += rc_skeleton_cluster_collective_bytes(rc_skeleton_compose_member(&collective, m));
    collective.factor = given > 0 ? call->out / given * size : size;
    op->communicator = collective.at->communicator;
    op->root = recorded->root;
    if (rc_trace_kind_info(op->kind)->class == RC_TRACE_NEIGHBOURS) {
        if (rc_skeleton_compose_neighbour_sizes(
                composing, &collective,
                (uint32_t)rc_skeleton_compose_rank_in(collective.group, call->rank), op))
            return -1;
    } else if (has_sizes(op->kind)) {
        if (add_sizes(composing, &collective, call, op))
            return -1;
    } else if (op->kind != RC_TRACE_Comm_dup) {
        op->out.bytes = rc_skeleton_compose_scaled(common_bytes(&collective), collective.factor);
    }
    rc_skeleton_compose_begin_request(composing, recorded, op);
    return rc_skeleton_compose_add_op(composing, op, number);
}
