// SPDX-License-Identifier: BSD-2-Clause
/* collective_traffic.c - collective calls: how much each process gives to which other.
 *
 * What a rank gives is what its own buffer has for the others: to each of them for MPI_Alltoall and
 * MPI_Scatter, once for MPI_Bcast and reductions.  On its way the MPI may copy or combine it. */
#include <stdlib.h>

#include "mpi/trace/traffic_internal.h"

/* How a kind of call gives. */
enum manner {
    GIVES_NOTHING, /* a barrier */
    GIVES_ALL,     /* the same to all */
    GIVES_EACH,    /* a piece to each */
    GIVES_ROOT,    /* to the root alone */
    GIVES_LATER    /* to those of higher ranks */
};

struct giving {
    enum manner manner;
    bool root_only; /* only the root gives */
    bool listed;    /* the list has how much, for each */
};

static const struct giving givings[RC_TRACE_KIND_COUNT] = {
    [RC_TRACE_Bcast] = {.manner = GIVES_ALL, .root_only = true},
    [RC_TRACE_Scatter] = {.manner = GIVES_EACH, .root_only = true},
    [RC_TRACE_Scatterv] = {.manner = GIVES_EACH, .root_only = true, .listed = true},
    [RC_TRACE_Gather] = {.manner = GIVES_ROOT},
    [RC_TRACE_Gatherv] = {.manner = GIVES_ROOT},
    [RC_TRACE_Reduce] = {.manner = GIVES_ROOT},
    [RC_TRACE_Allgather] = {.manner = GIVES_ALL},
    [RC_TRACE_Allgatherv] = {.manner = GIVES_ALL},
    [RC_TRACE_Allreduce] = {.manner = GIVES_ALL},
    [RC_TRACE_Neighbor_allgather] = {.manner = GIVES_ALL},
    [RC_TRACE_Neighbor_allgatherv] = {.manner = GIVES_ALL},
    [RC_TRACE_Alltoall] = {.manner = GIVES_EACH},
    [RC_TRACE_Reduce_scatter_block] = {.manner = GIVES_EACH},
    [RC_TRACE_Neighbor_alltoall] = {.manner = GIVES_EACH},
    [RC_TRACE_Alltoallv] = {.manner = GIVES_EACH, .listed = true},
    [RC_TRACE_Alltoallw] = {.manner = GIVES_EACH, .listed = true},
    [RC_TRACE_Reduce_scatter] = {.manner = GIVES_EACH, .listed = true},
    [RC_TRACE_Neighbor_alltoallv] = {.manner = GIVES_EACH, .listed = true},
    [RC_TRACE_Neighbor_alltoallw] = {.manner = GIVES_EACH, .listed = true},
    [RC_TRACE_Scan] = {.manner = GIVES_LATER},
    [RC_TRACE_Exscan] = {.manner = GIVES_LATER}};

/* The bytes for number i of those that get something. */
static uint64_t bytes_for(const struct rc_trace_call *call, const struct giving *giving, uint32_t i)
{
    if (!giving->listed)
        return rc_trace_traffic_bytes(call->message.count, call->message.size);
    if (i >= call->list_length || call->list[i] < 0)
        return 0;
    return rc_trace_traffic_bytes((uint64_t)call->list[i], call->message.size);
}

/* All that this rank gives, when `n_getting` get something. */
static uint64_t bytes_given(const struct rc_trace_call *call, const struct giving *giving,
                            uint32_t n_getting)
{
    uint64_t bytes = 0;

    if (giving->manner == GIVES_NOTHING)
        return 0;
    if (giving->manner != GIVES_EACH)
        return rc_trace_traffic_bytes(call->message.count, call->message.size);
    if (!giving->listed)
        return rc_trace_traffic_bytes(
            rc_trace_traffic_bytes(call->message.count, call->message.size), n_getting);
    for (uint32_t i = 0; i < n_getting && i < call->list_length; i++)
        bytes = rc_trace_traffic_sum(bytes, bytes_for(call, giving, i));
    return bytes;
}

/* ---- by pairs ---- */

