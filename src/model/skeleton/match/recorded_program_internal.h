// SPDX-License-Identifier: GPL-3.0-or-later
/* recorded_program_internal.h - what the files share that read a recorded program: how much of
 * the time between two calls was work, computing before loops, calls that did nothing, memory and
 * files. */
#ifndef RC_MODEL_SKELETON_MATCH_RECORDED_PROGRAM_INTERNAL_H
#define RC_MODEL_SKELETON_MATCH_RECORDED_PROGRAM_INTERNAL_H

#include "mpi/trace/reader.h"
#include "model/skeleton/match/recorded_program.h"
#include "mpi/trace/compute_notes.h"

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

/* ---- computing before a loop, as distinct from that between its iterations ----
 *
 * What is computed before a loop is, in a trace, computing before the first call of its body, in
 * the first iteration.  Averaged over the iterations it would move into the loop; and where ranks
 * wait for each other in there, as in a pipeline, that takes another time. */

/* Of the first call of a loop's body. */
struct rc_prologue {
    double share; /* the part of all its computing that is done on top before the loop; 0: none */
    double rest;  /* the part of its times that are those of other iterations */
};

/* `iterations` are those of the loop, at least 2, each time that it is come to. */
struct rc_prologue rc_skeleton_prologue_find(const struct rc_trace_position *position,
                                             uint64_t iterations);

/* ---- calls that did nothing: tests and probes that found nothing, and calls that failed ----
 *
 * How many of them there are depends on timing, and so no loop would be found around them. */

/* Takes them out of the events of a rank.  What is computed before such a call is then computed
 * before the next one that is left (or in the rank's tail), and its time is in that call. Positions
 * are added for that; the others stay.  `*passed` is how many found nothing: those that failed are
 * not counted. */
int rc_skeleton_program_drop_unsuccessful(struct rc_program_rank *rank, size_t *passed,
                                          struct rc_error *error);

/* ---- what was noted of memory and files ---- */

/* Sets the footprints, and the bytes of files, of a rank's positions, whose events are known. */
int rc_skeleton_program_apply_notes(struct rc_program_rank *rank, const struct rc_trace_note *notes,
                                    size_t n, struct rc_error *error);

/* Gives positions whose footprint is not known that of others, on average, of this rank and the
 * other ones: with the same kinds of calls, and sizes, before and after the computing, and less in
 * proportion where that is shorter.  Each rank looks at its memory now and then only. */
int rc_skeleton_program_share_footprints(struct rc_program *program, struct rc_error *error);

#endif
