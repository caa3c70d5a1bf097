// SPDX-License-Identifier: GPL-3.0-or-later
/* check_declarations.h - a check of a model, as its two files share it: check.c goes through
 * formulas and what a total leads to, check_declarations.c looks at inputs, sets, tasks and traces.
 */
#ifndef RC_MODEL_STRUCTURAL_CHECK_DECLARATIONS_H
#define RC_MODEL_STRUCTURAL_CHECK_DECLARATIONS_H

#include "base/error.h"
#include "model/structural/check.h"

struct rc_check {
    const struct rc_model *model;
    void (*each)(void *data, const struct rc_finding *finding);
    void *data;
    int view;                   /* section that is looked at; -1: none */
    const struct rc_item *item; /* whose formula is looked at */
    bool *used;                 /* of each item: a total leads to it */
    char *states;               /* of each item, on the path from a total */
    bool *walked; /* of the first alternative of each task: all of its alternatives were visited */
    bool again;   /* what can be said only once was said */
    struct rc_finding *reported; /* RC_CHECK_FINDINGS_MAX at most */
    size_t n_reported;
};
enum { RC_CHECK_FINDINGS_MAX = 500 };
enum { RC_CHECK_NEW, RC_CHECK_ON_THE_PATH, RC_CHECK_DONE };

/* Reports a finding, unless one was reported for this place before. */
void rc_structural_check_find(struct rc_check *check, enum rc_severity severity, unsigned file,
                              unsigned line, unsigned column, const char *format, ...)
    RC_PRINTF(6, 7);
/* " on PLATFORM" where one is looked at. */
const char *rc_structural_check_where(const struct rc_check *check,
                                      char text[RC_EXPRESSION_NAME_MAX + 8]);
/* The set of that name in a view, or NULL. */
const struct rc_model_set *rc_structural_check_find_set(const struct rc_model *model, int view,
                                                        const char *name);

/* In the view that is looked at, once states are known. */
void rc_structural_check_inputs(struct rc_check *check);
void rc_structural_check_sets(struct rc_check *check);
/* Once all views were looked at. */
void rc_structural_check_used(struct rc_check *check);
void rc_structural_check_tasks(struct rc_check *check);
void rc_structural_check_traced(struct rc_check *check);

#endif
