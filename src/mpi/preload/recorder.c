// SPDX-License-Identifier: BSD-2-Clause
/* recorder.c - measures the times of calls, and passes calls to the writer.
 *
 * CPU time.  A reading of a thread's CPU clock is a system call and takes as long as several MPI
 * calls, so that it cannot be read at both ends of each gap between calls.  The length of a gap is
 * not known at its beginning.  So the clock is read where the gap was long when the program was at
 * this place before: `sites` has a small counter for each place, by the return addresses and peers
 * of the last calls; a long gap adds 2 (up to 3), a short one subtracts 1, and from 2 on the clock
 * is read.  It is also read after a call that itself took over RC_PRELOAD_GAP.
 *
 * Readings may take 1/READ of the time, gap by gap and call by call: where two readings would take
 * more than that of a gap as long as the last ones at this place, they are made at random, with a
 * probability that keeps to that share.  (On virtual machines a reading can take microseconds, and
 * longer after the program has displaced the caches; so the cost of readings is measured as they
 * are made.)  Random choice means that each gap of a regular program is measured now and then.  A
 * measured gap stands for all at this place that were not measured since the last one: a loop's
 * first gap may be long and always measured, and the others, of which there are many, seldom.
 *
 * Where a long gap was foreseen and its beginning not read, the last reading before it is used, if
 * it was not long ago: CPU time since then is that of the gap and at most the time between, so that
 * with up to 5 % of the gap between, the error is no larger.  (5 % of the last gap at this place,
 * if that was shorter: a gap may be long because the core was taken away, and would have next to no
 * CPU time but for what was before it.)  Otherwise the CPU time is recorded as not known.
 *
 * Where none was foreseen, gaps are short for the most part, and one that is long has mostly lost
 * its core and used next to none of it, which the others that are measured there would not show.
 * So the last reading is always used, and the time between it and the gap is subtracted: all of it
 * where that is up to a quarter of the gap, since MPI spins while it waits and so was on the core,
 * and a proportional share where it is more.
 *
 * A gap's CPU time is never more than its wall-clock time: one thread uses one core. */
#include "mpi/preload/recorder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool rc_preload_recording, rc_preload_stopped;
uint64_t rc_preload_began;
bool rc_preload_many_threads;
pthread_mutex_t rc_preload_mutex = PTHREAD_MUTEX_INITIALIZER;

enum { FORESEEN = 2, MOST = 3, NEAR = 20, NOT_FAR = 4 };
enum { READ = 1000, TRIES = 5, PEER = 01111 };

/* What a reading takes: the least of some. */
static uint64_t measure_reading(void)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start = rc_preload_now(), took;

        rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
        took = rc_preload_now() - start;
        least = took < least ? took : least;
    }
    return least > 0 ? least : 1;
}

/* Whether readings at the end, or at both ends, are worth it for something of that length. */
static bool is_worth(struct rc_preload_thread *thread, uint64_t length,
                     enum rc_preload_decision readings)
{
    uint64_t enough;

    if (thread->reading == 0)
        thread->reading = measure_reading();
    enough = (readings == RC_PRELOAD_READ_BOTH ? 2 : 1) * thread->reading * READ;
    return length >= enough || rc_preload_chance(thread->progress, readings, length, enough);
}

/* One that was interrupted counts as twice the mean. */
static void learn_reading(struct rc_preload_thread *thread, uint64_t took)
{
    uint64_t mean = thread->reading > 0 ? thread->reading : took;

    thread->reading = (7 * mean + (took < 2 * mean ? took : 2 * mean)) / 8 + 1;
}

static void read_cpu(struct rc_preload_thread *thread, uint64_t now)
{
    thread->cpu = rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
    thread->cpu_at = now;
}

/* What the next gap at this place is expected to be. */
static void learn_gap(struct rc_preload_site *site, uint64_t length)
{
    site->gap /= 2;
    if (length / 1000 > site->gap)
        site->gap = (uint32_t)(length / 1000 < UINT32_MAX ? length / 1000 : UINT32_MAX);
    site->foreseen = site->foreseen + 2 > MOST ? MOST : (uint8_t)(site->foreseen + 2);
}

/* CPU time of a gap at whose end it was just read; it was `cpu` when last read, `since` ns before
 * the gap began. */
