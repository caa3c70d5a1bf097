// SPDX-License-Identifier: GPL-3.0-or-later
/* door.h - the one door: a question about a run goes to every family of models that has what it
 * needs, and one distribution comes back.
 *
 * Each family answers from evidence of its own, or says in one line what it lacks.  Answers are
 * joined by how earlier ones of each family fared (mixture.h), and the result is recalibrated so
 * that its intervals hold as often as they say (recalibrate.h).  What is learnt from there is what
 * the door would have said of the runs that came, had it known then by how much each family is off
 * and what it is worth: its earlier answers as it would give them now.  (Those that it gave then
 * were not corrected yet; learning from them would correct twice.)  Only the ends of the interval
 * move by that: a family that is off has its factor, and regression has learnt those runs itself.
 *
 * A door is opened once and asked many times: models and records are read when it is opened. */
#ifndef RC_PREDICT_DOOR_H
#define RC_PREDICT_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "predict/predict.h"
#include "predict/recalibrate.h"
#include "runcast.h"
#include "model/skeleton/probe/trials.h"

enum rc_door_family {
    RC_DOOR_REGRESSION, /* a model of the app's runs */
    RC_DOOR_STRUCTURE,  /* a structural model that the store has of the app */
    RC_DOOR_SCALING,    /* a model of its small runs ('runcast scale fit') */
    RC_DOOR_SKELETON,   /* a fresh run of the skeleton of a recording that the store knows */
    RC_DOOR_SLOWDOWN,   /* its time on idle hosts, and who else is busy on these */
    RC_DOOR_FAMILIES
};
#define RC_DOOR_ALL ((1U << RC_DOOR_FAMILIES) - 1)
#define RC_DOOR_FAMILY "door" /* what answers of the door are called in the store */

/* "regression" and so on; rc_predict_door_family_find() is -1 where there is none of that name. */
const char *rc_predict_door_family_name(enum rc_door_family family);
int rc_predict_door_family_find(const char *name);

struct rc_door;
/* What the predictions of a family are called in the store; of RC_DOOR_FAMILIES, those of the
 * door. */
const char *rc_predict_door_stored(const struct rc_door *door, int family);

/* What does not change from question to question.  rc_predict_door_options_init() gives the defaults; all
 * that it points to must outlive the door. */
struct rc_door_options {
    const char *app;
    const char *platform;           /* its name; NULL: any */
    const struct rc_platform *file; /* NULL: there is none */
    unsigned families;              /* those that are asked: a set of 1 << enum rc_door_family */
    size_t draws;                   /* RC_PREDICT_DRAWS */
    /* of regression */
    enum rc_regression_criterion criterion;
    bool parts; /* models of phases and processes */
    /* of structural models, as in structural.h */
    const char *const *set, *const *uses;
    size_t n_set, n_uses;
    double omit; /* NAN */
    bool explain;
};
void rc_predict_door_options_init(struct rc_door_options *options);

/* Reads models and records.  The store must stay open as long as the door.  NULL where something is
 * wrong, such as a store that is damaged; a family that has nothing to answer from is no failure.
 * Close with rc_predict_door_close(). */
struct rc_door *rc_predict_door_open(struct rc_db *store, const struct rc_door_options *options,
                                     struct rc_error *error);
void rc_predict_door_close(struct rc_door *door);

/* Families that have something to answer from, as a set. */
unsigned rc_predict_door_open_families(const struct rc_door *door);

/* Runs the skeleton at `program`, for as often as it likes.  -1 where that fails. */
typedef int rc_predict_door_probe(void *data, const char *program, struct rc_trials *trials,
                                  struct rc_error *error);

