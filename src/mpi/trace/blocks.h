// SPDX-License-Identifier: BSD-2-Clause
/* blocks.h - finds the blocks of a trace file, past what is damaged. */
#ifndef RC_MPI_TRACE_BLOCKS_H
#define RC_MPI_TRACE_BLOCKS_H

#include "runcast.h"
#include "mpi/trace/format.h"

/* A file, or bytes in memory. */
struct rc_trace_source {
    int file;             /* or -1 */
    const uint8_t *bytes; /* where there is no file */
    uint64_t length;
    char name[256]; /* for errors */
};

struct rc_trace_blocks {
    const struct rc_trace_source *source;
    uint64_t at;            /* where the next block should begin */
    struct rc_error *error; /* the first thing that was wrong */
    uint64_t problems;      /* how many things were */
    uint8_t *payload;       /* of the last block; belongs to this, and is to be freed */
    size_t payload_room;
    bool failed; /* reading or memory failed: it makes no sense to go on */
};

/* Reads `length` bytes from a place; -1 where they are not there, with an error where reading
 * failed. */
int rc_trace_source_read(const struct rc_trace_source *source, uint64_t at, void *bytes,
                         size_t length, struct rc_error *error);

/* Notes that something is wrong; the first is kept as the error. */
void rc_trace_blocks_problem(struct rc_trace_blocks *blocks, const char *format, ...)
    RC_PRINTF(2, 3);

/* From `at` on, the next place where a block's head is; the end of the file where there is none. */
uint64_t rc_trace_blocks_find(struct rc_trace_blocks *blocks, uint64_t at);

/* The next block that is whole, with its payload; false at the end. */
bool rc_trace_blocks_next(struct rc_trace_blocks *blocks, struct rc_trace_block *block);

#endif
