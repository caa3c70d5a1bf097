// SPDX-License-Identifier: BSD-2-Clause
/* init_finalize.c - the beginning and the end of a trace: MPI_Init, MPI_Finalize and what else ends
 * a program.
 *
 * Nothing is done before MPI_Init has returned, and nothing at all where RUNCAST_TRACE_DIR is not
 * set.  A program that ends without MPI_Finalize is written out at its exit, after all that the
 * program itself does there, which may be MPI_Finalize; one that is killed leaves what was in the
 * files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/preload/init_finalize.h"
#include "mpi/preload/recorder_internal.h"

#pragma weak PMPI_Init
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Finalize
#pragma weak PMPI_Abort

RC_PRELOAD_EXPORT uint64_t rc_preload_loaded_wall; /* when this object was, by both clocks: */
static uint64_t loaded;
static pid_t process; /* the one that records */
static int rank;
static bool ended;

__attribute__((constructor)) static void note_time(void)
{
    loaded = rc_preload_now();
    rc_preload_loaded_wall = rc_preload_clock(CLOCK_REALTIME);
}

/* "Open MPI v4.1.4, package: ..." and the like: what is before the first comma or line end. */
static void name_library(char *text, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    text[0] = '\0';
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return;
    version[length < (int)sizeof version ? length : (int)sizeof version - 1] = '\0';
    for (char *c = version; *c; c++)
        if (*c == '\t')
            *c = ' ';
    version[strcspn(version, ",\n")] = '\0';
    snprintf(text, size, "%.200s", version);
}

static int describe(struct rc_trace_header *header)
{
    int ranks;

    memset(header, 0, sizeof *header);
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS)
        return -1;
    header->rank = (uint32_t)rank;
    header->ranks = (uint32_t)ranks;
    header->process = (uint32_t)getpid();
    header->began = loaded;
    header->began_wall = rc_preload_loaded_wall;
    header->cpu_threshold = RC_PRELOAD_GAP;
    rc_preload_place(header);
    name_library(header->mpi, sizeof header->mpi);
    return 0;
}

static void stop_in_child(void)
{
    rc_preload_recording = false;
}

/* Functions that the program gave to atexit(), and destructors of its C++ objects, come before
 * destructors of shared objects.  But those of SMPI's come before, too, and then there is no
 * simulated clock any more. */
#ifndef RC_PRELOAD_SIMULATED
__attribute__((destructor))
#endif
static void
end_at_exit(void)
{
    rc_preload_end(!rc_preload_self || rc_preload_self->depth == 0);
}

/* Programs that a program starts have ranks of their own, which are not those of the trace. */
static bool was_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;

    if (!RC_PRELOAD_THREADS || PMPI_Comm_get_parent(&parent) != MPI_SUCCESS ||
        parent == MPI_COMM_NULL)
        return false;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        dprintf(STDERR_FILENO, "runcast: processes started by MPI_Comm_spawn are not traced\n");
    return true;
}

void rc_preload_begin(unsigned kind, uint64_t start, uint64_t end, int thread_level)
{
    const char *directory = getenv("RUNCAST_TRACE_DIR");
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);
    struct rc_preload_frame frame = {.start = start, .end = end, .cpu = -1};
    struct rc_trace_header header;

    if (!directory || !directory[0] || process != 0)
        return;
    process = getpid();
    rc_preload_many_threads = thread_level == MPI_THREAD_MULTIPLE && RC_PRELOAD_THREADS;
    if (!rc_preload_library_constants()) {
        rc_preload_trouble("the program uses another MPI library");
        return;
    }
    if (was_spawned())
        return;
    if (describe(&header) != 0 || rc_preload_threads_init(directory, &header) != 0 ||
        rc_preload_tables_init() != 0) {
        rc_preload_trouble("cannot begin the trace");
        return;
    }
    frame.thread = rc_preload_thread_begin();
    if (!frame.thread)
        return;
    pthread_atfork(NULL, NULL, stop_in_child);
#ifdef RC_PRELOAD_SIMULATED
    atexit(end_at_exit);
#endif
    __atomic_store_n(&rc_preload_recording, true, __ATOMIC_RELAXED);
    frame.thread->depth = 1;
    rc_preload_began = end;
    rc_preload_record(&frame, &call);
}

void rc_preload_unseen(const char *name)
{
    static bool said;

    if (rank == 0 && __atomic_load_n(&rc_preload_recording, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        dprintf(STDERR_FILENO, "runcast: calls of %s are not traced\n", name);
}

void rc_preload_end(bool calm)
{
    const struct rc_preload_thread *self = rc_preload_self;

    if (process != getpid() || ended ||
        (self && self->writer && rc_trace_writer_is_busy(self->writer)))
        return;
    ended = true;
    __atomic_store_n(&rc_preload_recording, false, __ATOMIC_RELAXED);
    rc_preload_threads_finish(rc_preload_now(), calm);
}

/* ---- the wrappers ---- */

RC_PRELOAD_EXPORT int MPI_Init(int *argc, char ***argv)
{
    uint64_t start = rc_preload_now();
    int result, level = MPI_THREAD_SINGLE;

    rc_preload_library_find();
    result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS) {
        PMPI_Query_thread(&level);
        rc_preload_begin(RC_TRACE_Init, start, rc_preload_now(), level);
    }
    return result;
}

RC_PRELOAD_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    uint64_t start = rc_preload_now();
    int result;

    rc_preload_library_find();
    result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS)
        rc_preload_begin(RC_TRACE_Init_thread, start, rc_preload_now(), *provided);
    return result;
}

void rc_preload_finalized(struct rc_preload_frame *frame, int result)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Finalize);

    rc_preload_leave(frame);
    rc_preload_succeeded(&call, result);
    rc_preload_record(frame, &call);
    rc_preload_end(true);
}

RC_PRELOAD_EXPORT int MPI_Finalize(void)
{
    struct rc_preload_frame frame;
    int result;

    if (!rc_preload_enter(&frame))
        return PMPI_Finalize();
    result = PMPI_Finalize();
    rc_preload_finalized(&frame, result);
    return result;
}

/* MPI_Abort does not return: the trace is written before it.  From inside of another call, by an
 * error handler or a signal handler, the trace ends with the call before that. */
void rc_preload_aborting(MPI_Comm comm)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Abort);
    struct rc_preload_frame frame;

    if (rc_preload_enter(&frame)) {
        rc_preload_leave(&frame);
        call.communicator = rc_preload_communicator(comm);
        rc_preload_record(&frame, &call);
    }
    rc_preload_end(false);
}

RC_PRELOAD_EXPORT int MPI_Abort(MPI_Comm comm, int code)
{
    rc_preload_aborting(comm);
    return PMPI_Abort(comm, code);
}

/* What MPI libraries do with it is nothing; a program may give further arguments. */
void rc_preload_control(int level)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Pcontrol);
    struct rc_preload_frame frame;

    if (!rc_preload_enter(&frame))
        return;
    rc_preload_leave(&frame);
    call.message.tag = level;
    rc_preload_record(&frame, &call);
}

RC_PRELOAD_EXPORT int MPI_Pcontrol(const int level, ...)
{
    rc_preload_control(level);
    return MPI_SUCCESS;
}
