// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - the parts of 'runcast predict'. */
#ifndef RC_CMD_PREDICT_PREDICT_H
#define RC_CMD_PREDICT_PREDICT_H

#include "answer/predict_fields.h"
#include "answer/scaling_fields.h"
#include "cmd/core/command.h"
#include "cmd/core/params.h"
#include "cmd/core/procs_list.h"
#include "db/common_run.h"
#include "platform/hostlist.h"

struct rc_cmd_predict_options {
    const char *db, *app, *platform, *platform_file, *hosts, *criterion, *plot, *input, *output;
    const char *procs;
    const char *quantiles; /* NULL: the default */
    const char *method;    /* or RC_COMBINED */
    const char *probe;
    struct rc_option_list param, set, alternative;
    double size, cpu, bandwidth, at, omit, risk;
    int64_t samples, seed;
    bool phases, learn, no_store, explain, extrapolate, json;
};

enum { RC_CMD_QUANTILES_MAX = 64 };

/* What a question may take from the runs of the app. */
enum rc_cmd_predict_default {
    RC_CMD_DEFAULT_SIZE = 1 << 0,
    RC_CMD_DEFAULT_PROCS = 1 << 1,
    RC_CMD_DEFAULT_HOSTS = 1 << 2
};

/* A question with its answer. */
struct rc_cmd_answer {
    const struct rc_cmd_predict_options *options;
    enum rc_regression_criterion criterion;
    int asked;      /* the one method that is asked; -1: all, and the combined answer is shown */
    char *platform; /* its name; NULL: any */
    struct rc_platform *platform_file; /* NULL: none was named */
    struct rc_cmd_procs numbers;       /* of processes, which rise; several: for a table */
    int64_t procs;                     /* of the run that is asked about */
    double size;                       /* likewise */
    struct rc_common_run common;       /* where defaults are taken from; n_runs 0: not read */
    unsigned defaults;                 /* those that were: a set of enum rc_cmd_predict_default */
    struct rc_hostlist hosts;
    double pace; /* speed of the hosts relative to those of the runs; 0: unknown */
    enum rc_weights_from pace_from;
    double start;
    double quantiles[RC_CMD_QUANTILES_MAX];
    struct rc_param params[RC_OPTION_LIST_MAX];
    size_t n_params;
    struct rc_predict_options wanted;
    struct rc_predictor *predictor;
    int shown;                                      /* the method whose load and model are shown */
    const struct rc_run_model *run_model;           /* of regression; NULL: it has no model */
    const struct rc_predict_structural *structural; /* of structural models; NULL: none is asked */
    struct rc_answer_predict report;
};

/* The question; in question.c.  Checks the options and returns an exit status; reads quantiles and
 * parameters, whose names go to `names`, and the hosts. */
int rc_cmd_predict_check(const struct rc_invocation *invocation,
                         const struct rc_cmd_predict_options *options);
int rc_cmd_predict_read(struct rc_cmd_answer *answer, char names[][RC_CMD_PARAM_SIZE],
                        struct rc_error *error);
int rc_cmd_predict_places(struct rc_cmd_answer *answer, struct rc_error *error);
/* In defaults.c: takes a size, a number of processes and hosts that the options leave out from the
 * runs of the app, where all agree.  0, or an exit status with the error reported. */
int rc_cmd_predict_take_defaults(struct rc_cmd_answer *answer, struct rc_db *db);
/* Reports what was taken, as text or for JSON. */
void rc_cmd_predict_defaults_show(const struct rc_cmd_answer *answer);
json_t *rc_cmd_predict_defaults_json(const struct rc_cmd_answer *answer);
/* An error, with a run to record first as its hint, where regression alone would answer far beyond
 * its runs and --extrapolate was not given; in reach.c. */
int rc_cmd_predict_check_reach(const struct rc_cmd_answer *answer, struct rc_error *error);
/* Places another number of processes on the platform; how many fit there, INT64_MAX: any number. */
int rc_cmd_predict_place(struct rc_cmd_answer *answer, int64_t procs, struct rc_error *error);
int64_t rc_cmd_predict_room(const struct rc_cmd_answer *answer);

/* Opens the predictor, asks, stores the answer, and shows it; in answer.c.  An exit status, with
 * the error reported. */
