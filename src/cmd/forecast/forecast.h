// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.h - the parts of 'runcast forecast'. */
#ifndef RC_CMD_FORECAST_FORECAST_H
#define RC_CMD_FORECAST_FORECAST_H

#include "cmd/core/command.h"
#include "forecast/even_series.h"
#include "platform/hostlist.h"

/* As they are given; NULL, NAN, 0 or (of the seed) -1: not at all. */
struct rc_cmd_forecast_options {
    const char *db, *host, *link, *metric, *horizon, *set, *stat, *plot, *target;
    double at;
    int64_t warmup, draws, seed;
    bool score, json;
};

/* What was asked, and what was read for it. */
struct rc_cmd_forecast {
    const struct rc_cmd_forecast_options *options;
    struct rc_hostlist hosts; /* one, or those of --set */
    char *peer;               /* of a link; NULL: it is none */
    double seconds;           /* the horizon */
    struct rc_series_track *tracks;
    struct rc_forecast_set set;
    struct rc_cmd_work work;
};

/* Forecasts the only series, or all together, and shows and draws that; in show.c.  They
 * return an exit status. */
int rc_cmd_forecast_one(struct rc_cmd_forecast *asked);
int rc_cmd_forecast_set(struct rc_cmd_forecast *asked);

/* 'runcast forecast --score FILE...'; in score.c. */
int rc_cmd_forecast_score(struct rc_invocation *invocation);

#endif
