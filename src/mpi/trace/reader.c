// SPDX-License-Identifier: BSD-2-Clause
/* reader.c - reads a trace file: block by block, each of which stands for itself. */
#include "mpi/trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "mpi/trace/blocks.h"
#include "mpi/trace/content_walk.h"
#include "mpi/trace/decode.h"

struct rc_trace {
    struct rc_trace_source source;
    struct rc_trace_header header;
    bool header_damaged;
    uint64_t first_block; /* where it should be */
    struct rc_trace_summary summary;
    struct rc_trace_note *notes;
    size_t n_notes;
    struct rc_trace_speed speed;
};

/* ---- opening ---- */

static void read_header(struct rc_trace *trace, uint64_t length)
{
    uint8_t bytes[RC_TRACE_OPENING_SIZE + RC_TRACE_HEADER_MAX];
    struct rc_bytes_in in = {.at = bytes};
    size_t whole = RC_TRACE_OPENING_SIZE + (size_t)length;

    trace->header_damaged = true;
    trace->first_block = RC_TRACE_OPENING_SIZE;
    if (length < 8 || length > RC_TRACE_HEADER_MAX ||
        rc_trace_source_read(&trace->source, 0, bytes, whole, NULL) != 0)
        return;
    in.at = bytes + whole - 8;
    in.end = bytes + whole;
    if (rc_trace_get_fixed(&in, 8) != rc_trace_checksum(bytes, whole - 8) ||
        rc_trace_header_read(bytes + RC_TRACE_OPENING_SIZE, whole - 8 - RC_TRACE_OPENING_SIZE,
                             &trace->header) != 0)
        return;
    trace->header_damaged = false;
    trace->first_block = whole;
}

static int begin(struct rc_trace *trace, struct rc_error *error)
{
    uint8_t opening[RC_TRACE_OPENING_SIZE];
    struct rc_bytes_in in = {.at = opening + RC_TRACE_MAGIC_SIZE,
                             .end = opening + RC_TRACE_OPENING_SIZE};
    struct rc_error failure = {0};
    uint64_t version;

    if (rc_trace_source_read(&trace->source, 0, opening, sizeof opening, &failure) != 0) {
        if (!failure.text[0])
            return rc_error_at(error, trace->source.name, 0, 0,
                               trace->source.length == 0 ? "is empty" : "not a trace: too short");
        if (error)
            *error = failure;
        return -1;
    }
    if (memcmp(opening, RC_TRACE_MAGIC, RC_TRACE_MAGIC_SIZE) != 0)
        return rc_error_at(error, trace->source.name, 0, 0, "not a trace: wrong first bytes");
    version = rc_trace_get_fixed(&in, 4);
    read_header(trace, rc_trace_get_fixed(&in, 4));
    /* With a damaged header, that may be all that is wrong. */
    if (version != RC_TRACE_VERSION && !trace->header_damaged)
        return rc_error_at(error, trace->source.name, 0, 0,
                           "a trace of format %" PRIu64 ", and this runcast knows format %d",
                           version, RC_TRACE_VERSION);
    return 0;
}

static struct rc_trace *create(const char *name, struct rc_error *error)
{
    struct rc_trace *trace = calloc(1, sizeof *trace);

    if (!trace) {
        rc_error_no_memory(error);
        return NULL;
    }
    trace->source.file = -1;
    snprintf(trace->source.name, sizeof trace->source.name, "%s", name);
    rc_text_mend_cut(trace->source.name, sizeof trace->source.name);
    return trace;
}

struct rc_trace *rc_trace_open_bytes(const void *bytes, size_t length, const char *name,
                                     struct rc_error *error)
{
    struct rc_trace *trace = create(name, error);

    if (!trace)
        return NULL;
    trace->source.bytes = bytes;
    trace->source.length = length;
    if (begin(trace, error) != 0) {
        rc_trace_close(trace);
        return NULL;
    }
    return trace;
}

struct rc_trace *rc_trace_open(const char *path, struct rc_error *error)
{
    struct rc_trace *trace = create(path, error);
    struct stat info;
    int status;

