// SPDX-License-Identifier: GPL-3.0-or-later
/* play.h - made-up programs of several ranks, recorded into a directory, for tests. */
#ifndef RC_TESTS_PLAY_H
#define RC_TESTS_PLAY_H

#include "unit.h"

#include <sys/stat.h>

#include "mpi/trace/writer.h"

enum { PLAY_RANKS = 8 };

struct play {
    uint32_t ranks;
    char directory[64];
    struct rc_trace_writer *writers[PLAY_RANKS];
    uint64_t clocks[PLAY_RANKS];
    uint64_t computing; /* ns before each call */
};

static inline void play_path(const struct play *play, uint32_t rank, char *path, size_t size)
{
    snprintf(path, size, "%s/rank-%u.rct", play->directory, rank);
}

/* A call that takes `inside` ns. */
static inline void play_call(struct play *play, uint32_t rank, const struct rc_trace_call *call,
                             uint64_t inside)
{
    uint64_t start = play->clocks[rank] + play->computing;

    rc_trace_writer_add(play->writers[rank], call, start, start + inside, -1, 0);
    play->clocks[rank] = start + inside;
}

static inline void play_begin(struct play *play, uint32_t ranks)
{
    struct rc_trace_call init = RC_TRACE_CALL_INIT(RC_TRACE_Init);
    char path[128];

    memset(play, 0, sizeof *play);
    play->ranks = ranks;
    play->computing = 1000000;
    snprintf(play->directory, sizeof play->directory, "/tmp/runcast-play.XXXXXX");
    assert_non_null(mkdtemp(play->directory));
    for (uint32_t r = 0; r < ranks; r++) {
        struct rc_trace_header header = {.rank = r,
                                         .ranks = ranks,
                                         .process = r + 1,
                                         .began = 1000,
                                         .began_wall = 1700000000000000000u,
                                         .cpu_threshold = 20000,
                                         .clock = "CLOCK_MONOTONIC",
                                         .host = "node1",
                                         .program = "./prog",
                                         .mpi = "Some MPI 1.0"};
        struct rc_error error = {0};

        play_path(play, r, path, sizeof path);
        play->clocks[r] = header.began;
        play->writers[r] = rc_trace_writer_create(path, &header, NULL, &error);
        if (!play->writers[r])
            fail_msg("%s", error.text);
        play_call(play, r, &init, 5000);
    }
}

static inline void play_end(struct play *play)
{
    struct rc_trace_call finalize = RC_TRACE_CALL_INIT(RC_TRACE_Finalize);

    for (uint32_t r = 0; r < play->ranks; r++) {
        play_call(play, r, &finalize, 5000);
        assert_int_equal(rc_trace_writer_finish(play->writers[r], play->clocks[r], NULL), 0);
    }
}

static inline void play_remove(const struct play *play)
{
    char path[128];

    for (uint32_t r = 0; r < play->ranks; r++) {
        play_path(play, r, path, sizeof path);
        unlink(path);
    }
    rmdir(play->directory);
}

/* ---- calls ---- */

static inline struct rc_trace_call play_message(unsigned kind, int32_t peer, int32_t tag,
                                                uint64_t bytes)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    call.message = (struct rc_trace_message){.count = bytes, .size = 1, .peer = peer, .tag = tag};
    return call;
}

static inline void play_send(struct play *play, uint32_t rank, int32_t peer, int32_t tag,
                             uint64_t bytes)
{
    struct rc_trace_call call = play_message(RC_TRACE_Send, peer, tag, bytes);

    play_call(play, rank, &call, 2000);
}

static inline void play_recv(struct play *play, uint32_t rank, int32_t peer, int32_t tag,
                             uint64_t bytes)
{
    struct rc_trace_call call = play_message(RC_TRACE_Recv, peer, tag, bytes);

    play_call(play, rank, &call, 3000);
}

static inline void play_post(struct play *play, uint32_t rank, unsigned kind, int32_t peer,
                             int32_t tag, uint64_t bytes, int32_t request)
{
    struct rc_trace_call call = play_message(kind, peer, tag, bytes);

    call.request = request;
    play_call(play, rank, &call, 500);
}

static inline void play_waitall(struct play *play, uint32_t rank, const int32_t *requests,
                                uint32_t n)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Waitall);

    call.list = requests;
    call.list_length = n;
    play_call(play, rank, &call, 4000);
}

static inline void play_wait(struct play *play, uint32_t rank, int32_t request)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Wait);

    call.request = request;
    play_call(play, rank, &call, 2000);
}

static inline void play_sendrecv(struct play *play, uint32_t rank, int32_t to, int32_t from,
                                 uint64_t bytes)
{
    struct rc_trace_call call = play_message(RC_TRACE_Sendrecv, to, 7, bytes);

    call.from = (struct rc_trace_message){.count = bytes, .size = 1, .peer = from, .tag = 7};
    play_call(play, rank, &call, 4000);
}

/* All ranks of the world. */
static inline void play_collective(struct play *play, unsigned kind, int32_t root, uint64_t bytes)
{
    for (uint32_t r = 0; r < play->ranks; r++) {
        struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

        call.root = root;
        call.message.count = bytes;
        call.message.size = 1;
        play_call(play, r, &call, 10000);
    }
}

#endif
