// SPDX-License-Identifier: GPL-3.0-or-later
/* trend.c - exponential smoothing of a level and of its slope, which fades.
 *
 * Holt's method with the damped trend of Gardner and McKenzie ("Forecasting trends in time series",
 * Management Science 31, 1985):
 *     level = a x + (1 - a) (level + f slope),   slope = b (level - level before) + (1 - b) f slope
 * and j steps on, level + (f + f^2 + ... + f^j) slope.  The mean of that over j = 1..H is
 *     level + slope f / (1 - f) (1 - f (1 - f^H) / (H (1 - f))). */
#include <math.h>

#include "forecast/forecaster.h"

#define FADING 0.95
#define SLOPE_GAIN 0.1 /* b */

void rc_forecast_trend_update(const struct rc_forecaster *self, void *state,
                              const struct rc_forecast_history *past)
{
    struct rc_forecast_trend *trend = state;
    double value = rc_forecast_back(past, 0), expected = trend->level + FADING * trend->slope,
           level;

    if (past->n == 1) {
        trend->level = value;
        return;
    }
    level = expected + self->parameter * (value - expected);
    trend->slope = SLOPE_GAIN * (level - trend->level) + (1 - SLOPE_GAIN) * FADING * trend->slope;
    trend->level = level;
}

double rc_forecast_trend_mean(const struct rc_forecaster *self, const void *state,
                              const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_trend *trend = state;
    double h = (double)horizon, left = 1 - FADING;
    double reach = FADING / left * (1 - FADING * (1 - pow(FADING, h)) / (h * left));

    (void)self, (void)past;
    return trend->level + reach * trend->slope;
}
