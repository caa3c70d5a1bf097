// SPDX-License-Identifier: GPL-3.0-or-later
/* forecasters.c - the table of forecasters, and the simple ones.
 *
 * These are those of the Network Weather Service (R. Wolski, "Dynamically forecasting
 * network performance using the Network Weather Service", Cluster Computing 1, 1998, section 4). */
#include <math.h>

#include "forecast/forecaster.h"

/* ---- windows ---- */

static double last(const struct rc_forecaster *self, const void *state,
                   const struct rc_forecast_history *past, size_t horizon)
{
    (void)self, (void)state, (void)horizon;
    return rc_forecast_back(past, 0);
}

static double running_mean(const struct rc_forecaster *self, const void *state,
                           const struct rc_forecast_history *past, size_t horizon)
{
    (void)self, (void)state, (void)horizon;
    return past->mean;
}

static double sliding_mean(const struct rc_forecaster *self, const void *state,
                           const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_window_mean(past, (size_t)self->parameter);
}

/* Spikes cannot move it. */
static double sliding_median(const struct rc_forecaster *self, const void *state,
                             const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_sorted_median(rc_forecast_sorted_window(past, (size_t)self->parameter));
}

/* Without the three tenths at either end. */
static double trimmed_mean(const struct rc_forecaster *self, const void *state,
                           const struct rc_forecast_history *past, size_t horizon)
{
    (void)state, (void)horizon;
    return rc_forecast_sorted_trimmed(rc_forecast_sorted_window(past, (size_t)self->parameter),
                                      0.3);
}

/* ---- windows that grow and shrink ---- */

/* The window is one of a ladder of lengths.  After each value it moves one step towards the
 * neighbour that would have forecast the recent values better (the adaptive window average and
 * median). */
enum { ADAPTIVE_MEAN, ADAPTIVE_MEDIAN }; /* the parameter */

static const size_t lengths[] = {1,  2,  3,  4,  6,   8,   12,  16,  24,
                                 32, 48, 64, 96, 128, 192, 256, 384, 512};
enum { WINDOWS = sizeof lengths / sizeof *lengths };
#define GAIN 0.1 /* of an error among the past ones */

struct adaptive {
    double losses[WINDOWS], answers[WINDOWS];
    size_t at;
};

static void adaptive_update(const struct rc_forecaster *self, void *state,
                            const struct rc_forecast_history *past)
{
    bool median = self->parameter == ADAPTIVE_MEDIAN;
    struct adaptive *window = state;
    double *losses = window->losses;
    size_t n = median ? (size_t)RC_FORECAST_SORTED : (size_t)WINDOWS, at = window->at;

    for (size_t i = 0; i < n && past->n > 1; i++)
        losses[i] += GAIN * (fabs(rc_forecast_back(past, 0) - window->answers[i]) - losses[i]);
    if (at > 0 && losses[at - 1] < losses[at])
        window->at--;
    else if (at + 1 < n && losses[at + 1] < losses[at])
        window->at++;
    for (size_t i = 0; i < n; i++)
        window->answers[i] = median ? rc_forecast_sorted_median(&past->sorted[i])
                                    : rc_forecast_window_mean(past, lengths[i]);
}

static double adaptive_mean(const struct rc_forecaster *self, const void *state,
                            const struct rc_forecast_history *past, size_t horizon)
{
    const struct adaptive *window = state;

    (void)self, (void)past, (void)horizon;
    return window->answers[window->at];
}

/* ---- exponential smoothing ---- */

/* Each value moves the level by a fixed part of the way. */
struct smoothing {
    double level;
};

static void smoothing_update(const struct rc_forecaster *self, void *state,
                             const struct rc_forecast_history *past)
{
    struct smoothing *smoothing = state;
    double value = rc_forecast_back(past, 0);

    smoothing->level =
        past->n == 1 ? value : smoothing->level + self->parameter * (value - smoothing->level);
}

static double smoothing_mean(const struct rc_forecaster *self, const void *state,
                             const struct rc_forecast_history *past, size_t horizon)
{
    const struct smoothing *smoothing = state;

    (void)self, (void)past, (void)horizon;
    return smoothing->level;
}

