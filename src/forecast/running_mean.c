// SPDX-License-Identifier: GPL-3.0-or-later
/* running_mean.c - the mean of all values. */
#include "forecast/forecaster.h"

double rc_forecast_running_mean_mean(const struct rc_forecaster *self, const void *state,
                                     const struct rc_forecast_history *past, size_t horizon)
{
    (void)self, (void)state, (void)horizon;
    return past->mean;
}
