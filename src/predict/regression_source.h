// SPDX-License-Identifier: GPL-3.0-or-later
/* regression_source.h - the model that answers: from the database, and up to date with the runs
 * there. */
#ifndef RC_PREDICT_REGRESSION_SOURCE_H
#define RC_PREDICT_REGRESSION_SOURCE_H

#include <stdbool.h>

#include "model/regression/outlier_hosts.h"
#include "model/regression/phase_process_models.h"
#include "model/regression/speeds.h"
#include "runcast.h"

/* What is known of the hosts of a model's runs; stored with the model. */
struct rc_predict_hosts {
    struct rc_regression_speeds speeds; /* that the runs were compared by */
    struct rc_regression_apart apart;   /* by the errors of the model on its runs */
};
void rc_predict_hosts_free(struct rc_predict_hosts *hosts);

/* Free with rc_predict_source_free(). */
struct rc_predict_source {
    struct rc_regression_model *model; /* NULL: there are parts in its place */
    struct rc_regression_parts *parts;
    struct rc_predict_hosts hosts;
    int64_t id;      /* in the database; 0: it is not there */
    double made;     /* when it was put there; NAN: it is not there */
    bool fitted;     /* fitted just now, since the store had none */
    uint64_t learnt; /* runs newer than the stored model, which were taken in just now */
    bool missing;    /* it could not be opened, but nothing is wrong: there are too few runs */
    struct rc_error elsewhere; /* of rc_predict_source_near(): why it is of runs on any platform;
                                  no text where it is of those on the one that was asked for */
};
void rc_predict_source_free(struct rc_predict_source *source);

/* What models of a criterion, and those of phases and processes, are called in the database. */
const char *rc_predict_source_stored_as(enum rc_regression_criterion criterion, bool parts);

/* Gets the model of `app` on `platform` (NULL: of runs on any), and takes in the runs that came
 * after it was made.  Where there is none, one is fitted.  Runs are compared by the speeds of their
 * hosts, `speeds`, or else those that the model in the database was fitted with; where that was
 * fitted with others than `speeds`, and these are firm or it knows none, one is fitted anew.  -1,
 * with a hint at what to record, where there are no runs or too few. */
int rc_predict_source_open(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, struct rc_predict_source *source,
                           struct rc_error *error);

/* How fast hosts are: firm by the platform file (or NULL), where that has speeds; otherwise as
 * 'slowdown calibrate' has measured the platform of that name (or NULL).  Free with
 * rc_regression_speeds_free(). */
int rc_predict_speeds(struct rc_db *store, const struct rc_platform *file, const char *platform,
                      struct rc_regression_speeds *speeds, struct rc_error *error);
/* Fills the weights of hosts by their names, by what a model knows of hosts. */
void rc_predict_weights_by(const struct rc_regression_speeds *speeds, const char *const *names,
                           size_t n, double *weights, enum rc_weights_from *from);

/* The same where no regression model is asked: hosts of a platform are compared with those of the
 * runs of `app` on `learnt_from` (NULL: on any), which may be others than these.  A host that the
 * platform has not has the weight 1. */
int rc_predict_weights_of(struct rc_db *store, const char *app, const char *learnt_from,
                          const struct rc_platform *platform, const char *const *names, size_t n,
                          double *weights, enum rc_weights_from *from, struct rc_error *error);
/* Those that the model of `app` in the database was fitted with. */
int rc_predict_speeds_kept(struct rc_db *store, const char *app, const char *platform,
                           struct rc_regression_speeds *speeds, struct rc_error *error);

/* -1, with a hint at what to record, where the table of runs of `app` on `platform` (or NULL) is
 * empty. */
int rc_predict_have_runs(const struct rc_regression_table *table, const char *app,
                         const char *platform, struct rc_error *error);

/* The same or, where the platform has no runs or too few, the model of runs on any; `elsewhere` has
 * why then, and where these are too few as well, so has the error.  `parts`: models of phases and
 * processes, all of which are fitted anew where there are newer runs. */
int rc_predict_source_near(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, bool parts,
                           struct rc_predict_source *source, struct rc_error *error);
/* Of which platform's runs it is, where `platform` was asked for; NULL: of any. */
const char *rc_predict_source_platform(const struct rc_predict_source *source,
                                       const char *platform);

/* Whether it differs from what the database has. */
bool rc_predict_source_is_new(const struct rc_predict_source *source);

/* A learner that goes on from its model, which has the store's runs up to its `up_to`. */
struct rc_regression_learner *rc_predict_learner(struct rc_db *store, const char *app,
                                                 const char *platform,
                                                 const struct rc_predict_source *source,
                                                 struct rc_error *error);

/* Puts a model into the database, in place of the one of its kind, with what is known of the hosts
 * of its runs (NULL: nothing); `id` may be NULL. */
int rc_predict_model_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_model *model,
                          const struct rc_predict_hosts *hosts, int64_t *id,
                          struct rc_error *error);

/* ---- models of phases and processes (model/regression/phase_process_models.h) ---- */

/* Fits them to the runs that are wanted.  NULL, with a hint, where there are no runs, or none with
 * such times. */
struct rc_regression_parts *rc_predict_parts_fit(struct rc_db *store,
                                                 const struct rc_regression_wanted *wanted,
                                                 enum rc_regression_criterion criterion,
                                                 struct rc_error *error);

/* As rc_predict_model_keep(). */
int rc_predict_parts_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_parts *parts,
                          const struct rc_predict_hosts *hosts, int64_t *id,
                          struct rc_error *error);

#endif
