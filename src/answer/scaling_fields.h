// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_fields.h - the fields of predictions for several numbers of processes. */
#ifndef RC_ANSWER_SCALING_FIELDS_H
#define RC_ANSWER_SCALING_FIELDS_H

#include "predict/predictor.h"
#include "report/field.h"

/* The prediction for one number of processes. */
struct rc_answer_scaled {
    int64_t procs;
    char *hosts;        /* of the run; NULL: unknown */
    const char *method; /* or RC_COMBINED */
    struct rc_predict_summary summary;
    double speedup, efficiency; /* by medians, relative to the fewest processes */
    double core_hours;          /* expected */
    double cost;                /* expected; NAN: unknown */
};

/* All that it points to belongs to the caller. */
struct rc_answer_scaling {
    struct rc_question question; /* of all of them: but for processes and hosts */
    double created;              /* Unix time */
    const char *currency;        /* "": unknown */
    struct rc_answer_scaled *list;
    size_t n; /* at least 1; `procs` rises */
    json_t *notes;
};

extern const struct rc_field rc_answer_scaling[]; /* of struct rc_answer_scaling */

/* The columns of the table, of struct rc_answer_scaled; the last one is "cost". */
extern const struct rc_field rc_answer_scaled[];

#endif
