// SPDX-License-Identifier: BSD-2-Clause
/* completions.h - what waits and tests have in common, for C and for Fortran. */
#ifndef RC_MPI_PRELOAD_COMPLETIONS_H
#define RC_MPI_PRELOAD_COMPLETIONS_H

#include "mpi/preload/begin.h"
#include "mpi/preload/recorder.h"

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
