// SPDX-License-Identifier: GPL-3.0-or-later
/* loose.h - acts of programs whose messages cross iterations.
 *
 * Where receives are posted an iteration ahead, or sends are waited for an iteration later, no act
 * ends before the loop does: all of it is one.  Such an act is split into loose acts: messages with
 * their two ends, and collective calls with all their members, each with the calls that complete
 * its requests.  The calls of a loose act need not follow each other on a rank.
 *
 * A call that completes several requests belongs to one of their loose acts alone, the latest; it
 * has to be made whenever any of them is, for those requests that were begun. */
#ifndef RC_MODEL_SKELETON_MATCH_LOOSE_H
#define RC_MODEL_SKELETON_MATCH_LOOSE_H

#include "model/skeleton/match/acts.h"

/* An act is split where some rank has at least so many calls in it ... */
enum { RC_LOOSE_CALLS = 32 };
/* ... it holds this part of all calls of the program ... */
#define RC_LOOSE_PART 0.01
/* ... and loops make it this many times shorter, or each loose act is there so often on average. */
#define RC_LOOSE_COMPRESSION 4.0
enum { RC_LOOSE_EQUAL = 16 };

/* Replaces each such act by its loose acts, whose parts are single calls.  They come in the order
 * in which their messages would be under way if each call took equally long and no send was done
 * before its receive.  On failure the acts are as they were. */
int rc_skeleton_loose_split(const struct rc_program *program, const struct rc_match *match,
                            struct rc_acts *acts, struct rc_error *error);

#endif
