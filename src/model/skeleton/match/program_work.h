// SPDX-License-Identifier: GPL-3.0-or-later
/* program_work.h - how much of the time between two calls was work: the CPU time, where that is
 * known, and what it may have been where it is not. */
#ifndef RC_MODEL_SKELETON_MATCH_PROGRAM_WORK_H
#define RC_MODEL_SKELETON_MATCH_PROGRAM_WORK_H

#include "mpi/trace/reader.h"

/* What is known of one rank. */
struct rc_skeleton_work_measure {
    double threshold; /* gaps above this many seconds had their CPU time read, if it could be */
    double share;     /* of their time that such gaps were on a CPU, by those that had */
};

/* Reads through a trace. */
int rc_skeleton_work_measure(struct rc_trace *trace, struct rc_skeleton_work_measure *measure,
                             struct rc_error *error);

/* CPU time before a call, on average, in seconds. */
double rc_skeleton_work_mean(const struct rc_skeleton_work_measure *measure,
                             const struct rc_trace_position *position);

/* Whether the gaps whose CPU time was measured stand for all. */
bool rc_skeleton_work_is_measured(const struct rc_skeleton_work_measure *measure,
                                  const struct rc_trace_times *times);

#endif
