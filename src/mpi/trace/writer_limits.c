// SPDX-License-Identifier: BSD-2-Clause
/* writer_limits.c - the memory limits of a trace writer. */
#include "mpi/trace/writer_limits.h"

#include "base/error.h"
#include "mpi/trace/format.h"

void rc_trace_limits_init(struct rc_trace_limits *limits)
{
    /* 2.4, 4.3, 4.7, 19.3, 1.5, 4 and 12 MiB. */
    *limits = (struct rc_trace_limits){.window = 1 << 15,
                                       .nodes = 1 << 16,
                                       .samples = 25000,
                                       .times = 12000,
                                       .symbols = 1 << 14,
                                       .list_items = 1 << 20,
                                       .block = 12 << 20};
}

int rc_trace_limits_check(const struct rc_trace_limits *limits, struct rc_error *error)
{
    if (limits->window < 8 || limits->nodes <= limits->window || limits->times < 1 ||
        limits->samples < 1 || limits->samples > RC_TRACE_NODES_MAX / 2 ||
        limits->times > RC_TRACE_TIMES_MAX / 2 || limits->nodes > RC_TRACE_NODES_MAX / 2 ||
        limits->symbols < 1 || limits->list_items < RC_TRACE_LIST_MAX || limits->block < 1 << 20 ||
        limits->block > RC_TRACE_PAYLOAD_MAX)
        return rc_error_set(error, "invalid limits of the trace writer");
    return 0;
}
