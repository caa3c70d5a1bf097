// SPDX-License-Identifier: GPL-3.0-or-later
/* run_model.h - predictions from a regression model of an app's runs: opened once, asked many
 * times. */
#ifndef RC_PREDICT_RUN_MODEL_H
#define RC_PREDICT_RUN_MODEL_H

#include "predict/parts.h"
#include "predict/predict.h"
#include "predict/source.h"

enum rc_run_model_load {
    RC_RUN_MODEL_GIVEN,
    RC_RUN_MODEL_FORECAST, /* at least in part */
    RC_RUN_MODEL_DEDICATED /* nothing is known */
};

/* Start from {0}; free with rc_predict_run_model_free(). */
struct rc_run_model {
    enum rc_regression_criterion criterion;
    bool by_parts; /* models of phases and processes */
    struct rc_predict_source source;
    /* of the latest question */
    struct rc_predict_parts asked; /* by parts */
    const struct rc_regression_model
        *model; /* whose ranges are told: of parts, the largest share's */
    struct rc_regression_question question;
    struct rc_regression_beyond beyond;
    enum rc_run_model_load load;
    struct rc_host_forecast *forecast; /* that was read for it; NULL: none was */
    double pace;     /* of the slowest of the hosts, as in struct rc_regression_question */
    double *weights; /* of each host, by that of the slowest; NULL: all are alike */
    bool looked;     /* there was an forecast: what it knows is in `facts` */
    struct rc_predict_host_forecast_facts facts;
};
void rc_predict_run_model_free(struct rc_run_model *run_model);

/* Gets the model of `app` on `platform` (NULL: of runs on any).  As rc_predict_source_near(). */
int rc_predict_run_model_open(struct rc_db *store, const char *app, const char *platform,
                              const struct rc_regression_speeds *speeds,
                              enum rc_regression_criterion criterion, bool parts,
                              struct rc_run_model *run_model, struct rc_error *error);

/* What models of this kind are called in the store. */
const char *rc_predict_run_model_family(const struct rc_run_model *run_model);

/* Where it will run, and from when on. */
struct rc_run_model_place {
    struct rc_db *store; /* where the load of the hosts is read */
    const char *const *hosts;
    size_t n_hosts;
    double start;
    bool idle;                         /* whatever the load of the hosts: they are to be idle */
    struct rc_host_forecast *forecast; /* of these hosts; NULL: it is read */
};

/* The time of a run that is described but for its time: under the load that it says or, where it
 * says none, under the load to come of its hosts or, where nothing is known of that, on a dedicated
 * machine.  Fills `draws`, by rising time.  1; 0 where the model cannot be asked so, or the run
 * would not end under the load foreseen, with why in `error`; -1 where reading fails. */
int rc_predict_run_model_ask(struct rc_run_model *run_model, const struct rc_run *run,
                             const struct rc_run_model_place *place, struct rc_random *random,
                             double *draws, size_t n_draws, struct rc_predict_summary *summary,
                             struct rc_error *error);

/* Puts the model into the store where it differs from the one there; `platform` is the one that it
 * was opened for. */
int rc_predict_run_model_keep(struct rc_run_model *run_model, struct rc_db *store, const char *app,
                              const char *platform, struct rc_error *error);

#endif
