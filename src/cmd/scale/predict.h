// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - what the parts of 'runcast scale predict' share. */
#ifndef RC_CMD_SCALE_PREDICT_H
#define RC_CMD_SCALE_PREDICT_H

#include "cmd/scale/scale.h"

struct rc_cmd_scale_predict_options {
    struct rc_cmd_scale_options scale;
    double level;
    const char *plot;
    bool explain, force;
};

struct rc_cmd_scale_prediction {
    const struct rc_cmd_scale *scale;
    const struct rc_cmd_scale_predict_options *options;
    struct rc_scaling_models models;
    struct rc_scaling_prediction answer;
};

/* The six steps of the paper with their numbers, on standard output. */
void rc_cmd_scale_explain(const struct rc_scaling_prediction *prediction);

#endif
