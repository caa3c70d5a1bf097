// SPDX-License-Identifier: GPL-3.0-or-later
/* even_series.c - from measured samples to even series. */
#include "forecast/even_series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "stats/series/resample.h"

#define HOLDS 3.0 /* steps */

/* The samples of a track up to `at`. */
static struct rc_series_track up_to(const struct rc_series_track *track, double at)
{
    size_t first, n = rc_series_window(track->samples, track->n, NAN, at, &first);

    return (struct rc_series_track){track->samples + first, n};
}

/* What all tracks have in common. */
struct survey {
    double spacing;      /* the longest of theirs */
    double since;        /* when all have samples */
    double newest, seen; /* the newest sample of all, and of the track that ends first */
};

static int survey(const struct rc_series_track *tracks, size_t n_tracks, double at,
                  struct survey *survey, struct rc_error *error)
{
    *survey = (struct survey){0, -INFINITY, -INFINITY, INFINITY};
    for (size_t i = 0; i < n_tracks; i++) {
        struct rc_series_track track = up_to(&tracks[i], at);
        double one;

        if (track.n == 0)
            return rc_error_set(error, "no sample up to that time");
        if (rc_series_spacing(track.samples, track.n, &one, error))
            return -1;
        survey->spacing = fmax(survey->spacing, one);
        survey->since = fmax(survey->since, track.samples[0].t);
        survey->newest = fmax(survey->newest, track.samples[track.n - 1].t);
        survey->seen = fmin(survey->seen, track.samples[track.n - 1].t);
    }
    return 0;
}

static int too_short(double past, const struct rc_forecast_set *set, double seconds,
                     struct rc_error *error)
{
    char seen[RC_UNIT_SIZE], wanted[RC_UNIT_SIZE], least[RC_UNIT_SIZE];

    rc_unit_format(past, RC_SECONDS, seen);
    rc_unit_format(seconds, RC_SECONDS, wanted);
    rc_unit_format(ceil(2 * set->step), RC_SECONDS, least);
    rc_error_set(error, "samples of %s are too few to forecast %s ahead", seen, wanted);
    return rc_error_hint(error, "measure for at least %s, better for as long as the horizon",
                         least);
}

/* Each series has two values or more, so that one shows the error of the other. */
static int check_known(const struct rc_forecast_set *set, struct rc_error *error)
{
    char when[RC_TIME_SIZE], seen[RC_TIME_SIZE], span[RC_UNIT_SIZE];

    for (size_t s = 0; s < set->n_series; s++) {
        size_t known = 0;

        for (size_t i = 0; i < set->n && known < 2; i++)
            known += isfinite(set->values[s * set->n + i]) != 0;
        if (known < 2) {
            rc_unit_format(set->step * (double)set->n, RC_SECONDS, span);
            rc_timestamp_format(round(set->at), when);
            rc_timestamp_format(ceil(set->seen), seen);
            rc_error_set(error, "almost no samples in the %s before %s", span, when);
            return rc_error_hint(error, "the newest sample is of %s", seen);
        }
    }
    return 0;
}

/* The step, and how many values of it there are, for a horizon of so many seconds.  `cells`:
 * whether a value is the mean of a cell, rather than one sample. */
static int choose_grid(const struct survey *survey, double seconds, struct rc_forecast_set *set,
                       bool *cells, struct rc_error *error)
{
    double times = fmax(ceil(seconds / survey->spacing / RC_FORECAST_FINE), 1), n;

    *cells = times > 1;
    set->step = survey->spacing * times;
    set->horizon = fmax(seconds / set->step, 1);
    n = fmin(floor((set->at - survey->since) / set->step + 1e-6) + (*cells ? 0 : 1),
             RC_FORECAST_CELLS_MAX);
    if (!(n >= 2))
        return too_short(set->at - survey->since, set, seconds, error);
    set->n = (size_t)n;
    /* The newest cell ends at the very end, or the newest sample is there. */
    set->start = set->at - (*cells ? n : n - 1) * set->step;
    return 0;
}

int rc_forecast_set_lay(const struct rc_series_track *tracks, size_t n_tracks, double at,
                        double seconds, struct rc_forecast_set *set, struct rc_error *error)
{
    struct survey seen;
    struct rc_series_grid grid;
    bool cells;
    int status = 0;

    *set = (struct rc_forecast_set){.n_series = n_tracks};
    if (survey(tracks, n_tracks, at, &seen, error))
        return -1;
    set->at = isnan(at) ? seen.newest : at;
    set->seen = seen.seen;
    if (!(seen.spacing > 0) || !(set->at > seen.since))
        return rc_error_set(error, "a forecast needs at least two samples");
    if (choose_grid(&seen, seconds, set, &cells, error))
        return -1;
    grid = (struct rc_series_grid){set->start, set->step, set->n};
    set->values = malloc(n_tracks * set->n * sizeof *set->values);
    if (!set->values)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_tracks && status == 0; i++) {
        struct rc_series_track track = up_to(&tracks[i], at);

        status = rc_series_resample(track.samples, track.n, &grid,
                                    cells ? RC_SERIES_MEAN : RC_SERIES_HOLD, HOLDS * seen.spacing,
                                    set->values + i * set->n, error);
    }
    if (status == 0)
        status = check_known(set, error);
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
