// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_plot.c - the plot of 'runcast predict': the scaling curve with its prediction interval, the
 * measured runs, the predicted runs and the time limit.
 *
 * Over the number of processes, it also has the line of ideal scaling, and a panel with the parallel
 * efficiency.  Both are relative to the fewest processes: of a table, its first row; otherwise, the
 * measured runs or, without any, the curve.  Both are left out where more processes never shorten the
 * run, as in weak scaling, where the size is that of one process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/predict/predict.h"
#include "predict/scaling_curve.h"
#include "report/plot.h"

static void make_title(const struct rc_cmd_answer *answer, const struct rc_predict_curve *curve,
                       const char *hosts, char *title, size_t size)
{
    const struct rc_question *question = &answer->report.question;
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(question->size, 6, n);
    snprintf(title, size, "%.60s", question->app);
    if (curve->over_procs)
        rc_text_append(title, size, ", size %s", n);
    else
        rc_text_append(title, size, ", %lld process%s", (long long)question->procs,
                       question->procs == 1 ? "" : "es");
    if (hosts)
        rc_text_append(title, size, ", on %.60s", hosts);
    if (answer->platform)
        rc_text_append(title, size, " (%.40s)", answer->platform);
}

/* The other coordinate of near runs, such as "size 360000 to 440000". */
static void name_near(const struct rc_predict_curve *curve, char *name, size_t size)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];

    rc_number_format_short(ceil(curve->near_low), 6, low);
    rc_number_format_short(floor(curve->near_high), 6, high);
    if (curve->over_procs)
        snprintf(name, size, "size %s to %s", low, high);
    else if (strcmp(low, high) == 0)
        snprintf(name, size, "%s process%s", low, strcmp(low, "1") == 0 ? "" : "es");
    else
        snprintf(name, size, "%s to %s processes", low, high);
}

/* What the plot lacks, and what its curve holds constant. */
static void note_curve(const struct rc_cmd_answer *answer, const struct rc_predict_curve *curve,
                       const char *near)
{
    char list[400] = "", value[RC_NUMBER_SIZE];

    if (curve->measured.n + curve->near.n == 0)
        rc_cmd_note("the plot has no measured runs: the database has none of %s", near);
    for (size_t i = 0; i < answer->n_params; i++) {
        rc_number_format(answer->params[i].value, value);
        rc_text_append(list, sizeof list, "%s%s=%s", i ? ", " : "", answer->params[i].name, value);
    }
    if (*list)
        rc_cmd_note("parameters of the curve: %s", list);
}

/* Points of a series, and their parallel efficiency in percent. */
struct points {
    double *x, *y, *low, *high, *efficiency;
    size_t n;
};

static int get_room(struct points *points, size_t n, struct rc_error *error)
{
    points->x = calloc(5 * (n + 1), sizeof *points->x);
    if (!points->x)
        return rc_error_no_memory(error);
    points->y = points->x + n + 1;
    points->low = points->y + n + 1;
    points->high = points->low + n + 1;
    points->efficiency = points->high + n + 1;
    return 0;
}

static int take_measured(const struct rc_predict_measured_runs *runs, struct points *points,
                         struct rc_error *error)
{
    if (get_room(points, runs->n, error))
        return -1;
    for (; points->n < runs->n; points->n++) {
        points->x[points->n] = runs->runs[points->n].x;
        points->y[points->n] = runs->runs[points->n].seconds;
    }
    return 0;
}

static int take_curve(const struct rc_predict_curve *curve, struct points *points,
                      struct rc_error *error)
{
    size_t size = curve->n * sizeof *points->x;

    if (get_room(points, curve->n, error))
        return -1;
    memcpy(points->x, curve->x, size);
    memcpy(points->y, curve->median, size);
    memcpy(points->low, curve->low, size);
    memcpy(points->high, curve->high, size);
    points->n = curve->n;
    return 0;
}

static int take_predicted(const struct rc_answer_scaled *runs, size_t n, double size,
                          struct points *points, struct rc_error *error)
{
    if (get_room(points, n, error))
        return -1;
    for (; points->n < n; points->n++) {
        const struct rc_answer_scaled *run = &runs[points->n];

        points->x[points->n] = isnan(size) ? (double)run->procs : size;
        points->y[points->n] = run->summary.predicted;
        points->low[points->n] = run->summary.lo90;
        points->high[points->n] = run->summary.hi90;
    }
    return 0;
}

