// SPDX-License-Identifier: BSD-2-Clause
/* speed.h - how fast the core of this rank is while the program runs.
 *
 * Computing is recorded as CPU time, and a skeleton does as much again in units of the kernel
 * (base/kernel.h).  How many of these are in a second depends on the machine, on what its other
 * cores do, and on the moment: so it is measured here, now and then, by the thread that called
 * MPI_Init.
 *
 * Ranks leave MPI_Init at about the same time, and the moments for samples are counted from there:
 * those that wait for each other do so for samples that are taken at the same time. */
#ifndef RC_MPI_PRELOAD_SPEED_H
#define RC_MPI_PRELOAD_SPEED_H

#include "mpi/preload/recorder.h"

/* At the end of computing, once the thread's CPU clock has been read: takes a sample if there was
 * none since the last multiple of RC_PRELOAD_SPEED_EVERY, and then reads that clock again. */
void rc_preload_speed_sample(struct rc_preload_thread *thread, uint64_t now);

/* At the end, when the other ranks are at theirs too: takes more samples where there are few, goes
 * over memory up to the size of `footprint`, and writes all that. */
void rc_preload_speed_write(struct rc_trace_writer *writer, uint64_t footprint);

enum { RC_PRELOAD_SPEED_EVERY = 100000000 }; /* ns: a sample takes under 0.1 % of that */

#endif