static int64_t cpu_of_gap(const struct rc_preload_thread *thread, uint64_t cpu, uint64_t since,
                          uint64_t length, bool foreseen)
{
    cpu = thread->cpu - cpu;
    if (!foreseen && since > length / NOT_FAR)
        cpu = (uint64_t)((double)cpu * (double)length / (double)(length + since));
    else if (!foreseen)
        cpu -= cpu < since ? cpu : since;
    return (int64_t)(cpu < length ? cpu : length);
}

/* What was just measured is not what it was without a look at memory. */
static void forget_cpu(struct rc_preload_frame *frame, struct rc_preload_site *site)
{
    site->skipped = (uint16_t)frame->also_for;
    site->skipped += site->skipped < RC_TRACE_ALSO_MAX;
    frame->cpu = -1;
    frame->also_for = 0;
}

void rc_preload_gap(struct rc_preload_frame *frame, uint64_t length)
{
    struct rc_preload_thread *thread = frame->thread;
    struct rc_preload_site *site = &thread->sites[thread->site];
    uint64_t last = site->gap > 0 ? (uint64_t)site->gap * 1000 : length;
    uint64_t since = thread->last_end > thread->cpu_at ? thread->last_end - thread->cpu_at : 0;
    uint64_t cpu = thread->cpu, looked;
    bool foreseen = site->foreseen >= FORESEEN;
    bool known =
        thread->cpu_at > 0 && (!foreseen || since <= (length < last ? length : last) / NEAR);
    bool read = known && thread->cpu_meant;

    /* A reading here may do for the next gap, too, if the call is short.  Whether it is made must
     * not depend on how long this very gap was: those that waited for a core are longer. */
    if (!read)
        read = is_worth(thread, last, RC_PRELOAD_READ_END);
    learn_gap(site, length);
    if (read) {
        read_cpu(thread, frame->start);
        learn_reading(thread, rc_preload_now() - frame->start);
    }
    if (read && known) {
        frame->cpu = cpu_of_gap(thread, cpu, since, length, foreseen);
        frame->also_for = site->skipped;
        site->skipped = 0;
    } else if (site->skipped < RC_TRACE_ALSO_MAX) {
        site->skipped++;
    }
    /* What the reading took belongs to neither side; better to the long one.  What a look at memory
     * and files took goes to the call, so that the computing is as long as it was. */
    looked = thread->number == 0 ? rc_preload_gap_close(thread) : 0;
    if (looked > 0 && frame->cpu >= 0 && rc_preload_gap_disturbed(length))
        forget_cpu(frame, site);
    if (read && thread->number == 0 && looked == 0)
        rc_preload_speed_sample(thread, frame->start);
    if (looked > 0 && looked < length)
        frame->start -= looked;
    else if (read)
        frame->start = rc_preload_now();
}

void rc_preload_trouble(const char *text)
{
    __atomic_store_n(&rc_preload_recording, false, __ATOMIC_RELAXED);
    if (!__atomic_exchange_n(&rc_preload_stopped, true, __ATOMIC_RELAXED))
        dprintf(STDERR_FILENO, "runcast: tracing stopped: %s\n", text);
}

void *rc_preload_scratch(struct rc_preload_thread *thread, enum rc_preload_use use, size_t size)
{
    struct rc_preload_scratch *scratch = &thread->scratch[use];
    void *memory;

    if (size > scratch->size) {
        size = size < 1024 ? 1024 : size + size / 2;
        memory = realloc(scratch->memory, size);
        if (!memory) {
            rc_preload_trouble("out of memory");
            return NULL;
        }
        scratch->memory = memory;
        scratch->size = size;
    }
    return scratch->memory;
}

void rc_preload_large_elements(struct rc_trace_message *message, MPI_Datatype type)
{
    MPI_Count size = 0;

    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return;
    if (size <= UINT32_MAX) {
        message->size = (uint32_t)size;
        return;
    }
    message->size = 1;
    if (__builtin_mul_overflow(message->count, (uint64_t)size, &message->count))
        message->count = UINT64_MAX;
}

/* CPU time of all computing of a row of tests: that between them is too short to be measured.
 * Where it is less than that before the first, it was on a core as much as that. */
