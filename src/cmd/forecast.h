// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.h - the parts of 'runcast forecast'. */
#ifndef RC_CMD_FORECAST_H
#define RC_CMD_FORECAST_H

#include "cmd/command.h"
#include "forecast/series_forecast.h"
#include "value/value.h"

struct rc_cmd_forecast_options {
    const char *db, *host, *peer, *metric, *horizon, *set, *stat, *plot, *target;
    double at;
    int64_t warmup, draws, seed;
    bool score, json;
};

/* 'runcast forecast --score FILE...'; in forecast_score.c. */
int rc_cmd_forecast_score(struct rc_invocation *invocation);

/* Draws the last of the past and the future of one series; in forecast_plot.c. */
int rc_cmd_forecast_plot(const char *path, const char *title, const struct rc_forecast_set *set,
                         const struct rc_forecast *forecast, const struct rc_monitor *monitor,
                         struct rc_error *error);

#endif
