// SPDX-License-Identifier: GPL-3.0-or-later
/* adaptive.c - means and medians of windows that grow and shrink.
 *
 * The window is one of a ladder of lengths.  After each value it moves one step towards the
 * neighbour that would have forecast the recent values better, as in the Network Weather Service
 * (Wolski 1998, section 4: the adaptive window average and median). */
#include <math.h>

#include "forecast/forecaster.h"

static const size_t lengths[RC_FORECAST_WINDOWS] = {1,  2,  3,  4,  6,   8,   12,  16,  24,
                                                    32, 48, 64, 96, 128, 192, 256, 384, 512};
#define GAIN 0.1 /* of an error among the past ones */

/* Judges each length by the value that came; where the window then is. */
static size_t move(double *losses, const double *answers, size_t n, size_t at, double value)
{
    for (size_t i = 0; i < n; i++)
        losses[i] += GAIN * (fabs(value - answers[i]) - losses[i]);
    if (at > 0 && losses[at - 1] < losses[at])
        return at - 1;
    if (at + 1 < n && losses[at + 1] < losses[at])
        return at + 1;
    return at;
}

void rc_forecast_adaptive_mean_update(const struct rc_forecaster *self, void *state,
                                      const struct rc_forecast_history *past)
{
    struct rc_forecast_adaptive_mean *mean = state;

    (void)self;
    if (past->n > 1)
        mean->at = move(mean->losses, mean->answers, RC_FORECAST_WINDOWS, mean->at,
                        rc_forecast_back(past, 0));
    for (size_t i = 0; i < RC_FORECAST_WINDOWS; i++)
        mean->answers[i] = rc_forecast_window_mean(past, lengths[i]);
}

double rc_forecast_adaptive_mean_mean(const struct rc_forecaster *self, const void *state,
                                      const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_adaptive_mean *mean = state;

    (void)self, (void)past, (void)horizon;
    return mean->answers[mean->at];
}

void rc_forecast_adaptive_median_update(const struct rc_forecaster *self, void *state,
                                        const struct rc_forecast_history *past)
{
    struct rc_forecast_adaptive_median *median = state;

    (void)self;
    if (past->n > 1)
        median->at = move(median->losses, median->answers, RC_FORECAST_SORTED, median->at,
                          rc_forecast_back(past, 0));
    for (size_t i = 0; i < RC_FORECAST_SORTED; i++)
        median->answers[i] = rc_forecast_sorted_median(&past->sorted[i]);
}

double rc_forecast_adaptive_median_mean(const struct rc_forecaster *self, const void *state,
                                        const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_adaptive_median *median = state;

    (void)self, (void)past, (void)horizon;
    return median->answers[median->at];
}
