// SPDX-License-Identifier: GPL-3.0-or-later
/* history.h - predictions that were made, beside the runs that came of them. */
#ifndef RC_PREDICT_HISTORY_H
#define RC_PREDICT_HISTORY_H

#include "predict/score.h"
#include "runcast.h"

struct rc_history_entry {
    int64_t run;
    double start; /* of the run */
    double n;
    int64_t p;
    double predicted, lo90, hi90, came; /* seconds */
};

/* By rising start.  Free with rc_predict_history_free(). */
struct rc_history {
    struct rc_history_entry *entries;
    size_t n;
    uint64_t waiting; /* predictions of which the run is not in the store */
    struct rc_predict_score_report all;
};
/* Of predictions by models of a family: rc_predict_family(), or RC_STRUCTURAL_METHOD. */
int rc_predict_history_load(struct rc_history *history, struct rc_db *store, const char *app,
                            const char *platform, const char *family, struct rc_error *error);
void rc_predict_history_free(struct rc_history *history);

/* Sums up the entries from `first` to before `end`. */
int rc_predict_history_part(const struct rc_history *history, size_t first, size_t end,
                            struct rc_predict_score_report *report, struct rc_error *error);

/* Sums up, of two histories, the entries of the runs that both have. */
int rc_predict_history_common(const struct rc_history *a, const struct rc_history *b,
                              struct rc_predict_score_report *of_a,
                              struct rc_predict_score_report *of_b, struct rc_error *error);

#endif
