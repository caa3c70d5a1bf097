// SPDX-License-Identifier: BSD-2-Clause
/* writer.c - records the calls of one thread of one rank into a trace file.
 *
 * Calls wait in a small queue, and are folded some at a time: a program that goes over all its
 * memory between two calls leaves nothing of what folding needs in the caches, and to fetch that
 * for each call takes ten times as long as folding does. */
#include "mpi/trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "mpi/trace/encode.h"
#include "mpi/trace/loop_folding.h"
#include "mpi/trace/format.h"
#include "mpi/trace/call_table.h"

/* No power of two, so that in a regular program it is not always the same call that takes longer
 * because all are folded there. */
enum { QUEUE = 61, QUEUE_LISTS = 1024 };

struct queued {
    struct rc_trace_call call; /* its list is in the queue's */
    uint64_t start, end;
    int64_t cpu;
    uint32_t also_for;
};

struct rc_trace_writer {
    struct rc_trace_fold fold;
    struct rc_trace_symbols symbols;
    struct rc_trace_encoder encoder;
    struct rc_trace_writer_options options;
    char *path;
    pid_t process;
    void *memory;
    size_t memory_size;
    bool off;
    bool busy;             /* what has to do with folding does not fit together */
    struct rc_error error; /* why it is off */
    uint64_t began;
    uint64_t last_end; /* of the last call, since `began` */
    uint64_t calls;
    uint64_t bytes; /* of the file */
    uint32_t blocks;
    uint64_t written_calls; /* in the blocks so far */
    uint64_t written_time;
    uint32_t queue_length, queue_lists_used;
    struct queued queue[QUEUE];
    int32_t queue_lists[QUEUE_LISTS];
};

/* ---- the file ---- */

static void switch_off(struct rc_trace_writer *writer, int errno_value)
{
    if (writer->off)
        return;
    writer->off = true;
    rc_error_errno(&writer->error, errno_value, "cannot write %s", writer->path);
    if (writer->options.trouble)
        writer->options.trouble(writer->options.data, writer->error.text);
}

/* 0 or an errno. */
static int write_all(int file, const uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, data, length);

        if (written < 0 && errno != EINTR)
            return errno;
        if (written == 0)
            return ENOSPC;
        if (written > 0) {
            data += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* A file that may not grow further brings SIGXFSZ, of which the program would die: it is held back
 * meanwhile, and taken away. */
static int write_without_signal(int file, const uint8_t *head, size_t head_length,
                                const uint8_t *data, size_t length)
{
    static const struct timespec at_once = {0, 0};
    sigset_t ours, theirs, pending;
    bool was_pending;
    int status;

    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &ours, &theirs);
    status = write_all(file, head, head_length);
    if (status == 0)
        status = write_all(file, data, length);
    if (status == EFBIG && !was_pending)
        while (sigtimedwait(&ours, NULL, &at_once) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &theirs, NULL);
    return status;
}

static void append(struct rc_trace_writer *writer, const uint8_t *head, size_t head_length,
                   const uint8_t *data, size_t length)
{
    int file, status, theirs = errno;

    if (writer->off)
        return;
    if (getpid() != writer->process) {
        writer->off = true;
        rc_error_set(&writer->error, "child processes are not traced");
        return;
    }
    file = open(writer->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        switch_off(writer, errno);
        errno = theirs;
        return;
    }
    status = write_without_signal(file, head, head_length, data, length);
    if (close(file) != 0 && status == 0) /* some file systems only then report a full disk */
        status = errno;
    /* What is left of a block is of no use; a file that ends with a whole one is better. */
    if (status != 0 && truncate(writer->path, (off_t)writer->bytes) != 0)
        writer->bytes = 0;
    if (status != 0)
        switch_off(writer, status);
    else
        writer->bytes += head_length + length;
    errno = theirs;
}

