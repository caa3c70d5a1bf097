// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink_shares.h - what becomes of event groups of which less than one is left. */
#ifndef RC_MODEL_SKELETON_SHRINK_SHRINK_SHARES_H
#define RC_MODEL_SKELETON_SHRINK_SHRINK_SHARES_H

#include "model/skeleton/shrink/shrink.h"

/* Decides the fate, the size, and who does the computing of each event group of a shrunk tree by
 * `ratio` whose items have their shares; no size is over 1 unless messages may be made longer, or
 * wait anyway. */
int rc_skeleton_shrink_decide(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                              struct rc_shrunk *shrunk, struct rc_error *error);

#endif
