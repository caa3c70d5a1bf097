// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.h - where the answer of a model comes from: its tasks as a tree, and its inputs. */
#ifndef RC_MODEL_STRUCTURAL_EXPLAIN_H
#define RC_MODEL_STRUCTURAL_EXPLAIN_H

#include "model/structural/binding.h"

/* A value that was used: of a name, or of one set of its indices. */
struct rc_used {
    char *indices; /* "a1, a2"; "" where it has none */
    double mean, sd;
};

/* A name that was used. */
struct rc_part {
    char *name; /* of one alternative of a task, where that is meant: "Slave.benchmark" */
    const struct rc_item *item; /* of a task, the alternative that is taken; NULL: it is left out */
    const struct rc_task *task; /* NULL of an input or a definition */
    size_t depth;               /* in the tree; 0 is the total */
    struct rc_used *used;       /* in the order in which they were found */
    size_t n_used;
    size_t least, most; /* the used ones with the smallest and the largest mean */
    double share;       /* of the answer: what it would be less without the task; NAN of others */
};

struct rc_explanation {
    struct rc_part *parts; /* the total, its tasks and definitions, each above those it is made of;
                              a part that comes twice is shown with its own only once */
    size_t n_parts;
    struct rc_part *inputs; /* in the order of the model */
    size_t n_inputs;
};

/* Takes apart what `evaluation` found of the binding, of which the total is `value`.  To be freed
 * with rc_structural_explanation_free() in either case. */
int rc_structural_explain(struct rc_binding *binding, struct rc_evaluation *evaluation,
                          const struct rc_value *value, struct rc_explanation *explanation,
                          struct rc_error *error);
void rc_structural_explanation_free(struct rc_explanation *explanation);

#endif
