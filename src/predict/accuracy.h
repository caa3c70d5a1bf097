// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.h - the accuracy of predictions of an app, past and replayed. */
#ifndef RC_PREDICT_ACCURACY_H
#define RC_PREDICT_ACCURACY_H

#include "db/prediction_mismatch.h"
#include "predict/predicted_runs.h"
#include "predict/method.h"
#include "predict/replay.h"

/* The track record of one method, for the runs that it and the combined prediction were made for.
 */
struct rc_method_accuracy {
    const char *name;
    uint64_t waiting; /* predictions whose run is not in the database */
    size_t alone;     /* runs that it has predicted, and the combined prediction has not */
    struct rc_predict_score_report report, combined;
};

/* Either part, predictions and replay, may be empty.  Free with rc_predict_accuracy_free(). */
struct rc_predict_accuracy {
    const char *app, *platform;                    /* platform NULL: any */
    const char *method;                            /* whose predictions these are */
    struct rc_method_accuracy methods[RC_METHODS]; /* beside the combined prediction */
    size_t n_methods;
    struct rc_history history;
    char mismatch[RC_MISMATCH_SIZE]; /* why the newest run has no prediction; "": it has one */
    struct rc_predict_replay replay;
    struct rc_error no_replay; /* why there is none */
    uint64_t structural; /* of regression: predictions by structural models that have their run */
};

/* Loads the track record of `method`; of NULL, the combined predictions' or, if there are none or
 * the criterion is another than the default, regression's.  Then the runs are replayed that models
 * are fitted to, after `training` of them (rc_predict_replay()).  -1 where there is nothing of
 * either, or the system failed. */
int rc_predict_accuracy_load(struct rc_predict_accuracy *accuracy, struct rc_db *db,
                             const char *app, const char *platform, const char *method,
                             enum rc_regression_criterion criterion, size_t training,
                             const struct rc_monitor *monitor, struct rc_error *error);
void rc_predict_accuracy_free(struct rc_predict_accuracy *accuracy);

#endif
