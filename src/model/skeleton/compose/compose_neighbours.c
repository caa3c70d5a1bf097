// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_neighbours.c - neighbourhood calls.
 *
 * Who is whose neighbour is what the calls that made a communicator say, rank by rank.  A skeleton
 * makes a graph of that, whatever kind of topology the program had; in graphs there is no
 * MPI_PROC_NULL, and so neighbours beyond the edges of a grid are left out, with what is said of
 * them in lists.
 *
 * A rank may be a neighbour twice (of a ring of two).  The nth time that it is a source is then the
 * nth time that it has this rank for a destination: so MPI has it for graphs, and sizes are those
 * of the senders. */
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/compose/compose_parts.h"
#include "model/skeleton/compose/plan_check.h"

/* ---- communicators ---- */

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

int rc_skeleton_compose_neighbours(struct rc_composing *composing)
{
    const struct rc_match *match = &composing->tree->match;

    for (size_t i = 0; i < match->n_collectives; i++) {
        const struct rc_match_collective *at = match->collectives + i;
        struct rc_plan_communicator *added = composing->plan->communicators + at->communicator;

        if (rc_trace_kind_info(at->kind)->class == RC_TRACE_NEIGHBOURS && !added->source_first &&
            add_neighbours(match->communicators + at->communicator, added, composing->error))
            return -1;
    }
    return 0;
}

/* ---- sizes ---- */

/* What a call gives to its `place`th destination. */
static double given_to(const struct rc_trace_call *call, unsigned kind, uint32_t place)
{
    if (!rc_skeleton_plan_kind(kind).lists_given)
        return (double)call->message.count * call->message.size;
    return place < call->list_length ? (double)call->list[place] * call->message.size : 0;
}

/* What the member `me` gets from its `place`th source. */
static int got_from(struct rc_composing *composing,
                    const struct rc_skeleton_compose_collective *collective,
                    const struct rc_skeleton_match_neighbours *mine, uint32_t me, uint32_t place,
                    unsigned kind, double *bytes)
{
    uint32_t sender = (uint32_t)mine->sources[place], before = 0;
    struct rc_skeleton_match_neighbours its;

    *bytes = 0;
    if (rc_skeleton_match_neighbours(collective->group, sender, &its, composing->error))
        return -1;
    for (uint32_t i = 0; i < place; i++)
        before += mine->sources[i] == (int32_t)sender;
    for (uint32_t i = 0; i < its.n_destinations; i++)
        if (its.destinations[i] == (int32_t)me && before-- == 0) {
            *bytes = given_to(rc_skeleton_compose_member(collective, sender), kind, i);
            return 0;
        }
    return 0;
}

int rc_skeleton_compose_neighbour_sizes(struct rc_composing *composing,
                                        const struct rc_skeleton_compose_collective *collective,
                                        uint32_t me, struct rc_skeleton_plan_op *op)
{
    const struct rc_trace_call *call = rc_skeleton_compose_member(collective, me);
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    struct rc_skeleton_match_neighbours mine;
    double bytes = 0;

    if (rc_skeleton_match_neighbours(collective->group, me, &mine, composing->error))
        return -1;
    if (!is.lists_given)
        op->out.bytes = rc_skeleton_compose_scaled(given_to(call, op->kind, 0), collective->factor);
    for (uint32_t i = 0; is.lists_given && i < mine.n_destinations; i++)
        if (mine.destinations[i] >= 0 &&
            rc_skeleton_compose_add_to_list(composing, op,
                                            (int64_t)rc_skeleton_compose_scaled(
                                                given_to(call, op->kind, i), collective->factor)))
            return -1;
    for (uint32_t i = 0; i < mine.n_sources; i++) {
        if (mine.sources[i] < 0)
            continue;
        if (got_from(composing, collective, &mine, me, i, op->kind, &bytes))
            return -1;
        if (is.class != RC_PLAN_NEIGHBOURS_V)
            op->in.bytes = rc_skeleton_compose_scaled(bytes, collective->factor);
        else if (rc_skeleton_compose_add_to_list(
                     composing, op, (int64_t)rc_skeleton_compose_scaled(bytes, collective->factor)))
            return -1;
    }
    return 0;
}
