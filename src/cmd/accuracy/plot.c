// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_plot.c - runs against a model, as a plot: times by size, and modelled by actual. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/model/model.h"
#include "report/plot.h"

/* More numbers of processes than this are drawn as one. */
enum { GROUPS_MAX = 5, NAME_SIZE = 48 };

/* Times that span more than this factor are shown on a logarithmic scale. */
static const double WIDE = 50;

/* Runs with one number of processes, by rising size. */
struct group {
    double processes;
    char names[2][NAME_SIZE];
    double *sizes, *actual;                     /* of runs */
    double *line_sizes, *modelled, *low, *high; /* means over the runs of a size */
    size_t n_runs, n_line;
};

struct drawing {
    const struct rc_accuracy *accuracy;
    struct group groups[GROUPS_MAX];
    size_t n_groups;
    double *block;                           /* what the groups point into */
    double *actual, *predicted, *low, *high; /* of all runs */
};

/* The numbers of processes that there are; one group for all where they are too many. */
static void find_groups(struct drawing *drawing)
{
    const struct rc_accuracy *accuracy = drawing->accuracy;

    for (size_t i = 0; i < accuracy->n_runs && drawing->n_groups <= GROUPS_MAX; i++) {
        size_t g = 0;

        while (g < drawing->n_groups && drawing->groups[g].processes != accuracy->runs[i].processes)
            g++;
        if (g == drawing->n_groups && g < GROUPS_MAX)
            drawing->groups[g].processes = accuracy->runs[i].processes;
        if (g == drawing->n_groups)
            drawing->n_groups++;
    }
    if (drawing->n_groups > GROUPS_MAX) {
        drawing->n_groups = 1;
        drawing->groups[0].processes = NAN;
    }
}

static bool is_in(const struct group *group, const struct rc_accuracy_run *run)
{
    return isnan(group->processes) || group->processes == run->processes;
}

/* Runs come by rising size; the means of a size grow as its runs come. */
static void fill_group(const struct rc_accuracy *accuracy, struct group *group, bool alone)
{
    size_t of_size = 0;

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        size_t k;

        if (!is_in(group, run))
            continue;
        if (group->n_runs == 0 || group->sizes[group->n_runs - 1] != run->size) {
            group->n_line++;
            of_size = 0;
        }
        k = group->n_line - 1;
        of_size++;
        group->line_sizes[k] = run->size;
        group->modelled[k] += (run->predicted - group->modelled[k]) / (double)of_size;
        group->low[k] += (run->low - group->low[k]) / (double)of_size;
        group->high[k] += (run->high - group->high[k]) / (double)of_size;
        group->sizes[group->n_runs] = run->size;
        group->actual[group->n_runs++] = run->actual;
    }
    snprintf(group->names[0], NAME_SIZE, alone ? "modelled" : "modelled, p = %g", group->processes);
    snprintf(group->names[1], NAME_SIZE, "actual");
}

static int fill(struct drawing *drawing, struct rc_error *error)
{
    const struct rc_accuracy *accuracy = drawing->accuracy;
    size_t n = accuracy->n_runs;
    double *next;

    find_groups(drawing);
    drawing->block = calloc(n * (4 + 6 * drawing->n_groups), sizeof *drawing->block);
    if (!drawing->block)
        return rc_error_no_memory(error);
    next = drawing->block;
    drawing->actual = next;
    drawing->predicted = next + n;
    drawing->low = next + 2 * n;
    drawing->high = next + 3 * n;
    for (size_t i = 0; i < n; i++) {
        drawing->actual[i] = accuracy->runs[i].actual;
        drawing->predicted[i] = accuracy->runs[i].predicted;
        drawing->low[i] = accuracy->runs[i].low;
        drawing->high[i] = accuracy->runs[i].high;
    }
    next += 4 * n;
    for (size_t g = 0; g < drawing->n_groups; g++, next += 6 * n) {
        struct group *group = &drawing->groups[g];

        group->sizes = next;
        group->actual = next + n;
        group->line_sizes = next + 2 * n;
        group->modelled = next + 3 * n;
        group->low = next + 4 * n;
        group->high = next + 5 * n;
        fill_group(accuracy, group, drawing->n_groups == 1);
    }
    return 0;
}

/* A line and its points for each group. */
static size_t by_size(const struct drawing *drawing, struct rc_plot_series *series)
{
    bool band = drawing->accuracy->has_spread;
    size_t n = 0;

    for (size_t g = 0; g < drawing->n_groups; g++) {
        const struct group *group = &drawing->groups[g];

        series[n++] = (struct rc_plot_series){.name = group->names[0],
                                              .style = RC_PLOT_LINE,
                                              .x = group->line_sizes,
                                              .y = group->modelled,
                                              .low = band ? group->low : NULL,
                                              .high = band ? group->high : NULL,
                                              .n = group->n_line};
        series[n] = (struct rc_plot_series){.name = g == 0 ? group->names[1] : NULL,
                                            .style = RC_PLOT_POINTS,
                                            .x = group->sizes,
                                            .y = group->actual,
                                            .n = group->n_runs,
                                            .like = drawing->n_groups > 1 ? (int)n : 0};
        n++;
    }
    return n;
}

static int draw(const char *path, const char *title, const struct drawing *drawing,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_accuracy *accuracy = drawing->accuracy;
    struct rc_plot_series sizes[2 * GROUPS_MAX];
    size_t n_sizes = by_size(drawing, sizes);
    double least = INFINITY, most = 0;
    enum rc_plot_scale scale;

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        least = fmin(least, drawing->actual[i]);
        most = fmax(most, drawing->actual[i]);
    }
    scale = most > WIDE * least ? RC_PLOT_LOG : RC_PLOT_LINEAR;
    const struct rc_plot_series against[] = {
        {.name = "modelled = actual", .style = RC_PLOT_DIAGONAL},
        {.name = "runs",
         .style = RC_PLOT_POINTS,
         .x = drawing->actual,
         .y = drawing->predicted,
         .low = accuracy->has_spread ? drawing->low : NULL,
         .high = accuracy->has_spread ? drawing->high : NULL,
         .n = accuracy->n_runs},
    };
    const struct rc_plot panels[] = {
        {.title = title,
         .x = {.label = "problem size"},
         .y = {.label = "seconds", .scale = scale},
         .series = sizes,
         .n_series = n_sizes},
        {.x = {.label = "actual seconds", .scale = scale},
         .y = {.label = "modelled seconds", .scale = scale},
         .series = against,
         .n_series = 2},
    };

    return rc_plot_write(path, panels, 2, monitor, error);
}

int rc_cmd_accuracy_plot(const char *path, const char *title, const struct rc_accuracy *accuracy,
                         struct rc_error *error)
{
    struct drawing drawing = {.accuracy = accuracy};
    struct rc_cmd_work work;
    int status = fill(&drawing, error);

    if (status == 0) {
        rc_cmd_work_begin(&work, "drawing");
        status = draw(path, title, &drawing, &work.monitor, error);
        rc_cmd_work_end(&work);
    }
    free(drawing.block);
    return status;
}
