// SPDX-License-Identifier: GPL-3.0-or-later
/* suitability.h - what a skeleton of a program can reproduce, and what it cannot. */
#ifndef RC_MODEL_SKELETON_COMPOSE_SUITABILITY_H
#define RC_MODEL_SKELETON_COMPOSE_SUITABILITY_H

#include "model/skeleton/shrink/loop_tree.h"
#include "mpi/trace/faults.h"

struct rc_suitability {
    struct rc_faults refusals; /* why there should be no skeleton of it */
    struct rc_faults notes;    /* what the user should know */
};

/* Looks at a loop tree, and at the ratio by which it is to be shrunk (0: none yet).  Free with
 * rc_skeleton_suitability_free(). */
void rc_skeleton_suitability_check(const struct rc_loop_tree *tree, double ratio,
                                   struct rc_suitability *suitability);
void rc_skeleton_suitability_free(struct rc_suitability *suitability);

#endif