/* ---- ideal scaling ---- */

/* The mean of the points with the fewest processes. */
static void find_base(const struct points *points, double *procs, double *seconds)
{
    double sum = 0;
    size_t n = 0;

    *procs = INFINITY;
    for (size_t i = 0; i < points->n; i++)
        *procs = fmin(*procs, points->x[i]);
    for (size_t i = 0; i < points->n; i++)
        if (points->x[i] == *procs) {
            sum += points->y[i];
            n++;
        }
    *seconds = sum / (double)n;
}

/* In percent; the time of ideal scaling goes to `ideal`, unless that is NULL. */
static void scale_by(double procs, double seconds, struct points *points, double *ideal)
{
    for (size_t i = 0; i < points->n; i++) {
        double time = seconds * procs / points->x[i];

        points->efficiency[i] = 100 * time / points->y[i];
        if (ideal)
            ideal[i] = time;
    }
}

/* ---- the figure ---- */

enum { SERIES = 6, HEIGHT_OF_TWO = 640 };
static const double LEAST_GAIN = 0.95; /* of the run time with the fewest processes */

struct figure {
    struct points curve, measured, near, predicted;
    double ideal[RC_PREDICT_CURVE_POINTS], all[RC_PREDICT_CURVE_POINTS];
    double limit_x[2], limit_y[2];
    struct rc_plot_axis x;
    char title[200], near_legend[120], limit_legend[80], part_legend[80];
    struct rc_plot_series times[SERIES], parts[SERIES];
};

static struct rc_plot_series series_of(const char *name, enum rc_plot_style style,
                                       const struct points *points)
{
    return (struct rc_plot_series){.name = points->n ? name : NULL,
                                   .style = style,
                                   .x = points->x,
                                   .y = points->y,
                                   .n = points->n};
}

static struct rc_plot_series with_interval(struct rc_plot_series series,
                                           const struct points *points)
{
    series.low = points->low;
    series.high = points->high;
    return series;
}

/* A short line across the predicted run, if one was asked for. */
static void add_limit(const struct rc_cmd_answer *answer, struct figure *figure)
{
    const struct rc_answer_time_limit *limit = &answer->report.time_limit;
    double half = pow(figure->x.high / figure->x.low, 0.025), x = figure->predicted.x[0];

    if (!(limit->risk > 0) || !isfinite(limit->found.seconds)) /* a table has none */
        return;
    figure->limit_x[0] = x / half;
    figure->limit_x[1] = x * half;
    figure->limit_y[0] = figure->limit_y[1] = limit->found.seconds;
    snprintf(figure->limit_legend, sizeof figure->limit_legend, "time limit, risk %g", limit->risk);
    figure->times[4] = (struct rc_plot_series){.name = figure->limit_legend,
                                               .style = RC_PLOT_LINE,
                                               .x = figure->limit_x,
                                               .y = figure->limit_y,
                                               .n = 2};
}

/* The run time: curve, runs, prediction and limit. */
static void add_times(const struct rc_cmd_answer *answer, struct figure *figure)
{
    figure->times[0] =
        with_interval(series_of("median, 90 % prediction interval", RC_PLOT_LINE, &figure->curve),
                      &figure->curve);
    figure->times[1] = series_of("measured runs", RC_PLOT_POINTS, &figure->measured);
    figure->times[2] = series_of(figure->near_legend, RC_PLOT_POINTS, &figure->near);
    figure->times[2].like = 2;
    figure->times[2].faint = true;
    figure->times[3] =
        with_interval(series_of(figure->predicted.n > 1 ? "predicted runs" : "predicted run",
                                RC_PLOT_POINTS, &figure->predicted),
                      &figure->predicted);
    add_limit(answer, figure);
}

