// SPDX-License-Identifier: GPL-3.0-or-later
/* replay.c - how good forecasts would have been. */
#include "forecast/replay.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "forecast/horizon_ladder.h"
#include "stats/series/resample.h"

/* Compares the answers after a sample with the mean that came.  Sums; finish() makes means. */
static void compare(const struct rc_forecast *forecast, double horizon, double came,
                    struct rc_predict_replay *sums)
{
    double answers[RC_FORECAST_PARTS], error = came - rc_forecast_mean(forecast, horizon);

    sums->points++;
    sums->mae += fabs(error);
    sums->rmse += error * error;
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        double low, high;

        rc_forecast_interval(forecast, horizon, rc_forecast_levels[k], &low, &high);
        sums->coverage[k] += came >= low && came <= high;
        sums->width[k] += high - low;
    }
    rc_forecast_ask_parts(forecast, horizon, answers, NULL);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        error = came - answers[i];
        sums->part_mae[i] += fabs(error);
        sums->part_rmse[i] += error * error;
    }
}

static void finish(struct rc_predict_replay *sums)
{
    double n = sums->points ? (double)sums->points : (double)NAN;

    sums->mae /= n;
    sums->rmse = sqrt(sums->rmse / n);
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        sums->coverage[k] /= n;
        sums->width[k] /= n;
    }
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        sums->part_mae[i] /= n;
        sums->part_rmse[i] = sqrt(sums->part_rmse[i] / n);
    }
}

/* The mean of samples i+1 .. i+n, about `pivot`: of equal values it is exactly that value. */
static double mean_after(const struct rc_sample *samples, size_t i, size_t n)
{
    double pivot = samples[i + 1].value, sum = 0;

    for (size_t j = 1; j <= n; j++)
        sum += samples[i + j].value - pivot;
    return pivot + sum / (double)n;
}

int rc_forecast_replay_series(const struct rc_sample *samples, size_t n,
                              const struct rc_replay_options *options,
                              struct rc_predict_replay *replay, struct rc_error *error)
{
    struct rc_forecast_options how = {.horizon = options->horizon};
    struct rc_forecast *forecast;

    *replay = (struct rc_predict_replay){.points = 0};
    if (options->horizon < 1 || options->horizon > RC_FORECAST_LONGEST || options->warmup < 1)
        return rc_error_set(error,
                            "the horizon must be 1 to %d samples, and the warm-up at least one",
                            RC_FORECAST_LONGEST);
    if (rc_series_spacing(samples, n, &how.step, error))
        return -1;
    how.start = n ? samples[0].t : 0;
    forecast = rc_forecast_create(&how, error);
    if (!forecast)
        return -1;
    for (size_t i = 0; i < n; i++) {
        rc_forecast_add(forecast, samples[i].value);
        if (i + 1 >= options->warmup && options->horizon < n - i)
            compare(forecast, (double)options->horizon, mean_after(samples, i, options->horizon),
                    replay);
    }
    rc_forecast_destroy(forecast);
    finish(replay);
    return 0;
}

void rc_forecast_replay_join(const struct rc_predict_replay *replays, size_t n,
                             struct rc_predict_replay *all)
{
    *all = (struct rc_predict_replay){.points = 0};
    for (size_t i = 0; i < n; i++) {
        const struct rc_predict_replay *one = &replays[i];
        double points = (double)one->points;

        if (one->points == 0)
            continue;
        all->points += one->points;
        all->mae += points * one->mae;
        all->rmse += points * one->rmse * one->rmse;
        for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
            all->coverage[k] += points * one->coverage[k];
            all->width[k] += points * one->width[k];
        }
        for (size_t k = 0; k < RC_FORECAST_PARTS; k++) {
            all->part_mae[k] += points * one->part_mae[k];
            all->part_rmse[k] += points * one->part_rmse[k] * one->part_rmse[k];
        }
    }
    finish(all);
}
