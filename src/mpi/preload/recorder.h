// SPDX-License-Identifier: BSD-2-Clause
/* recorder.h - functions for the wrappers of MPI calls.
 *
 * A wrapper enters, makes the call, leaves, and records it:
 *
 *     if (!rc_preload_enter(&frame))            // not recorded: inside of another call, or not at
 *     all
 *         return PMPI_Send(...);
 *     result = PMPI_Send(...);
 *     rc_preload_leave(&frame);
 *     ... fill in a struct rc_trace_call ...
 *     rc_preload_record(&frame, &call);
 *
 * The recorder makes no call that communicates, only queries that MPI answers by itself. */
#ifndef RC_MPI_PRELOAD_RECORDER_H
#define RC_MPI_PRELOAD_RECORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "mpi/preload/chance.h"
#include "mpi/preload/mpi_weak.h"
#include "mpi/trace/trace.h"
#include "mpi/trace/writer.h"

/* Under SMPI each rank has a copy of this object, and all ranks take turns on the same threads. */
#ifdef RC_PRELOAD_SIMULATED
#include <simgrid/engine.h>
#define RC_PRELOAD_THREADS false
#define RC_PRELOAD_THREAD_LOCAL
#else
#define RC_PRELOAD_THREADS true
#define RC_PRELOAD_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
#endif

enum {
    RC_PRELOAD_GAP = 20000, /* ns; computing that is longer has its CPU time measured, and tests
                               * that are closer together are one */
    RC_PRELOAD_SPIN = 1000, /* ns; a shorter time between two of them is waiting, too */
    RC_PRELOAD_PREDICTIONS = 4096 /* a power of two; few places have the same by accident */
};

/* A row of tests that found nothing is one call, which is kept until it has come to its end.  What
 * was computed between them is computing before that call. */
struct rc_preload_poll {
    bool any;
    struct rc_trace_call call;
    uint64_t start, end;
    uint64_t computed; /* ns before the first one, and between them */
    uint64_t measured; /* the part of that whose CPU time is known, */
    int64_t cpu;       /* which is this */
    uint32_t also_for;
};

/* Memory for one call's list and the like, which grows. */
struct rc_preload_scratch {
    void *memory;
    size_t size;
};

enum rc_preload_use {
    RC_PRELOAD_LIST,
    RC_PRELOAD_STATUSES,
    RC_PRELOAD_HANDLES,
    RC_PRELOAD_ORDER,
    RC_PRELOAD_INDICES,
    RC_PRELOAD_TYPES,      /* of what is sent */
    RC_PRELOAD_FROM_TYPES, /* of what is received */
    RC_PRELOAD_USES
};

/* What came after the program's last calls when it was at the same place before. */
struct rc_preload_site {
    uint32_t gap;     /* the last long one, or half of what it was before if that is more, us */
    uint16_t skipped; /* so many long ones were not measured since one was */
    uint8_t foreseen; /* from 2 on a long one is expected */
};

/* What is kept for one thread of the program. */
struct rc_preload_thread {
    struct rc_trace_writer *writer;
    int depth;         /* 1 inside of a call: MPI libraries call their own functions, too */
    bool taken;        /* some thread has it */
    uint32_t number;   /* 0 is the one that called MPI_Init */
    uint64_t last_end; /* of the last call */
    /* CPU time: rc_preload_gap() */
    uint64_t cpu, cpu_at; /* the last reading, and when that was; 0: none */
    bool cpu_meant;       /* it was made for the gap that follows */
    uint64_t reading;     /* ns that one takes; 0: not known yet */
    struct rc_preload_progress progress;
    uint32_t site; /* where the program made its last calls, as a place in: */
    struct rc_preload_site sites[RC_PRELOAD_PREDICTIONS];
    struct rc_preload_poll poll;
    struct rc_preload_scratch scratch[RC_PRELOAD_USES];
    struct rc_preload_thread *next;
};

/* One call under way. */
struct rc_preload_frame {
    struct rc_preload_thread *thread;
    uint64_t start, end;
    int64_t cpu;       /* of the computing before; -1: not measured */
    uint32_t also_for; /* how many others, which were not measured, that stands for */
};

extern bool rc_preload_recording;        /* between MPI_Init and MPI_Finalize, without trouble */
extern bool rc_preload_stopped;          /* there was trouble */
extern uint64_t rc_preload_began;        /* the end of MPI_Init */
extern bool rc_preload_many_threads;     /* several may call at once */
extern pthread_mutex_t rc_preload_mutex; /* for all tables, then */
extern RC_PRELOAD_THREAD_LOCAL struct rc_preload_thread *rc_preload_self;