static int64_t cpu_of_poll(const struct rc_preload_poll *poll)
{
    if (poll->cpu < 0 || poll->measured < poll->computed - poll->measured)
        return -1;
    if (poll->measured == poll->computed)
        return poll->cpu;
    return (int64_t)((double)poll->cpu * (double)poll->computed / (double)poll->measured);
}

static void end_poll(struct rc_preload_thread *thread)
{
    struct rc_preload_poll *poll = &thread->poll;
    int64_t cpu = cpu_of_poll(poll);

    if (!poll->any)
        return;
    poll->any = false;
    rc_trace_writer_add(thread->writer, &poll->call, poll->start, poll->end, cpu,
                        cpu < 0 ? 0 : poll->also_for);
}

static void begin_poll(const struct rc_preload_frame *frame, const struct rc_trace_call *call)
{
    struct rc_preload_poll *poll = &frame->thread->poll;

    poll->any = true;
    poll->call = *call;
    poll->call.list = NULL;
    poll->call.list_length = 0;
    poll->start = frame->start;
    poll->computed = frame->start - frame->thread->last_end;
    poll->measured = frame->cpu >= 0 ? poll->computed : 0;
    poll->cpu = frame->cpu;
    poll->also_for = frame->also_for;
}

/* A test that is not one more of a row.  A program that asks again and again does little else: that
 * is waiting.  One that has work to do meanwhile computes, for as long as it is not in a test. */
__attribute__((noinline)) static void add_to_poll(const struct rc_preload_frame *frame,
                                                  const struct rc_trace_call *call)
{
    struct rc_preload_poll *poll = &frame->thread->poll;
    uint64_t gap = frame->start - poll->end;

    if (!poll->any || gap > RC_PRELOAD_GAP) {
        end_poll(frame->thread);
        begin_poll(frame, call);
        return;
    }
    poll->start += gap;
    poll->computed += gap;
    if (frame->cpu >= 0 && poll->cpu >= 0) {
        poll->measured += gap;
        poll->cpu += frame->cpu;
    }
}

/* The end of the call, for the program. */
static void finish(struct rc_preload_frame *frame, const struct rc_trace_call *call)
{
    struct rc_preload_thread *thread = frame->thread;
    const struct rc_preload_site *site;
    uint64_t gap;

    /* A loop over neighbours computes between two rounds, and not between two neighbours. */
    thread->site =
        (thread->site ^ ((uint32_t)call->message.peer & 7) * PEER) % RC_PRELOAD_PREDICTIONS;
    site = &thread->sites[thread->site];
    gap = (uint64_t)site->gap * 1000;
    thread->last_end = frame->end;
    if (rc_preload_gap_pending && thread->number == 0)
        rc_preload_gap_note(call);
    if (site->foreseen >= FORESEEN && thread->number == 0 && gap >= RC_PRELOAD_GAP_NOTED)
        rc_preload_gap_open(thread, call, gap);
    thread->cpu_meant = site->foreseen >= FORESEEN
                            ? is_worth(thread, gap, RC_PRELOAD_READ_BOTH)
                            : frame->end - frame->start > RC_PRELOAD_GAP &&
                                  is_worth(thread, frame->end - frame->start, RC_PRELOAD_READ_END);
    if (thread->cpu_meant)
        read_cpu(thread, frame->end);
    thread->depth = 0;
}

void rc_preload_record(struct rc_preload_frame *frame, const struct rc_trace_call *call)
{
    struct rc_preload_thread *thread = frame->thread;

    if (__atomic_load_n(&rc_preload_recording, __ATOMIC_RELAXED)) {
        if (thread->poll.any)
            end_poll(thread);
        rc_trace_writer_add(thread->writer, call, frame->start, frame->end, frame->cpu,
                            frame->also_for);
    }
    thread->progress.calls++;
    thread->progress.polls = 0;
    finish(frame, call);
}

void rc_preload_record_poll(struct rc_preload_frame *frame, const struct rc_trace_call *call)
{
    struct rc_preload_thread *thread = frame->thread;

    if (!thread->poll.any || frame->start - thread->poll.end > RC_PRELOAD_SPIN)
        add_to_poll(frame, call);
    thread->poll.end = frame->end;
    thread->progress.polls++;
    finish(frame, call);
}

void rc_preload_poll_end(struct rc_preload_thread *thread)
{
    if (thread->writer)
        end_poll(thread);
}