/* Of a level and of its slope, which fades.
 *
 * Holt's method with the damped trend of Gardner and McKenzie ("Forecasting trends in time series",
 * Management Science 31, 1985):
 *     level = a x + (1 - a) (level + f slope),   slope = b (level - level before) + (1 - b) f slope
 * and j steps on, level + (f + f^2 + ... + f^j) slope.  The mean of that over j = 1..H is
 *     level + slope f / (1 - f) (1 - f (1 - f^H) / (H (1 - f))). */
struct trend {
    double level, slope;
};

#define FADING 0.95
#define SLOPE_GAIN 0.1 /* b */

static void trend_update(const struct rc_forecaster *self, void *state,
                         const struct rc_forecast_history *past)
{
    struct trend *trend = state;
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

static double trend_mean(const struct rc_forecaster *self, const void *state,
                         const struct rc_forecast_history *past, size_t horizon)
{
    const struct trend *trend = state;
    double h = (double)horizon, left = 1 - FADING;
    double reach = FADING / left * (1 - FADING * (1 - pow(FADING, h)) / (h * left));

    (void)self, (void)past;
    return trend->level + reach * trend->slope;
}

/* ---- the table ---- */

#define SIMPLE(title, number, function)                                                            \
    {                                                                                              \
        .name = title, .parameter = number, .mean = function, .flat = true                         \
    }
#define FLAT(title, number, kind)                                                                  \
    {                                                                                              \
        .name = title, .parameter = number, .size = sizeof(struct kind), .update = kind##_update,  \
        .mean = kind##_mean, .flat = true                                                          \
    }
#define LEARNS(title, number, kind)                                                                \
    {                                                                                              \
        .name = title, .parameter = number, .size = sizeof(struct rc_forecast_##kind),             \
        .update = rc_forecast_##kind##_update, .mean = rc_forecast_##kind##_mean, .learns = true   \
    }

#define TREND                                                                                      \
    .size = sizeof(struct trend), .update = trend_update, .mean = trend_mean, .learns = true

const struct rc_forecaster rc_forecasters[RC_FORECAST_PARTS] = {
    SIMPLE("last", 1, last),
    {.name = "mean", .mean = running_mean, .flat = true, .learns = true},
    SIMPLE("mean-3", 3, sliding_mean),
    SIMPLE("mean-5", 5, sliding_mean),
    SIMPLE("mean-10", 10, sliding_mean),
    SIMPLE("mean-20", 20, sliding_mean),
    SIMPLE("mean-40", 40, sliding_mean),
    SIMPLE("mean-80", 80, sliding_mean),
    SIMPLE("mean-160", 160, sliding_mean),
    SIMPLE("mean-320", 320, sliding_mean),
    FLAT("mean-adaptive", ADAPTIVE_MEAN, adaptive),
    SIMPLE("median-5", 5, sliding_median),
    SIMPLE("median-11", 11, sliding_median),
    SIMPLE("median-31", 31, sliding_median),
    SIMPLE("median-61", 61, sliding_median),
    SIMPLE("median-121", 121, sliding_median),
    FLAT("median-adaptive", ADAPTIVE_MEDIAN, adaptive),
    SIMPLE("trimmed-31", 31, trimmed_mean),
    FLAT("smoothing-0.02", 0.02, smoothing),
    FLAT("smoothing-0.05", 0.05, smoothing),
    FLAT("smoothing-0.1", 0.1, smoothing),
    FLAT("smoothing-0.2", 0.2, smoothing),
    FLAT("smoothing-0.3", 0.3, smoothing),
    FLAT("smoothing-0.5", 0.5, smoothing),
    FLAT("smoothing-0.75", 0.75, smoothing),
    {.name = "trend-slow", .parameter = 0.1, TREND},
    {.name = "trend-fast", .parameter = 0.5, TREND},
    LEARNS("ar-16-fast", 300, autoregression),
    LEARNS("ar-16", 3000, autoregression),
    LEARNS("daily", 0, daily),
    LEARNS("daily-slow", 0.05, daily),
    LEARNS("daily-fast", 0.3, daily),
    LEARNS("switching", 0, switching),
    LEARNS("regression", 0, regression),
};