/* Ideal scaling, and the panel of parallel efficiency. */
static void add_scaling(struct figure *figure)
{
    struct points *parts[] = {&figure->curve, &figure->measured, NULL, &figure->predicted};
    double procs, seconds;

    find_base(figure->predicted.n > 1  ? &figure->predicted
              : figure->measured.n > 0 ? &figure->measured
                                       : &figure->curve,
              &procs, &seconds);
    scale_by(procs, seconds, &figure->curve, figure->ideal);
    scale_by(procs, seconds, &figure->measured, NULL);
    scale_by(procs, seconds, &figure->predicted, NULL);
    figure->times[5] = series_of("ideal scaling", RC_PLOT_LINE, &figure->curve);
    figure->times[5].y = figure->ideal;
    figure->times[5].reference = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]) {
            figure->parts[i] = series_of(NULL, i == 0 ? RC_PLOT_LINE : RC_PLOT_POINTS, parts[i]);
            figure->parts[i].y = parts[i]->efficiency;
        }
    for (size_t i = 0; i < figure->curve.n; i++)
        figure->all[i] = 100;
    figure->parts[5] = figure->times[5];
    figure->parts[5].name = NULL;
    figure->parts[5].y = figure->all;
    figure->parts[2] = (struct rc_plot_series){.style = RC_PLOT_POINTS, .like = 2}; /* none */
    snprintf(figure->part_legend, sizeof figure->part_legend,
             "parallel efficiency, relative to %.0f process%s", procs, procs == 1 ? "" : "es");
    figure->parts[0].name = figure->part_legend;
}

/* Both panels have the same x axis. */
static void set_axis(bool over_procs, struct figure *figure)
{
    const struct points *all[] = {&figure->curve, &figure->measured, &figure->near,
                                  &figure->predicted};
    double low = INFINITY, high = 0, room;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < all[i]->n; j++) {
            low = fmin(low, all[i]->x[j]);
            high = fmax(high, all[i]->x[j]);
        }
    room = fmax(pow(high / low, 0.04), 1.05);
    figure->x = (struct rc_plot_axis){.label = over_procs ? "processes" : "problem size",
                                      .scale = RC_PLOT_LOG,
                                      .low = low / room,
                                      .high = high * room};
}

/* Whether more processes shorten the run somewhere. */
static bool gains(const struct points *curve)
{
    double least = INFINITY;

    for (size_t i = 0; i < curve->n; i++)
        least = fmin(least, curve->y[i]);
    return least < LEAST_GAIN * curve->y[0];
}

static double most_efficient(const struct figure *figure)
{
    double most = 100;

    for (size_t i = 0; i < SERIES; i++)
        for (size_t j = 0; j < figure->parts[i].n; j++)
            most = fmax(most, figure->parts[i].y[j]);
    return most;
}

static int draw(const struct rc_cmd_answer *answer, bool scaling, struct figure *figure,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_plot panels[] = {{.title = figure->title,
                                .x = figure->x,
                                .y = {.label = "run time (s)", .scale = RC_PLOT_LOG},
                                .series = figure->times,
                                .n_series = SERIES},
                               {.x = figure->x,
                                .y = {.label = "efficiency (%)"},
                                .series = figure->parts,
                                .n_series = SERIES,
                                .height = 0.4}};

    if (scaling) {
        panels[0].x.label = NULL;
        panels[0].pixels = HEIGHT_OF_TWO;
        panels[1].y.high = 1.05 * most_efficient(figure);
    }
    return rc_plot_write(answer->options->plot, panels, scaling ? 2 : 1, monitor, error);
}

int rc_cmd_predict_curve_plot(const struct rc_cmd_answer *answer,
                              const struct rc_predict_curve *curve,
                              const struct rc_answer_scaled *runs, size_t n, const char *hosts,
                              const struct rc_monitor *monitor, struct rc_error *error)
{
    struct figure figure = {.title = ""};
    double size = curve->over_procs ? (double)NAN : answer->report.question.size;
    char near_name[100];
    bool scaling;
    int status = take_curve(curve, &figure.curve, error) ||
                         take_measured(&curve->measured, &figure.measured, error) ||
                         take_measured(&curve->near, &figure.near, error) ||
                         take_predicted(runs, n, size, &figure.predicted, error)
                     ? -1
                     : 0;

    name_near(curve, near_name, sizeof near_name);
    snprintf(figure.near_legend, sizeof figure.near_legend, "measured runs, %s", near_name);
    note_curve(answer, curve, near_name);
    make_title(answer, curve, hosts, figure.title, sizeof figure.title);
    if (status == 0) {
        set_axis(curve->over_procs, &figure);
        add_times(answer, &figure);
        scaling = curve->over_procs && gains(&figure.curve);
        if (scaling)
            add_scaling(&figure);
        status = draw(answer, scaling, &figure, monitor, error);
    }
    free(figure.curve.x);
    free(figure.measured.x);
    free(figure.near.x);
    free(figure.predicted.x);
    return status;
}
