// SPDX-License-Identifier: GPL-3.0-or-later
/* sliding_mean.c - the mean of the last so many values. */
#include "forecast/forecaster.h"

double rc_forecast_sliding_mean_mean(const struct rc_forecaster *self, const void *state,
                                     const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_window_mean(past, (size_t)self->parameter);
}
