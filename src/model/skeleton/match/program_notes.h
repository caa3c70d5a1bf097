// SPDX-License-Identifier: GPL-3.0-or-later
/* program_notes.h - what was noted of memory and files goes to the positions of a program. */
#ifndef RC_MODEL_SKELETON_MATCH_PROGRAM_NOTES_H
#define RC_MODEL_SKELETON_MATCH_PROGRAM_NOTES_H

#include "model/skeleton/match/program.h"
#include "mpi/trace/notes.h"

/* Sets the footprints, and the bytes of files, of a rank's positions, whose events are known. */
int rc_skeleton_program_apply_notes(struct rc_program_rank *rank, const struct rc_trace_note *notes,
                                    size_t n, struct rc_error *error);

/* Gives positions whose footprint is not known that of others, on average, of this rank and the
 * other ones: with the same kinds of calls, and sizes, before and after the computing, and less in
 * proportion where that is shorter.  Each rank looks at its memory now and then only. */
int rc_skeleton_program_share_footprints(struct rc_program *program, struct rc_error *error);

/* From the speeds of all ranks that of the program, and each rank's pace. */
void rc_skeleton_program_average_speed(struct rc_program *program);

#endif
