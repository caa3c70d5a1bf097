// SPDX-License-Identifier: BSD-2-Clause
/* call_kinds.c - the table of the kinds of MPI calls. */
#include "mpi/trace/call_kinds.h"

#include <string.h>

#define ROW(name, class, manner) {"MPI_" #name, RC_TRACE_##class, RC_TRACE_##manner},
static const struct rc_trace_kind_info kinds[] = {RC_TRACE_KINDS(ROW)};
#undef ROW

const struct rc_trace_kind_info *rc_trace_kind_info(unsigned kind)
{
    static const struct rc_trace_kind_info unknown = {"an unknown call", RC_TRACE_OTHER,
                                                      RC_TRACE_BLOCKING};

    return kind < RC_TRACE_KIND_COUNT ? &kinds[kind] : &unknown;
}

unsigned rc_trace_kind_blocking(unsigned kind)
{
    if (kind >= RC_TRACE_Ibarrier && kind <= RC_TRACE_Iexscan)
        return kind - RC_TRACE_Ibarrier + RC_TRACE_Barrier;
    if (kind >= RC_TRACE_Ineighbor_allgather && kind <= RC_TRACE_Ineighbor_alltoallw)
        return kind - RC_TRACE_Ineighbor_allgather + RC_TRACE_Neighbor_allgather;
    return kind;
}

int rc_trace_kind_find(const char *name)
{
    for (int i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return i;
    return -1;
}
