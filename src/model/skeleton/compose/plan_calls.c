// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_calls.c - classes and sizes of the calls of a plan. */
#include "model/skeleton/compose/plan_calls.h"

#include "mpi/trace/trace.h"

#define IS(kind, class) [RC_TRACE_##kind] = RC_PLAN_##class

/* Of kinds that are not all of a class of the trace's; of collective calls those that wait. */
static const unsigned char classes[RC_TRACE_KIND_COUNT] = {
    IS(Send, SEND),
    IS(Ssend, SEND),
    IS(Isend, SEND),
    IS(Issend, SEND),
    IS(Bsend, SEND),
    IS(Ibsend, SEND),
    IS(Recv, RECEIVE),
    IS(Irecv, RECEIVE),
    IS(Sendrecv, EXCHANGE),
    IS(Sendrecv_replace, EXCHANGE),
    IS(Probe, PROBE),
    IS(Iprobe, PROBE),
    IS(Start, START),
    IS(Startall, START),
    IS(Wait, WAIT),
    IS(Waitall, WAIT),
    IS(Waitany, WAIT),
    IS(Waitsome, WAIT),
    IS(Test, WAIT),
    IS(Testall, WAIT),
    IS(Testany, WAIT),
    IS(Testsome, WAIT),
    IS(Gatherv, GATHER_V),
    IS(Scatterv, SCATTER_V),
    IS(Allgatherv, ALLGATHER_V),
    IS(Alltoallv, ALLTOALL_V),
    IS(Reduce_scatter, REDUCE_SCATTER),
    IS(Neighbor_allgather, NEIGHBOURS),
    IS(Neighbor_alltoall, NEIGHBOURS),
    IS(Neighbor_allgatherv, NEIGHBOURS_V),
    IS(Neighbor_alltoallv, NEIGHBOURS_V),
    IS(Comm_dup, COLLECT),
    IS(File_read_at, FILE),
    IS(File_read_at_all, FILE),
    IS(File_write_at, FILE),
    IS(File_write_at_all, FILE),
};

static enum rc_plan_class class_of(unsigned kind)
{
    enum rc_trace_class class = rc_trace_kind_info(kind)->class;

    kind = rc_trace_kind_blocking(kind);
    if (kind < RC_TRACE_KIND_COUNT && classes[kind])
        return classes[kind];
    if (kind == RC_TRACE_Alltoallw)
        return RC_PLAN_FOREIGN;
    return class == RC_TRACE_COLLECTS || class == RC_TRACE_ROOTED ? RC_PLAN_COLLECT
                                                                  : RC_PLAN_FOREIGN;
}

struct rc_skeleton_plan_kind rc_skeleton_plan_kind(unsigned kind)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(kind);
    struct rc_skeleton_plan_kind is = {.class = class_of(kind)};

    is.rooted = info->class == RC_TRACE_ROOTED;
    is.collective = is.class >= RC_PLAN_COLLECT && is.class <= RC_PLAN_NEIGHBOURS_V;
    if (kind == RC_TRACE_File_read_at_all || kind == RC_TRACE_File_write_at_all)
        is.collective = true;
    is.ahead = kind == RC_TRACE_Bsend || kind == RC_TRACE_Ibsend;
    is.request = is.class != RC_PLAN_FOREIGN && is.class != RC_PLAN_WAIT &&
                 is.class != RC_PLAN_PROBE && !is.ahead && info->manner == RC_TRACE_NONBLOCKING;
    is.one = kind == RC_TRACE_Wait || kind == RC_TRACE_Waitany || kind == RC_TRACE_Test ||
             kind == RC_TRACE_Testany;
    is.lists_given = rc_trace_kind_blocking(kind) == RC_TRACE_Neighbor_alltoallv;
    is.synchronous = kind == RC_TRACE_Ssend || kind == RC_TRACE_Issend;
    return is;
}

uint64_t rc_skeleton_plan_part(const struct rc_skeleton_plan_op *op)
{
    return op->out.bytes > op->in.bytes ? op->out.bytes : op->in.bytes;
}

uint32_t rc_skeleton_plan_sources(const struct rc_plan_communicator *communicator, uint32_t rank)
{
    return communicator->source_first
               ? communicator->source_first[rank + 1] - communicator->source_first[rank]
               : 0;
}

uint32_t rc_skeleton_plan_destinations(const struct rc_plan_communicator *communicator,
                                       uint32_t rank)
{
    return communicator->destination_first
               ? communicator->destination_first[rank + 1] - communicator->destination_first[rank]
               : 0;
}
