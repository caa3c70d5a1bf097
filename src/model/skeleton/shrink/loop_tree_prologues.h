// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_tree_prologues.h - what ranks compute before the loops of a loop tree. */
#ifndef RC_MODEL_SKELETON_SHRINK_LOOP_TREE_PROLOGUES_H
#define RC_MODEL_SKELETON_SHRINK_LOOP_TREE_PROLOGUES_H

#include <stdbool.h>

#include "model/skeleton/shrink/loop_tree.h"

/* Of a call at a place of the loop tree: its first iterations alone, in the innermost loop. */
struct rc_loop_tree_opening {
    double n, work; /* how many, and the sum of their computing */
    uint32_t event; /* one of them */
};

/* For each place of the string, whether it is in the first iteration of the innermost loop around
 * it; `first` has room for the string's length, and is false everywhere. */
void rc_skeleton_loop_tree_first_iterations(const struct rc_loops *loops, bool *first);

/* Finds the prologues of the loop tree.  The sums of its calls are not yet divided; those of calls
 * with a prologue are made as if it were not there. */
int rc_skeleton_loop_tree_find_prologues(struct rc_loop_tree *tree,
                                         const struct rc_loop_tree_opening *openings,
                                         struct rc_error *error);

#endif
