// SPDX-License-Identifier: GPL-3.0-or-later
/* smoothing.c - exponential smoothing: each value moves the answer by a fixed part of the way. */
#include "forecast/forecaster.h"

void rc_forecast_smoothing_update(const struct rc_forecaster *self, void *state,
                                  const struct rc_forecast_history *past)
{
    struct rc_forecast_smoothing *smoothing = state;
    double value = rc_forecast_back(past, 0);

    smoothing->level =
        past->n == 1 ? value : smoothing->level + self->parameter * (value - smoothing->level);
}

double rc_forecast_smoothing_mean(const struct rc_forecaster *self, const void *state,
                                  const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_smoothing *smoothing = state;

    (void)self, (void)past, (void)horizon;
    return smoothing->level;
}
