// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_plot.c - the plot of a scaling curve.
 *
 * Over the number of processes, a second panel has the parallel efficiency.  It and the line of ideal
 * scaling are left out where more processes never shorten the run, as in weak scaling, where the
 * size is that of one process.  Measured runs have no efficiency there: their load was another one.
 */
#include "cmd/core/curve_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/core/command.h"
#include "report/plot.h"

static void make_title(const struct rc_cmd_curve_plot *plot, char *title, size_t size)
{
    const struct rc_question *question = plot->question;
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(question->size, 6, n);
    snprintf(title, size, "%.60s", question->app);
    if (plot->curve->over_procs)
        rc_text_append(title, size, ", size %s", n);
    else
        rc_text_append(title, size, ", %lld process%s", (long long)question->procs,
                       question->procs == 1 ? "" : "es");
    if (plot->hosts)
        rc_text_append(title, size, ", on %.60s", plot->hosts);
    if (question->platform)
        rc_text_append(title, size, " (%.40s)", question->platform);
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
static void note_curve(const struct rc_cmd_curve_plot *plot, const char *near)
{
    const struct rc_question *question = plot->question;
    char list[400] = "", value[RC_NUMBER_SIZE];

    if (plot->curve->measured.n + plot->curve->near.n == 0)
        rc_cmd_note("the plot has no measured runs: the database has none of %s%s", near,
                    question->n_params ? " with these parameters" : "");
    for (size_t i = 0; i < question->n_params; i++) {
        rc_number_format(question->params[i].value, value);
        rc_text_append(list, sizeof list, "%s%s=%s", i ? ", " : "", question->params[i].name,
                       value);
    }
    if (*list)
        rc_cmd_note("parameters of the curve: %s", list);
}

/* Points of a series; the efficiency is in percent, NULL: it has none. */
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
    for (points->n = 0; points->n < curve->n; points->n++)
        points->efficiency[points->n] = 100 * curve->efficiency[points->n];
    return 0;
}

static int take_predicted(const struct rc_cmd_curve_plot *plot, struct points *points,
                          struct rc_error *error)
{
    if (get_room(points, plot->n_runs, error))
        return -1;
    for (; points->n < plot->n_runs; points->n++) {
        const struct rc_answer_scaled *run = &plot->runs[points->n];

        points->x[points->n] = plot->curve->over_procs ? (double)run->procs : plot->question->size;
        points->y[points->n] = run->summary.predicted;
        points->low[points->n] = run->summary.lo90;
        points->high[points->n] = run->summary.hi90;
        points->efficiency[points->n] =
            100 *
            rc_predict_curve_efficiency(plot->curve, (double)run->procs, run->summary.predicted);
    }
    return 0;
}

/* ---- the figure ---- */

/* Series of the panels. */
enum { CURVE, MEASURED, NEAR, PREDICTED, LIMIT, IDEAL, SERIES };

enum { HEIGHT_OF_TWO = 640 };

/* A unit of the axis of times, for times of at least `from` seconds. */
struct time_unit {
    const char *label;
    double seconds, from;
};

static const struct time_unit time_units[] = {{"run time (ms)", 1e-3, 0},
                                              {"run time (s)", 1, 0.5},
                                              {"run time (min)", 60, 1200},
                                              {"run time (h)", 3600, 4 * 3600}};

struct figure {
    struct points curve, measured, near, predicted;
    double ideal[RC_PREDICT_CURVE_POINTS], all[RC_PREDICT_CURVE_POINTS]; /* all: 100 % */
    const struct time_unit *unit;
    double limit_x[2], limit_y[2];
    struct rc_plot_axis x;
    char title[200], measured_legend[80], near_legend[180], limit_legend[80], part_legend[80];
    struct rc_plot_series times[SERIES], parts[SERIES];
};

/* Times in the unit that suits the longest of the curve. */
static void convert(const struct rc_predict_curve *curve, struct figure *figure)
{
    struct points *all[] = {&figure->curve, &figure->measured, &figure->near, &figure->predicted};
    double most = 0;

    for (size_t i = 0; i < curve->n; i++)
        most = fmax(most, curve->high[i]);
    for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++)
        if (most >= time_units[i].from)
            figure->unit = &time_units[i];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < all[i]->n; j++) {
            all[i]->y[j] /= figure->unit->seconds;
            all[i]->low[j] /= figure->unit->seconds;
            all[i]->high[j] /= figure->unit->seconds;
        }
    for (size_t i = 0; i < curve->n; i++)
        figure->ideal[i] = curve->ideal[i] / figure->unit->seconds;
}

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
static void add_limit(const struct rc_cmd_curve_plot *plot, struct figure *figure)
{
    double half = pow(figure->x.high / figure->x.low, 0.025), x = figure->predicted.x[0];

    if (!isfinite(plot->limit))
        return;
    figure->limit_x[0] = x / half;
    figure->limit_x[1] = x * half;
    figure->limit_y[0] = figure->limit_y[1] = plot->limit / figure->unit->seconds;
    snprintf(figure->limit_legend, sizeof figure->limit_legend, "time limit, risk %g", plot->risk);
    figure->times[LIMIT] = (struct rc_plot_series){.name = figure->limit_legend,
                                                   .style = RC_PLOT_LINE,
                                                   .x = figure->limit_x,
                                                   .y = figure->limit_y,
                                                   .n = 2};
}

