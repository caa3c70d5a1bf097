// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_fields.h - the fields of forecasts, and of how good forecasts would have been. */
#ifndef RC_ANSWER_FORECAST_FIELDS_H
#define RC_ANSWER_FORECAST_FIELDS_H

#include "forecast/joint_scenarios.h"
#include "forecast/replay.h"
#include "forecast/even_series.h"
#include "report/field.h"

struct rc_answer_forecaster {
    const char *name;
    double answer, weight;
};

struct rc_answer_forecast_host {
    const char *host;
    double mean;
};

/* The forecast of one series, or of several hosts together. */
struct rc_answer_forecast {
    const char *metric;
    double from, horizon, step; /* seconds */
    size_t samples;
    uint64_t judged;
    const char *stat;        /* NULL: of one series */
    const char *host, *peer; /* of one series; peer NULL: it is no link */
    double mean, next;       /* next: of one series */
    double intervals[RC_FORECAST_LEVELS][2];
    struct rc_answer_forecaster *forecasters; /* of one series */
    size_t n_forecasters;
    struct rc_answer_forecast_host *hosts; /* of several */
    size_t n_hosts;
};
extern const struct rc_field rc_answer_forecast[];

/* The part that both have in common.  `seconds` is the horizon. */
void rc_answer_forecast_of(const struct rc_forecast_set *set, const char *metric, double seconds,
                           struct rc_answer_forecast *answer);

/* How good forecasts of one file would have been; a row, too. */
struct rc_answer_replay {
    const char *file; /* NULL: of all files */
    struct rc_predict_replay is;
};
extern const struct rc_field rc_answer_replay[];

/* The same of one forecaster, over all files. */
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
};
extern const struct rc_field rc_answer_replays[];

#endif
