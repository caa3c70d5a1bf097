// SPDX-License-Identifier: GPL-3.0-or-later
/* cut_shares.h - what becomes of acts of which less than one is left. */
#ifndef RC_MODEL_SKELETON_SHRINK_CUT_SHARES_H
#define RC_MODEL_SKELETON_SHRINK_CUT_SHARES_H

#include "model/skeleton/shrink/cut.h"

/* Decides the fate, the size, and the heir of each act of a cut by `ratio` whose items have their
 * shares; no size is over 1 unless messages may be made longer, or wait anyway. */
int rc_skeleton_cut_decide(const struct rc_form *form, double ratio, bool may_lengthen,
                           struct rc_cut *cut, struct rc_error *error);

#endif
