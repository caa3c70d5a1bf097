// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_fields.h - the fields of forecasts, and of their accuracy in a replay. */
#ifndef RC_ANSWER_FORECAST_FIELDS_H
#define RC_ANSWER_FORECAST_FIELDS_H

#include "forecast/joint_scenarios.h"
#include "forecast/replay.h"
#include "forecast/even_series.h"
#include "report/field.h"

struct rc_answer_forecaster {
    const char *name;
    double mean, weight;
};

struct rc_answer_forecast_host {
    const char *host;
    double mean;
};

struct rc_answer_forecast_interval {
    double level, low, high;
};

/* The forecast of one series, or of the load statistic of several hosts. */
struct rc_answer_forecast {
    const char *metric, *unit;   /* unit NULL: none */
    double start, horizon, step; /* seconds */
    size_t samples;
    uint64_t past_forecasts; /* with this horizon */
    const char *stat;        /* NULL: of one series */
    const char *host, *peer; /* of one series; peer NULL: no link */
    double mean, next;       /* next: of one series */
    struct rc_answer_forecast_interval intervals[RC_FORECAST_LEVELS];
    size_t n_intervals;
    struct rc_answer_forecaster *forecasters; /* of one series */
    size_t n_forecasters;
    struct rc_answer_forecast_host *hosts; /* of several */
    size_t n_hosts;
    json_t *notes; /* the caller's */
};
extern const struct rc_field rc_answer_forecast[];

/* Fills in what both have in common.  `seconds` is the horizon. */
void rc_answer_forecast_of(const struct rc_forecast_set *set, const char *metric, double seconds,
                           struct rc_answer_forecast *answer);

/* The accuracy of forecasts of one file; also a row of a table. */
struct rc_answer_replay {
    const char *file; /* NULL: of all files */
    struct rc_predict_replay is;
};
extern const struct rc_field rc_answer_replay[];

/* That of one forecaster, over all files. */
struct rc_answer_replay_part {
    const char *name;
    double mae, rmse;
};
extern const struct rc_field rc_answer_replay_part[];

/* Of several files. */
struct rc_answer_replays {
    struct rc_answer_replay *files;
    size_t n_files;
    struct rc_answer_replay all;
    json_t *notes; /* the caller's */
};
extern const struct rc_field rc_answer_replays[];

#endif
