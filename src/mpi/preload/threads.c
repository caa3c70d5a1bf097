// SPDX-License-Identifier: BSD-2-Clause
/* threads.c - what is kept for each thread.
 *
 * What a thread leaves behind when it ends is taken over by the next one that begins, with the
 * file, so that memory goes with how many there are at once. */
#include "mpi/preload/recorder_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 256 };

#define ANOTHER "another program of this run is already traced"

RC_PRELOAD_THREAD_LOCAL struct rc_preload_thread *rc_preload_self;

static struct {
    pthread_mutex_t mutex;
    struct rc_preload_thread *all;
    uint32_t count;
    pthread_key_t key;
    char directory[3072];
    struct rc_trace_header header;
} threads = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void leave(void *data)
{
    struct rc_preload_thread *thread = data;

    pthread_mutex_lock(&threads.mutex);
    /* One that was cancelled may leave in the middle of a call; but what it left in the middle of
     * being written is of no use to anybody. */
    if (!thread->writer || !rc_trace_writer_is_busy(thread->writer)) {
        thread->depth = 0;
        thread->taken = false;
    }
    pthread_mutex_unlock(&threads.mutex);
}

/* A command may run several programs, and that of more ranks would add its last ones to the files
 * of another.  So the first process writes the number of ranks as the target of a dangling link: it
 * is there with its text or not at all. */
static bool belongs_here(void)
{
    char path[sizeof threads.directory + 64], ours[16], theirs[16];
    ssize_t length;

    snprintf(path, sizeof path, "%s/" RC_TRACE_RANKS_LINK, threads.directory);
    snprintf(ours, sizeof ours, "%u", (unsigned)threads.header.ranks);
    if (!RC_PRELOAD_THREADS || symlink(ours, path) == 0 || errno != EEXIST)
        return true;
    length = readlink(path, theirs, sizeof theirs - 1);
    theirs[length > 0 ? length : 0] = '\0';
    return length <= 0 || strcmp(ours, theirs) == 0;
}

int rc_preload_threads_init(const char *directory, const struct rc_trace_header *header)
{
    int length = snprintf(threads.directory, sizeof threads.directory, "%s", directory);

    threads.header = *header;
    if (length < 0 || (size_t)length >= sizeof threads.directory)
        return -1;
    if (!belongs_here()) {
        rc_preload_trouble(ANOTHER);
        return -1;
    }
    return pthread_key_create(&threads.key, leave) == 0 ? 0 : -1;
}

static void writer_trouble(void *data, const char *text)
{
    (void)data;
    rc_preload_trouble(text);
}

/* Threads beside the first get an eighth of the memory. */
static void choose_limits(uint32_t number, struct rc_trace_limits *limits)
{
    rc_trace_limits_init(limits);
    if (number == 0)
        return;
    limits->window /= 8;
    limits->nodes /= 8;
    limits->samples /= 8;
    limits->times /= 8;
    limits->symbols /= 8;
    limits->list_items =
        limits->list_items / 8 < RC_TRACE_LIST_MAX ? RC_TRACE_LIST_MAX : limits->list_items / 8;
    limits->block = limits->block / 8 < 1 << 20 ? 1 << 20 : limits->block / 8;
}

static struct rc_trace_writer *make_writer(uint32_t number)
{
    struct rc_trace_writer_options options = {.trouble = writer_trouble, .fresh = true};
    struct rc_trace_writer *writer;
    struct rc_error error = {0};
    char path[sizeof threads.directory + 64];
    size_t length;
    bool there;

    threads.header.thread = number;
    snprintf(path, sizeof path, "%s/rank-%u", threads.directory, (unsigned)threads.header.rank);
    length = strlen(path);
    if (number > 0)
        snprintf(path + length, sizeof path - length, ".thread-%u", (unsigned)number);
    length = strlen(path);
    snprintf(path + length, sizeof path - length, ".rct");
    if (!RC_PRELOAD_THREADS)
        unlink(path); /* of a simulation that begins anew, with a load that is known for longer */
    there = access(path, F_OK) == 0;
    choose_limits(number, &options.limits);
    writer = rc_trace_writer_create(path, &threads.header, &options, &error);
    if (!writer)
        rc_preload_trouble(there ? ANOTHER : error.text);
    return writer;
}

static struct rc_preload_thread *make_thread(void)
{
    struct rc_preload_thread *thread;

    for (thread = threads.all; thread; thread = thread->next)
        if (!thread->taken)
            return thread;
    if (threads.count >= THREADS_MAX) {
        rc_preload_trouble("too many threads");
        return NULL;
    }
    thread = calloc(1, sizeof *thread);
    if (!thread) {
        rc_preload_trouble("out of memory");
        return NULL;
    }
    thread->writer = make_writer(threads.count);
    if (!thread->writer) {
        free(thread);
        return NULL;
    }
    thread->number = threads.count++;
    thread->next = threads.all;
    threads.all = thread;
    return thread;
}

struct rc_preload_thread *rc_preload_thread_begin(void)
{
    struct rc_preload_thread *thread;
    int theirs = errno;

    pthread_mutex_lock(&threads.mutex);
    thread = make_thread();
    if (thread) {
        thread->taken = true;
        if (thread->last_end == 0)
            thread->last_end = rc_preload_now();
        thread->cpu_at = 0;
        rc_preload_self = thread;
        pthread_setspecific(threads.key, thread);
    }
    pthread_mutex_unlock(&threads.mutex);
    errno = theirs;
    return thread;
}

static void finish_file(struct rc_preload_thread *thread, uint64_t now, bool calm)
{
    rc_preload_poll_end(thread);
    if (thread->number == 0) {
        uint64_t footprint = rc_preload_gaps_write(thread->writer);

        rc_preload_speed_write(thread->writer, calm ? footprint : 0);
    }
    if (__atomic_load_n(&rc_preload_stopped, __ATOMIC_RELAXED))
        rc_trace_writer_flush(thread->writer);
    else
        rc_trace_writer_seal(thread->writer, now, NULL);
    if (calm)
        rc_trace_writer_destroy(thread->writer);
    thread->writer = NULL;
}

void rc_preload_threads_finish(uint64_t now, bool calm)
{
    int theirs = errno;

    pthread_mutex_lock(&threads.mutex);
    for (struct rc_preload_thread *thread = threads.all; thread; thread = thread->next)
        /* One that is just now inside of a call, at the end of the program, must be left alone. */
        if (thread->writer && (thread->depth == 0 || thread == rc_preload_self))
            finish_file(thread, now, calm);
    pthread_mutex_unlock(&threads.mutex);
    errno = theirs;
}
