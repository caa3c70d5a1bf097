// SPDX-License-Identifier: GPL-3.0-or-later
/* predictor_internal.h - what the files of the predictor share. */
#ifndef RC_PREDICT_PREDICTOR_INTERNAL_H
#define RC_PREDICT_PREDICTOR_INTERNAL_H

#include "predict/predictor.h"

struct rc_predictor {
    struct rc_method_setup setup;
    struct rc_predict_options options;
    struct rc_shared_runs runs;
    struct rc_track_record record; /* methods by their number, combined predictions as RC_METHODS */
    struct {
        void *state;
        bool open;
        struct rc_error why; /* where it is not */
        double *samples;
    } methods[RC_METHODS];
    double *block;    /* of all samples */
    double *combined; /* samples of the combined answer */
    char *hosts;      /* of the latest answer; NULL: unknown */
};

/* The table of methods, in methods.c. */
extern const struct rc_method_ops *const rc_methods[RC_METHODS];

/* Combines the answers of the latest question, in combine.c. */
int rc_predict_combine(struct rc_predictor *predictor, double start,
                       struct rc_predict_answer *answer, struct rc_error *error);

#endif