static void write_block(struct rc_trace_writer *writer, uint32_t type, const uint8_t *payload,
                        size_t length)
{
    struct rc_trace_block block = {.type = type,
                                   .length = (uint32_t)length,
                                   .number = ++writer->blocks,
                                   .before = writer->written_calls,
                                   .calls = writer->encoder.calls,
                                   .time = writer->written_time,
                                   .checksum = rc_trace_checksum(payload, length)};
    uint8_t head[RC_TRACE_BLOCK_SIZE];

    rc_trace_block_write(&block, head);
    append(writer, head, sizeof head, payload, length);
    writer->written_calls += writer->encoder.calls;
    writer->written_time += writer->encoder.time;
}

/* ---- blocks ---- */

static void end_block(struct rc_trace_writer *writer)
{
    struct rc_trace_encoder *encoder = &writer->encoder;

    if (encoder->out.length > 0)
        write_block(writer, RC_TRACE_BLOCK_CALLS, encoder->out.data, encoder->out.length);
    rc_trace_encoder_begin(encoder);
}

static void write_node(struct rc_trace_writer *writer, uint32_t node)
{
    struct rc_trace_encoder *encoder = &writer->encoder;

    if (rc_trace_encoder_add(encoder, node) != 0) {
        end_block(writer);
        if (rc_trace_encoder_add(encoder, node) != 0) {
            rc_trace_encoder_begin(encoder);
            encoder->without_bins = true;
            if (rc_trace_encoder_add(encoder, node) != 0)
                switch_off(writer, EFBIG);
            encoder->without_bins = false;
        }
    }
    if (encoder->out.length >= RC_TRACE_PAYLOAD_GOOD)
        end_block(writer);
}

/* Writes out and forgets the first `count` places. */
static void write_out(struct rc_trace_writer *writer, uint32_t count)
{
    if (count == 0)
        return;
    rc_trace_encoder_begin(&writer->encoder);
    for (uint32_t i = 0; i < count && !writer->off; i++)
        write_node(writer, writer->fold.row[i].node);
    end_block(writer);
    rc_trace_fold_drop(&writer->fold, count);
}

/* ---- trace ---- */

/* The end of the row would be a loop, but there is no memory for its times: frees some. */
static void feed(struct rc_trace_writer *writer)
{
    struct rc_trace_fold *fold = &writer->fold;

    write_out(writer, fold->length - fold->starved);
    rc_trace_fold_again(fold);
    if (fold->starved > 0 && fold->longest > fold->starved / 2)
        fold->longest = fold->starved / 2 - (fold->starved > 2);
}

static uint32_t symbol_of(struct rc_trace_writer *writer, const struct rc_trace_call *call)
{
    int64_t symbol = rc_trace_symbols_find(&writer->symbols, call);

    if (symbol < 0) {
        write_out(writer, writer->fold.length);
        rc_trace_symbols_clear(&writer->symbols);
        symbol = rc_trace_symbols_find(&writer->symbols, call);
    }
    return (uint32_t)symbol;
}

static uint64_t since_beginning(const struct rc_trace_writer *writer, uint64_t reading)
{
    uint64_t time = reading > writer->began ? reading - writer->began : 0;

    if (time > RC_TRACE_TIME_MAX)
        time = RC_TRACE_TIME_MAX;
    return time > writer->last_end ? time : writer->last_end;
}

static void add(struct rc_trace_writer *writer, const struct rc_trace_call *call, uint64_t start,
                uint64_t end, int64_t cpu, uint32_t also_for)
{
    struct rc_trace_fold *fold = &writer->fold;
    struct rc_trace_sample sample;
    uint64_t most;
    uint32_t symbol;

    start = since_beginning(writer, start);
    sample.before = start - writer->last_end;
    writer->last_end = start;
    end = since_beginning(writer, end);
    sample.inside = end - start;
    writer->last_end = end;
    sample.cpu = cpu < 0 ? -1 : cpu;
    sample.also_for = also_for < RC_TRACE_ALSO_MAX ? also_for : RC_TRACE_ALSO_MAX;
    most = also_for > 0 ? 1 : RC_TRACE_CPU_MAX;
    if (cpu > 0 && (uint64_t)cpu / most > sample.before)
        sample.cpu = (int64_t)(sample.before * most);
    symbol = symbol_of(writer, call);
    if (!rc_trace_fold_has_room(fold))
        write_out(writer, rc_trace_fold_cut(fold));
    rc_trace_fold_add(fold, symbol, writer->symbols.items[symbol].hash, &sample);
    if (fold->starved > 0)
        feed(writer);
}

