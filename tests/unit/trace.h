// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.h - made-up programs, and their traces, for tests. */
#ifndef RC_TESTS_TRACE_H
#define RC_TESTS_TRACE_H

#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "mpi/trace/reader.h"
#include "mpi/trace/writer.h"

/* A recording under way, and what was put into it. */
struct recording {
    struct rc_trace_writer *writer;
    uint64_t clock;
    uint64_t state;                /* of the random numbers */
    bool cpu;                      /* CPU times are measured now and then */
    struct rc_trace_event *events; /* `call` is NULL */
    struct rc_trace_call *calls;
    size_t count, room;
};

static const char *trace_path(void)
{
    static char path[64];

    snprintf(path, sizeof path, "/tmp/runcast-test-trace.%ld", (long)getpid());
    return path;
}

static inline uint64_t draw(struct recording *recording, uint64_t below)
{
    recording->state ^= recording->state << 13;
    recording->state ^= recording->state >> 7;
    recording->state ^= recording->state << 17;
    return (recording->state >> 11) % below;
}

static inline void record_begin(struct recording *recording, uint64_t seed,
                                const struct rc_trace_writer_options *options)
{
    struct rc_trace_header header = {.rank = 3,
                                     .ranks = 4,
                                     .process = 77,
                                     .began = 1000000,
                                     .began_wall = 1700000000000000000u,
                                     .cpu_threshold = 20000,
                                     .clock = "CLOCK_MONOTONIC",
                                     .host = "node1",
                                     .program = "./prog",
                                     .mpi = "Some MPI 1.0"};
    struct rc_error error = {0};

    memset(recording, 0, sizeof *recording);
    recording->state = seed * 2654435769u + 88172645463325252u;
    recording->clock = header.began;
    recording->writer = rc_trace_writer_create(trace_path(), &header, options, &error);
    assert_non_null(recording->writer);
}

/* Adds a call, and remembers it. */
static inline void record_call(struct recording *recording, const struct rc_trace_call *call)
{
    struct rc_trace_event event = {.cpu = -1};

    if (recording->count == recording->room) {
        recording->room = recording->room > 0 ? 2 * recording->room : 64;
        recording->events = realloc(recording->events, recording->room * sizeof *recording->events);
        recording->calls = realloc(recording->calls, recording->room * sizeof *recording->calls);
    }
    event.before = draw(recording, 1000) + (draw(recording, 50) == 0 ? 100000 : 0);
    if (recording->cpu && event.before > 700)
        event.cpu = (int64_t)event.before - 10;
    event.start = recording->clock - 1000000 + event.before;
    event.end = event.start + 50 + draw(recording, 5000);
    recording->clock = event.end + 1000000;
    rc_trace_writer_add(recording->writer, call, event.start + 1000000, recording->clock, event.cpu,
                        0);
    recording->events[recording->count] = event;
    recording->calls[recording->count++] = *call;
}

/* One of a few calls. */
static inline void record_symbol(struct recording *recording, int symbol)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(symbol % 3 ? RC_TRACE_Send : RC_TRACE_Irecv);

    call.message = (struct rc_trace_message){
        .peer = symbol / 3, .tag = 7, .count = (uint64_t)symbol * 100, .size = 8};
    if (symbol % 3 == 0)
        call.request = symbol;
    record_call(recording, &call);
}

static inline void record_text(struct recording *recording, const char *text)
{
    for (; *text; text++)
        record_symbol(recording, *text - 'a');
}

static inline void record_free(struct recording *recording)
{
    free(recording->events);
    free(recording->calls);
    unlink(trace_path());
}

static inline void record_end(struct recording *recording)
{
    struct rc_error error = {0};

    assert_int_equal(rc_trace_writer_finish(recording->writer, recording->clock + 500, &error), 0);
}

static inline bool same_message(const struct rc_trace_message *a, const struct rc_trace_message *b)
{
    return a->count == b->count && a->size == b->size && a->peer == b->peer && a->tag == b->tag;
}

static inline bool same_call(const struct rc_trace_call *a, const struct rc_trace_call *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->communicator == b->communicator &&
           a->root == b->root && same_message(&a->message, &b->message) &&
           same_message(&a->from, &b->from) && a->request == b->request &&
           a->list_length == b->list_length &&
           (a->list_length == 0 || memcmp(a->list, b->list, a->list_length * sizeof *a->list) == 0);
}

/* Reading it back, call by call. */
struct playback {
    const struct recording *recording;
    size_t at;
    size_t exact; /* calls with exactly their times */
    uint64_t cpu_sum;
};

static inline int play(void *data, const struct rc_trace_event *event)
{
    struct playback *playback = data;
    const struct recording *recording = playback->recording;

    assert_true(playback->at < recording->count);
    assert_true(same_call(event->call, &recording->calls[playback->at]));
    if (event->start == recording->events[playback->at].start &&
        event->end == recording->events[playback->at].end)
        playback->exact++;
    if (event->cpu > 0)
        playback->cpu_sum += (uint64_t)event->cpu;
    playback->at++;
    return 0;
}

/* That the file has all of it, in order, and ends at the same time. */
static inline struct playback assert_plays_back(const struct recording *recording)
{
    struct playback playback = {.recording = recording};
    struct rc_error error = {0};
    struct rc_trace *trace = rc_trace_open(trace_path(), &error);
    const struct rc_trace_summary *summary;
    uint64_t cpu_sum = 0;

    assert_non_null(trace);
    assert_int_equal(rc_trace_expand(trace, play, &playback, &error), 0);
    assert_int_equal(playback.at, recording->count);
    summary = rc_trace_summary(trace);
    assert_int_equal(summary->calls, recording->count);
    assert_int_equal(summary->end, recording->clock + 500 - 1000000);
    assert_true(summary->ended);
    for (size_t i = 0; i < recording->count; i++)
        if (recording->events[i].cpu > 0)
            cpu_sum += (uint64_t)recording->events[i].cpu;
    assert_int_equal(playback.cpu_sum, cpu_sum);
    rc_trace_close(trace);
    return playback;
}

#endif