/* A reading of a clock, ns. */
static inline uint64_t rc_preload_clock(clockid_t which)
{
    struct timespec now;

    clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The clock of the trace, ns: the simulated one under SMPI. */
#ifdef RC_PRELOAD_SIMULATED
static inline uint64_t rc_preload_now(void)
{
    return (uint64_t)(simgrid_get_clock() * 1e9 + 0.5);
}
#else
/* As above, CLOCK_MONOTONIC. */
static inline uint64_t rc_preload_now(void)
{
    return rc_preload_clock(CLOCK_MONOTONIC);
}
#endif

/* For the tables of handles; free where only one thread calls MPI. */
static inline void rc_preload_lock(void)
{
    if (rc_preload_many_threads)
        pthread_mutex_lock(&rc_preload_mutex);
}

/* Undoes rc_preload_lock(). */
static inline void rc_preload_unlock(void)
{
    if (rc_preload_many_threads)
        pthread_mutex_unlock(&rc_preload_mutex);
}

/* What a thread needs, made when it first calls; NULL where that fails.  threads.c. */
struct rc_preload_thread *rc_preload_thread_begin(void);

/* Memory of so many bytes until the next use of that kind; NULL, and no tracing any more, where
 * there is none. */
void *rc_preload_scratch(struct rc_preload_thread *thread, enum rc_preload_use use, size_t size);

/* The end of a gap that was long: its CPU time. */
void rc_preload_gap(struct rc_preload_frame *frame, uint64_t length);

/* Under SMPI: what the program computed by itself, where that is to take time, becomes simulated
 * time now, and not within the call that begins. */
void rc_preload_simulate_computing(void);

/* The program makes a call of that name, which is not recorded: rank 0 reports that once. */
void rc_preload_unseen(const char *name);

/* Switches tracing off for good, and reports that once.  No file gets an end mark from then on. */
void rc_preload_trouble(const char *text);

/* When a call begins, and the CPU time of the computing before it. */
#ifdef RC_PRELOAD_SIMULATED
static inline void rc_preload_begin_call(struct rc_preload_frame *frame, const void *site)
{
    (void)site;
    rc_preload_simulate_computing();
    frame->start = rc_preload_now();
    frame->cpu = (int64_t)(frame->start - frame->thread->last_end);
    frame->also_for = 0;
}
#else
static inline void rc_preload_begin_call(struct rc_preload_frame *frame, const void *site)
{
    struct rc_preload_thread *thread = frame->thread;
    uint64_t gap;

    frame->start = rc_preload_now();
    frame->cpu = -1;
    frame->also_for = 0;
    gap = frame->start - thread->last_end;
    if (gap > RC_PRELOAD_GAP)
        rc_preload_gap(frame, gap);
    else if (thread->sites[thread->site].foreseen > 0)
        thread->sites[thread->site].foreseen--;
    /* Four calls back nothing is left of one: a program comes by the same place again and again. */
    thread->site = (thread->site << 3 ^ (uint32_t)((uintptr_t)site * 0x9e3779b97f4a7c15u >> 40)) %
                   RC_PRELOAD_PREDICTIONS;
}
#endif

/* Whether the call that begins is to be recorded.  `site` is where it is called from. */
static inline bool rc_preload_enter_at(struct rc_preload_frame *frame, const void *site)
{
    struct rc_preload_thread *thread = rc_preload_self;

    if (!__atomic_load_n(&rc_preload_recording, __ATOMIC_RELAXED))
        return false;
    if (!thread && !(thread = rc_preload_thread_begin()))
        return false;
    if (thread->depth != 0)
        return false;
    thread->depth = 1;
    frame->thread = thread;
    rc_preload_begin_call(frame, site);
    return true;
}

#define rc_preload_enter(frame) rc_preload_enter_at(frame, __builtin_return_address(0))

/* The call has returned. */
static inline void rc_preload_leave(struct rc_preload_frame *frame)
{
    frame->end = rc_preload_now();
}

/* Adds the call to the trace.  Ends what rc_preload_enter() began. */
void rc_preload_record(struct rc_preload_frame *frame, const struct rc_trace_call *call);

/* The same for a test or probe that found nothing. */
void rc_preload_record_poll(struct rc_preload_frame *frame, const struct rc_trace_call *call);

/* Marks that a call failed: nothing else is known of it. */
static inline bool rc_preload_succeeded(struct rc_trace_call *call, int result)
{
    if (result != MPI_SUCCESS)
        call->flags |= RC_TRACE_FAILED;
    return result == MPI_SUCCESS;
}

/* ---- beginning and end ---- */

/* After MPI_Init: tracing begins, if the environment asks for it.  The call began at `start`. */
void rc_preload_begin(unsigned kind, uint64_t start, uint64_t end, int thread_level);

/* All that was recorded is written, with the end mark, and nothing is recorded from then on.  May
 * be called from a signal handler: then nothing is done where the signal came while this thread was
 * writing, and memory is neither taken nor given back unless `calm`, since malloc() may be what it
 * interrupted. */
void rc_preload_end(bool calm);

/* ---- handles, as numbers ---- */

/* The number of a communicator; that of one that is not known where it is none of ours. */
int32_t rc_preload_communicator(MPI_Comm comm);
/* Gives a new communicator a number, which is returned, and puts its members, and the neighbours of
 * its topology, into the list of `call`. */
int32_t rc_preload_communicator_add(struct rc_preload_thread *thread, MPI_Comm comm,
                                    struct rc_trace_call *call);
/* The same for a copy of `parent` whose handle is not known yet. */
int32_t rc_preload_communicator_idup(struct rc_preload_thread *thread, MPI_Comm parent,
                                     struct rc_trace_call *call);
/* The handle of a number that was not known when it was given. */
void rc_preload_communicator_name(int32_t number, MPI_Comm comm);

/* Numbers of windows and files; -1 where they are not known, or the table is full. */
int32_t rc_preload_window(MPI_Win win);
int32_t rc_preload_window_add(MPI_Win win);
int32_t rc_preload_file(MPI_File file);
int32_t rc_preload_file_add(MPI_File file);

/* A matched message: what is known of it from the probe. */
void rc_preload_message_add(MPI_Message message, const struct rc_trace_call *call);
void rc_preload_message_describe(int32_t number, struct rc_trace_call *call);

/* Before a call that ends something, the number of what it is to end; and after it, whether that is
 * gone.  Between the two another thread may get the same handle for something new. */
int32_t rc_preload_communicator_leaving(MPI_Comm comm);
int32_t rc_preload_window_leaving(MPI_Win win);
int32_t rc_preload_file_leaving(MPI_File file);
int32_t rc_preload_message_leaving(MPI_Message message);
void rc_preload_communicator_left(int32_t number, bool gone);
void rc_preload_window_left(int32_t number, bool gone);
void rc_preload_file_left(int32_t number, bool gone);
void rc_preload_message_left(int32_t number, bool gone);

enum rc_preload_request_flag {
    RC_PRELOAD_PERSISTENT = 1,
    RC_PRELOAD_WILD = 2,       /* a receive from any source, or of any tag */
    RC_PRELOAD_ACTIVE = 4,     /* under way */
    RC_PRELOAD_MAKES_COMM = 8, /* MPI_Comm_idup */
    RC_PRELOAD_FORTRAN = 16
};

/* How many requests of receives from any source or of any tag there are. */
extern int rc_preload_wild_requests;

/* Gives a request a number, which is returned; RC_TRACE_NONE where it is null. */
int32_t rc_preload_request_add(MPI_Request request, const void *place, unsigned flags);
/* Its number; -1 where it is null or not known. */
int32_t rc_preload_request(MPI_Request request, const void *place);
/* The number of one that was found to be complete and stays as it is; -1 also where it is a receive
 * from any source or of any tag: only the call that ends it has the source and the tag. */
int32_t rc_preload_request_found(MPI_Request request, const void *place);
/* Whether it is known, and becomes null once it is completed. */
bool rc_preload_request_is_once(MPI_Request request, const void *place);
int32_t rc_preload_request_remove(MPI_Request request, const void *place);
void rc_preload_request_start(int32_t number);
/* What MPI_Comm_idup makes: its handle comes to `place` when the request is completed. */
void rc_preload_request_makes(int32_t number, int32_t communicator, const void *place);
/* A request was completed by a wait or test: its number, or -1 where it was null, inactive or not
 * known.  `*flags` are its flags. */
int32_t rc_preload_request_done(MPI_Request request, const void *place, unsigned *flags);

/* ---- messages ---- */

/* A rank as a trace has it. */
static inline int32_t rc_preload_peer(int rank)
{
    return rank == MPI_PROC_NULL ? RC_TRACE_NULL : rank == MPI_ANY_SOURCE ? RC_TRACE_ANY : rank;
}

/* The same of a tag. */
static inline int32_t rc_preload_tag(int tag)
{
    return tag == MPI_ANY_TAG ? RC_TRACE_ANY : tag;
}

/* The size of elements of 2 GiB or more, of which there are message->count.  Where it is more than
 * a message's size may be, they are counted in bytes. */
void rc_preload_large_elements(struct rc_trace_message *message, MPI_Datatype type);

/* How many elements of which size; 0 bytes where the type is none. */
static inline void rc_preload_elements(struct rc_trace_message *message, int64_t count,
                                       MPI_Datatype type)
{
    int size = 0;

    message->count = count > 0 ? (uint64_t)count : 0;
    message->size = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS)
        return;
    if (size >= 0)
        message->size = (uint32_t)size;
    else
        rc_preload_large_elements(message, type);
}