static void empty_queue(struct rc_trace_writer *writer)
{
    writer->busy = true;
    for (uint32_t i = 0; i < writer->queue_length && !writer->off; i++) {
        const struct queued *it = &writer->queue[i];

        add(writer, &it->call, it->start, it->end, it->cpu, it->also_for);
    }
    writer->queue_length = writer->queue_lists_used = 0;
    writer->busy = false;
}

void rc_trace_writer_add(struct rc_trace_writer *writer, const struct rc_trace_call *call,
                         uint64_t start, uint64_t end, int64_t cpu, uint32_t also_for)
{
    struct queued *it;
    uint32_t n;

    if (writer->off)
        return;
    writer->calls++;
    if (writer->queue_length == QUEUE || call->list_length > QUEUE_LISTS - writer->queue_lists_used)
        empty_queue(writer);
    if (call->list_length > QUEUE_LISTS) {
        writer->busy = true;
        if (!writer->off)
            add(writer, call, start, end, cpu, also_for);
        writer->busy = false;
        return;
    }
    n = writer->queue_length;
    it = &writer->queue[n];
    *it = (struct queued){
        .call = *call, .start = start, .end = end, .cpu = cpu, .also_for = also_for};
    if (call->list_length > 0) {
        it->call.list = memcpy(writer->queue_lists + writer->queue_lists_used, call->list,
                               call->list_length * sizeof *call->list);
        writer->queue_lists_used += call->list_length;
    }
    /* Whatever a signal interrupts, what is in the queue is whole. */
    __atomic_signal_fence(__ATOMIC_RELEASE);
    writer->queue_length = n + 1;
}

void rc_trace_writer_flush(struct rc_trace_writer *writer)
{
    if (!writer->off)
        empty_queue(writer);
    if (!writer->off)
        write_out(writer, writer->fold.length);
}

bool rc_trace_writer_is_busy(const struct rc_trace_writer *writer)
{
    return writer->busy;
}

bool rc_trace_writer_is_on(const struct rc_trace_writer *writer)
{
    return !writer->off;
}

/* ---- beginning and end ---- */

static size_t round_up(size_t size)
{
    return (size + 4095) & ~(size_t)4095;
}

