// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.h - the parts of 'runcast fit'. */
#ifndef RC_CMD_FIT_FIT_H
#define RC_CMD_FIT_FIT_H

#include "cmd/core/command.h"
#include "model/regression/table.h"

struct rc_regression_speeds;
struct rc_predict_hosts;

struct rc_cmd_fit_options {
    const char *app, *platform, *criterion, *db;
    struct rc_option_list params;
    bool parts, no_store, json;
};

/* The runs that the options mean, on hosts of these speeds; in fit.c. */
void rc_cmd_fit_wanted(const struct rc_cmd_fit_options *options,
                       const struct rc_regression_speeds *speeds,
                       struct rc_regression_wanted *wanted);

/* 'runcast fit --parts': fits, stores and shows; in fit_parts.c. */
int rc_cmd_fit_parts(const struct rc_cmd_fit_options *options, struct rc_db *store,
                     const struct rc_predict_hosts *hosts, struct rc_error *error);

#endif
