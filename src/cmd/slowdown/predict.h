// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - what the files of 'runcast slowdown predict' share. */
#ifndef RC_CMD_SLOWDOWN_PREDICT_H
#define RC_CMD_SLOWDOWN_PREDICT_H

#include "cmd/slowdown/nodes.h"
#include "model/slowdown/slowdown_value.h"

struct rc_cmd_predict_options {
    struct rc_cmd_slowdown_options host;
    struct rc_cmd_nodes_options nodes;
    double dedicated;
    double communicating, link;
    const char *idle, *now;
    const char *coupling; /* NULL: not given */
    int64_t draws, seed;
    double level, model_error;
    const char *plot, *db;
    bool json, explain;
};

/* A prediction on its way. */
struct rc_cmd_prediction {
    const struct rc_cmd_predict_options *options;
    bool many; /* by a nodes file */
    struct rc_cmd_slowdown one;
    struct rc_cmd_both both;
    struct rc_cmd_nodes nodes;
    struct rc_contention_host *hosts;
    double link; /* slowdown of messages; 1 where nothing is said of them */
    bool faster; /* ... or where the link does better now than when idle */
    struct rc_slowdown_answer answer;
    struct rc_slowdown_doubts doubts;
};

/* Shows it, and draws it where that is asked for; an exit status. */
int rc_cmd_predict_answer(const struct rc_cmd_prediction *prediction);

#endif
