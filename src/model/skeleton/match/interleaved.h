// SPDX-License-Identifier: GPL-3.0-or-later
/* interleaved.h - event groups of programs whose messages cross iterations.
 *
 * They are called interleaved since the calls of one group stand among those of others on a rank.
 * (Nondeterministic is something else: nondeterminism.h.)
 *
 * Where receives are posted an iteration ahead, or sends are waited for an iteration later, no
 * event group ends before the loop does: all of it is one.  Such an event group is split into
 * interleaved groups: messages with their two ends, and collective calls with all their members,
 * each with the calls that complete its requests.  The calls of an interleaved group need not
 * follow each other on a rank.
 *
 * A call that completes several requests belongs to one of their interleaved groups alone, the
 * latest; it has to be made whenever any of them is, for those requests that were begun. */
#ifndef RC_MODEL_SKELETON_MATCH_INTERLEAVED_H
#define RC_MODEL_SKELETON_MATCH_INTERLEAVED_H

#include "model/skeleton/match/event_groups.h"

/* An event group is split where some rank has at least so many calls in it ... */
enum { RC_INTERLEAVED_CALLS = 32 };
/* ... it holds this part of all calls of the program ... */
#define RC_INTERLEAVED_PART 0.01
/* ... and loops make it this many times shorter, or each interleaved group is there so often on
 * average. */
#define RC_INTERLEAVED_COMPRESSION 4.0
enum { RC_INTERLEAVED_EQUAL = 16 };

/* Replaces each such event group by its interleaved groups, whose parts are single calls.  They
 * come in the order in which their messages would be under way if each call took equally long and
 * no send was done before its receive.  On failure the event groups are as they were. */
int rc_skeleton_interleaved_split(const struct rc_program *program, const struct rc_match *match,
                                  struct rc_event_groups *groups, struct rc_error *error);

#endif
