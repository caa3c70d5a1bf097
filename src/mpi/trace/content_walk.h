// SPDX-License-Identifier: BSD-2-Clause
/* content_walk.h - walks over the content of one block. */
#ifndef RC_MPI_TRACE_CONTENT_WALK_H
#define RC_MPI_TRACE_CONTENT_WALK_H

#include "mpi/trace/decode.h"
#include "mpi/trace/reader.h"

/* Both begin at `time`, the end of the last call before the block, and return what a function other
 * than 0 returned. */
int rc_trace_content_walk(const struct rc_trace_content *content, uint64_t time,
                          const struct rc_trace_visitor *visitor);

/* Counts in the nodes: once for each content. */
int rc_trace_content_expand(struct rc_trace_content *content, uint64_t time,
                            int (*visit)(void *data, const struct rc_trace_event *event),
                            void *data);

#endif
