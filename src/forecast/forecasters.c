// SPDX-License-Identifier: GPL-3.0-or-later
/* forecasters.c - the table of forecasters.
 *
 * The simple ones are those of the Network Weather Service (R. Wolski, "Dynamically forecasting
 * network performance using the Network Weather Service", Cluster Computing 1, 1998, section 4). */
#include "forecast/forecaster.h"

#define SIMPLE(title, number, function)                                                            \
    {                                                                                              \
        .name = title, .parameter = number, .mean = function, .flat = true                         \
    }
#define FLAT(title, number, kind)                                                                  \
    {                                                                                              \
        .name = title, .parameter = number, .size = sizeof(struct rc_forecast_##kind),             \
        .update = rc_forecast_##kind##_update, .mean = rc_forecast_##kind##_mean, .flat = true     \
    }
#define LEARNS(title, number, kind)                                                                \
    {                                                                                              \
        .name = title, .parameter = number, .size = sizeof(struct rc_forecast_##kind),             \
        .update = rc_forecast_##kind##_update, .mean = rc_forecast_##kind##_mean, .learns = true   \
    }

const struct rc_forecaster rc_forecasters[RC_FORECAST_PARTS] = {
    SIMPLE("last", 1, rc_forecast_last_mean),
    {.name = "mean", .mean = rc_forecast_running_mean_mean, .flat = true, .learns = true},
    SIMPLE("mean-3", 3, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-5", 5, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-10", 10, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-20", 20, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-40", 40, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-80", 80, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-160", 160, rc_forecast_sliding_mean_mean),
    SIMPLE("mean-320", 320, rc_forecast_sliding_mean_mean),
    FLAT("mean-adaptive", 0, adaptive_mean),
    SIMPLE("median-5", 5, rc_forecast_sliding_median_mean),
    SIMPLE("median-11", 11, rc_forecast_sliding_median_mean),
    SIMPLE("median-31", 31, rc_forecast_sliding_median_mean),
    SIMPLE("median-61", 61, rc_forecast_sliding_median_mean),
    SIMPLE("median-121", 121, rc_forecast_sliding_median_mean),
    FLAT("median-adaptive", 0, adaptive_median),
    SIMPLE("trimmed-31", 31, rc_forecast_trimmed_mean_mean),
    FLAT("smoothing-0.02", 0.02, smoothing),
    FLAT("smoothing-0.05", 0.05, smoothing),
    FLAT("smoothing-0.1", 0.1, smoothing),
    FLAT("smoothing-0.2", 0.2, smoothing),
    FLAT("smoothing-0.3", 0.3, smoothing),
    FLAT("smoothing-0.5", 0.5, smoothing),
    FLAT("smoothing-0.75", 0.75, smoothing),
    LEARNS("trend-slow", 0.1, trend),
    LEARNS("trend-fast", 0.5, trend),
    LEARNS("ar-16-fast", 300, autoregression),
    LEARNS("ar-16", 3000, autoregression),
    LEARNS("daily", 0, daily),
    LEARNS("daily-slow", 0.05, daily),
    LEARNS("daily-fast", 0.3, daily),
    LEARNS("switching", 0, switching),
    LEARNS("regression", 0, regression),
};
