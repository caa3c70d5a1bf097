// SPDX-License-Identifier: GPL-3.0-or-later
/* even_series.h - from measured samples at any time to what forecasts follow: even series that
 * end at one moment. */
#ifndef RC_FORECAST_EVEN_SERIES_H
#define RC_FORECAST_EVEN_SERIES_H

#include <stddef.h>

#include "forecast/forecast.h"
#include "runcast.h"
#include "stats/series/load_statistics.h"

enum {
    RC_FORECAST_CELLS_MAX = 100000, /* of the past, the last ones */
    RC_FORECAST_SAMPLES = 1 << 20,  /* of one series that are worth reading, the last ones */
    RC_FORECAST_FINE = 128          /* cells of a horizon, at most */
};

/* Several series, even and side by side.  Free with rc_forecast_set_free(). */
struct rc_forecast_set {
    double *values; /* of series s from values[s * n] on; NAN where missing */
    size_t n_series, n;
    double step;    /* seconds */
    double start;   /* when the first values are */
    double at;      /* when the future begins */
    double seen;    /* until when all of them were measured: the newest sample of the one that was
                       left first */
    double horizon; /* in values */
    double limit;   /* that no value exceeds, which the caller may set; 0: none is known */
};

/* Lays tracks on one grid that ends at `at` (NAN: with the newest sample of all) and begins where
 * all of them have samples.  Its step is the median time between samples, of the track that has the
 * longest, or a multiple where `seconds`, the horizon, is very long.  A value holds until the next,
 * but not beyond three steps; after that it is missing.  -1 where a track has no sample up to then,
 * or not two values on the grid. */
int rc_forecast_set_lay(const struct rc_series_track *tracks, size_t n_tracks, double at,
                        double seconds, struct rc_forecast_set *set, struct rc_error *error);
void rc_forecast_set_free(struct rc_forecast_set *set);

/* A forecast that has followed one of the series to its end.  To be destroyed by the caller. */
struct rc_forecast *rc_forecast_follow(const struct rc_forecast_set *set, size_t series,
                                       struct rc_error *error);

#endif
