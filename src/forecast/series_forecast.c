// SPDX-License-Identifier: GPL-3.0-or-later
/* series_forecast.c - from measured samples to even series. */
#include "forecast/series_forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "series/resample.h"

#define HOLDS 3.0 /* steps */

/* The samples of a track up to `at`. */
static struct rc_ts_track up_to(const struct rc_ts_track *track, double at)
{
    size_t first, n = rc_ts_window(track->samples, track->n, NAN, at, &first);

    return (struct rc_ts_track){track->samples + first, n};
}

/* The longest of the tracks' spacings, since when all have samples, and the newest of all. */
static int survey(const struct rc_ts_track *tracks, size_t n_tracks, double at, double *spacing,
                  double *since, double *newest, struct rc_error *error)
{
    *spacing = 0;
    *since = *newest = -INFINITY;
    for (size_t i = 0; i < n_tracks; i++) {
        struct rc_ts_track track = up_to(&tracks[i], at);
        double one;

        if (track.n == 0)
            return rc_error_set(error, "there is no sample up to that time");
        if (rc_ts_spacing(track.samples, track.n, &one, error))
            return -1;
        *spacing = fmax(*spacing, one);
        *since = fmax(*since, track.samples[0].t);
        *newest = fmax(*newest, track.samples[track.n - 1].t);
    }
    return 0;
}

int rc_forecast_set_lay(const struct rc_ts_track *tracks, size_t n_tracks, double at,
                        double seconds, struct rc_forecast_set *set, struct rc_error *error)
{
    double spacing, since, newest, cells, times;
    struct rc_ts_grid grid;
    int status = 0;

    *set = (struct rc_forecast_set){.n_series = n_tracks};
    if (survey(tracks, n_tracks, at, &spacing, &since, &newest, error))
        return -1;
    set->at = isnan(at) ? newest : at;
    if (!(spacing > 0) || !(set->at > since))
        return rc_error_set(error, "a forecast takes two samples or more");
    times = fmax(ceil(seconds / spacing / RC_FORECAST_FINE), 1);
    set->step = spacing * times;
    set->horizon = fmax(seconds / set->step, 1);
    cells = fmin(floor((set->at - since) / set->step + 1e-6) + (times > 1 ? 0 : 1),
                 RC_FORECAST_CELLS_MAX);
    if (!(cells >= 2)) {
        rc_error_set(error, "there are samples of %.3g s, which is too little to see %.3g s ahead",
                     set->at - since, seconds);
        return rc_error_hint(error, "measure for %.0f s at least, and better for as long as that",
                             ceil(2 * set->step));
    }
    set->n = (size_t)cells;
    /* A cell has the mean of what holds in it; a cell of one sample has that sample, of which the
     * newest is at the very end. */
    set->start = set->at - (times > 1 ? cells : cells - 1) * set->step;
    grid = (struct rc_ts_grid){set->start, set->step, set->n};
    set->values = malloc(n_tracks * set->n * sizeof *set->values);
    if (!set->values)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_tracks && status == 0; i++) {
        struct rc_ts_track track = up_to(&tracks[i], at);

        status = rc_ts_resample(track.samples, track.n, &grid, times > 1 ? RC_TS_MEAN : RC_TS_HOLD,
                                HOLDS * spacing, set->values + i * set->n, error);
    }
    if (status)
        rc_forecast_set_free(set);
    return status;
}

void rc_forecast_set_free(struct rc_forecast_set *set)
{
    free(set->values);
    set->values = NULL;
}

struct rc_forecast *rc_forecast_follow(const struct rc_forecast_set *set, size_t series,
                                       struct rc_error *error)
{
    struct rc_forecast_options options = {set->step, set->start, (size_t)(set->horizon + 0.5),
                                          set->limit};
    struct rc_forecast *forecast = rc_forecast_create(&options, error);

    for (size_t i = 0; forecast && i < set->n; i++)
        rc_forecast_add(forecast, set->values[series * set->n + i]);
    return forecast;
}
