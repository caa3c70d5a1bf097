// SPDX-License-Identifier: GPL-3.0-or-later
/* predictor.h - the one predictor: a question about a run goes to every method that has what it
 * needs, and one distribution comes back.
 *
 * Each method has its own evidence, and answers or reports what is missing.  Answers are combined
 * by the track record of each method (mixture.h), and the result is recalibrated so that their
 * coverage is right (recalibrate.h).  Recalibration uses what the predictor would have answered for
 * past runs with the present factors and weights of the methods.  (Its answers at that time had
 * other factors; learning from them would correct twice.)  It moves only the ends of the interval:
 * a biased method has its factor, and regression has already learned those runs.
 *
 * A predictor is opened once and asked many times: models and track records are read when it is
 * opened.  It belongs to one thread. */
#ifndef RC_PREDICT_PREDICTOR_H
#define RC_PREDICT_PREDICTOR_H

#include "predict/method.h"
#include "predict/method_history.h"
#include "predict/recalibrate.h"
#include "predict/time_limit.h"

struct rc_predictor;

#define RC_COMBINED "combined"    /* the name of combined predictions, ... */
#define RC_COMBINED_STORED "door" /* ... and their method in the database */

/* "regression" and so on; rc_predict_method_find() is -1 if there is none of that name. */
const char *rc_predict_method_name(enum rc_method method);
int rc_predict_method_find(const char *name);
/* The method's name in the database; of RC_METHODS, that of combined predictions. */
const char *rc_predict_stored_as(int method, const struct rc_predict_options *options);

/* Reads models and track records for the app and the platform of `question`.  The database must
 * stay open as long as the predictor, and so must the texts that `question` points to.  NULL where
 * something is wrong, such as a damaged database; that a method has nothing to answer from is no
 * failure.  Close with rc_predict_close(). */
struct rc_predictor *rc_predict_open(struct rc_db *db, const struct rc_question *question,
                                     const struct rc_predict_options *options,
                                     struct rc_error *error);
void rc_predict_close(struct rc_predictor *predictor);

/* Methods that answer from a model of the app, and have one, as a set. */
unsigned rc_predict_open_models(const struct rc_predictor *predictor);
/* What a method lacked when the predictor was opened; NULL: it is open, or was not asked for. */
const struct rc_error *rc_predict_unavailable(const struct rc_predictor *predictor,
                                              enum rc_method method);

/* What a method has answered.  Samples belong to the predictor, and are good until the next
 * question. */
struct rc_method_report {
    const char *name;
    bool asked; /* it is one of those that the predictor was opened for */
    bool answered;
    struct rc_error why; /* of one that was asked and has not answered: what is missing */
    struct rc_method_answer answer;
    struct rc_track_summary record;
    double factor; /* that it is multiplied by in the combined answer, by its track record */
    double error;  /* that is to be expected of it then, relative */
    double weight; /* in the combined answer; they sum to 1.  0: it has not answered */
    int64_t id; /* of the prediction in the database, by rc_predict_store(); 0: it is not there */
};

struct rc_predict_answer {
    struct rc_method_report methods[RC_METHODS];
    size_t answered;       /* how many of them.  0: nothing of the rest but `nearest` is set */
    size_t nearest;        /* where none has answered: the method that has most of what it needs */
    size_t best;           /* which of them has the largest weight */
    const double *samples; /* by rising time */
    size_t n_samples;
    struct rc_predict_summary summary;  /* the load is that of the first method that knows it */
    struct rc_predict_summary combined; /* before it was recalibrated */
    struct rc_recalibration learnt;     /* n 0: it was not */
    struct rc_track_summary record;     /* of the combined predictions */
    const char
        *hosts; /* where the run is: those of the question or, where it names none, those that
                          a method takes; NULL: unknown */
    bool given; /* for a load or for alternatives that were set: not to be stored */
    int64_t id;
};

/* Asks all methods.  One that answers alone has weight 1, and its samples are the answer's, unless
 * its track record says otherwise.  The app and the platform must be those that the predictor was
 * opened for.  -1 where the system failed; that no method can answer is no failure. */
int rc_predict_ask(struct rc_predictor *predictor, const struct rc_question *question,
                   struct rc_predict_answer *answer, struct rc_error *error);

/* The time limit from n samples by rising time, which is exceeded with probability `risk`.  It is
 * corrected by the past accuracy of a method (RC_METHODS: of combined predictions). */
int rc_predict_time_limit(const struct rc_predictor *predictor, int method, const double *samples,
                          size_t n, double risk, struct rc_time_limit *time_limit,
                          struct rc_error *error);

/* Takes in a run that was just predicted, for the questions to come. */
int rc_predict_learn(struct rc_predictor *predictor, const struct rc_run *run,
                     struct rc_error *error);

/* ---- storing ---- */

/* Whether models were fitted, or have learned from runs of the database, when it was opened ... */
bool rc_predict_has_models(const struct rc_predictor *predictor);
/* ... and puts them into the database, which is open for writing. */
int rc_predict_store_models(struct rc_predictor *predictor, struct rc_db *db,
                            struct rc_error *error);

/* Stores the latest answer: one prediction for each method that has answered and, where `combined`,
 * the combined one.  All or nothing; ids go to the answer. */
int rc_predict_store(struct rc_predictor *predictor, struct rc_db *db,
                     const struct rc_question *question, struct rc_predict_answer *answer,
                     bool combined, struct rc_error *error);

/* ---- what answers rest on, to be shown; good until the next question ---- */

/* NULL where the method is not open. */
const struct rc_run_model *rc_predict_run_model(const struct rc_predictor *predictor);
const struct rc_predict_structural *rc_predict_structural(const struct rc_predictor *predictor);
const struct rc_predict_history *rc_predict_history(const struct rc_predictor *predictor);
/* The model of the app's runs, which regression and slowdown share; NULL: there is none. */
const struct rc_predict_source *rc_predict_runs(const struct rc_predictor *predictor);

#endif
