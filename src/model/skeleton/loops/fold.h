// SPDX-License-Identifier: GPL-3.0-or-later
/* fold.h - choosing which repetitions of a string become loops. */
#ifndef RC_MODEL_SKELETON_LOOPS_FOLD_H
#define RC_MODEL_SKELETON_LOOPS_FOLD_H

#include "model/skeleton/loops/loops.h"
#include "model/skeleton/loops/repeats.h"

/* Folds the string, whose repeats and fingerprints are given, into `loops`, of which `items`, `n`
 * and `symbols` are set; the caller frees `items`, also on failure. */
int rc_skeleton_fold(const uint32_t *string, uint32_t n, const struct rc_string_hash *hash,
                     const struct rc_repeats *repeats, struct rc_loops *loops,
                     struct rc_error *error);

#endif
