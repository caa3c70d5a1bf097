// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.h - forecasts of one measured series, with intervals.
 *
 * A forecast follows one even series, sample by sample, in bounded memory.  It can be asked at any
 * time for the mean over the next `horizon` samples (a horizon of 1 is the next value): the answer
 * weighs all forecasters by their own past errors at that horizon, and its uncertainty comes from
 * the past errors of such answers.  docs/explanation/forecasts.md describes it.
 *
 * Errors are stored for horizons of 1, 2, 4 ... 512 samples, and for one of the caller's choice;
 * for others they are interpolated.  Beyond 512 samples, the errors and the answer of 512 stand
 * for those of all longer ones.  A horizon below 1 is taken as 1. */
#ifndef RC_FORECAST_FORECAST_H
#define RC_FORECAST_FORECAST_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "runcast.h"
#include "stats/value/value.h"

struct rc_forecast;

enum {
    RC_FORECAST_LEVELS = 4,
    RC_FORECAST_PARTS = 34 /* forecasters */
};
/* The levels whose coverage is controlled: 50, 80, 90, 95 %. */
extern const double rc_forecast_levels[RC_FORECAST_LEVELS];

/* All zero is a choice: no time of the day, and only the ladder of horizons. */
struct rc_forecast_options {
    double step;    /* seconds between samples; 0: not known, so there is no time of the day */
    double start;   /* when the first sample is; only the time of the day counts */
    size_t horizon; /* one more to keep errors for, in samples, at most 512; 0: none */
    double limit;   /* that no value exceeds, such as 1 for a fraction; 0: none is known */
};

/* NULL, with `error` set, where memory runs out.  Destroy with rc_forecast_destroy(). */
struct rc_forecast *rc_forecast_create(const struct rc_forecast_options *options,
                                       struct rc_error *error);
void rc_forecast_destroy(struct rc_forecast *forecast);

/* Takes in the next sample.  One that is not finite is missing: time goes on, and nothing is judged
 * by it. */
void rc_forecast_add(struct rc_forecast *forecast, double value);
/* The same for many samples that are missing, in bounded time. */
void rc_forecast_skip(struct rc_forecast *forecast, uint64_t samples);

/* Samples so far, the first that was not missing and all after it. */
uint64_t rc_forecast_samples(const struct rc_forecast *forecast);

/* The mean over the next `horizon` samples; NAN where there was none yet.  Never beyond what was
 * seen so far. */
double rc_forecast_mean(const struct rc_forecast *forecast, double horizon);

/* The interval that holds that mean with probability `level` (0 < level < 1): the shortest one,
 * which need not leave out as much above as below.  low <= rc_forecast_mean() <= high.  That of a
 * higher level has those of the lower ones among rc_forecast_levels within it.  Infinite where
 * nothing is known of errors yet: before the second sample.  A series that was never negative is
 * taken as one that cannot be. */
void rc_forecast_interval(const struct rc_forecast *forecast, double horizon, double level,
                          double *low, double *high);

/* How many forecasts of that horizon were judged so far (between two rungs, of the one that has
 * fewer): the errors from which the intervals come.  0: not one yet, and the intervals are those of
 * shorter horizons, stretched. */
uint64_t rc_forecast_judged(const struct rc_forecast *forecast, double horizon);

/* That mean as a sample of `draws`, drawn from the past errors.  NULL, with `error` set, where
 * there are fewer than two samples, or memory runs out. */
struct rc_value *rc_forecast_value(const struct rc_forecast *forecast, double horizon, size_t draws,
                                   struct rc_random *random, struct rc_error *error);

/* The forecasters: their names, what each answers and how much it counts; the weights sum to 1.
 * Either array may be NULL; without a sample, they are filled with NAN. */
const char *rc_forecast_part_name(size_t part);
void rc_forecast_ask_parts(const struct rc_forecast *forecast, double horizon, double *answers,
                           double *weights);

#endif
