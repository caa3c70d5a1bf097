// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - what is answered about structural models. */
#ifndef RC_ANSWER_MODEL_H
#define RC_ANSWER_MODEL_H

#include "base/timestamp.h"
#include "model/structural/accuracy.h"
#include "model/structural/benchmarks.h"
#include "model/structural/explain.h"
#include "model/structural/registry.h"
#include "model/structural/scenarios.h"
#include "model/structural/traced.h"
#include "predict/structural_model.h"
#include "report/field.h"

/* A model against runs. */
struct rc_answer_model_accuracy {
    const char *model, *app;
    double level, within;                      /* as for struct rc_accuracy_options */
    const struct rc_predict_corrections *made; /* NULL: none was asked for */
    struct rc_accuracy accuracy;
};

/* A measured value of an input, and what it was measured with. */
struct rc_answer_measured {
    const char *input, *row, *column; /* hosts; "" where the input has no such parameter */
    struct rc_benchmark_value value;
    struct rc_benchmark_how how; /* its empty texts are NULL */
    double sd;
    char when[RC_TIME_SIZE];
    bool fresh; /* measured by this call */
};

/* The values of the inputs of a model on a platform, and what was done about them. */
struct rc_answer_measuring {
    const char *app, *platform;
    size_t n_measured, n_known, n_failed, n_not_tried;
    bool interrupted;
    struct rc_answer_measured *values;
    size_t n_values;
};

/* A command that measures inputs. */
struct rc_answer_measuring_job {
    const char *const *hosts;
    size_t n_hosts;
    const char **inputs;
    size_t n_inputs;
    char text[160]; /* "add, bw on a1 and a2" */
    double size;
    int64_t times;
    char *command;
};
struct rc_answer_measuring_plan {
    size_t n_known;
    struct rc_answer_measuring_job *jobs;
    size_t n_jobs;
};

/* A model that was added to the database. */
struct rc_answer_model_added {
    const char *app, *platform, *model, *replaced; /* platform NULL: any; replaced NULL: none */
    size_t n_files;
    int64_t id;
};

/* A stored model with its texts. */
struct rc_answer_model_texts {
    const char *app, *platform, *model;
    double made;
    int64_t id;
    struct rc_model_file *files;
    size_t n_files;
};

/* The shares of tasks in a trace. */
struct rc_answer_model_profile {
    const char *model, *section, *of, *statement; /* section NULL: none */
    struct rc_shares shares;
};

/* Of the structs of the same name. */
extern const struct rc_field rc_answer_model_accuracy[];
extern const struct rc_field rc_answer_measuring[];
extern const struct rc_field rc_answer_measuring_plan[];
extern const struct rc_field rc_answer_model_added[];
extern const struct rc_field rc_answer_model_texts[];
extern const struct rc_field rc_answer_model_profile[];
/* Rows of tables. */
extern const struct rc_field rc_answer_measured[];      /* of struct rc_answer_measured */
extern const struct rc_field rc_answer_measuring_job[]; /* of struct rc_answer_measuring_job */
extern const struct rc_field rc_answer_accuracy_size[]; /* of struct rc_accuracy_size */
extern const struct rc_field rc_answer_stored_model[];  /* of struct rc_structural_entry */
extern const struct rc_field rc_answer_share[];         /* of struct rc_share */
/* Of struct rc_scenario_facts, and of struct rc_used. */
extern const struct rc_field rc_answer_scenario_facts[];
extern const struct rc_field rc_answer_used[];

#endif
