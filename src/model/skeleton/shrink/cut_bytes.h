// SPDX-License-Identifier: GPL-3.0-or-later
/* cut_bytes.h - how many bytes remain between any two ranks of a cut. */
#ifndef RC_MODEL_SKELETON_SHRINK_CUT_BYTES_H
#define RC_MODEL_SKELETON_SHRINK_CUT_BYTES_H

#include "model/skeleton/shrink/cut.h"

struct rc_cut_bytes;

/* For a cut whose acts have their fates; messages may be made longer, or only those that wait.
 * NULL, with `error` set, where memory runs out.  Form and cut stay the caller's and must outlive
 * it.  Destroy with rc_skeleton_cut_bytes_destroy(). */
struct rc_cut_bytes *rc_skeleton_cut_bytes_create(const struct rc_form *form, struct rc_cut *cut,
                                                  bool may_lengthen, struct rc_error *error);
void rc_skeleton_cut_bytes_destroy(struct rc_cut_bytes *bytes);

/* By what part the bytes from one rank to another, or those of the collective calls of a
 * communicator, are more or less than they should be, or than they could be with other sizes of
 * acts: the largest of all. */
double rc_skeleton_cut_bytes_off(struct rc_cut_bytes *bytes);

/* Brings the sizes of acts closer to that, as far as messages stay of the order that they were. */
void rc_skeleton_cut_bytes_mend(struct rc_cut_bytes *bytes);

/* Whether all messages of an act are so long that their sends wait for the receives with any MPI,
 * and so may become longer whatever the program relies on. */
bool rc_skeleton_cut_waits(const struct rc_form *form, const struct rc_form_leaf *leaf);

#endif