static void add_pair(struct rc_traffic *traffic, int64_t to, uint64_t bytes, uint64_t n)
{
    uint32_t me = traffic->communicators.rank;

    if (to >= 0 && to < traffic->ranks && to != me)
        traffic->collective[(size_t)me * traffic->ranks + (size_t)to] += (double)bytes * (double)n;
}

/* The rank in a communicator of the rank that is added. */
static int64_t my_place(const struct rc_traffic *traffic, const struct rc_group *group)
{
    uint32_t rank = traffic->communicators.rank;

    if (rank < group->n && group->members[rank] == rank)
        return rank;
    for (uint32_t i = 0; i < group->n; i++)
        if (group->members[i] == rank)
            return i;
    return -1;
}

static void add_pairs(struct rc_traffic *traffic, const struct rc_trace_call *call,
                      const struct giving *giving, const struct rc_group *group, uint64_t n)
{
    int64_t me = my_place(traffic, group);

    if (giving->manner == GIVES_ROOT) {
        if (call->root >= 0 && (uint32_t)call->root < group->n)
            add_pair(traffic, group->members[call->root], bytes_for(call, giving, 0), n);
        return;
    }
    for (uint32_t i = 0; i < group->n; i++)
        if (giving->manner != GIVES_LATER || i > me)
            add_pair(traffic, group->members[i], bytes_for(call, giving, i), n);
}

static void add_neighbours(struct rc_traffic *traffic, const struct rc_trace_call *call,
                           const struct giving *giving, const struct rc_communicator *where,
                           uint64_t n)
{
    for (uint32_t i = 0; i < where->n_destinations; i++)
        add_pair(traffic,
                 rc_trace_communicators_peer(&traffic->communicators, call->communicator,
                                             where->neighbours[where->n_sources + i]),
                 bytes_for(call, giving, i), n);
}

/* ---- calls ---- */

static void note_together(struct rc_traffic *traffic, const struct rc_trace_call *call, int group,
                          bool sides, uint64_t n)
{
    struct rc_traffic_together *together, key = {.key = {0}};

    key.key.group = group;
    key.key.kind = (int32_t)call->kind;
    /* The root of an inter-communicator has different names on its two sides. */
    key.key.root = sides ? RC_TRACE_NONE : call->root;
    HASH_FIND(hh, traffic->together, &key.key, sizeof key.key, together);
    if (!together) {
        if (HASH_COUNT(traffic->together) >= RC_TRAFFIC_CELLS_MAX ||
            !(together = malloc(sizeof *together))) {
            traffic->full = true;
            return;
        }
        *together = key;
        HASH_ADD(hh, traffic->together, key, sizeof together->key, together);
    }
    together->current = rc_trace_traffic_sum(together->current, n);
}

double rc_trace_traffic_collect(struct rc_traffic *traffic, const struct rc_trace_call *call,
                                uint64_t n)
{
    const struct rc_communicator *where =
        rc_trace_communicators_get(&traffic->communicators, call->communicator);
    const struct rc_group *group =
        where ? rc_trace_groups_get(traffic->groups, where->group) : NULL;
    bool neighbours = rc_trace_kind_info(call->kind)->class == RC_TRACE_NEIGHBOURS;
    struct giving giving = givings[rc_trace_kind_blocking(call->kind)];
    uint64_t bytes;

    if (!group) {
        traffic->apart = rc_trace_traffic_sum(traffic->apart, n);
        return 0;
    }
    note_together(traffic, call, where->group, group->n_remote > 0, n);
    if (giving.root_only && (group->n_remote > 0 || my_place(traffic, group) != call->root))
        return 0;
    bytes = bytes_given(call, &giving, neighbours ? where->n_destinations : group->n);
    if (giving.manner != GIVES_NOTHING)
        rc_trace_traffic_size_add(traffic->given, bytes, n);
    if (traffic->collective && neighbours)
        add_neighbours(traffic, call, &giving, where, n);
    else if (traffic->collective && group->n_remote == 0 && giving.manner != GIVES_NOTHING)
        add_pairs(traffic, call, &giving, group, n);
    return (double)bytes * (double)n;
}
