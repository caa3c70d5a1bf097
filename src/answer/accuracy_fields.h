// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_fields.h - the accuracy of predictions of an app, past and replayed. */
#ifndef RC_ANSWER_ACCURACY_FIELDS_H
#define RC_ANSWER_ACCURACY_FIELDS_H

#include "predict/accuracy.h"
#include "report/field.h"

/* The accuracy of the predictions for the rows of a table that have a run time. */
struct rc_answer_table {
    uint64_t rows;
    struct rc_predict_score_report score;
    json_t *notes;
};
extern const struct rc_field rc_answer_table[];

/* The columns of scores: of struct rc_predict_score_report. */
extern const struct rc_field rc_answer_score[];
/* A method and the combined prediction of the same runs: of struct rc_method_accuracy. */
extern const struct rc_field rc_answer_method_accuracy[];
struct rc_answer_accuracy {
    struct rc_predict_accuracy accuracy;
    json_t *notes;
};
extern const struct rc_field rc_answer_accuracy[];
/* The models of a replay, by enum rc_replay_model. */
extern const char *const rc_answer_replay_titles[RC_REPLAY_MODELS];

#endif
