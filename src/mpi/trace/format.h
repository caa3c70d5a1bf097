// SPDX-License-Identifier: BSD-2-Clause
/* format.h - the numbers of the trace file, as docs/reference/trace-format.md describes it. */
#ifndef RC_MPI_TRACE_FORMAT_H
#define RC_MPI_TRACE_FORMAT_H

#include <stdint.h>
#include <string.h>

#include "mpi/trace/bytes.h"
#include "mpi/trace/trace.h"

/* As with PNG: a transfer as text changes it. */
#define RC_TRACE_MAGIC "\x89RCT\r\n\x1a\n"
#define RC_TRACE_BLOCK_MAGIC "RCB\xb7"

enum {
    RC_TRACE_VERSION = 1,
    RC_TRACE_MAGIC_SIZE = 8,
    RC_TRACE_OPENING_SIZE = 16, /* magic, version, length of the header */
    RC_TRACE_HEADER_MAX = 8192, /* bytes of what follows it */
    RC_TRACE_BLOCK_SIZE = 56,   /* of the head of a block */
    RC_TRACE_PAYLOAD_MAX = 12 << 20,
    RC_TRACE_PAYLOAD_GOOD = 1 << 16, /* a block is ended once it is that long */
    RC_TRACE_NODES_MAX = 1 << 20,    /* of a block */
    RC_TRACE_TIMES_MAX = 1 << 15,
    RC_TRACE_DEPTH_MAX = 64
};

/* A reader passes over others. */
enum rc_trace_block_type {
    RC_TRACE_BLOCK_CALLS = 1,
    RC_TRACE_BLOCK_END = 2,
    RC_TRACE_BLOCK_NOTES = 3,
    RC_TRACE_BLOCK_SPEED = 4
};

/* The head of a block. */
struct rc_trace_block {
    uint32_t type;
    uint32_t length;   /* of the payload, which follows */
    uint32_t number;   /* from 1 */
    uint64_t before;   /* calls in the blocks before */
    uint64_t calls;    /* in this one */
    uint64_t time;     /* the end of the last call before it, ns */
    uint64_t checksum; /* of the payload */
};

/* Which fields of a call differ from those of RC_TRACE_CALL_INIT(), and follow. */
enum {
    RC_TRACE_HAS_FLAGS = 1,
    RC_TRACE_HAS_COMMUNICATOR = 2,
    RC_TRACE_HAS_ROOT = 4,
    RC_TRACE_HAS_REQUEST = 8,
    RC_TRACE_HAS_LIST = 16,
    RC_TRACE_HAS_MESSAGE = 32, /* peer, tag, count, size */
    RC_TRACE_HAS_FROM = 64,
    RC_TRACE_HAS_ALL = 127
};

/* A 64-bit checksum; docs/reference/trace-format.md describes it.  Each step can be undone, so that
 * a change within one word of 8 bytes is always detected. */
uint64_t rc_trace_checksum(const void *data, size_t length);

/* The head of a block as bytes, with a checksum of its own. */
void rc_trace_block_write(const struct rc_trace_block *block, uint8_t bytes[RC_TRACE_BLOCK_SIZE]);

/* -1 where these bytes are no head of a block, or a damaged one. */
int rc_trace_block_read(const uint8_t bytes[RC_TRACE_BLOCK_SIZE], struct rc_trace_block *block);

/* The beginning of a file: opening, header and checksum. */
void rc_trace_header_write(const struct rc_trace_header *header, struct rc_bytes_out *out);

/* Reads what follows the opening, which has a length and a checksum of its own; -1 where that is no
 * header.  Texts are made printable. */
int rc_trace_header_read(const uint8_t *bytes, size_t length, struct rc_trace_header *header);

#endif
