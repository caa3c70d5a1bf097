// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_collective.c - recorded calls of all members of a communicator as calls of a plan.
 *
 * Who is whose neighbour is what the calls that made a communicator say, rank by rank.  A skeleton
 * makes a graph of that, whatever kind of topology the program had; in graphs there is no
 * MPI_PROC_NULL, and so neighbours beyond the edges of a grid are left out, with what is said of
 * them in lists.
 *
 * A rank may be a neighbour twice (of a ring of two).  The nth time that it is a source is then the
 * nth time that it has this rank for a destination: so MPI has it for graphs, and sizes are those
 * of the senders. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/compose/plan_calls.h"

/* A collective call with all who make it. */
struct collective {
    const struct rc_loop_tree *tree;
    const struct rc_match_collective *at;
    const struct rc_match_communicator *group;
    double factor; /* on all sizes */
};

static const struct rc_trace_call *member_call(const struct collective *collective, uint32_t member)
{
    return rc_skeleton_program_call(
        collective->tree->program->rank + collective->group->members[member],
        collective->tree->match.members[collective->at->first + member]);
}

/* The one size of a call in which all give the same: the largest that anyone says, for not all
 * arguments matter on all ranks. */
static double common_bytes(const struct collective *collective)
{
    double bytes = 0;

    for (uint32_t m = 0; m < collective->group->n; m++) {
        const struct rc_trace_call *call = member_call(collective, m);

        bytes = fmax(bytes, fmax((double)call->message.count * call->message.size,
                                 (double)call->from.count * call->from.size));
    }
    return bytes;
}

/* What a member gives to (or gets from) the root, or gives to all. */
static double own_bytes(const struct collective *collective, uint32_t member, bool is_scatter,
                        int32_t root)
{
    const struct rc_trace_call *call = member_call(collective, member);

    if (is_scatter && root >= 0 && (uint32_t)root < collective->group->n) {
        const struct rc_trace_call *at_root = member_call(collective, (uint32_t)root);

        return member < at_root->list_length ? (double)at_root->list[member] * at_root->message.size
                                             : 0;
    }
    return (double)call->message.count * call->message.size;
}

static double bytes_between(const struct collective *collective, uint32_t from, uint32_t to)
{
    const struct rc_trace_call *call = member_call(collective, from);

    return to < call->list_length / 2 ? (double)call->list[to] * call->message.size : 0;
}

static int add_sizes(struct rc_composer *composer, const struct collective *collective,
                     const struct rc_loop_tree_call *call, struct rc_skeleton_plan_op *op)
{
    enum rc_plan_class class = rc_skeleton_plan_kind(op->kind).class;
    const struct rc_trace_call *first = member_call(collective, 0);
    uint32_t n = collective->group->n;
    uint32_t me = (uint32_t)rc_skeleton_compose_rank_in(collective->group, call->rank);
    uint64_t own;

    for (uint32_t way = 0; way < (class == RC_PLAN_ALLTOALL_V ? 2 : 1); way++)
        for (uint32_t m = 0; m < n; m++) {
            double bytes = 0;

            if (class == RC_PLAN_ALLTOALL_V)
                bytes = way ? bytes_between(collective, m, me) : bytes_between(collective, me, m);
            else if (class != RC_PLAN_REDUCE_SCATTER)
                bytes = own_bytes(collective, m, class == RC_PLAN_SCATTER_V, op->root);
            else if (m < first->list_length)
                bytes = (double)first->list[m] * first->message.size;
            if (rc_skeleton_compose_add_to_list(
                    composer, op, (int64_t)rc_skeleton_compose_scaled(bytes, collective->factor)))
                return -1;
        }
    own = (uint64_t)composer->plan->lists[op->list + me];
    if (class == RC_PLAN_GATHER_V || class == RC_PLAN_ALLGATHER_V)
        op->out.bytes = own;
    else if (class == RC_PLAN_SCATTER_V)
        op->in.bytes = own;
    return 0;
}

/* ---- sizes of neighbourhood calls ---- */

/* What a call gives to its `place`th destination. */
static double given_to(const struct rc_trace_call *call, unsigned kind, uint32_t place)
{
    if (!rc_skeleton_plan_kind(kind).lists_given)
        return (double)call->message.count * call->message.size;
    return place < call->list_length ? (double)call->list[place] * call->message.size : 0;
}

/* What the member `me` gets from its `place`th source. */
static int got_from(struct rc_composer *composer, const struct collective *collective,
                    const struct rc_skeleton_match_neighbours *mine, uint32_t me, uint32_t place,
                    unsigned kind, double *bytes)
{
    uint32_t sender = (uint32_t)mine->sources[place], before = 0;
    struct rc_skeleton_match_neighbours its;

    *bytes = 0;
    if (rc_skeleton_match_neighbours(collective->group, sender, &its, composer->error))
        return -1;
    for (uint32_t i = 0; i < place; i++)
        before += mine->sources[i] == (int32_t)sender;
    for (uint32_t i = 0; i < its.n_destinations; i++)
        if (its.destinations[i] == (int32_t)me && before-- == 0) {
            *bytes = given_to(member_call(collective, sender), kind, i);
            return 0;
        }
    return 0;
}

