// SPDX-License-Identifier: GPL-3.0-or-later
/* trimmed_mean.c - the mean of the last so many values but for the three tenths at either end. */
#include "forecast/forecaster.h"

#define CUT 0.3

double rc_forecast_trimmed_mean_mean(const struct rc_forecaster *self, const void *state,
                                     const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_sorted_trimmed(rc_forecast_sorted_window(past, (size_t)self->parameter),
                                      CUT);
}