    if (!trace)
        return NULL;
    trace->source.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (trace->source.file < 0 || fstat(trace->source.file, &info) != 0) {
        status = rc_error_errno(error, errno, "cannot open %s", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = rc_error_at(error, path, 0, 0, "not a trace: not a regular file");
    } else {
        trace->source.length = (uint64_t)info.st_size;
        status = begin(trace, error);
    }
    if (status != 0) {
        rc_trace_close(trace);
        return NULL;
    }
    return trace;
}

void rc_trace_close(struct rc_trace *trace)
{
    if (!trace)
        return;
    if (trace->source.file >= 0)
        close(trace->source.file);
    free(trace->notes);
    free(trace);
}

const struct rc_trace_header *rc_trace_header(const struct rc_trace *trace)
{
    return trace->header_damaged ? NULL : &trace->header;
}

const struct rc_trace_summary *rc_trace_summary(const struct rc_trace *trace)
{
    return &trace->summary;
}

const struct rc_trace_note *rc_trace_notes(const struct rc_trace *trace, size_t *n)
{
    *n = trace->n_notes;
    return trace->notes;
}

const struct rc_trace_speed *rc_trace_speed(const struct rc_trace *trace)
{
    return &trace->speed;
}

/* ---- all blocks ---- */

/* One way through a file. */
struct passage {
    struct rc_trace *trace;
    struct rc_trace_blocks blocks;
    struct rc_trace_summary summary;
    struct rc_trace_content content;
    uint64_t expected_calls; /* before the next block */
    uint32_t last_number;
    uint64_t problems; /* that were reported to the visitor */
    struct rc_trace_note *notes;
    size_t n_notes;
    struct rc_trace_speed speed;
    const struct rc_trace_visitor *visitor;
    int (*visit)(void *data, const struct rc_trace_event *event); /* for expansion */
    void *data;
};

/* Reports a gap before a block, or (with block NULL) at the end. */
static int tell_lost(struct passage *passage, const struct rc_trace_block *block)
{
    const struct rc_trace_visitor *visitor = passage->visitor;
    uint64_t lost = block && block->before > passage->expected_calls
                        ? block->before - passage->expected_calls
                        : 0;
    bool gap = lost > 0 || passage->blocks.problems > passage->problems;

    if (lost > 0 && passage->blocks.problems == passage->problems)
        rc_trace_blocks_problem(&passage->blocks, "damaged: %" PRIu64 " calls are missing", lost);
    passage->summary.lost += lost;
    passage->problems = passage->blocks.problems;
    return gap && visitor && visitor->lost ? visitor->lost(visitor->data, lost) : 0;
}

static int take_calls(struct passage *passage, const struct rc_trace_block *block)
{
    struct rc_trace_content *content = &passage->content;
    struct rc_trace_summary *summary = &passage->summary;
    struct rc_error fault = {0};
    int status;

    if (rc_trace_decode(passage->blocks.payload, block->length, content, &fault) != 0) {
        rc_trace_blocks_problem(&passage->blocks, "damaged: block %" PRIu32 ": %s", block->number,
                                fault.text);
        return 0;
    }
    if (content->total != block->calls || block->time > RC_TRACE_TIME_MAX ||
        content->time > RC_TRACE_TIME_MAX) {
        rc_trace_blocks_problem(&passage->blocks, "damaged: block %" PRIu32 " contradicts its head",
                                block->number);
        return 0;
    }
    status = tell_lost(passage, block);
    if (status != 0)
        return status;
    passage->expected_calls = block->before + block->calls;
    summary->blocks++;
    summary->calls += content->total;
    for (size_t i = 0; i < content->node_count; i++)
        *(content->nodes[i].count > 0 ? &summary->loops : &summary->positions) += 1;
    summary->end = block->time + content->time;
    if (passage->visit)
        return rc_trace_content_expand(content, block->time, passage->visit, passage->data);
    return passage->visitor ? rc_trace_content_walk(content, block->time, passage->visitor) : 0;
}

static int take_end(struct passage *passage, const struct rc_trace_block *block)
{
    struct rc_bytes_in in = {.at = passage->blocks.payload,
                             .end = passage->blocks.payload + block->length};
    uint64_t calls = rc_trace_get_small(&in), end = rc_trace_get_small(&in);
    int status;

    if (in.bad || calls != block->before || end > RC_TRACE_TIME_MAX) {
        rc_trace_blocks_problem(&passage->blocks, "damaged: its end mark is invalid");
        return 0;
    }
    status = tell_lost(passage, block);
    passage->summary.ended = true;
    passage->summary.end = end;
    return status;
}

static void take_notes(struct passage *passage, const struct rc_trace_block *block)
{
    free(passage->notes);
    if (rc_trace_notes_get(passage->blocks.payload, block->length, &passage->notes,
                           &passage->n_notes) != 0)
        rc_trace_blocks_problem(&passage->blocks, "damaged: its notes make no sense");
}

static int take_block(struct passage *passage, const struct rc_trace_block *block)
{
    if (block->number <= passage->last_number || passage->summary.ended ||
        block->before < passage->expected_calls || block->calls > UINT64_MAX / 4 ||
        block->before > UINT64_MAX / 4) {
        rc_trace_blocks_problem(&passage->blocks, "damaged: block %" PRIu32 " is out of order",
                                block->number);
        return 0;
    }
    passage->last_number = block->number;
    if (block->type == RC_TRACE_BLOCK_CALLS)
        return take_calls(passage, block);
    if (block->type == RC_TRACE_BLOCK_END)
        return take_end(passage, block);
    if (block->type == RC_TRACE_BLOCK_NOTES)
        take_notes(passage, block);
    if (block->type == RC_TRACE_BLOCK_SPEED &&
        rc_trace_speed_get(passage->blocks.payload, block->length, &passage->speed) != 0)
        rc_trace_blocks_problem(&passage->blocks, "damaged: the speed of its cores is invalid");
    return 0;
}

static int pass(struct passage *passage, struct rc_trace *trace, struct rc_error *error)
{
    struct rc_trace_block block;
    int status = 0;

    passage->trace = trace;
    passage->blocks.source = &trace->source;
    passage->blocks.error = error;
    passage->blocks.at = trace->first_block;
    passage->summary.bytes = trace->source.length;
    if (trace->header_damaged) {
        struct rc_trace_blocks *blocks = &passage->blocks;

        rc_trace_blocks_problem(blocks, "damaged: its header cannot be read");
        passage->problems = blocks->problems;
        blocks->at = rc_trace_blocks_find(blocks, blocks->at);
    }
    while (status == 0 && rc_trace_blocks_next(&passage->blocks, &block))
        status = take_block(passage, &block);
    if (status == 0) {
        if (!passage->summary.ended && passage->blocks.problems == 0)
            rc_trace_blocks_problem(&passage->blocks,
                                    "incomplete: the program was killed, or tracing stopped");
        status = tell_lost(passage, NULL);
    }
    passage->summary.problems = passage->blocks.problems;
    if (status == 0) {
        trace->summary = passage->summary;
        free(trace->notes);
        trace->notes = passage->notes;
        trace->n_notes = passage->n_notes;
        trace->speed = passage->speed;
        passage->notes = NULL;
        status = passage->blocks.problems > 0 ? -1 : 0;
    }
    free(passage->notes);
    free(passage->blocks.payload);
    rc_trace_content_free(&passage->content);
    return status;
}

int rc_trace_walk(struct rc_trace *trace, const struct rc_trace_visitor *visitor,
                  struct rc_error *error)
{
    struct passage passage = {.visitor = visitor};

    return pass(&passage, trace, error);
}

int rc_trace_expand(struct rc_trace *trace,
                    int (*visit)(void *data, const struct rc_trace_event *event), void *data,
                    struct rc_error *error)
{
    struct passage passage = {.visit = visit, .data = data};

    return pass(&passage, trace, error);
}

int rc_trace_check(const char *path, struct rc_trace_summary *summary, struct rc_error *error)
{
    struct rc_trace *trace = rc_trace_open(path, error);
    int status;

    if (summary)
        memset(summary, 0, sizeof *summary);
    if (!trace)
        return -1;
    status = rc_trace_walk(trace, NULL, error);
    if (summary)
        *summary = trace->summary;
    rc_trace_close(trace);
    return status;
}