/* All memory in one piece, of which the system gives what is used. */
static int take_memory(struct rc_trace_writer *writer, struct rc_error *error)
{
    const struct rc_trace_limits *limits = &writer->options.limits;
    struct rc_trace_symbols *symbols = &writer->symbols;
    size_t fold = round_up(rc_trace_fold_size(limits));
    size_t items = round_up(sizeof *symbols->items * limits->symbols);
    size_t slots, lists = round_up(sizeof *symbols->lists * limits->list_items);
    char *memory;

    symbols->maximum = limits->symbols;
    symbols->list_maximum = limits->list_items;
    symbols->slot_bits = rc_trace_symbols_slot_bits(limits->symbols);
    slots = round_up(sizeof *symbols->slots << symbols->slot_bits);
    writer->memory_size = fold + items + slots + lists + limits->block;
    memory = mmap(NULL, writer->memory_size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return rc_error_no_memory(error);
    /* Large pages would take memory that is never used. */
    (void)madvise(memory, writer->memory_size, MADV_NOHUGEPAGE);
    writer->memory = memory;
    rc_trace_fold_init(&writer->fold, limits, memory);
    symbols->items = (struct rc_trace_symbol *)(void *)(memory + fold);
    symbols->slots = (uint32_t *)(void *)(memory + fold + items);
    symbols->lists = (int32_t *)(void *)(memory + fold + items + slots);
    writer->encoder.fold = &writer->fold;
    writer->encoder.symbols = symbols;
    writer->encoder.out.data = (uint8_t *)memory + fold + items + slots + lists;
    writer->encoder.out.size = limits->block;
    return 0;
}

void rc_trace_writer_destroy(struct rc_trace_writer *writer)
{
    if (!writer)
        return;
    if (writer->memory)
        munmap(writer->memory, writer->memory_size);
    free(writer->path);
    free(writer);
}

/* The program may change its directory later on. */
static char *absolute(const char *path)
{
    char *here, *whole = NULL;

    if (path[0] == '/')
        return strdup(path);
    here = getcwd(NULL, 0);
    if (here && asprintf(&whole, "%s/%s", here, path) < 0)
        whole = NULL;
    free(here);
    return whole;
}

static int make_file(struct rc_trace_writer *writer, const struct rc_trace_header *header,
                     struct rc_error *error)
{
    struct rc_bytes_out *out = &writer->encoder.out;
    int file =
        open(writer->path,
             O_WRONLY | O_CREAT | O_CLOEXEC | (writer->options.fresh ? O_EXCL : O_TRUNC), 0666);

    if (file < 0)
        return rc_error_errno(error, errno, "cannot make %s", writer->path);
    close(file);
    rc_trace_header_write(header, out);
    append(writer, out->data, out->length, NULL, 0);
    out->length = 0;
    if (writer->off && error)
        *error = writer->error;
    return writer->off ? -1 : 0;
}

struct rc_trace_writer *rc_trace_writer_create(const char *path,
                                               const struct rc_trace_header *header,
                                               const struct rc_trace_writer_options *options,
                                               struct rc_error *error)
{
    struct rc_trace_writer *writer = calloc(1, sizeof *writer);

    if (!writer || !(writer->path = absolute(path))) {
        rc_error_no_memory(error);
        free(writer);
        return NULL;
    }
    if (options) {
        writer->options.limits = options->limits;
        writer->options.fresh = options->fresh;
    }
    if (writer->options.limits.window == 0)
        rc_trace_limits_init(&writer->options.limits);
    writer->process = getpid();
    writer->began = header->began;
    if (rc_trace_limits_check(&writer->options.limits, error) != 0 ||
        take_memory(writer, error) != 0 || make_file(writer, header, error) != 0) {
        rc_trace_writer_destroy(writer);
        return NULL;
    }
    /* Only now: the error reports earlier trouble to the caller of this function. */
    if (options) {
        writer->options.trouble = options->trouble;
        writer->options.data = options->data;
    }
    return writer;
}

void rc_trace_writer_notes(struct rc_trace_writer *writer, const struct rc_trace_note *notes,
                           size_t n)
{
    struct rc_trace_encoder *encoder = &writer->encoder;

    rc_trace_writer_flush(writer);
    rc_trace_encoder_begin(encoder);
    rc_trace_notes_put(&encoder->out, notes, n);
    if (!encoder->out.full)
        write_block(writer, RC_TRACE_BLOCK_NOTES, encoder->out.data, encoder->out.length);
    rc_trace_encoder_begin(encoder);
}

void rc_trace_writer_speed(struct rc_trace_writer *writer, const struct rc_trace_speed *speed)
{
    uint8_t bytes[2 * RC_SMALL_MAX + 8 * (1 + RC_TRACE_SPEED_SIZES)];
    struct rc_bytes_out payload = {.data = bytes, .size = sizeof bytes};

    rc_trace_writer_flush(writer);
    rc_trace_speed_put(&payload, speed);
    write_block(writer, RC_TRACE_BLOCK_SPEED, bytes, payload.length);
}

int rc_trace_writer_seal(struct rc_trace_writer *writer, uint64_t end, struct rc_error *error)
{
    uint8_t bytes[2 * RC_SMALL_MAX];
    struct rc_bytes_out payload = {.data = bytes, .size = sizeof bytes};

    rc_trace_writer_flush(writer);
    rc_trace_put_small(&payload, writer->written_calls);
    rc_trace_put_small(&payload, since_beginning(writer, end));
    rc_trace_encoder_begin(&writer->encoder);
    write_block(writer, RC_TRACE_BLOCK_END, bytes, payload.length);
    if (writer->off && error)
        *error = writer->error;
    return writer->off ? -1 : 0;
}

int rc_trace_writer_finish(struct rc_trace_writer *writer, uint64_t end, struct rc_error *error)
{
    int status = rc_trace_writer_seal(writer, end, error);

    rc_trace_writer_destroy(writer);
    return status;
}
