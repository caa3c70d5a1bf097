// SPDX-License-Identifier: GPL-3.0-or-later
/* recording.h - makes recordings of made-up programs, whose times are all known. */
#ifndef RC_TESTS_RECORDING_H
#define RC_TESTS_RECORDING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/trace/writer.h"

/* One rank under way. */
struct maker {
    struct rc_trace_writer *writer;
    uint64_t clock;
};

#define MAKER_BEGAN 5000000000u

static inline void make_fail(const char *what)
{
    fprintf(stderr, "cannot make a recording: %s\n", what);
    abort();
}

static inline struct rc_trace_header make_header(uint32_t rank, uint32_t ranks)
{
    struct rc_trace_header header = {.rank = rank,
                                     .ranks = ranks,
                                     .process = 1000 + rank,
                                     .began = MAKER_BEGAN,
                                     .began_wall = 1763251200000000000u,
                                     .cpu_threshold = 20000,
                                     .clock = "CLOCK_MONOTONIC",
                                     .program = "./jacobi",
                                     .mpi = "Some MPI 1.0"};

    snprintf(header.host, sizeof header.host, "node%u", rank / 2 + 1);
    return header;
}

static inline struct maker make_begin_as(const char *path, const struct rc_trace_header *header)
{
    struct maker maker = {.clock = header->began};
    struct rc_error error = {0};

    maker.writer = rc_trace_writer_create(path, header, NULL, &error);
    if (!maker.writer)
        make_fail(error.text);
    return maker;
}

static inline struct maker make_begin(const char *into, uint32_t rank, uint32_t ranks)
{
    struct rc_trace_header header = make_header(rank, ranks);
    char path[4096];

    snprintf(path, sizeof path, "%s/rank-%u.rct", into, rank);
    return make_begin_as(path, &header);
}

/* A call, so many ns after the last one and of such a length. */
static inline void make_call(struct maker *maker, const struct rc_trace_call *call, uint64_t before,
                             uint64_t inside)
{
    uint64_t start = maker->clock + before;

    maker->clock = start + inside;
    rc_trace_writer_add(maker->writer, call, start, maker->clock,
                        before > 20000 ? (int64_t)before : -1, 0);
}

static inline void make_plain(struct maker *maker, unsigned kind, uint64_t before, uint64_t inside)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    make_call(maker, &call, before, inside);
}

/* A message to or from a peer, in doubles; `request` may be RC_TRACE_NONE. */
static inline void make_message(struct maker *maker, unsigned kind, int32_t peer, uint64_t count,
                                int32_t request, uint64_t before, uint64_t inside)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    call.message = (struct rc_trace_message){.peer = peer, .tag = 7, .count = count, .size = 8};
    call.request = request;
    make_call(maker, &call, before, inside);
}

static inline void make_list(struct maker *maker, unsigned kind, const int32_t *list,
                             uint32_t length, int32_t request, uint64_t before, uint64_t inside)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    call.list = list;
    call.list_length = length;
    call.request = request;
    make_call(maker, &call, before, inside);
}

static inline void make_collective(struct maker *maker, unsigned kind, int32_t root, uint64_t count,
                                   uint64_t before, uint64_t inside)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    call.root = root;
    call.message.count = count;
    call.message.size = 8;
    make_call(maker, &call, before, inside);
}

/* The recording ends so many ns after its last call. */
static inline void make_end(struct maker *maker, uint64_t after)
{
    struct rc_error error = {0};

    if (rc_trace_writer_finish(maker->writer, maker->clock + after, &error) != 0)
        make_fail(error.text);
}

#endif
