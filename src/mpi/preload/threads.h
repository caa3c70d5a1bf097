// SPDX-License-Identifier: BSD-2-Clause
/* threads.h - the threads that call MPI, with a file for each. */
#ifndef RC_MPI_PRELOAD_THREADS_H
#define RC_MPI_PRELOAD_THREADS_H

#include "mpi/preload/recorder.h"

/* Writes a row of tests that found nothing, if there is one. */
void rc_preload_poll_end(struct rc_preload_thread *thread);

/* Where the files of this process go, and what is the same in all of them. */
int rc_preload_threads_init(const char *directory, const struct rc_trace_header *header);

/* Ends all files at this reading of the clock; where there was trouble, without end marks.  Memory
 * is only taken and given back where it is `calm`. */
void rc_preload_threads_finish(uint64_t now, bool calm);

#endif
