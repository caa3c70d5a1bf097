// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_prediction.h - predictions from a structural model that the database has for an app.
 *
 * The model is bound to the run that is asked for and followed along the forecast load, as far as
 * it needs that (model/structural/scenario_evaluation.h).  Its expected error widens the answer: a
 * stated accuracy is taken for two standard deviations, as in rc_structural_binding_spread(), but
 * of a factor that is lognormal, since a time cannot be negative. */
#ifndef RC_PREDICT_STRUCTURAL_PREDICTION_H
#define RC_PREDICT_STRUCTURAL_PREDICTION_H

#include "predict/run_time_distribution.h"
#include "predict/recalibrate.h"
#include "model/structural/accuracy.h"
#include "model/structural/scenario_evaluation.h"
#include "model/structural/explain.h"
#include "model/structural/model_registry.h"

enum rc_predict_structural_load {
    RC_PREDICT_STRUCTURAL_GIVEN, /* an input that the model takes from a series or a forecast is set */
    RC_PREDICT_STRUCTURAL_FORECAST, /* series were forecast */
    RC_PREDICT_STRUCTURAL_SERIES,   /* what was measured lately is taken to go on */
    RC_PREDICT_STRUCTURAL_STATED /* there is nothing of the load in it but what the model states */
};

/* Start from {0}; free with rc_predict_structural_free(). */
struct rc_predict_structural {
    struct rc_structural source;
    char **assignments;
    size_t n_assignments;
    struct rc_binding *binding;
    enum rc_predict_structural_load load;
    struct rc_scenario_facts facts;
    struct rc_explanation explanation; /* where it was asked for */
    struct rc_param *given; /* inputs without parameters that were set to a number, ... */
    size_t n_given;
    struct rc_param *assumed; /* ... and those that the model has a number for; both as far as they
                                 count for the answer */
    size_t n_assumed;
    double error;                   /* that is expected, relative; it is in the answer */
    bool certain;                   /* the model came to a number, and not to a distribution */
    bool forgot;                    /* memory ran out on the way */
    struct rc_predict_summary own;  /* the uncorrected answer of the model, ... */
    struct rc_recalibration learnt; /* ... and what it was corrected by: by nothing where n is 0 */
    bool negative; /* it came to times below 0, for which next to nothing was taken */
};
void rc_predict_structural_free(struct rc_predict_structural *structural);

/* Gets the model of `app` for a platform (NULL: any) from the database. */
int rc_predict_structural_open(struct rc_db *store, const char *app, const char *platform,
                               struct rc_predict_structural *structural, struct rc_error *error);

/* Forgets the latest question and its answer, so that it can be asked again. */
void rc_predict_structural_forget(struct rc_predict_structural *structural);

/* Fills `draws`, of which there may be fewer than `*n_draws` then, which rise, and sums them up;
 * the load of the summary is NAN.  Parameters of the question set inputs of their names; what
 * `options` sets wins over them, and neither may be of an input from the size or the processes.
 * If the model comes to one number, that is the median.  -1 where the model cannot be asked so,
 * with the place in it if there is one, or the system failed. */
int rc_predict_structural_answer(struct rc_predict_structural *structural, struct rc_db *store,
                                 const struct rc_question *question,
                                 const struct rc_predict_options *options, struct rc_random *random,
                                 double *draws, size_t *n_draws, struct rc_predict_summary *summary,
                                 struct rc_error *error);

/* Corrects an answer by how this model's earlier predictions fared: its own numbers, before they
 * were corrected, by rising time, so that corrections do not feed on corrections.  Fewer than
 * RC_RECALIBRATE_LEAST change nothing. */
int rc_predict_structural_correct(struct rc_predict_structural *structural,
                                  const struct rc_past_prediction *past, size_t n, double *draws,
                                  size_t n_draws, struct rc_predict_summary *summary,
                                  struct rc_error *error);

/* What was corrected; `level` is that of the intervals, and is to be set before. */
struct rc_predict_corrections {
    double level;
    size_t n;      /* predictions that were corrected */
    double factor; /* that they were multiplied by, geometric mean; NAN where none was */
};

/* For `revise` of struct rc_accuracy_options; `data` is a struct rc_predict_corrections.  Each
 * prediction becomes what it would have been, had those of runs that ended before been learned
 * from.  -1 where memory runs out. */
int rc_predict_correct_in_turn(void *data, struct rc_accuracy_run *runs, size_t n,
                               struct rc_error *error);

#endif
