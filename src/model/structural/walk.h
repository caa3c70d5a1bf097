// SPDX-License-Identifier: GPL-3.0-or-later
/* walk.h - what a formula of a model rests on; for the files of a binding only. */
#ifndef RC_MODEL_STRUCTURAL_WALK_H
#define RC_MODEL_STRUCTURAL_WALK_H

#include "model/structural/bound.h"

enum {
    RC_WALK_ALTERNATIVES = 64, /* more are counted again each time they are met */
    RC_WALK_STEPS_MAX = 1000000
};

struct rc_walk {
    struct rc_binding *binding;
    bool *items, *tasks; /* been there */
    unsigned depth;
    size_t steps; /* references followed */
    /* what was found */
    double squares;               /* of the expected errors, summed */
    bool stale;                   /* an input is older than its lifetime */
    char old[RC_REASON_SIZE];     /* ... which one */
    char missing[RC_REASON_SIZE]; /* what is not there; "" as long as nothing is */
    const struct rc_task *waits;  /* a task that is not decided yet; or NULL */
    const struct rc_alternative
        *alternatives[RC_WALK_ALTERNATIVES]; /* been there, by their own names */
    size_t n_alternatives;
};

/* -1 where memory runs out; to be ended either way. */
int rc_structural_walk_begin(struct rc_walk *walk, struct rc_binding *binding,
                             struct rc_error *error);
void rc_structural_walk_expression(struct rc_walk *walk, const struct rc_expression *expression);
void rc_structural_walk_end(struct rc_walk *walk);

#endif
