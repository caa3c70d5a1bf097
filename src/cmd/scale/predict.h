// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - what the parts of 'runcast scale predict' share. */
#ifndef RC_CMD_SCALE_PREDICT_H
#define RC_CMD_SCALE_PREDICT_H

#include "cmd/scale/scale.h"
#include "model/scaling/models.h"

struct rc_cmd_scale_predict_options {
    struct rc_cmd_scale_options scale;
    double level;
    const char *plot;
    bool explain, force;
};

/* An answer, with all that it rests on; arrays are by parts of `scale`. */
struct rc_cmd_scale_prediction {
    const struct rc_cmd_scale *scale;
    const struct rc_cmd_scale_predict_options *options;
    struct rc_scaling_models models;
    struct rc_scaling_mc *mc[RC_SCALING_PARTS_MAX];
    struct rc_scaling_side sides[RC_SCALING_PARTS_MAX];
    struct rc_scaling_share shares[RC_SCALING_PARTS_MAX];
    struct rc_scaling_estimate estimates[RC_SCALING_PARTS_MAX], estimate;
    struct rc_mesh blocks[RC_SCALING_PARTS_MAX];
    int per_host[RC_SCALING_PARTS_MAX];
    double memory[RC_SCALING_PARTS_MAX], host_memory[RC_SCALING_PARTS_MAX]; /* bytes of a process */
    const struct rc_scaling_link *link; /* of the models; NULL: none */
    double core_hours, cost;
    struct rc_scaling_notes
        notes; /* of all that is above, by the clusters where there are several */
};

/* Gathers the notes; in predict_notes.c. */
int rc_cmd_scale_predict_notes(struct rc_cmd_scale_prediction *prediction, struct rc_error *error);

/* The six steps of the paper with their numbers, on standard output. */
void rc_cmd_scale_explain(const struct rc_cmd_scale_prediction *prediction);

#endif
