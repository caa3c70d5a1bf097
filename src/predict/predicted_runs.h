// SPDX-License-Identifier: GPL-3.0-or-later
/* predicted_runs.h - past predictions and the runs that followed. */
#ifndef RC_PREDICT_PREDICTED_RUNS_H
#define RC_PREDICT_PREDICTED_RUNS_H

#include <stdbool.h>

#include "predict/prediction_score.h"
#include "runcast.h"

struct rc_history_entry {
    int64_t run;
    double start; /* of the run */
    double n;
    int64_t p;
    double predicted, lo90, hi90, came; /* seconds */
    bool killed;                        /* the run took longer than `came` */
    double quantile; /* of the prediction that `came` is; NAN: unknown, or the run was killed */
};

/* By rising start.  Free with rc_predict_history_free(). */
struct rc_history {
    struct rc_history_entry *entries;
    size_t n;
    uint64_t waiting; /* predictions of which the run is not in the database */
    struct rc_predict_score_report all;
};
/* Loads the predictions that are stored under this name (rc_predict_stored_as()). */
int rc_predict_history_load(struct rc_history *history, struct rc_db *db, const char *app,
                            const char *platform, const char *stored_as, struct rc_error *error);
void rc_predict_history_free(struct rc_history *history);

/* Sums up the entries from `first` to before `end`. */
int rc_predict_history_part(const struct rc_history *history, size_t first, size_t end,
                            struct rc_predict_score_report *report, struct rc_error *error);

/* Sums up, of two histories, the entries of the runs that both have. */
int rc_predict_history_common(const struct rc_history *a, const struct rc_history *b,
                              struct rc_predict_score_report *of_a,
                              struct rc_predict_score_report *of_b, struct rc_error *error);

#endif
