// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_fields.h - answers of scaling models: plans of small runs, fits, predictions, choices. */
#ifndef RC_ANSWER_SCALE_FIELDS_H
#define RC_ANSWER_SCALE_FIELDS_H

#include "model/scaling/choices.h"
#include "model/scaling/matched_runs.h"
#include "model/scaling/prediction.h"
#include "model/scaling/linearity.h"
#include "report/field.h"

/* ---- plans ---- */

struct rc_answer_scale_run {
    struct rc_scaling_planned run; /* its pointers belong to the plan's */
    const char *block_size;
    size_t stored; /* of its repetitions */
    char *command; /* NULL: not asked for */
};
/* "1.2 core-h", or a share of the target's cost if run times are unknown. */
enum { RC_ANSWER_COST_SIZE = 96 };
const char *rc_answer_scale_cost(double core_hours, double share, char text[RC_ANSWER_COST_SIZE]);

struct rc_answer_scale_plan {
    const char *cluster, *network;
    struct rc_scaling_plan plan; /* its pointers belong to the plan's */
    size_t missing;
    struct rc_answer_scale_run *runs;
    size_t n_runs;
};

struct rc_answer_scale_plans {
    const char *app, *platform;
    struct rc_answer_scale_plan plans[RC_SCALING_PARTS_MAX];
    size_t n_plans;
    const struct rc_scaling_crossing *link; /* NULL: not asked for */
    json_t *notes;
};

/* ---- runs that were made ---- */

struct rc_answer_scale_outcome {
    int64_t procs;
    struct rc_mesh mesh;
    const char *hosts;
    int64_t id;        /* 0: it failed */
    const char *error; /* NULL: it did not */
};

struct rc_answer_scale_measured {
    size_t made, known, failed;
    json_t *runs; /* a list of outcomes; NULL: not wanted */
    json_t *notes;
};

/* ---- fits ---- */

/* A model, and whether its lines are linear. */
struct rc_answer_scale_fitted {
    struct rc_scaling_model model;
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    size_t n_findings, runs;
};

/* The time of the link between two clusters, and notes about it. */
struct rc_answer_scale_link {
    struct rc_scaling_link link;
    struct rc_scaling_notes notes;
};

struct rc_answer_scale_fit {
    const char *app, *platform;
    struct rc_answer_scale_fitted *fitted;
    size_t n_fitted;
    const struct rc_answer_scale_link *link; /* NULL: not asked for */
    int64_t id;                              /* of the stored models; 0: they are not stored */
    size_t models;                           /* stored models of the app on the platform */
    json_t *notes;
};

/* ---- predictions ---- */

/* The six steps for one cluster. */
struct rc_answer_scale_steps {
    struct rc_scaling_model model; /* its pointers belong to the model's */
    struct rc_scaling_parts parts;
    double growth;
};

struct rc_answer_scale_part {
    const char *cluster, *network;
    int per_host;
    int64_t procs, rows;
    struct rc_mesh block; /* where it has rows */
    json_t *time;         /* the same */
    double memory, host_memory;
    bool memory_given; /* given by the user when the model was fitted, not measured */
};

struct rc_answer_scale_prediction {
    struct rc_scaling_prediction is; /* its pointers belong to the prediction's */
    const char *platform, *split;
    json_t *time, *computation, *communication;
    double link; /* seconds; NAN: none */
    struct rc_answer_scale_part parts[RC_SCALING_PARTS_MAX];
    const struct rc_answer_scale_steps *steps; /* NULL: not asked for */
    size_t n_steps;
    json_t *notes;
};

/* ---- choices ---- */

struct rc_answer_scale_choice_part {
    const char *cluster, *network;
    struct rc_choice_part part;
};

enum { RC_ANSWER_CHOICE_NAME = 256 };
struct rc_answer_scale_choice {
    struct rc_mesh mesh;
    char name[RC_ANSWER_CHOICE_NAME];
    const char *state;
    char reason[RC_SCALING_NOTE_SIZE + 64];
    struct rc_answer_scale_choice_part parts[RC_CHOICE_PARTS];
    struct rc_choice choice;       /* its pointers belong to the choices' */
    struct rc_scaling_notes notes; /* of its estimate and its models */
};

struct rc_answer_scale_choices {
    const char *app, *platform;
    json_t *choices; /* a list: there may be too many to be held otherwise */
    json_t *notes;
};

/* Each is of the struct of the same name, except for the columns of the table of choices: the first
 * ones are always there, the second ones with a deadline or a budget. */
extern const struct rc_field rc_answer_scale_run[], rc_answer_scale_plans[], rc_answer_scale_fit[],
    rc_answer_scale_prediction[], rc_answer_scale_choices[];
extern const struct rc_field rc_answer_scale_outcome[], rc_answer_scale_measured[];
extern const struct rc_field rc_answer_scale_choice[], rc_answer_scale_probabilities[];

#endif
