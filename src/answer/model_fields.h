// SPDX-License-Identifier: GPL-3.0-or-later
/* model_fields.h - answers about structural models. */
#ifndef RC_ANSWER_MODEL_FIELDS_H
#define RC_ANSWER_MODEL_FIELDS_H

#include "answer/model_explain_fields.h"
#include "answer/value_fields.h"
#include "model/structural/accuracy.h"
#include "model/structural/check.h"
#include "model/structural/model_registry.h"
#include "model/structural/scenario_evaluation.h"
#include "model/structural/task_profile.h"
#include "predict/structural_prediction.h"
#include "report/field.h"

/* A model compared with runs. */
struct rc_answer_model_accuracy {
    const char *model, *app;
    double level, tolerance;                   /* as for struct rc_accuracy_options */
    const struct rc_predict_corrections *made; /* NULL: no corrections */
    struct rc_accuracy accuracy;
    json_t *notes;
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

/* Shares of tasks in a trace. */
struct rc_answer_model_profile {
    const char *model, *section; /* section NULL: none */
    char *of;                    /* "./ga, 4 ranks on node[1-2]" */
    char *statement;
    struct rc_shares shares;
    json_t *notes;
};

/* Models or measured inputs that were removed from the database. */
struct rc_answer_model_removed {
    uint64_t removed;
    json_t *notes;
};

/* The result of a model, and what was used for it. */
struct rc_answer_model_evaluation {
    struct rc_answer_value time;
    const char *model, *section; /* section NULL: none */
    json_t *hosts, *alternatives, *omitted;
    double error, deadline, late;             /* deadline NAN: none */
    const struct rc_scenario_facts *forecast; /* NULL: none */
    json_t *assumed, *notes;
    struct rc_answer_explanation explanation;
};

/* Faults in a model. */
struct rc_answer_model_finding {
    const char *severity, *file, *text;
    unsigned line, column; /* 0: none */
};
struct rc_answer_model_check {
    const char *model, *app;
    const struct rc_model_section *sections;
    size_t n_sections, inputs, tasks, totals;
    size_t counts[3]; /* of findings, by their severity */
    json_t *findings;
};

/* Of the structs of the same name. */
extern const struct rc_field rc_answer_model_check[];
extern const struct rc_field rc_answer_model_finding[];
extern const struct rc_field rc_answer_model_accuracy[];
extern const struct rc_field rc_answer_model_added[];
extern const struct rc_field rc_answer_model_texts[];
extern const struct rc_field rc_answer_model_profile[];
extern const struct rc_field rc_answer_model_removed[];
extern const struct rc_field rc_answer_model_evaluation[];
/* The same with the explanation. */
extern const struct rc_field rc_answer_model_explained[];
/* Rows of tables. */
extern const struct rc_field rc_answer_accuracy_size[]; /* of struct rc_accuracy_size */
extern const struct rc_field rc_answer_stored_model[];  /* of struct rc_structural_entry */
extern const struct rc_field rc_answer_share[];         /* of struct rc_share */
/* Of struct rc_scenario_facts. */
extern const struct rc_field rc_answer_scenario_facts[];

#endif