/* The source of a message: `status` is NULL where that is not known yet. */
static inline void rc_preload_source(struct rc_trace_call *call, struct rc_trace_message *message,
                                     int source, int tag, const MPI_Status *status)
{
    if (source == MPI_ANY_SOURCE)
        call->flags |= RC_TRACE_ANY_SOURCE;
    if (tag == MPI_ANY_TAG)
        call->flags |= RC_TRACE_ANY_TAG;
    message->peer =
        rc_preload_peer(status && source == MPI_ANY_SOURCE ? status->MPI_SOURCE : source);
    message->tag = rc_preload_tag(status && tag == MPI_ANY_TAG ? status->MPI_TAG : tag);
}

/* ---- collective calls whose counts need a look; collective_arguments.c ---- */

/* Numbers of elements, one for each process: one of the two, as the call has them. */
struct rc_preload_counts {
    const int *usual;
    const MPI_Count *large;
};

/* What the call gives and takes, with the counts of each process as a list where it has them.  The
 * arguments are those of MPI; what does not count on this process is not looked at. */
void rc_preload_gather(struct rc_preload_thread *thread, struct rc_trace_call *call,
                       const void *sbuf, int64_t scount, MPI_Datatype stype, int64_t rcount,
                       MPI_Datatype rtype, int root, MPI_Comm comm);
