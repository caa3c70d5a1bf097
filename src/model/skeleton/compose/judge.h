// SPDX-License-Identifier: GPL-3.0-or-later
/* judge.h - what a skeleton of a program can reproduce, and what it cannot. */
#ifndef RC_MODEL_SKELETON_COMPOSE_JUDGE_H
#define RC_MODEL_SKELETON_COMPOSE_JUDGE_H

#include "model/skeleton/shrink/form.h"
#include "mpi/trace/faults.h"

struct rc_judgement {
    struct rc_faults refusals; /* why there should be no skeleton of it */
    struct rc_faults notes;    /* what the user should know */
};

/* Looks at a form, and at the ratio by which it is to be cut (0: none yet).  Free with
 * rc_skeleton_judgement_free(). */
void rc_skeleton_judge(const struct rc_form *form, double ratio, struct rc_judgement *judgement);
void rc_skeleton_judgement_free(struct rc_judgement *judgement);

#endif