static int add_neighbour_sizes(struct rc_composer *composer, const struct collective *collective,
                               uint32_t me, struct rc_skeleton_plan_op *op)
{
    const struct rc_trace_call *call = member_call(collective, me);
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    struct rc_skeleton_match_neighbours mine;
    double bytes = 0;

    if (rc_skeleton_match_neighbours(collective->group, me, &mine, composer->error))
        return -1;
    if (!is.lists_given)
        op->out.bytes = rc_skeleton_compose_scaled(given_to(call, op->kind, 0), collective->factor);
    for (uint32_t i = 0; is.lists_given && i < mine.n_destinations; i++)
        if (mine.destinations[i] >= 0 &&
            rc_skeleton_compose_add_to_list(composer, op,
                                            (int64_t)rc_skeleton_compose_scaled(
                                                given_to(call, op->kind, i), collective->factor)))
            return -1;
    for (uint32_t i = 0; i < mine.n_sources; i++) {
        if (mine.sources[i] < 0)
            continue;
        if (got_from(composer, collective, &mine, me, i, op->kind, &bytes))
            return -1;
        if (is.class != RC_PLAN_NEIGHBOURS_V)
            op->in.bytes = rc_skeleton_compose_scaled(bytes, collective->factor);
        else if (rc_skeleton_compose_add_to_list(
                     composer, op, (int64_t)rc_skeleton_compose_scaled(bytes, collective->factor)))
            return -1;
    }
    return 0;
}

/* ---- the call ---- */

int rc_skeleton_compose_collective(struct rc_composer *composer,
                                   const struct rc_loop_tree_call *call,
                                   const struct rc_trace_call *recorded, double size,
                                   struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const struct rc_match *match = &composer->tree->match;
    const struct rc_match_link *link = match->links[call->rank] + call->event;
    enum rc_plan_class class = rc_skeleton_plan_kind(op->kind).class;
    struct collective collective = {.tree = composer->tree};
    double given = 0;

    if (link->collective == RC_PROGRAM_NONE)
        return 0;
    collective.at = match->collectives + link->collective;
    collective.group = match->communicators + collective.at->communicator;
    for (uint32_t m = 0; m < collective.group->n; m++)
        given += rc_skeleton_cluster_collective_bytes(member_call(&collective, m));
    collective.factor = given > 0 ? call->out / given * size : size;
    op->communicator = collective.at->communicator;
    op->root = recorded->root;
    if (class == RC_PLAN_NEIGHBOURS || class == RC_PLAN_NEIGHBOURS_V) {
        if (add_neighbour_sizes(composer, &collective,
                                (uint32_t)rc_skeleton_compose_rank_in(collective.group, call->rank),
                                op))
            return -1;
    } else if (class >= RC_PLAN_GATHER_V && class <= RC_PLAN_REDUCE_SCATTER) {
        if (add_sizes(composer, &collective, call, op))
            return -1;
    } else if (op->kind != RC_TRACE_Comm_dup) {
        op->out.bytes = rc_skeleton_compose_scaled(common_bytes(&collective), collective.factor);
    }
    rc_skeleton_compose_begin_request(composer, recorded, op);
    return rc_skeleton_compose_add_op(composer, op, number);
}

/* ---- neighbours ---- */

static uint32_t count_ranks(const int32_t *neighbours, uint32_t n)
{
    uint32_t ranks = 0;

    for (uint32_t i = 0; i < n; i++)
        ranks += neighbours[i] >= 0;
    return ranks;
}

static void put_ranks(const int32_t *neighbours, uint32_t n, uint32_t *ranks, uint32_t *first)
{
    first[1] = first[0];
    for (uint32_t i = 0; i < n; i++)
        if (neighbours[i] >= 0)
            ranks[first[1]++] = (uint32_t)neighbours[i];
}

static int add_neighbours(const struct rc_match_communicator *group,
                          struct rc_plan_communicator *added, struct rc_error *error)
{
    uint32_t sources = 0, destinations = 0;
    struct rc_skeleton_match_neighbours of;

    for (uint32_t m = 0; m < group->n; m++) {
        if (rc_skeleton_match_neighbours(group, m, &of, error))
            return -1;
        sources += count_ranks(of.sources, of.n_sources);
        destinations += count_ranks(of.destinations, of.n_destinations);
    }
    added->sources = malloc((sources + 1) * sizeof *added->sources);
    added->destinations = malloc((destinations + 1) * sizeof *added->destinations);
    added->source_first = calloc(group->n + 1, sizeof *added->source_first);
    added->destination_first = calloc(group->n + 1, sizeof *added->destination_first);
    if (!added->sources || !added->destinations || !added->source_first ||
        !added->destination_first)
        return rc_error_no_memory(error);
    for (uint32_t m = 0; m < group->n; m++) {
        if (rc_skeleton_match_neighbours(group, m, &of, error))
            return -1;
        put_ranks(of.sources, of.n_sources, added->sources, added->source_first + m);
        put_ranks(of.destinations, of.n_destinations, added->destinations,
                  added->destination_first + m);
    }
    return 0;
}

int rc_skeleton_compose_neighbours(struct rc_composer *composer)
{
    const struct rc_match *match = &composer->tree->match;

    for (size_t i = 0; i < match->n_collectives; i++) {
        const struct rc_match_collective *at = match->collectives + i;
        struct rc_plan_communicator *added = composer->plan->communicators + at->communicator;

        if (rc_trace_kind_info(at->kind)->class == RC_TRACE_NEIGHBOURS && !added->source_first &&
            add_neighbours(match->communicators + at->communicator, added, composer->error))
            return -1;
    }
    return 0;
}
