// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_fields.h - the fields of a prediction. */
#ifndef RC_ANSWER_PREDICT_FIELDS_H
#define RC_ANSWER_PREDICT_FIELDS_H

#include "answer/time_limit_fields.h"
#include "predict/predictor.h"
#include "predict/regression_prediction.h"
#include "predict/structural_prediction.h"
#include "report/field.h"

/* A run of a skeleton; skeleton "": there was none. */
struct rc_answer_probe {
    char skeleton[RC_MEASURED_PATH];
    double seconds;
    double startup; /* seconds of the command outside of MPI_Init to MPI_Finalize */
    bool is_short;  /* shorter than a good one */
};

/* Load and model of a structural model. */
struct rc_answer_structural {
    const char *load; /* its source */
    struct rc_scenario_facts facts;
    json_t *assumed; /* names of inputs with a default of the model */
    const char *name, *section;
    json_t *alternatives, *omitted; /* tasks: their alternatives; names */
    json_t *set, *stated;           /* numbers of inputs: set, and of the model */
    json_t *notes;
    double error; /* a fraction of 1 */
    struct rc_recalibration learnt;
    struct rc_predict_summary own; /* before it */
    double created;                /* Unix time */
    int64_t id;
};

/* The combined prediction, or that of one method.  All that it points to belongs to the caller. */
struct rc_answer_predict {
    struct rc_question question;
    struct rc_predict_answer found; /* with texts and hints for people in all `why` */
    const char *method;             /* whose load and model these are, or RC_COMBINED */
    struct rc_predict_summary summary;
    struct rc_value *value;
    const double *quantiles; /* to show, as fractions of 1 */
    size_t n_quantiles;
    struct rc_answer_time_limit time_limit;
    double created;                       /* Unix time */
    const struct rc_run_model *run_model; /* NULL: the load and the model are not regression's */
    struct rc_predict_host_forecast_facts facts;   /* of it */
    double pace;                                   /* of its hosts; NAN: unknown */
    const struct rc_answer_structural *structural; /* NULL: they are not a structural model's */
    json_t *explained; /* of it, with the lists "parts" and "inputs"; NULL: none */
    const struct rc_predict_history *history; /* NULL: that method has not answered */
    struct rc_answer_probe probe;
    struct rc_recalibration learnt; /* n 0: none */
    uint64_t predictions, held;     /* earlier ones that have their run, and that covered it */
    int64_t id;
    json_t *notes;
    json_t *defaults; /* names of what the runs of the app have shown, and was not asked */
};

extern const struct rc_field rc_answer_predict[]; /* of struct rc_answer_predict */

/* The methods that answered and those that are unavailable, of struct rc_predict_answer; the errors
 * of the latter have texts and hints for people. */
extern const struct rc_field rc_answer_methods[];

/* A model of a phase or process: of struct rc_predict_part. */
extern const struct rc_field rc_answer_predict_part[];

/* How a prediction was recalibrated, and what it was before; null if it was not. */
extern const struct rc_field rc_answer_recalibration[];
json_t *rc_answer_recalibration_json(const struct rc_recalibration *learnt,
                                     const struct rc_predict_summary *own);

/* {"level": ..., "low": ..., "high": ...} */
struct rc_answer_interval {
    double level, low, high;
};
extern const struct rc_field rc_answer_interval[];
/* The members of a field with the 90 % prediction interval of the run time. */
#define RC_ANSWER_INTERVAL(json_)                                                                  \
    .kind = RC_AS_COMPUTED, .key = "interval_s", .json = json_, .fields = rc_answer_interval
json_t *rc_answer_interval_json(double level, double low, double high);
/* Its cell in a table: "1.2 s to 3.4 s". */
void rc_answer_interval_text(double low, double high, char *text, size_t size);

/* The hosts of a compressed list, "a[1-3]", as an array; NULL: unknown, an empty array. */
json_t *rc_answer_hosts_json(const char *hosts);

/* Numbers by their names. */
json_t *rc_answer_params_json(const struct rc_param *params, size_t n);

#endif
