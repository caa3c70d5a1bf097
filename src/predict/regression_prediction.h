// SPDX-License-Identifier: GPL-3.0-or-later
/* regression_prediction.h - predictions from a regression model of an app's runs: opened once,
 * asked many times. */
#ifndef RC_PREDICT_REGRESSION_PREDICTION_H
#define RC_PREDICT_REGRESSION_PREDICTION_H

#include "predict/phase_models.h"
#include "predict/run_time_distribution.h"
#include "predict/question.h"
#include "predict/regression_source.h"

enum rc_run_model_load {
    RC_RUN_MODEL_GIVEN,
    RC_RUN_MODEL_FORECAST, /* at least in part */
    RC_RUN_MODEL_DEDICATED /* nothing is known */
};

/* Start from rc_predict_run_model_init(); free with rc_predict_run_model_free(). */
struct rc_run_model {
    struct rc_db *db;                 /* where the load of hosts is read */
    struct rc_predict_source *source; /* belongs to the caller */
    const struct rc_regression_model
        *learnt; /* in place of the source's; NULL: nothing was learned */
    /* of the latest question */
    struct rc_predict_parts asked; /* by parts */
    const struct rc_regression_model
        *model; /* whose ranges are shown: of parts, the largest share's */
    struct rc_regression_question question;
    struct rc_regression_beyond beyond;
    enum rc_run_model_load load;
    struct rc_host_forecast *forecast; /* NULL: none was needed */
    double pace;     /* of the slowest of the hosts, as in struct rc_regression_question */
    double *weights; /* of each host, by that of the slowest; NULL: all are alike */
    struct rc_predict_host_forecast_facts facts; /* where there is a forecast */
};
void rc_predict_run_model_init(struct rc_run_model *run_model, struct rc_db *db,
                               struct rc_predict_source *source);
void rc_predict_run_model_free(struct rc_run_model *run_model);

/* The run time: under the load that is given or, where none is, under the forecast load of the
 * hosts or, where nothing is known of that or they are to be idle, on idle hosts.  Fills `samples`,
 * which rise.  -1 where the model cannot be asked so, or the run would not end under the forecast
 * load, or the system failed. */
int rc_predict_run_model_ask(struct rc_run_model *run_model, const struct rc_question *question,
                             struct rc_random *random, double *samples, size_t n_samples,
                             struct rc_predict_summary *summary, struct rc_error *error);

#endif
