// SPDX-License-Identifier: GPL-3.0-or-later
/* model_explain_fields.h - how a result of a structural model is computed. */
#ifndef RC_ANSWER_MODEL_EXPLAIN_FIELDS_H
#define RC_ANSWER_MODEL_EXPLAIN_FIELDS_H

#include "model/structural/explain.h"
#include "report/field.h"

/* A part of the answer, or an input; nothing of it is its own. */
struct rc_answer_explanation_part {
    struct rc_part part;
    struct rc_item_meta meta;       /* of its item */
    const char *alternative, *kind; /* of a task; NULL: it is left out */
    bool omitted;
    double profile, error;
    size_t n_below; /* rows behind it that belong to it */
    const struct rc_binding *binding;
    double now;
};

/* An alternative that is not used. */
struct rc_answer_not_used {
    const char *task, *alternative, *reason;
    double error;
};

struct rc_answer_explanation {
    struct rc_answer_explanation_part *parts, *inputs;
    size_t n_parts, n_inputs;
    struct rc_answer_not_used *not_used; /* of all tasks that are not omitted */
    size_t n_not_used;
};

/* `explanation` NULL: only unused alternatives.  To be freed; -1 if memory runs out. */
int rc_answer_explanation_make(struct rc_answer_explanation *answer,
                               const struct rc_binding *binding, double now,
                               const struct rc_explanation *explanation);
void rc_answer_explanation_free(struct rc_answer_explanation *answer);

extern const struct rc_field rc_answer_explanation[]; /* JSON */
/* Rows of tables: of parts, of inputs (both of struct rc_answer_explanation_part), and of unused alternatives. */
extern const struct rc_field rc_answer_explanation_part[], rc_answer_input[], rc_answer_not_used[];

#endif
