// SPDX-License-Identifier: GPL-3.0-or-later
/* replay.h - how good forecasts would have been: series are replayed, and every answer is compared
 * with what came. */
#ifndef RC_FORECAST_REPLAY_H
#define RC_FORECAST_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "forecast/forecast.h"
#include "runcast.h"

/* Forecasts of the mean over `horizon` samples (1: of the next value), the first of them made when
 * `warmup` samples were seen, the last one when `horizon` are left.  Each row is a sample, whatever
 * the time between them. */
struct rc_replay_options {
    size_t horizon; /* 1 to 512 */
    size_t warmup;  /* at least 1 */
};

/* Plain data.  All but `points` are NAN where there is no point. */
struct rc_predict_replay {
    uint64_t points;                     /* forecasts compared */
    double mae, rmse;                    /* of the answers */
    double coverage[RC_FORECAST_LEVELS]; /* the share of the intervals that held */
    double width[RC_FORECAST_LEVELS];    /* their mean width */
    double part_mae[RC_FORECAST_PARTS], part_rmse[RC_FORECAST_PARTS]; /* of each forecaster */
};

/* Replays one series.  -1 where memory runs out. */
int rc_forecast_replay_series(const struct rc_sample *samples, size_t n,
                              const struct rc_replay_options *options,
                              struct rc_predict_replay *replay, struct rc_error *error);

/* The same for the tables of samples (t,value) in `n` files, `jobs` of them at once.  -1, with the
 * error of the first file that has one.  `monitor` may be NULL. */
int rc_forecast_replay_files(const char *const *paths, size_t n,
                             const struct rc_replay_options *options, size_t jobs,
                             struct rc_predict_replay *replays, const struct rc_monitor *monitor,
                             struct rc_error *error);

/* All points of several replays together. */
void rc_forecast_replay_join(const struct rc_predict_replay *replays, size_t n,
                             struct rc_predict_replay *all);

#endif
