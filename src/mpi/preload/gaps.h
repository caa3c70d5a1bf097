// SPDX-License-Identifier: BSD-2-Clause
/* gaps.h - how much memory the computing between two calls touches, and what it reads and writes.
 *
 * Of the first thread only, and seldom: gaps.c has the rules. */
#ifndef RC_MPI_PRELOAD_GAPS_H
#define RC_MPI_PRELOAD_GAPS_H

#include "mpi/preload/recorder.h"

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

#endif
