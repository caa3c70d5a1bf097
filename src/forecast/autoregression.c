// SPDX-License-Identifier: GPL-3.0-or-later
/* autoregression.c - AR(16), which P. Dinda and D. O'Hallaron found best for host load ("Host load
 * prediction using linear models", Cluster Computing 3, 2000).
 *
 * Autocovariances are kept as discounted means of (x(t) - m) (x(t-k) - m), with a discounted mean
 * m, and the coefficients follow from them by the Levinson-Durbin recursion, every few samples. The
 * recursion ends where it would leave the stable models, which leaves one of a lower order.
 *
 * The forecast j steps on is linear in the last values: with a(1) = phi,
 *     a(j+1)[i] = a(j)[0] phi[i] + a(j)[i+1],
 * so the mean over any horizon is a fixed weighting of them, found once per fit. */
#include <math.h>
#include <string.h>

#include "forecast/forecaster.h"

enum { FIT_EVERY = 16, LEAST = 24 }; /* samples */

/* Fits phi; returns the order. */
static size_t levinson(const double *covariance, double *phi, size_t most)
{
    double error = covariance[0] * (1 + 1e-9), before[RC_FORECAST_ORDER];
    size_t order = 0;

    memset(phi, 0, RC_FORECAST_ORDER * sizeof *phi);
    while (order < most && error > 1e-12 * covariance[0]) {
        double reflection = covariance[order + 1];

        for (size_t i = 0; i < order; i++)
            reflection -= phi[i] * covariance[order - i];
        reflection /= error;
        if (!(fabs(reflection) < 0.9999))
            break;
        memcpy(before, phi, sizeof before);
        for (size_t i = 0; i < order; i++)
            phi[i] = before[i] - reflection * before[order - 1 - i];
        phi[order++] = reflection;
        error *= 1 - reflection * reflection;
    }
    return order;
}

/* Turns the weights of the forecast j steps on into those of j + 1. */
static void step(const double *phi, double *ahead)
{
    double first = ahead[0];

    for (size_t i = 0; i + 1 < RC_FORECAST_ORDER; i++)
        ahead[i] = first * phi[i] + ahead[i + 1];
    ahead[RC_FORECAST_ORDER - 1] = first * phi[RC_FORECAST_ORDER - 1];
}

static void weigh(struct rc_forecast_autoregression *ar)
{
    double ahead[RC_FORECAST_ORDER], sum[RC_FORECAST_ORDER] = {0};
    size_t rung = 0;

    memcpy(ahead, ar->phi, sizeof ahead);
    for (size_t j = 1; j <= RC_FORECAST_LONGEST; j++) {
        for (size_t i = 0; i < RC_FORECAST_ORDER; i++)
            sum[i] += ahead[i];
        if (j == rc_forecast_horizon(rung)) {
            for (size_t i = 0; i < RC_FORECAST_ORDER; i++)
                ar->weights[rung][i] = sum[i] / (double)j;
            rung++;
        }
        step(ar->phi, ahead);
    }
}

void rc_forecast_autoregression_update(const struct rc_forecaster *self, void *state,
                                       const struct rc_forecast_history *past)
{
    struct rc_forecast_autoregression *ar = state;
    double gain = fmax(1 / (double)past->n, 1 / self->parameter);
    double value = rc_forecast_back(past, 0);
    size_t most = past->n / 4 < RC_FORECAST_ORDER ? past->n / 4 : RC_FORECAST_ORDER;

    ar->mean += gain * (value - ar->mean);
    for (size_t k = 0; k <= RC_FORECAST_ORDER && k < past->n; k++)
        ar->covariance[k] += gain * ((value - ar->mean) * (rc_forecast_back(past, k) - ar->mean) -
                                     ar->covariance[k]);
    if (past->n >= LEAST && past->n % FIT_EVERY == 0) {
        ar->order = levinson(ar->covariance, ar->phi, most);
        weigh(ar);
    }
}

double rc_forecast_autoregression_mean(const struct rc_forecaster *self, const void *state,
                                       const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_autoregression *ar = state;
    struct rc_forecast_place place = rc_forecast_place((double)horizon);
    double low = 0, high = 0;

    (void)self;
    if (ar->order == 0)
        return ar->mean;
    for (size_t i = 0; i < RC_FORECAST_ORDER; i++) {
        double value = rc_forecast_back(past, i) - ar->mean;

        low += ar->weights[place.rung][i] * value;
        high += ar->weights[place.next][i] * value;
    }
    return ar->mean + rc_forecast_between(place, (double)horizon, low, high);
}
