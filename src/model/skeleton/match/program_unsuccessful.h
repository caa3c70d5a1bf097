// SPDX-License-Identifier: GPL-3.0-or-later
/* program_unsuccessful.h - calls that did nothing: tests and probes that found nothing, and calls
 * that failed.  How many of them there are depends on timing, and so no loop would be found around
 * them. */
#ifndef RC_MODEL_SKELETON_MATCH_PROGRAM_UNSUCCESSFUL_H
#define RC_MODEL_SKELETON_MATCH_PROGRAM_UNSUCCESSFUL_H

#include "model/skeleton/match/program.h"

/* Takes them out of the events of a rank.  What is computed before such a call is then computed
 * before the next one that is left (or in the rank's tail), and its time is in that call. Positions
 * are added for that; the others stay.  `*passed` is how many found nothing: those that failed are
 * not counted. */
int rc_skeleton_program_drop_unsuccessful(struct rc_program_rank *rank, size_t *passed,
                                          struct rc_error *error);

#endif
