// SPDX-License-Identifier: GPL-3.0-or-later
/* internal.h - the state of a forecast; for this room alone. */
#ifndef RC_FORECAST_INTERNAL_H
#define RC_FORECAST_INTERNAL_H

#include "forecast/forecaster_weights.h"
#include "forecast/error_intervals.h"
#include "forecast/forecast.h"

/* One horizon: its forecasters' weights, its errors, and the forecasts that wait to be judged. */
struct rc_forecast_rung {
    size_t horizon; /* 0: not used */
    struct rc_forecast_chooser chooser;
    struct rc_forecast_errors errors;
    struct rc_forecast_queue queue;
    struct rc_forecast_answers answers[RC_FORECAST_PENDING];
    struct rc_forecast_claim claims[RC_FORECAST_PENDING];
};

struct rc_forecast {
    struct rc_forecast_history past;
    struct rc_forecast_rung
        rungs[RC_FORECAST_LADDER + 1]; /* the last is for the horizon of the caller's choice */
    void *states[RC_FORECAST_PARTS];
    double limit; /* that no value exceeds; INFINITY: none is known */
    double lately,
        usually;      /* mean absolute errors of the next value, over a short and a long time */
    uint64_t missing; /* the number of the last sample that was missing; 0: none was */
    uint64_t gap;     /* samples that were missing up to now, without a break */
};

/* How restless the series is: the errors of late, as compared with the usual ones. */
double rc_forecast_restless(const struct rc_forecast *forecast);
/* The size of errors at a horizon, as it is now. */
double rc_forecast_error_size(const struct rc_forecast *forecast, double horizon);
/* The quantile of errors at a horizon as they are to be expected now, widened as the intervals of
 * 90 % are so that these hold as often as they should.  There were two samples or more. */
double rc_forecast_error_quantile(const struct rc_forecast *forecast, double horizon, double p);
/* The nearest to x that is possible: a series that was never negative cannot be, and none goes far
 * from all that was ever seen. */
double rc_forecast_within(const struct rc_forecast *forecast, double x);
/* What each forecaster answers.  `flat`: what those answer that do not look at the horizon; or
 * NULL. */
void rc_forecast_ask(const struct rc_forecast *forecast, size_t horizon, const double *flat,
                     double *answers);

#endif
