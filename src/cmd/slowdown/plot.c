// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.c - the delay by programs that communicate, against their bandwidth. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/plot.h"
#include "cmd/slowdown/calibration.h"

enum { SHOWN_MAX = 8, STEPS = 60, LINE_POINTS = 2 * STEPS + 1, NAME_SIZE = 48 };

/* Points and line of one number of communicating programs. */
struct shown {
    char name[NAME_SIZE];
    double *x, *y; /* measured */
    size_t n;
    double line_x[LINE_POINTS], line_y[LINE_POINTS];
};

static int collect(const struct rc_calibration *calibration, size_t i, struct shown *shown)
{
    shown->x = calloc(2 * calibration->n_points + 1, sizeof *shown->x);
    if (!shown->x)
        return -1;
    shown->y = shown->x + calibration->n_points;
    for (size_t p = 0; p < calibration->n_points; p++)
        if (calibration->points[p].communicating == i) {
            shown->x[shown->n] = calibration->points[p].point.k / 1e6;
            shown->y[shown->n++] = calibration->points[p].point.delay;
        }
    snprintf(shown->name, sizeof shown->name, "%zu communicating", i);
    return 0;
}

/* From `low` to `high`; the last is just below `high`, where another piece may begin. */
static void draw_piece(const struct rc_delay *delay, size_t i, double low, double high, double *x,
                       double *y)
{
    for (int s = 0; s < STEPS; s++) {
        double k = s == STEPS - 1 ? nextafter(high, low) : low + (high - low) * s / (STEPS - 1);

        x[s] = k / 1e6;
        y[s] = rc_slowdown_delay_at(delay, i, k, NULL);
    }
}

static void draw_line(const struct rc_delay *delay, size_t i, struct shown *shown)
{
    const struct rc_delay_curve *curve = &delay->curves[i - 1];
    double high = isfinite(curve->high) ? curve->high : 2 * curve->at;
    double at = isfinite(curve->at) ? curve->at : high;

    draw_piece(delay, i, isfinite(curve->low) ? curve->low : 0, at, shown->line_x, shown->line_y);
    shown->line_x[STEPS] = shown->line_y[STEPS] = NAN; /* it jumps there */
    draw_piece(delay, i, at, high, shown->line_x + STEPS + 1, shown->line_y + STEPS + 1);
}

static int nothing_to_draw(const char *platform, const struct rc_calibration *calibration,
                           struct rc_error *error)
{
    char command[RC_CMD_CALIBRATE_SIZE];

    rc_error_set(error, "no delays were measured, so there is nothing to draw");
    return rc_error_hint(error, "'%s' measures them",
                         rc_cmd_calibrate_command(platform, calibration, RC_CALIBRATION_DELAY,
                                                  command));
}

int rc_cmd_calibration_plot(const char *path, const char *platform,
                            const struct rc_calibration *calibration, struct rc_error *error)
{
    size_t n = calibration->delay.n < SHOWN_MAX ? calibration->delay.n : SHOWN_MAX;
    struct shown *shown = calloc(n + 1, sizeof *shown);
    struct rc_plot_series series[2 * SHOWN_MAX];
    struct rc_plot plot = {.title = "Delay by programs that communicate",
                           .x = {.label = "bandwidth of each, MB/s"},
                           .y = {.label = "delay, as a part of the time alone"},
                           .series = series,
                           .n_series = 2 * n};
    int status = shown ? 0 : rc_error_no_memory(error);

    if (n == 0)
        status = nothing_to_draw(platform, calibration, error);
    for (size_t i = 0; i < n && status == 0; i++) {
        if (collect(calibration, i + 1, &shown[i]))
            status = rc_error_no_memory(error);
        draw_line(&calibration->delay, i + 1, &shown[i]);
        series[2 * i] = (struct rc_plot_series){.name = shown[i].name,
                                                .style = RC_PLOT_POINTS,
                                                .x = shown[i].x,
                                                .y = shown[i].y,
                                                .n = shown[i].n};
        series[2 * i + 1] = (struct rc_plot_series){.style = RC_PLOT_LINE,
                                                    .x = shown[i].line_x,
                                                    .y = shown[i].line_y,
                                                    .n = LINE_POINTS,
                                                    .like = (int)(2 * i) + 1};
    }
    if (status == 0)
        status = rc_plot_write(path, &plot, 1, NULL, error);
    for (size_t i = 0; shown && i < n; i++)
        free(shown[i].x);
    free(shown);
    return status;
}
