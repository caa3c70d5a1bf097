// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_plot.c - the last of the past of a series, and what is forecast of it. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/forecast/forecast.h"
#include "report/plot.h"

enum { AHEAD = 64 };

struct future {
    double x[AHEAD], mean[AHEAD], low[AHEAD], high[AHEAD];
};

/* The mean from now until then, for moments up to the horizon. */
static void look_ahead(const struct rc_forecast_set *set, const struct rc_forecast *forecast,
                       struct future *future)
{
    for (size_t i = 0; i < AHEAD; i++) {
        double horizon = fmax(set->horizon * (double)(i + 1) / AHEAD, 1);

        future->x[i] = set->at + horizon * set->step;
        future->mean[i] = rc_forecast_mean(forecast, horizon);
        rc_forecast_interval(forecast, horizon, 0.9, &future->low[i], &future->high[i]);
    }
}

int rc_cmd_forecast_plot(const char *path, const char *title, const struct rc_forecast_set *set,
                         const struct rc_forecast *forecast, const struct rc_monitor *monitor,
                         struct rc_error *error)
{
    /* A sample is at its time, the mean of a cell in its middle. */
    double last = set->start + (double)(set->n - 1) * set->step, shift = 0.5 * (set->at - last);
    size_t shown = (size_t)fmin(fmax(4 * set->horizon, 120), (double)set->n);
    struct future *future = calloc(1, sizeof *future);
    double *x = calloc(shown, sizeof *x);
    struct rc_plot_mark now = {NULL, set->at, set->at};
    int status = -1;

    if (!future || !x)
        rc_error_no_memory(error);
    else {
        struct rc_plot_series series[] = {
            {.name = "measured",
             .style = RC_PLOT_LINE,
             .x = x,
             .y = set->values + set->n - shown,
             .n = shown},
            {.name = "mean from the dashed line until then, with its 90 % interval",
             .style = RC_PLOT_LINE,
             .x = future->x,
             .y = future->mean,
             .low = future->low,
             .high = future->high,
             .n = AHEAD},
        };
        struct rc_plot plot = {.title = title,
                               .x = {.label = "time (UTC)", .scale = RC_PLOT_TIME},
                               .y = {.label = NULL},
                               .series = series,
                               .n_series = 2,
                               .marks = &now,
                               .n_marks = 1};

        for (size_t i = 0; i < shown; i++)
            x[i] = set->start + (double)(set->n - shown + i) * set->step + shift;
        look_ahead(set, forecast, future);
        status = rc_plot_write(path, &plot, 1, monitor, error);
    }
    free(future);
    free(x);
    return status;
}
