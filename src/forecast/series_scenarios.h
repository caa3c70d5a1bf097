// SPDX-License-Identifier: GPL-3.0-or-later
/* series_scenarios.h - scenarios (analog_scenarios.h) of several series of one kind, from their
 * past in the database: as long as asked for, or as the past allows. */
#ifndef RC_FORECAST_SERIES_SCENARIOS_H
#define RC_FORECAST_SERIES_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "runcast.h"
#include "db/series.h"

/* Samples that are older than this, in seconds, are useless for a forecast. */
#define RC_SERIES_SCENARIOS_OLD 86400.0
/* What was longer ago is not read. */
#define RC_SERIES_SCENARIOS_PAST (14 * 86400.0)

/* Fewer samples do not show how a series changes. */
enum { RC_SERIES_SCENARIOS_LEAST = 26 };

struct rc_series_scenarios;

/* The future begins at `at`.  NULL where memory runs out.  Destroy with
 * rc_forecast_series_scenarios_destroy(). */
struct rc_series_scenarios *rc_forecast_series_scenarios_create(double at, struct rc_error *error);
void rc_forecast_series_scenarios_destroy(struct rc_series_scenarios *scenarios);

/* Reads a series, as the next one.  1: it is there; 0: it has no sample in the day before, and is
 * not taken; -1: reading fails. */
int rc_forecast_series_scenarios_add(struct rc_series_scenarios *scenarios, struct rc_db *db,
                                     const struct rc_series_key *key, struct rc_error *error);
/* The same for samples that are not in the database, by rising time; those after the start are
 * ignored, and none of them are stored. */
int rc_forecast_series_scenarios_add_samples(struct rc_series_scenarios *scenarios,
                                             const struct rc_sample *samples, size_t n,
                                             struct rc_error *error);
/* The same of samples that the scenarios takes, and frees, whatever is returned. */
int rc_forecast_series_scenarios_take(struct rc_series_scenarios *scenarios,
                                      struct rc_sample *samples, size_t n, struct rc_error *error);
/* Some of the series of another scenarios, which must outlive it: nothing is read again.  Further
 * series cannot be added.  NULL where memory runs out. */
struct rc_series_scenarios *
rc_forecast_series_scenarios_part(const struct rc_series_scenarios *whole, const size_t *series,
                                  size_t n, struct rc_error *error);
/* Takes the last one out again. */
void rc_forecast_series_scenarios_drop_last(struct rc_series_scenarios *scenarios);

/* How many series there are. */
size_t rc_forecast_series_scenarios_series(const struct rc_series_scenarios *scenarios);
/* The oldest of the series' newest samples; INFINITY where there is no series. */
double rc_forecast_series_scenarios_newest(const struct rc_series_scenarios *scenarios);
/* What is known of one series. */
struct rc_forecast_series_scenarios_facts {
    size_t n;      /* samples */
    double newest; /* when */
    double step;   /* between its last samples, on average; NAN where there is one alone */
    double most;   /* its largest value */
};
void rc_forecast_series_scenarios_facts(const struct rc_series_scenarios *scenarios, size_t series,
                                        struct rc_forecast_series_scenarios_facts *facts);
/* The mean of a series over its last samples: how it is now. */
double rc_forecast_series_scenarios_lately(const struct rc_series_scenarios *scenarios,
                                           size_t series);
/* The mean of all of its samples. */
double rc_forecast_series_scenarios_mean(const struct rc_series_scenarios *scenarios,
                                         size_t series);

/* Gets ready to draw scenarios of `*seconds`, or of half the past where that is shorter: then that
 * is put there.  Where the past is too short to know how the series change, they are taken to stay
 * as they are, and `*steady` is set; otherwise it is left alone. */
int rc_forecast_series_scenarios_look(struct rc_series_scenarios *scenarios, double *seconds,
                                      bool *steady, struct rc_error *error);

/* Value j of series s, values[s * n + j], holds from j * step to (j + 1) * step seconds after the
 * start. */
struct rc_series_scenario_paths {
    const double *values;
    size_t n_series, n; /* n = 0: they stay as they are, rc_forecast_series_scenarios_lately() */
    double step;
};

/* Draws one future.  What it points to belongs to the scenarios, and changes with the next one. */
void rc_forecast_series_scenarios_draw(struct rc_series_scenarios *scenarios,
                                       struct rc_random *random,
                                       struct rc_series_scenario_paths *paths);

#endif
