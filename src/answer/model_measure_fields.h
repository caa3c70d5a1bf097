// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_fields.h - answers about measured inputs of structural models. */
#ifndef RC_ANSWER_MODEL_MEASURE_FIELDS_H
#define RC_ANSWER_MODEL_MEASURE_FIELDS_H

#include "model/structural/measuring.h"
#include "report/field.h"

/* A measured value of an input, and the conditions of the measurement. */
struct rc_answer_measured {
    const char *input, *row, *column; /* hosts; "" where the input has no such parameter */
    struct rc_benchmark_value value;
    struct rc_benchmark_how how; /* its empty texts are NULL */
    double sd;
    bool fresh; /* measured by this call */
};

/* The measured inputs of a model on a platform, and the outcome of this call. */
struct rc_answer_measuring {
    const char *app, *platform;
    size_t n_measured, n_known, n_failed, n_not_tried;
    bool interrupted;
    struct rc_answer_measured *values;
    size_t n_values;
    json_t *notes;
};

/* A command that measures inputs. */
struct rc_answer_measuring_job {
    const struct rc_measuring *plan;
    size_t job;
    double size; /* NAN: of no run */
    int64_t times;
    char *command;
};
struct rc_answer_measuring_plan {
    size_t n_known;
    struct rc_answer_measuring_job *jobs;
    size_t n_jobs;
    json_t *notes;
};

/* "add, bw on a1 and a2" */
void rc_answer_measuring_describe(const struct rc_measuring *plan, size_t job, char *text,
                                  size_t size);
/* All measured values of the model's inputs that match the present 'measure' clauses; to be freed.
 * NULL if memory runs out. */
struct rc_answer_measured *rc_answer_measured_list(const struct rc_measuring *plan,
                                                   const struct rc_measuring_made *made, size_t *n);

extern const struct rc_field rc_answer_measuring[], rc_answer_measuring_plan[];
/* Rows of tables. */
extern const struct rc_field rc_answer_measured[], rc_answer_measuring_job[];

#endif
