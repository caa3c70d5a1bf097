// SPDX-License-Identifier: GPL-3.0-or-later
/* compose.h - a shrunk loop tree as the plan of a program. */
#ifndef RC_MODEL_SKELETON_COMPOSE_COMPOSE_H
#define RC_MODEL_SKELETON_COMPOSE_COMPOSE_H

#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/compose/plan.h"
#include "model/skeleton/compose/plan_check.h"
#include "model/skeleton/shrink/loop_tree.h"
#include "mpi/trace/fault_list.h"

/* Makes the plan of a skeleton that is shorter by a ratio, in which messages stand for others that
 * are left out, and may be longer for that, or (`may_lengthen` false) not, unless they are so long
 * that they wait anyway: a longer message may have to wait for its receive.  Free with
 * rc_skeleton_plan_free(); on failure there is nothing to free. */
int rc_skeleton_compose(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                        struct rc_plan *plan, struct rc_error *error);

/* The same, and checks the plan (plan_check.h).  Messages that need not wait are made longer only
 * where the program comes to its end even if all sends wait for their receives. */
int rc_skeleton_compose_checked(const struct rc_loop_tree *tree, double ratio, struct rc_plan *plan,
                                struct rc_plan_checked *checked, struct rc_error *error);

/* ---- what a skeleton of a program can reproduce, and what it cannot ---- */

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
