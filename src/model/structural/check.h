// SPDX-License-Identifier: GPL-3.0-or-later
/* check.h - what is wrong with a model that can be read, before it is evaluated. */
#ifndef RC_MODEL_STRUCTURAL_CHECK_H
#define RC_MODEL_STRUCTURAL_CHECK_H

#include "model/structural/model.h"

enum rc_severity {
    RC_FINDING_ERROR,   /* it cannot be evaluated so */
    RC_FINDING_WARNING, /* probably not what was meant */
    RC_FINDING_NOTE     /* good to know: what the user must set */
};

struct rc_finding {
    enum rc_severity severity;
    unsigned file, line, column; /* file: index into the model's; column 0: the whole line; line 0:
                                    the whole file */
    char text[256];
};

/* Calls `each` for every finding: names that nothing has, sets and indices that do not fit,
 * formulas that come back to themselves, totals that are lacking, inputs that nobody uses, that a
 * user must set, or whose table lacks a host.  -1 where memory runs out. */
int rc_structural_model_check(const struct rc_model *model,
                              void (*each)(void *data, const struct rc_finding *finding),
                              void *data, struct rc_error *error);

#endif
