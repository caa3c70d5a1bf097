// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_fields.h - the fields of answers about regression models. */
#ifndef RC_ANSWER_FIT_FIELDS_H
#define RC_ANSWER_FIT_FIELDS_H

#include "predict/fit.h"
#include "report/field.h"

/* A model that was fitted. */
struct rc_answer_fit {
    const char *app, *platform, *criterion; /* platform NULL: any */
    struct rc_predict_fitted fitted;
    json_t *notes;
};
extern const struct rc_field rc_answer_fit[];

/* The model of a phase or process; a row, too. */
struct rc_answer_fit_part {
    const char *phase; /* "": all */
    int process;       /* -1: all */
    uint64_t runs;
    size_t members;
    struct rc_regression_error_summary errors;
    char *formula; /* of the best member */
};
extern const struct rc_field rc_answer_fit_part[];

/* Models of phases and processes. */
struct rc_answer_parts {
    const char *app, *platform, *criterion; /* platform NULL: any */
    struct rc_answer_fit_part *parts;
    size_t n_parts, left_out;
    bool stored;
    json_t *notes;
};
extern const struct rc_field rc_answer_parts[];

#endif
