// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink_bytes.h - how many bytes remain between any two ranks of a shrunk tree. */
#ifndef RC_MODEL_SKELETON_SHRINK_SHRINK_BYTES_H
#define RC_MODEL_SKELETON_SHRINK_SHRINK_BYTES_H

#include "model/skeleton/shrink/shrink.h"

struct rc_shrunk_bytes;

/* For a shrunk tree whose event groups have their fates; messages may be made longer, or only those
 * that wait. NULL, with `error` set, where memory runs out.  Both stay the caller's and must
 * outlive it.  Destroy with rc_skeleton_shrink_bytes_destroy(). */
struct rc_shrunk_bytes *rc_skeleton_shrink_bytes_create(const struct rc_loop_tree *tree,
                                                        struct rc_shrunk *shrunk, bool may_lengthen,
                                                        struct rc_error *error);
void rc_skeleton_shrink_bytes_destroy(struct rc_shrunk_bytes *bytes);

/* By what part the bytes from one rank to another, or those of the collective calls of a
 * communicator, are more or less than they should be, or than they could be with other sizes of
 * event groups: the largest of all. */
double rc_skeleton_shrink_bytes_off(struct rc_shrunk_bytes *bytes);

/* Brings the sizes of event groups closer to that, as far as messages stay of the order that they
 * were. */
void rc_skeleton_shrink_bytes_mend(struct rc_shrunk_bytes *bytes);

/* Whether all messages of an event group are so long that their sends wait for the receives with
 * any MPI, and so may become longer whatever the program relies on. */
bool rc_skeleton_shrink_waits(const struct rc_loop_tree *tree,
                              const struct rc_loop_tree_leaf *leaf);

/* ---- what becomes of event groups of which less than one is left ---- */

/* Decides the fate, the size, and who does the computing of each event group of a shrunk tree by
 * `ratio` whose items have their shares; no size is over 1 unless messages may be made longer, or
 * wait anyway. */
int rc_skeleton_shrink_decide(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                              struct rc_shrunk *shrunk, struct rc_error *error);

#endif
