// SPDX-License-Identifier: GPL-3.0-or-later
/* sliding_median.c - the median of the last so many values, which spikes cannot move. */
#include "forecast/forecaster.h"

double rc_forecast_sliding_median_mean(const struct rc_forecaster *self, const void *state,
                                       const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_sorted_median(rc_forecast_sorted_window(past, (size_t)self->parameter));
}