int rc_cmd_predict_answer(struct rc_cmd_answer *answer);
/* Steps of it.  Asks about the processes and hosts that were placed: `found` goes to the report,
 * with what is shown of it unless no method answered.  Then, reports what the nearest one lacks,
 * and returns an exit status.  Stores new models and, where `prediction`, the answer. */
int rc_cmd_predict_ask(struct rc_cmd_answer *answer, struct rc_error *error);
int rc_cmd_predict_lack(struct rc_cmd_answer *answer);
void rc_cmd_predict_store(struct rc_cmd_answer *answer, bool prediction, struct rc_cmd_work *work);
/* Draws the scaling curve with n predicted runs.  Places other numbers of processes and asks the
 * predictor about them, so hosts and latest answer are lost. */
int rc_cmd_predict_draw(struct rc_cmd_answer *answer, const struct rc_answer_scaled *runs, size_t n,
                        struct rc_db *db, struct rc_cmd_work *work, struct rc_error *error);

/* The same for several numbers of processes, in scaling_table.c.  The predictor is open. */
int rc_cmd_predict_table(struct rc_cmd_answer *answer, struct rc_db *db, struct rc_cmd_work *work);

/* In notes.c: notes on the answer.  -1 if `store` cannot be read. */
int rc_cmd_predict_notes(const struct rc_cmd_answer *answer, struct rc_db *store,
                         struct rc_error *error);

/* In probe.c: runs a skeleton by a command with {skeleton}, {procs} and {hosts}, also {slots} where
 * these are known. */
struct rc_cmd_probe {
    const char *command, *program;
    int64_t procs;
    const char *const *hosts;
    const int *slots; /* of each host; NULL: unknown */
    size_t n_hosts;
};
int rc_cmd_probe_run(const struct rc_cmd_probe *probe, const struct rc_monitor *monitor,
                     struct rc_trials *trials, struct rc_error *error);
/* Does so for the predictor; `data` is the answer. */
rc_predict_probe rc_cmd_predict_probe;

/* In methods.c: the answers of all methods as a table; those that answered in one line, which
 * begins with `lead`; how the combined prediction was recalibrated; the phases of a run as a table.
 */
int rc_cmd_predict_methods_show(const struct rc_cmd_answer *answer, struct rc_error *error);
void rc_cmd_predict_methods_line(const struct rc_predict_answer *found, const char *lead);
void rc_cmd_predict_recalibration_line(const struct rc_cmd_answer *answer);
int rc_cmd_predict_phases_show(const struct rc_cmd_answer *answer, struct rc_error *error);

/* Prints the answer as text or JSON; in show.c.  -1 if memory runs out. */
int rc_cmd_predict_show(const struct rc_cmd_answer *answer, struct rc_error *error);
/* A line of it: `what` is `factor` times beyond the runs, if the factor is above 1. */
void rc_cmd_predict_extrapolation_line(const char *what, double factor, double asked,
                                       struct rc_range seen);

/* In structural_show.c, for structural models: prints load and model; notes on its inputs; load and
 * model for JSON, to be freed, and the explanation (NULL: none); reports that it failed. */
int rc_cmd_predict_structure_show(const struct rc_cmd_answer *answer, struct rc_error *error);
void rc_cmd_predict_structure_notes(const struct rc_cmd_answer *answer);
struct rc_answer_structural rc_cmd_predict_structure_make(const struct rc_cmd_answer *answer);
void rc_cmd_predict_structure_free(struct rc_answer_structural *made);
json_t *rc_cmd_predict_structure_explain(const struct rc_cmd_answer *answer);
int rc_cmd_predict_structure_fail(const struct rc_cmd_answer *answer, const struct rc_error *error);

/* 'runcast predict --input'; in csv.c. */
int rc_cmd_predict_csv(const struct rc_cmd_predict_options *options,
                       const struct rc_platform *platform, enum rc_regression_criterion criterion);

/* "md on intel", for errors; in predict.c. */
int rc_cmd_predict_fail(const struct rc_error *error, const struct rc_cmd_predict_options *options);

/* Reads "paper" or "default". */
enum rc_regression_criterion rc_cmd_criterion(const char *name);
extern const char *const rc_cmd_criteria[];

/* The values of --method, up to a NULL; the first is RC_COMBINED. */
extern const char *const rc_cmd_predict_methods[];

#endif