void rc_preload_gatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                        const void *sbuf, int64_t scount, MPI_Datatype stype,
                        struct rc_preload_counts rcounts, MPI_Datatype rtype, int root,
                        MPI_Comm comm);
void rc_preload_scatter(struct rc_preload_thread *thread, struct rc_trace_call *call,
                        int64_t scount, MPI_Datatype stype, const void *rbuf, int64_t rcount,
                        MPI_Datatype rtype, int root, MPI_Comm comm);
void rc_preload_scatterv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                         struct rc_preload_counts scounts, MPI_Datatype stype, const void *rbuf,
                         int64_t rcount, MPI_Datatype rtype, int root, MPI_Comm comm);
void rc_preload_allgather(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, int64_t scount, MPI_Datatype stype, int64_t rcount,
                          MPI_Datatype rtype, MPI_Comm comm);
void rc_preload_allgatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                           const void *sbuf, int64_t scount, MPI_Datatype stype,
                           struct rc_preload_counts rcounts, MPI_Datatype rtype, MPI_Comm comm);
void rc_preload_alltoallv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, struct rc_preload_counts scounts, MPI_Datatype stype,
                          struct rc_preload_counts rcounts, MPI_Datatype rtype, MPI_Comm comm);
void rc_preload_alltoallw(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, struct rc_preload_counts scounts,
                          const MPI_Datatype *stypes, struct rc_preload_counts rcounts,
                          const MPI_Datatype *rtypes, MPI_Comm comm);
void rc_preload_reduce_scatter(struct rc_preload_thread *thread, struct rc_trace_call *call,
                               const void *sbuf, struct rc_preload_counts rcounts,
                               MPI_Datatype rtype, MPI_Comm comm);
void rc_preload_neighbor_allgatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                    int64_t scount, MPI_Datatype stype,
                                    struct rc_preload_counts rcounts, MPI_Datatype rtype,
                                    MPI_Comm comm);
void rc_preload_neighbor_alltoallv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                   struct rc_preload_counts scounts, MPI_Datatype stype,
                                   struct rc_preload_counts rcounts, MPI_Datatype rtype,
                                   MPI_Comm comm);
void rc_preload_neighbor_alltoallw(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                   struct rc_preload_counts scounts, const MPI_Datatype *stypes,
                                   struct rc_preload_counts rcounts, const MPI_Datatype *rtypes,
                                   MPI_Comm comm);
/* The root of a rooted call, as a number. */
int32_t rc_preload_root(int root);

#endif
