// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_process_models.h - models of a program's phases and processes (Sanjay and Vadhiyar, section
 * 5).
 *
 * Where runs carry times of phases, of processes, or of processes in phases, each of these gets a
 * separate model (Eq. 4).  Phases follow one another, and a phase is over when its last process
 * is: the answer is the sum over phases of the largest over processes.
 *
 * A process with a high number is only part of runs on many processes, so there can be too few
 * runs for it; it is then left out, and the others answer for it.  The load is that of the run: of
 * single processes none is recorded. */
#ifndef RC_MODEL_REGRESSION_PHASE_PROCESS_MODELS_H
#define RC_MODEL_REGRESSION_PHASE_PROCESS_MODELS_H

#include "model/regression/fit.h"

enum { RC_REGRESSION_PARTS_MAX = 256 };

struct rc_regression_part {
    char *phase; /* "": the whole run */
    int process; /* -1: the whole program */
    struct rc_regression_model *model;
};

struct rc_regression_parts {
    struct rc_regression_part *parts; /* by phase, then by process */
    size_t n_parts;
    size_t left_out;                        /* parts with too few runs */
    char *params[RC_REGRESSION_PARAMS_MAX]; /* that were asked for */
    size_t n_params;                        /* 0: those that each part's runs have */
    double together;                        /* how much their errors have in common: 0 to 1 */
    int64_t up_to; /* the largest id of the runs, also of those without times */
};
void rc_regression_parts_destroy(struct rc_regression_parts *parts);

/* Fits a model for each part that the wanted runs (whose `phase` and `process` are not looked at)
 * have times of: for phases where there are any, each by its processes where these have times of
 * it, or else for processes.  NULL where there are no such times, or too few runs for any part. */
struct rc_regression_parts *rc_regression_parts_fit(struct rc_db *store,
                                                    const struct rc_regression_wanted *wanted,
                                                    enum rc_regression_criterion criterion,
                                                    struct rc_error *error);

/* The answer for a load that is known.  The question holds for all parts' models. */
double rc_regression_parts_seconds(const struct rc_regression_parts *parts,
                                   const struct rc_regression_question *question, double cpu,
                                   double bw);

/* For the database; as those of model.h. */
json_t *rc_regression_parts_to_json(const struct rc_regression_parts *parts);
struct rc_regression_parts *rc_regression_parts_from_json(const json_t *body,
                                                          struct rc_error *error);

#endif
