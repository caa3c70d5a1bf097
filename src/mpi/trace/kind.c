// SPDX-License-Identifier: BSD-2-Clause
/* kind.c - the table of the kinds of calls. */
#include "mpi/trace/kind.h"

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

int rc_trace_kind_find(const char *name)
{
    for (int i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return i;
    return -1;
}
