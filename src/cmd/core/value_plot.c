// SPDX-License-Identifier: GPL-3.0-or-later
/* value_plot.c - a value as a plot: its density, and below it its cdf. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "report/plot.h"
#include "cmd/core/value_report.h"
#include "stats/series/value_curve.h"

enum { NAME_SIZE = 4 * RC_NUMBER_SIZE };

/* What is drawn besides the curve. */
struct extras {
    const char *title, *what;
    double *atom_x, *atom_y;
    char median[NAME_SIZE], span[NAME_SIZE], atoms[NAME_SIZE];
    struct rc_plot_mark marks[2], bare[2]; /* with their names, and without */
    size_t n_marks;
};

/* Atoms have a probability and no density.  Beside a density they are as high as that, in
 * proportion to one another. */
static int place_atoms(const struct rc_series_curve *curve, struct extras *extras,
                       struct rc_error *error)
{
    double most = 0, top = 0, sum = 0;
    char number[RC_NUMBER_SIZE];

    extras->atom_x = calloc(curve->n_atoms + 1, sizeof *extras->atom_x);
    extras->atom_y = calloc(curve->n_atoms + 1, sizeof *extras->atom_y);
    if (!extras->atom_x || !extras->atom_y)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < curve->n; i++)
        top = curve->density[i] > top ? curve->density[i] : top;
    for (size_t i = 0; i < curve->n_atoms; i++) {
        most = curve->atoms[i].p > most ? curve->atoms[i].p : most;
        sum += curve->atoms[i].p;
    }
    for (size_t i = 0; i < curve->n_atoms; i++) {
        extras->atom_x[i] = curve->atoms[i].x;
        extras->atom_y[i] = curve->atoms[i].p * (top > 0 ? top / most : 1);
    }
    if (curve->n > 0) {
        rc_number_format_short(100 * sum, 3, number);
        snprintf(extras->atoms, sizeof extras->atoms, "%s: %s %%",
                 curve->n_atoms == 1 ? "a single value" : "single values", number);
    } else if (curve->n_atoms == 1) {
        rc_number_format_short(curve->atoms[0].x, 5, number);
        snprintf(extras->atoms, sizeof extras->atoms, "always %s", number);
    }
    return 0;
}

static void make_marks(const struct rc_value *value, double level, struct extras *extras)
{
    double low, high, median = rc_value_quantile(value, 0.5);
    char first[RC_NUMBER_SIZE], second[RC_NUMBER_SIZE], third[RC_NUMBER_SIZE];

    rc_value_span(value, level, &low, &high);
    rc_number_format_short(median, 5, first);
    snprintf(extras->median, sizeof extras->median, "median %s", first);
    rc_number_format_short(100 * level, 6, first);
    rc_number_format_short(low, 5, second);
    rc_number_format_short(high, 5, third);
    snprintf(extras->span, sizeof extras->span, "%s %% within %s to %s", first, second, third);
    extras->marks[0] = (struct rc_plot_mark){extras->span, low, high};
    extras->marks[1] = (struct rc_plot_mark){extras->median, median, median};
    extras->n_marks = low < high || low != median ? 2 : 0; /* of a point they are itself */
    for (int i = 0; i < 2; i++) {
        extras->bare[i] = extras->marks[i];
        extras->bare[i].name = NULL;
    }
}

static int draw(const char *path, const struct rc_series_curve *curve, const struct extras *extras,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_plot_axis x = {.low = curve->low, .high = curve->high};
    const struct rc_plot_series above[] = {
        {.style = curve->steps ? RC_PLOT_BARS : RC_PLOT_AREA,
         .x = curve->x,
         .y = curve->density,
         .n = curve->n},
        {.name = extras->atoms[0] ? extras->atoms : NULL,
         .style = RC_PLOT_SPIKES,
         .x = extras->atom_x,
         .y = extras->atom_y,
         .n = curve->n_atoms,
         .like = 1},
    };
    const struct rc_plot_series below = {
        .style = RC_PLOT_LINE, .x = curve->at, .y = curve->cdf, .n = curve->n_cdf};
    const size_t first = curve->n > 0 ? 0 : 1, n = 2 - first - (curve->n_atoms == 0);
    const struct rc_plot panels[] = {
        {.title = extras->title,
         .x = x,
         .y = {.label = curve->n > 0 ? "density" : "probability"},
         .series = above + first,
         .n_series = n,
         .marks = extras->marks,
         .n_marks = extras->n_marks,
         .height = 3},
        {.x = {.label = extras->what, .low = x.low, .high = x.high},
         .y = {.label = "P(≤)", .high = 1.05},
         .series = &below,
         .n_series = 1,
         .marks = extras->bare,
         .n_marks = extras->n_marks,
         .height = 2},
    };

    return rc_plot_write(path, panels, 2, monitor, error);
}

int rc_cmd_report_plot(const char *path, const char *title, const char *what,
                       const struct rc_value *value, double level, const struct rc_monitor *monitor,
                       struct rc_error *error)
{
    struct rc_series_curve curve = {0};
    struct extras extras = {.title = title, .what = what};
    int status = rc_series_curve(value, level, &curve, error);

    if (status == 0)
        status = place_atoms(&curve, &extras, error);
    if (status == 0) {
        make_marks(value, level, &extras);
        status = draw(path, &curve, &extras, monitor, error);
    }
    free(extras.atom_x);
    free(extras.atom_y);
    rc_series_curve_free(&curve);
    return status;
}
