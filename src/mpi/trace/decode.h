// SPDX-License-Identifier: BSD-2-Clause
/* decode.h - the bytes of one block as calls and loops. */
#ifndef RC_MPI_TRACE_DECODE_H
#define RC_MPI_TRACE_DECODE_H

#include "runcast.h"
#include "mpi/trace/format.h"
#include "mpi/trace/time_statistics.h"
#include "mpi/trace/trace.h"

/* A call, or a loop, which is followed by its body. */
struct rc_trace_node {
    uint64_t count;  /* of repetitions of a loop; 0 for a call */
    uint64_t n;      /* how often a call is made, or a loop is begun, in all the loops around it */
    uint32_t length; /* of a loop's body, in nodes, those inside of inner loops not counted */
    uint32_t end;    /* the number of the node after it and all that is in it */
    uint32_t symbol; /* of a call */
    uint64_t made;   /* for walks: how often a call was made so far; 0 at first */
    uint32_t times;  /* of a call: its first sample, or with n > RC_TRACE_SAMPLES its times */
};

/* Zeros at first; used again for block after block. */
struct rc_trace_content {
    struct rc_trace_node *nodes;
    size_t node_count, node_room;
    struct rc_trace_call *calls; /* by symbol */
    size_t call_count, call_room;
    int32_t *lists;
    size_t list_count, list_room;
    struct rc_trace_sample *samples;
    size_t sample_count, sample_room;
    struct rc_trace_times *times;
    size_t time_count, time_room;
    uint64_t total; /* calls */
    uint64_t time;  /* that they took, with the computing before them, ns */
};

/* Reads a payload; -1 where it makes no sense, or has more than the limits of format.h, or memory
 * runs out.  `content` is to be freed in any case. */
int rc_trace_decode(const uint8_t *payload, size_t length, struct rc_trace_content *content,
                    struct rc_error *error);

/* Frees what the content has; it can be used again. */
void rc_trace_content_free(struct rc_trace_content *content);

#endif
