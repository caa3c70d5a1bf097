// SPDX-License-Identifier: BSD-2-Clause
/* encode.h - a folded string of calls as the bytes of blocks. */
#ifndef RC_MPI_TRACE_ENCODE_H
#define RC_MPI_TRACE_ENCODE_H

#include "mpi/trace/bytes.h"
#include "mpi/trace/loop_folding.h"
#include "mpi/trace/call_table.h"

struct rc_trace_encoder {
    const struct rc_trace_fold *fold;
    struct rc_trace_symbols *symbols;
    struct rc_bytes_out out; /* the payload so far */
    uint32_t stamp;          /* marks the symbols that this payload has */
    uint32_t symbol_count;   /* how many it has */
    bool without_bins;       /* for a node that is too large otherwise */
    uint64_t calls;          /* in the payload */
    uint64_t time;           /* that they and the computing before them took, ns */
};

/* Begins a payload in the same memory. */
void rc_trace_encoder_begin(struct rc_trace_encoder *encoder);

/* Adds a node with all that is in it.  -1 where it does not fit: then the payload is as before, and
 * a new one must be begun before anything else is added. */
int rc_trace_encoder_add(struct rc_trace_encoder *encoder, uint32_t node);

#endif
