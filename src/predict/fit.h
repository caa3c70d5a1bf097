// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.h - fits regression models to the runs in the database, for this platform or another one. */
#ifndef RC_PREDICT_FIT_H
#define RC_PREDICT_FIT_H

#include "model/regression/residuals.h"
#include "model/regression/next_run.h"
#include "model/regression/platform_porting.h"
#include "predict/regression_source.h"

/* Where runs can be made. */
struct rc_predict_machine {
    const char *host;                   /* this one */
    int64_t cores;                      /* of it */
    const struct rc_platform *platform; /* NULL: unknown */
};

/* The most processes of a run that is suggested, and what limits them. */
enum rc_predict_reach_from {
    RC_PREDICT_REACH_PLATFORM, /* its cores */
    RC_PREDICT_REACH_HOST,     /* the cores of this host, where all runs were made */
    RC_PREDICT_REACH_RUNS      /* twice the most of the runs */
};
struct rc_predict_reach {
    int64_t procs;
    enum rc_predict_reach_from from;
    bool limits; /* most would be learned from a run on more */
};

/* A model with its errors, gaps and suggestions.  Start from zeros; free with
 * rc_predict_fitted_free(). */
struct rc_predict_fitted {
    struct rc_predict_hosts hosts;
    struct rc_regression_model *model;
    int64_t id; /* in the database; 0: not there */
    struct rc_regression_error_summary errors;
    struct rc_regression_suggestion suggestions[RC_REGRESSION_SUGGESTIONS_MAX];
    size_t n_suggestions;
    struct rc_predict_reach reach; /* of the suggestions */
    struct rc_regression_gaps gaps;
    struct rc_regression_left_out left_out[RC_REGRESSION_LEFT_OUT_MAX];
    size_t n_left_out;
    size_t n_silent; /* runs without CPU availability, where others have it */
};
void rc_predict_fitted_free(struct rc_predict_fitted *fitted);

/* How fast the hosts of the runs are: by the platform file or, without one (NULL), as measured. */
int rc_predict_fit_speeds(struct rc_db *db, const struct rc_platform *file, const char *app,
                          const char *platform, struct rc_regression_speeds *speeds,
                          struct rc_error *error);

/* Fits a model to the wanted runs, and stores it where `store` is set.  `fitted` has the speeds.
 * Suggested runs can be made on the machine. */
int rc_predict_fit(struct rc_db *db, const struct rc_regression_wanted *wanted,
                   enum rc_regression_criterion criterion, const struct rc_predict_machine *machine,
                   bool store, struct rc_predict_fitted *fitted, struct rc_error *error);

/* Carries the model of `app` on platform `from` over to platform `to`, and stores it.  The caller
 * destroys `*model`, which is NULL on failure. */
int rc_predict_fit_port(struct rc_db *db, const char *app, const char *from, const char *to,
                        enum rc_regression_criterion criterion, struct rc_regression_port *port,
                        struct rc_regression_model **model, struct rc_error *error);

#endif
