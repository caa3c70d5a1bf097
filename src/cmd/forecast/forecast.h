// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.h - shared by the files of 'runcast forecast'. */
#ifndef RC_CMD_FORECAST_FORECAST_H
#define RC_CMD_FORECAST_FORECAST_H

#include "cmd/core/command.h"
#include "forecast/even_series.h"
#include "platform/hostlist.h"

/* As given; NULL, NAN, 0 or (of the seed) -1: not given. */
struct rc_cmd_forecast_options {
    const char *db, *host, *link, *metric, *horizon, *hosts, *stat, *plot, *target;
    double at;
    int64_t warmup, samples, seed;
    bool score, json;
};

/* One call, and the series that it reads. */
struct rc_cmd_forecast {
    const struct rc_cmd_forecast_options *options;
    struct rc_hostlist hosts; /* one, or those of --hosts */
    char *peer;               /* of a link; NULL: a host */
    double seconds;           /* the horizon */
    struct rc_series_track *tracks;
    struct rc_forecast_set set;
    struct rc_cmd_work work;
};

/* Forecast the only series, or the load statistic of all hosts, show it and plot it; in show.c.
 * They return an exit status. */
int rc_cmd_forecast_one(struct rc_cmd_forecast *asked);
int rc_cmd_forecast_hosts(struct rc_cmd_forecast *asked);

/* 'runcast forecast --score FILE...'; in score.c. */
int rc_cmd_forecast_score(struct rc_invocation *invocation);

#endif
