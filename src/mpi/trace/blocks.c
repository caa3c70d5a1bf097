// SPDX-License-Identifier: BSD-2-Clause
/* blocks.c - finds the blocks of a trace file, past what is damaged: where no block begins, the
 * next place where one does is looked for.  A head of a block has a checksum, so that nothing else
 * is taken for one. */
#include "mpi/trace/blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

int rc_trace_source_read(const struct rc_trace_source *source, uint64_t at, void *bytes,
                         size_t length, struct rc_error *error)
{
    uint8_t *place = bytes;

    if (at > source->length || length > source->length - at)
        return -1;
    if (source->file < 0) {
        if (length > 0)
            memcpy(bytes, source->bytes + at, length);
        return 0;
    }
    while (length > 0) {
        ssize_t got = pread(source->file, place, length, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return rc_error_errno(error, errno, "cannot read %s", source->name);
        if (got == 0)
            return rc_error_set(error, "%s became shorter while it was read", source->name);
        place += got;
        at += (uint64_t)got;
        length -= (size_t)got;
    }
    return 0;
}

void rc_trace_blocks_problem(struct rc_trace_blocks *blocks, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (blocks->problems++ > 0)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rc_error_at(blocks->error, blocks->source->name, 0, 0, "%s", text);
}

/* Reads; where that fails, there is no use in going on. */
static int fetch(struct rc_trace_blocks *blocks, uint64_t at, void *bytes, size_t length)
{
    struct rc_error error = {0};
    int status = rc_trace_source_read(blocks->source, at, bytes, length, &error);

    if (status != 0 && error.text[0]) {
        blocks->failed = true;
        if (blocks->problems++ == 0 && blocks->error)
            *blocks->error = error;
    }
    return status;
}

uint64_t rc_trace_blocks_find(struct rc_trace_blocks *blocks, uint64_t at)
{
    uint8_t bytes[16384];
    uint64_t end = blocks->source->length;
    struct rc_trace_block block;
    size_t length;

    while (!blocks->failed && at < end && end - at >= RC_TRACE_BLOCK_SIZE) {
        length = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        if (fetch(blocks, at, bytes, length) != 0)
            return end;
        for (size_t i = 0; i + RC_TRACE_BLOCK_SIZE <= length; i++)
            if (bytes[i] == RC_TRACE_BLOCK_MAGIC[0] && rc_trace_block_read(bytes + i, &block) == 0)
                return at + i;
        at += length - RC_TRACE_BLOCK_SIZE + 1;
    }
    return end;
}

static int read_payload(struct rc_trace_blocks *blocks, const struct rc_trace_block *block)
{
    uint8_t *grown;

    /* One more than needed, so that there is a pointer even to nothing. */
    if (block->length >= blocks->payload_room) {
        grown = realloc(blocks->payload, (size_t)block->length + 1);
        if (!grown) {
            blocks->failed = true;
            if (blocks->problems++ == 0)
                rc_error_no_memory(blocks->error);
            return -1;
        }
        blocks->payload = grown;
        blocks->payload_room = (size_t)block->length + 1;
    }
    return fetch(blocks, blocks->at + RC_TRACE_BLOCK_SIZE, blocks->payload, block->length);
}

/* Whether a whole block is at the place; if not, goes on to where the next may be. */
static bool try_here(struct rc_trace_blocks *blocks, struct rc_trace_block *block)
{
    uint8_t head[RC_TRACE_BLOCK_SIZE];
    uint64_t left = blocks->source->length - blocks->at;

    if (left < sizeof head || fetch(blocks, blocks->at, head, sizeof head) != 0 ||
        rc_trace_block_read(head, block) != 0) {
        uint64_t next = rc_trace_blocks_find(blocks, blocks->at + 1);

        if (next < blocks->source->length || left >= sizeof head)
            rc_trace_blocks_problem(blocks,
                                    "damaged: %" PRIu64 " bytes from byte %" PRIu64
                                    " on cannot be read",
                                    next - blocks->at, blocks->at);
        else
            rc_trace_blocks_problem(blocks, "cut short: it ends in a block, at byte %" PRIu64,
                                    blocks->source->length);
        blocks->at = next;
        return false;
    }
    if (block->length > left - sizeof head) {
        rc_trace_blocks_problem(blocks,
                                "cut short: block %" PRIu32 " has %" PRIu64 " of its %" PRIu32
                                " bytes",
                                block->number, left - sizeof head, block->length);
        blocks->at = rc_trace_blocks_find(blocks, blocks->at + 1);
        return false;
    }
    if (read_payload(blocks, block) != 0)
        return false;
    blocks->at += sizeof head + block->length;
    if (rc_trace_checksum(blocks->payload, block->length) == block->checksum)
        return true;
    rc_trace_blocks_problem(blocks, "damaged: block %" PRIu32 " has a wrong checksum",
                            block->number);
    return false;
}

bool rc_trace_blocks_next(struct rc_trace_blocks *blocks, struct rc_trace_block *block)
{
    while (!blocks->failed && blocks->at < blocks->source->length)
        if (try_here(blocks, block))
            return true;
    return false;
}
