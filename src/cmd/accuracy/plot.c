// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.c - past predictions against the runs that followed, their calibration, both over time, and
 * the errors of a replay. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/accuracy/accuracy.h"
#include "report/plot.h"

/* One number for each run; a run that ended has no KILLED, a killed one no CAME. */
enum { START, PREDICTED, LOW, HIGH, CAME, KILLED, COLUMNS };

enum { NAME_SIZE = 60, PIXELS_OF_ROW = 430 };

struct figure {
    const struct rc_predict_accuracy *accuracy;
    double *errors;   /* of the replay: for each model one number for each run; then the runs */
    double *outcomes; /* the columns */
    double *quantiles, *shares; /* a step for each run that ended, from 0, 0 to 1, 1 */
    size_t n_steps, n_killed;
    char counted[NAME_SIZE];
    struct rc_plot_series errors_drawn[RC_REPLAY_MODELS], pairs[3], over_time[3], calibration[2];
    char title[NAME_SIZE + 40];
    struct rc_plot panels[RC_PLOT_PANELS_MAX];
    size_t n_panels;
};

/* ---- the numbers ---- */

/* The APE of each model in percent, and after them the number of the run. */
static void fill_replay(const struct rc_predict_replay *replay, double *errors)
{
    for (size_t i = 0; i < replay->n; i++) {
        for (int m = 0; m < RC_REPLAY_MODELS; m++)
            errors[(size_t)m * replay->n + i] =
                100 * rc_predict_replay_error(&replay->runs[i], (enum rc_replay_model)m);
        errors[RC_REPLAY_MODELS * replay->n + i] = (double)(i + 1);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void fill_history(struct figure *figure)
{
    const struct rc_history *history = &figure->accuracy->history;
    size_t ended = 0;

    for (size_t i = 0; i < history->n; i++) {
        const struct rc_history_entry *entry = &history->entries[i];
        const double row[COLUMNS] = {entry->start,
                                     entry->predicted,
                                     entry->lo90,
                                     entry->hi90,
                                     entry->killed ? NAN : entry->came,
                                     entry->killed ? entry->came : NAN};

        for (size_t k = 0; k < COLUMNS; k++)
            figure->outcomes[k * history->n + i] = row[k];
        figure->n_killed += entry->killed;
        if (!isnan(entry->quantile))
            figure->quantiles[++ended] = entry->quantile;
    }
    qsort(figure->quantiles + 1, ended, sizeof *figure->quantiles, by_value);
    for (size_t i = 1; i <= ended; i++)
        figure->shares[i] = (double)i / (double)ended;
    figure->quantiles[ended + 1] = figure->shares[ended + 1] = 1;
    figure->n_steps = ended ? ended + 2 : 0;
    snprintf(figure->counted, NAME_SIZE, "%zu run%s that ended", ended, ended == 1 ? "" : "s");
}

/* ---- the panels ---- */

static const double *column(const struct figure *figure, int which)
{
    return figure->outcomes + (size_t)which * figure->accuracy->history.n;
}

static void add_pairs(struct figure *figure)
{
    size_t n = figure->accuracy->history.n;
    const struct rc_plot_series ended = {.name = "ended, 90 % interval",
                                         .style = RC_PLOT_POINTS,
                                         .x = column(figure, CAME),
                                         .y = column(figure, PREDICTED),
                                         .low = column(figure, LOW),
                                         .high = column(figure, HIGH),
                                         .n = n};

    figure->pairs[0] = (struct rc_plot_series){.style = RC_PLOT_DIAGONAL};
    figure->pairs[1] = figure->pairs[2] = ended;
    figure->pairs[2].name = "killed, took longer";
    figure->pairs[2].x = column(figure, KILLED);
    figure->pairs[2].open = true;
    figure->panels[figure->n_panels++] =
        (struct rc_plot){.x = {.label = "measured run time (s)", .scale = RC_PLOT_LOG},
                         .y = {.label = "predicted run time (s)", .scale = RC_PLOT_LOG},
                         .series = figure->pairs,
                         .n_series = 2 + (figure->n_killed > 0)};
}

static void add_calibration(struct figure *figure)
{
    if (figure->n_steps == 0)
        return;
    figure->calibration[0] = (struct rc_plot_series){.name = "ideal", .style = RC_PLOT_DIAGONAL};
    figure->calibration[1] = (struct rc_plot_series){.name = figure->counted,
                                                     .style = RC_PLOT_STEPS,
                                                     .x = figure->quantiles,
                                                     .y = figure->shares,
                                                     .n = figure->n_steps};
    figure->panels[figure->n_panels++] =
        (struct rc_plot){.x = {.label = "predicted quantile", .low = 0, .high = 1},
                         .y = {.label = "share of runs below it", .low = 0, .high = 1},
                         .series = figure->calibration,
                         .n_series = 2,
                         .beside = true};
}

static void add_over_time(struct figure *figure)
{
    size_t n = figure->accuracy->history.n;
    const struct rc_plot_series measured = {.name = "measured",
                                            .style = RC_PLOT_POINTS,
                                            .x = column(figure, START),
                                            .y = column(figure, CAME),
                                            .n = n};

    figure->over_time[0] = figure->over_time[1] = figure->over_time[2] = measured;
    figure->over_time[0].name = "predicted, 90 % interval";
    figure->over_time[0].y = column(figure, PREDICTED);
    figure->over_time[0].low = column(figure, LOW);
    figure->over_time[0].high = column(figure, HIGH);
    figure->over_time[2].name = "killed, took longer";
    figure->over_time[2].y = column(figure, KILLED);
    figure->over_time[2].like = 2;
    figure->over_time[2].open = true;
    figure->panels[figure->n_panels++] =
        (struct rc_plot){.x = {.label = "start of the run (UTC)", .scale = RC_PLOT_TIME},
                         .y = {.label = "run time (s)"},
                         .series = figure->over_time,
                         .n_series = 2 + (figure->n_killed > 0)};
}

static void add_replay(struct figure *figure)
{
    size_t n = figure->accuracy->replay.n;

    for (size_t i = 0; i < RC_REPLAY_MODELS; i++)
        figure->errors_drawn[i] =
            (struct rc_plot_series){.name = rc_answer_replay_titles[i],
                                    .style = RC_PLOT_LINE,
                                    .x = figure->errors + RC_REPLAY_MODELS * n,
                                    .y = figure->errors + i * n,
                                    .n = n};
    figure->panels[figure->n_panels++] = (struct rc_plot){
        .x = {.label = "run after training, in the replay"},
        .y = {.label = "absolute percentage error (%)"},
        .series = figure->errors_drawn,
        .n_series = RC_REPLAY_MODELS,
    };
}

static int draw(const char *path, struct figure *figure, const struct rc_monitor *monitor,
                struct rc_error *error)
{
    const struct rc_predict_accuracy *accuracy = figure->accuracy;
    int rows = 0;

    if (accuracy->history.n > 0) {
        add_pairs(figure);
        add_calibration(figure);
        add_over_time(figure);
        rows = 2;
    }
    if (accuracy->replay.n > 0) {
        add_replay(figure);
        rows++;
    }
    snprintf(figure->title, sizeof figure->title, "%.60s: predictions and runs", accuracy->app);
    figure->panels[0].title = figure->title;
    figure->panels[0].pixels = rows > 1 ? rows * PIXELS_OF_ROW : 0;
    return rc_plot_write(path, figure->panels, figure->n_panels, monitor, error);
}

int rc_cmd_accuracy_draw(const char *path, const struct rc_predict_accuracy *accuracy,
                         const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n_errors = (RC_REPLAY_MODELS + 1) * accuracy->replay.n, n = accuracy->history.n;
    struct figure *figure = calloc(1, sizeof *figure);
    double *block = calloc(n_errors + COLUMNS * n + 2 * (n + 2), sizeof *block);
    int status = -1;

    if (!block || !figure)
        rc_error_no_memory(error);
    else {
        figure->accuracy = accuracy;
        figure->errors = block;
        figure->outcomes = block + n_errors;
        figure->quantiles = figure->outcomes + COLUMNS * n;
        figure->shares = figure->quantiles + n + 2;
        fill_replay(&accuracy->replay, figure->errors);
        fill_history(figure);
        status = draw(path, figure, monitor, error);
    }
    free(block);
    free(figure);
    return status;
}