/* Start from rc_predict_door_question_init(). */
struct rc_door_question {
    double n;
    int64_t p;
    const char *const *hosts; /* none: not known */
    size_t n_hosts;
    const struct rc_param *params;
    size_t n_params;
    double start;   /* what was sampled later, and runs that had not ended by then, do not count */
    double cpu, bw; /* a load that is said, in place of the one to come: regression alone answers,
                       and nothing is recalibrated.  NAN: not said */
    uint64_t seed;
    struct rc_host_forecast
        *forecast;                /* of these hosts from that start on, for who has one; NULL: it is
                                   read from the store */
    const double *run_model;      /* times by regression, by rising time, as many as the door draws,
                                   from who knows more of the hosts; NULL: it is asked here */
    rc_predict_door_probe *probe; /* NULL: none */
    void *probe_data;
};
void rc_predict_door_question_init(struct rc_door_question *question);

/* How earlier predictions of the app by one family fared. */
struct rc_predict_door_record {
    size_t n;     /* that have their run, which had ended by the start that is asked for */
    double error; /* on average, in percent; NAN: there are none */
    double held;  /* share of the 90 % intervals that hold their run; NAN likewise */
};

/* What a family says.  Draws belong to the door, and are good until the next question. */
struct rc_door_part {
    bool asked; /* it is one of those that the door was opened for */
    bool answered;
    struct rc_error why; /* of one that was asked and has not answered: what it lacks, with a hint
                            at what would be needed */
    const double *draws; /* of the time, by rising time */
    size_t n_draws;
    struct rc_predict_summary summary; /* of these; NAN for a load that it does not know */
    struct rc_predict_door_record record;
    double factor; /* that it is multiplied by in the door's answer, by its record; 1 for a family
                      that learns from runs by itself, which are regression, and slowdown where it
                      goes out from that */
    double error;  /* that is to be expected of it then, relative */
    double weight; /* in the door's answer; they sum to 1.  0: it has not answered */
    int64_t id; /* of the prediction in the store, by rc_predict_door_keep(); 0: it is not there */
};

struct rc_door_answer {
    struct rc_door_part parts[RC_DOOR_FAMILIES];
    size_t answered; /* how many of them.  0: nothing of the rest but `nearest` is set */
    size_t nearest;  /* where nobody has answered: the family that has most of what it needs */
    size_t best;     /* which of them has the largest weight */
    const double *draws;
    size_t n_draws;
    struct rc_predict_summary summary; /* the load is that of regression, where it has answered */
    struct rc_predict_summary mixed;   /* before it was recalibrated */
    struct rc_recalibration learnt;    /* n 0: it was not */
    struct rc_predict_door_record record; /* of the door itself */
    bool given; /* for a load or for ways that were said: not to be kept */
    int64_t id;
};

/* Asks all families.  One that answers alone has weight 1, and its draws are the door's, unless the
 * record says otherwise.  -1 where something is wrong; that nobody can answer is no failure. */
int rc_predict_door_ask(struct rc_door *door, const struct rc_door_question *question,
                        struct rc_door_answer *answer, struct rc_error *error);

/* ---- keeping ---- */

/* Models that were fitted, or have learnt, when the door was opened go to the store, which is open
 * for writing; no more happens where there are none. */
int rc_predict_door_keep_models(struct rc_door *door, struct rc_db *store, struct rc_error *error);
bool rc_predict_door_has_models(const struct rc_door *door);

/* Keeps the answer of the latest question: one prediction for each family that has answered and,
 * where `whole`, the door's own.  All or nothing; ids go to the answer. */
int rc_predict_door_keep(struct rc_door *door, struct rc_db *store,
                         const struct rc_door_question *question, struct rc_door_answer *answer,
                         bool whole, struct rc_error *error);

/* ---- for who shows it; all of it is good until the next question ---- */

struct rc_run_model;
struct rc_predict_structural;

/* What the answers rest on; NULL where the family was not asked. */
const struct rc_run_model *rc_predict_door_run_model(const struct rc_door *door);
const struct rc_predict_structural *rc_predict_door_structural(const struct rc_door *door);

/* Where the run is, as an expression: the hosts of the question or, where it names none, those that
 * the structural model was bound to; NULL: not known. */
const char *rc_predict_door_hosts(const struct rc_door *door);

#endif
