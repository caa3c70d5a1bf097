// SPDX-License-Identifier: GPL-3.0-or-later
/* rank_times.h - what a rank of a traced program spent its time on: MPI calls by their kind, and
 * computing by the calls right before and right after it.
 *
 * Made by one walk over its file, without unfolding loops.  The first call of a loop's body comes
 * after the call before the loop in the first round, and after the last call of the body in all
 * others.  Where the times of all rounds are known (8 at most), each goes where it belongs; of more
 * rounds only statistics are known, and all count as equally long.
 *
 * The run is what lies between the calls that begin and end MPI: they are no part of it, nor is
 * what was before or comes after. */
#ifndef RC_MODEL_STRUCTURAL_RANK_TIMES_H
#define RC_MODEL_STRUCTURAL_RANK_TIMES_H

#include "mpi/trace/trace_set.h"

enum {
    RC_TIMES_KINDS = RC_TRACE_KIND_COUNT + 1, /* the last is for those that are not known */
    RC_TIMES_NOTHING = RC_TIMES_KINDS,        /* in place of the call before the first one */
    RC_TIMES_PLACES = RC_TIMES_KINDS + 1
};

struct rc_rank_times {
    double seconds;                               /* of the run, on this rank */
    double inside[RC_TIMES_KINDS];                /* seconds in calls of that kind */
    double gaps[RC_TIMES_PLACES][RC_TIMES_KINDS]; /* of computing, between a call and the next */
};

/* Whether calls of a kind begin or end MPI. */
bool rc_structural_times_outside(unsigned kind);

/* Reads the file of a rank's first thread.  -1 where it cannot be read, or is not whole. */
int rc_structural_rank_times_read(struct rc_rank_times *times, const struct rc_trace_set_file *file,
                                  struct rc_error *error);

#endif