/* The run time: curve, runs, prediction and limit. */
static void add_times(const struct rc_cmd_curve_plot *plot, struct figure *figure)
{
    figure->times[CURVE] =
        with_interval(series_of("median, 90 % prediction interval", RC_PLOT_LINE, &figure->curve),
                      &figure->curve);
    figure->times[MEASURED] = series_of(figure->measured_legend, RC_PLOT_POINTS, &figure->measured);
    figure->times[NEAR] = series_of(figure->near_legend, RC_PLOT_POINTS, &figure->near);
    figure->times[NEAR].like = MEASURED + 1;
    figure->times[NEAR].faint = true;
    figure->times[NEAR].open = true;
    figure->times[PREDICTED] =
        with_interval(series_of(figure->predicted.n > 1 ? "predicted runs" : "predicted run",
                                RC_PLOT_POINTS, &figure->predicted),
                      &figure->predicted);
    add_limit(plot, figure);
}

/* Ideal scaling, and the panel of parallel efficiency. */
static void add_scaling(const struct rc_predict_curve *curve, bool has_load, struct figure *figure)
{
    figure->times[IDEAL] = series_of("ideal scaling", RC_PLOT_LINE, &figure->curve);
    figure->times[IDEAL].y = figure->ideal;
    figure->times[IDEAL].reference = true;
    for (size_t i = 0; i < curve->n; i++)
        figure->all[i] = 100;
    snprintf(figure->part_legend, sizeof figure->part_legend,
             "parallel efficiency, relative to %.0f process%s%s", curve->base,
             curve->base == 1 ? "" : "es", has_load ? " under the same load" : "");
    figure->parts[CURVE] = series_of(figure->part_legend, RC_PLOT_LINE, &figure->curve);
    figure->parts[CURVE].y = figure->curve.efficiency;
    figure->parts[MEASURED] = figure->parts[NEAR] = figure->parts[LIMIT] =
        (struct rc_plot_series){.style = RC_PLOT_POINTS};
    figure->parts[NEAR].like = MEASURED + 1; /* so that later ones have the same colours */
    figure->parts[PREDICTED] = series_of(NULL, RC_PLOT_POINTS, &figure->predicted);
    figure->parts[PREDICTED].y = figure->predicted.efficiency;
    figure->parts[IDEAL] = figure->times[IDEAL];
    figure->parts[IDEAL].name = NULL;
    figure->parts[IDEAL].y = figure->all;
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
                                      .step = over_procs ? 2 : 0,
                                      .low = low / room,
                                      .high = high * room};
}

static double most_efficient(const struct figure *figure)
{
    double most = 100;

    for (size_t i = 0; i < SERIES; i++)
        for (size_t j = 0; j < figure->parts[i].n; j++)
            most = fmax(most, figure->parts[i].y[j]);
    return most;
}

static int draw(const struct rc_cmd_curve_plot *plot, struct figure *figure,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_plot panels[] = {{.title = figure->title,
                                .x = figure->x,
                                .y = {.label = figure->unit->label, .scale = RC_PLOT_LOG},
                                .series = figure->times,
                                .n_series = SERIES},
                               {.x = figure->x,
                                .y = {.label = "efficiency (%)"},
                                .series = figure->parts,
                                .n_series = SERIES,
                                .height = 0.4}};

    if (plot->curve->scales) {
        panels[0].x.label = NULL;
        panels[0].pixels = HEIGHT_OF_TWO;
        panels[1].y.high = 1.05 * most_efficient(figure);
    }
    return rc_plot_write(plot->path, panels, plot->curve->scales ? 2 : 1, monitor, error);
}

int rc_cmd_curve_plot(const struct rc_cmd_curve_plot *plot, const struct rc_monitor *monitor,
                      struct rc_error *error)
{
    const struct rc_predict_curve *curve = plot->curve;
    const char *load = plot->other_load ? " (under other load)" : "";
    struct figure figure = {.title = ""};
    char near_name[100];
    int status = take_curve(curve, &figure.curve, error) ||
                         take_measured(&curve->measured, &figure.measured, error) ||
                         take_measured(&curve->near, &figure.near, error) ||
                         take_predicted(plot, &figure.predicted, error)
                     ? -1
                     : 0;

    name_near(curve, near_name, sizeof near_name);
    snprintf(figure.measured_legend, sizeof figure.measured_legend, "measured runs%s", load);
    snprintf(figure.near_legend, sizeof figure.near_legend, "measured runs, %s%s", near_name, load);
    note_curve(plot, near_name);
    make_title(plot, figure.title, sizeof figure.title);
    if (status == 0) {
        set_axis(curve->over_procs, &figure);
        convert(curve, &figure);
        add_times(plot, &figure);
        if (curve->scales)
            add_scaling(curve, plot->has_load, &figure);
        status = draw(plot, &figure, monitor, error);
    }
    free(figure.curve.x);
    free(figure.measured.x);
    free(figure.near.x);
    free(figure.predicted.x);
    return status;
}
