// SPDX-License-Identifier: GPL-3.0-or-later
/* error_intervals.h - the past errors of the answers for one horizon, and the intervals that
 * follow. */
#ifndef RC_FORECAST_ERROR_INTERVALS_H
#define RC_FORECAST_ERROR_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "forecast/forecast.h"

enum { RC_FORECAST_ERRORS = 256 };

/* The power to which restlessness counts in the size of errors. */
#define RC_FORECAST_RESTLESS 0.35

struct rc_forecast_errors {
    uint64_t n;                        /* errors seen */
    size_t kept, next;                 /* in the ring, and where the next one goes */
    double ring[RC_FORECAST_ERRORS];   /* errors, in units of the scale at their time */
    double sorted[RC_FORECAST_ERRORS]; /* the same, rising */
    double usual;                      /* the mean absolute error */
    double below[RC_FORECAST_LEVELS];  /* of the errors outside, the part that lies below */
    double wider[RC_FORECAST_LEVELS];  /* by how much, so that as many are outside as should be */
};

/* A forecast that waits to be judged. */
struct rc_forecast_claim {
    double answer, scale;
    double ends[RC_FORECAST_LEVELS][2];
};

/* No error was seen yet. */
void rc_forecast_errors_init(struct rc_forecast_errors *errors);

/* The unit of errors at a time when those of the next value are `restless` times as large as usual.
 * 0 where no error was seen, or none was one. */
double rc_forecast_errors_scale(const struct rc_forecast_errors *errors, double restless);

/* The quantile of past errors, in units of the scale. */
double rc_forecast_errors_quantile(const struct rc_forecast_errors *errors, double p);

/* How far the interval of any level reaches below (<= 0) and above (>= 0) the answer, in units of
 * the scale; as far as those of all levels below it that are watched, at least. */
void rc_forecast_errors_reach(const struct rc_forecast_errors *errors, double level,
                              double reach[2]);

/* Fills in a claim with the intervals of all levels that are watched. */
void rc_forecast_errors_claim(const struct rc_forecast_errors *errors, double answer, double scale,
                              struct rc_forecast_claim *claim);

/* Learns from what came.  `overlap` as for rc_forecast_chooser_judge(). */
void rc_forecast_errors_judge(struct rc_forecast_errors *errors,
                              const struct rc_forecast_claim *claim, double came, double overlap);

#endif
