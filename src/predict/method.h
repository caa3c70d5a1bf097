// SPDX-License-Identifier: GPL-3.0-or-later
/* method.h - the interface of a prediction method.
 *
 * There is one table of operations for each method, in method_*.c, with its own state.
 * Combining, recalibrating and storing answers use this header, and know no method by its name. */
#ifndef RC_PREDICT_METHOD_H
#define RC_PREDICT_METHOD_H

#include "predict/run_time_distribution.h"
#include "predict/question.h"
#include "predict/regression_source.h"
#include "predict/track_record.h"

struct rc_run_model;
struct rc_predict_history;
struct rc_predict_structural;

enum rc_method {
    RC_METHOD_REGRESSION, /* a model of the app's runs */
    RC_METHOD_STRUCTURAL, /* a structural model of the app, which the database has */
    RC_METHOD_SCALING,    /* a model of its small runs */
    RC_METHOD_SKELETON,   /* a fresh run of the performance skeleton of a trace */
    RC_METHOD_SLOWDOWN,   /* its dedicated run time, and the competing load of the hosts */
    RC_METHOD_HISTORY,    /* a few of its runs, and what is known of programs in general */
    RC_METHODS
};
#define RC_METHODS_ALL ((1U << RC_METHODS) - 1)

/* The regression model of the app's runs, opened once for all methods that need it. */
struct rc_shared_runs {
    bool tried;
    struct rc_predict_source source; /* where `there` */
    bool there;
    struct rc_error missing; /* why there is none */
    struct rc_regression_speeds
        speeds; /* of hosts, as the platform file or a calibration has them */
};

/* What a method is opened with. */
struct rc_method_setup {
    struct rc_db *db;
    const char *app, *platform;              /* as in struct rc_question */
    const struct rc_platform *platform_file; /* likewise */
    const struct rc_predict_options *options;
    struct rc_shared_runs *runs;
    const struct rc_track_record *record; /* filled in once all are open */
};

/* The three are never confused: an error is of memory or of the database, and ends the question. */
enum rc_method_result {
    RC_METHOD_ERROR = -1,
    RC_METHOD_UNAVAILABLE = 0, /* it has no answer, and the error describes what is missing */
    RC_METHOD_ANSWERED = 1     /* of `open`: it is ready */
};

/* An answer.  What it points to belongs to the method, and is good until the next question. */
struct rc_method_answer {
    double *samples;  /* of the run time, which rise; the predictor gives the room */
    size_t n_samples; /* at first the room */
    struct rc_predict_summary summary; /* NAN for a load that it does not know */
    /* Before it was corrected by its track record; NULL: it was not. */
    const double *own_samples;
    const struct rc_predict_summary *own;
    bool learns; /* its model has learned from the runs of its track record by itself */
    bool given; /* it is for a load, or for alternatives, that the user has set: not to be stored */
    const char *const *hosts; /* that it takes where the question names none */
    size_t n_hosts;
    const struct rc_param *set, *assumed; /* further numbers that a run must have, or must not
                                             have otherwise, to be the one that was predicted */
    size_t n_set, n_assumed;
};

struct rc_method_ops {
    const char *name;
    double prior;          /* as in mixture.h, by the evaluation of combined predictions */
    bool from_model;       /* it answers from a model of the app that users make */
    bool stands_in;        /* it gives way to methods that know more than the app's runs */
    bool knows_given_load; /* it can be asked about a load that is given, ... */
    bool knows_idle;       /* ... about hosts that are idle, ... */
    bool knows_any_run;    /* ... and about a run of unknown size or number of processes */

    /* What its predictions are called in the database; NULL: they have its name. */
    const char *(*stored_as)(const struct rc_predict_options *options);
    /* Reads what it answers from.  On RC_METHOD_ANSWERED, `*state` goes to the others; it may also
     * be set otherwise, and is closed in any case. */
    enum rc_method_result (*open)(const struct rc_method_setup *setup, void **state,
                                  struct rc_error *error);
    enum rc_method_result (*ask)(void *state, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error);
    void (*close)(void *state); /* also NULL */
    /* The id of its model in the database; 0, or NULL for the function: there is none. */
    int64_t (*model_id)(const void *state);
    /* Whether a prediction of the track record was made by the present model; NULL: all count. */
    bool (*is_present)(const void *state, const struct rc_track_entry *entry);
    /* Takes in a run, before the next question; NULL: it does not learn that way. */
    int (*learn)(void *state, const struct rc_run *run, struct rc_error *error);
};

extern const struct rc_method_ops rc_method_regression, rc_method_structural, rc_method_scaling,
    rc_method_skeleton, rc_method_slowdown, rc_method_history;

/* Of a lower-level failure: an error where the system failed, otherwise the method is unavailable.
 */
static inline enum rc_method_result rc_predict_method_failed(const struct rc_error *error)
{
    return error->system ? RC_METHOD_ERROR : RC_METHOD_UNAVAILABLE;
}

/* Opens the regression model of the app's runs, at the first call; in method_regression.c. */
enum rc_method_result rc_predict_shared_runs(const struct rc_method_setup *setup,
                                             struct rc_error *error);

/* The model with its latest question, of a state of regression, of structural models or of history:
 * for those who show what an answer rests on. */
const struct rc_run_model *rc_predict_method_run_model(const void *state);
const struct rc_predict_structural *rc_predict_method_structural(const void *state);
const struct rc_predict_history *rc_predict_method_history(const void *state);

#endif
