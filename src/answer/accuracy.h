// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.h - how good predictions of an app were, and would have been. */
#ifndef RC_ANSWER_ACCURACY_H
#define RC_ANSWER_ACCURACY_H

#include "predict/history.h"
#include "predict/replay.h"
#include "report/field.h"

/* The track record of one method, for the runs that it and the combined prediction were made for. */
struct rc_answer_method_accuracy {
    const char *name;
    uint64_t waiting; /* predictions whose run is not in the database */
    size_t alone;     /* runs that it has predicted, and the combined prediction has not */
    struct rc_predict_score_report report, combined;
};
enum { RC_ANSWER_METHODS = 8 };

/* Either part, predictions and replay, may be empty. */
struct rc_answer_accuracy {
    const char *app, *platform;                                  /* platform NULL: any */
    const char *method;                                          /* whose predictions these are */
    struct rc_answer_method_accuracy methods[RC_ANSWER_METHODS]; /* of the combined prediction */
    size_t n_methods;
    struct rc_history history;
    struct rc_predict_replay replay;
    struct rc_error no_replay; /* why there is none, where there is none */
};

/* The columns of scores: of struct rc_predict_score_report. */
extern const struct rc_field rc_answer_score[];
/* A method beside the combined prediction: of struct rc_answer_method_accuracy. */
extern const struct rc_field rc_answer_method_accuracy[];
/* Of struct rc_answer_accuracy. */
extern const struct rc_field rc_answer_accuracy[];
/* The models of a replay, by enum rc_replay_way. */
extern const char *const rc_answer_replay_titles[RC_REPLAY_WAYS];

#endif
