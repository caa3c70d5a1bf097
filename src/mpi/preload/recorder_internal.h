// SPDX-License-Identifier: BSD-2-Clause
/* recorder_internal.h - internal functions of the recorder: threads, gaps between calls, core
 * speeds, handle tables, waits and tests. */
#ifndef RC_MPI_PRELOAD_RECORDER_INTERNAL_H
#define RC_MPI_PRELOAD_RECORDER_INTERNAL_H

#include "mpi/preload/recorder.h"
#include "mpi/preload/handle_table.h"

#define RC_PRELOAD_EXPORT __attribute__((visibility("default")))

/* ns since 1970 when time 0 of the trace was; smpi_loader.c makes it the same for all ranks. */
extern RC_PRELOAD_EXPORT uint64_t rc_preload_loaded_wall;

/* Fills in host, program and clock; rank_speed.c, and simulated.c for SMPI. */
void rc_preload_place(struct rc_trace_header *header);

/* ---- threads that call MPI, with a file for each ---- */

/* Writes a row of tests that found nothing, if there is one. */
void rc_preload_poll_end(struct rc_preload_thread *thread);

/* Where the files of this process go, and what is the same in all of them. */
int rc_preload_threads_init(const char *directory, const struct rc_trace_header *header);

/* Ends all files at this reading of the clock; where there was trouble, without end marks.  Memory
 * is only taken and given back where it is `calm`. */
void rc_preload_threads_finish(uint64_t now, bool calm);

/* ---- what the computing between two calls touches, reads and writes ----
 *
 * Of the first thread only, and seldom: compute_gaps.c has the rules. */

enum { RC_PRELOAD_GAP_NOTED = 1000000 }; /* ns; shorter ones are not looked at */

/* At the end of `call`, after which a gap of that length is expected. */
void rc_preload_gap_open(struct rc_preload_thread *thread, const struct rc_trace_call *call,
                         uint64_t expected);

/* At the end of a long gap, which began at the end of the thread's last call; how many ns at its
 * beginning were taken by looking. */
uint64_t rc_preload_gap_close(const struct rc_preload_thread *thread);

/* Whether looking at the gap that was closed last, of that length, made its own CPU time longer by
 * more than a little. */
bool rc_preload_gap_disturbed(uint64_t length);

/* The call that came after the gap. */
void rc_preload_gap_note(const struct rc_trace_call *call);

/* Writes what was noted; returns the largest footprint, 0 where none is known. */
uint64_t rc_preload_gaps_write(struct rc_trace_writer *writer);

extern bool rc_preload_gap_pending; /* rc_preload_gap_note() is to be called */

/* ---- how fast the core of this rank is while the program runs ----
 *
 * Computing is recorded as CPU time, and a skeleton does as much again in units of the kernel
 * (base/compute_kernel.h).  How many of these are in a second depends on the machine, on what its
 * other cores do, and on the moment: so it is measured here, now and then, by the thread that
 * called MPI_Init.
 *
 * Ranks leave MPI_Init at about the same time, and the moments for samples are counted from there:
 * those that wait for each other do so for samples that are taken at the same time. */

/* At the end of computing, once the thread's CPU clock has been read: takes a sample if there was
 * none since the last multiple of RC_PRELOAD_SPEED_EVERY, and then reads that clock again. */
void rc_preload_speed_sample(struct rc_preload_thread *thread, uint64_t now);

/* At the end, when the other ranks are at theirs too: takes more samples where there are few, goes
 * over memory up to the size of `footprint`, and writes all that. */
void rc_preload_speed_write(struct rc_trace_writer *writer, uint64_t footprint);

enum { RC_PRELOAD_SPEED_EVERY = 100000000 }; /* ns: a sample takes under 0.1 % of that */

/* ---- tables of handles ---- */

/* Makes all tables empty; -1 where there is no memory. */
int rc_preload_tables_init(void);
/* That of communicators, with those that MPI makes. */
int rc_preload_communicators_init(void);

/* How many processes a collective call has on the other side: all of the communicator, or of the
 * remote group of an inter-communicator; and this one's rank.  For neighbourhoods, how many this
 * process receives from and sends to. */
struct rc_preload_sizes {
    int rank, others;
    int sources, destinations;
};
void rc_preload_communicator_sizes(MPI_Comm comm, struct rc_preload_sizes *sizes);

/* A handle as the key of a table: an MPI may have pointers or numbers. */
#define RC_PRELOAD_KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* ---- what waits and tests have in common, for C and for Fortran ---- */

/* Numbers of a status in Fortran. */
enum { RC_PRELOAD_STATUS_FINTS = sizeof(MPI_Status) / sizeof(MPI_Fint) };

/* What a wait or test is asked about. */
struct rc_preload_wait {
    struct rc_preload_frame frame;
    unsigned kind;
    bool fortran;               /* the program's requests and statuses are Fortran's */
    int n;                      /* of requests */
    const MPI_Request *handles; /* as they were before the call; NULL where memory failed */
    const char *places;         /* where the program keeps them */
    const void *statuses; /* the program's, or ours where it wants none but we do; NULL: none */
};

/* Keeps the handles of `n` requests, which the call will change. */
void rc_preload_wait_begin(struct rc_preload_wait *wait, unsigned kind, int n, const void *requests,
                           bool fortran);

/* Statuses for `n` requests, where the program wants none: needed only where a receive from any
 * source is under way.  NULL: none are needed, or there is no memory. */
void *rc_preload_wait_statuses(struct rc_preload_wait *wait, int n);

/* After the call: `n_done` of the requests were completed, those at `indices` (from 0), or all
 * where that is NULL; the statuses are in the same order.  Records the call, with RC_TRACE_DONE
 * where it is a test. */
void rc_preload_wait_end(struct rc_preload_wait *wait, int result, int n_done, const int *indices);

/* The same for a test that found nothing. */
void rc_preload_wait_found_nothing(struct rc_preload_wait *wait);

/* Requests that a program starts: their numbers as a list. */
void rc_preload_started(struct rc_preload_wait *wait, int result);

#endif
