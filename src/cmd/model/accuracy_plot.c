// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_plot.c - plots runs and a model: times by size, and predicted by actual times. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/model/model.h"
#include "report/plot.h"

/* More numbers of processes than this are one group. */
enum { GROUPS_MAX = 5, NAME_SIZE = 48 };

/* Times that span more than this factor have a logarithmic scale. */
static const double WIDE = 50;

/* Columns of all runs, and of a group: its runs, then the means over the runs of a size. */
enum { ACTUAL, PREDICTED, LOW, HIGH, ALL_COLUMNS };
enum { SIZES, OF_SIZE, LINE_SIZES, MODELLED, LINE_LOW, LINE_HIGH, GROUP_COLUMNS };

/* Runs with one number of processes, by rising size. */
struct group {
    double processes;
    char name[NAME_SIZE];
    double *columns[GROUP_COLUMNS];
    size_t n_runs, n_line;
};

struct drawing {
    const struct rc_accuracy *accuracy;
    struct group groups[GROUPS_MAX];
    size_t n_groups;
    double *block; /* what the columns point into */
    double *columns[ALL_COLUMNS];
};

/* One group for each number of processes; a single one if these are too many. */
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
    double **columns = group->columns;
    size_t of_size = 0;

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        const double modelled[] = {run->predicted, run->low, run->high};
        size_t k;

        if (!is_in(group, run))
            continue;
        if (group->n_runs == 0 || columns[SIZES][group->n_runs - 1] != run->size) {
            group->n_line++;
            of_size = 0;
        }
        k = group->n_line - 1;
        of_size++;
        columns[LINE_SIZES][k] = run->size;
        for (size_t c = 0; c < 3; c++) {
            double *mean = &columns[MODELLED + c][k];

            *mean += (modelled[c] - *mean) / (double)of_size;
        }
        columns[SIZES][group->n_runs] = run->size;
        columns[OF_SIZE][group->n_runs++] = run->actual;
    }
    snprintf(group->name, NAME_SIZE, alone ? "predicted" : "predicted, %g processes",
             group->processes);
}

static int fill(struct drawing *drawing, struct rc_error *error)
{
    const struct rc_accuracy *accuracy = drawing->accuracy;
    size_t n = accuracy->n_runs;
    double *next;

    find_groups(drawing);
    next = drawing->block =
        calloc(n * (ALL_COLUMNS + GROUP_COLUMNS * drawing->n_groups), sizeof *drawing->block);
    if (!next)
        return rc_error_no_memory(error);
    for (size_t c = 0; c < ALL_COLUMNS; c++, next += n)
        drawing->columns[c] = next;
    for (size_t i = 0; i < n; i++) {
        drawing->columns[ACTUAL][i] = accuracy->runs[i].actual;
        drawing->columns[PREDICTED][i] = accuracy->runs[i].predicted;
        drawing->columns[LOW][i] = accuracy->runs[i].low;
        drawing->columns[HIGH][i] = accuracy->runs[i].high;
    }
    for (size_t g = 0; g < drawing->n_groups; g++) {
        for (size_t c = 0; c < GROUP_COLUMNS; c++, next += n)
            drawing->groups[g].columns[c] = next;
        fill_group(accuracy, &drawing->groups[g], drawing->n_groups == 1);
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
        double *const *columns = group->columns;

        series[n++] = (struct rc_plot_series){.name = group->name,
                                              .style = RC_PLOT_LINE,
                                              .x = columns[LINE_SIZES],
                                              .y = columns[MODELLED],
                                              .low = band ? columns[LINE_LOW] : NULL,
                                              .high = band ? columns[LINE_HIGH] : NULL,
                                              .n = group->n_line};
        series[n] = (struct rc_plot_series){.name = g == 0 ? "actual" : NULL,
                                            .style = RC_PLOT_POINTS,
                                            .x = columns[SIZES],
                                            .y = columns[OF_SIZE],
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
        least = fmin(least, drawing->columns[ACTUAL][i]);
        most = fmax(most, drawing->columns[ACTUAL][i]);
    }
    scale = most > WIDE * least ? RC_PLOT_LOG : RC_PLOT_LINEAR;
    const struct rc_plot_series against[] = {
        {.name = "predicted = actual", .style = RC_PLOT_DIAGONAL},
        {.name = "runs",
         .style = RC_PLOT_POINTS,
         .x = drawing->columns[ACTUAL],
         .y = drawing->columns[PREDICTED],
         .low = accuracy->has_spread ? drawing->columns[LOW] : NULL,
         .high = accuracy->has_spread ? drawing->columns[HIGH] : NULL,
         .n = accuracy->n_runs},
    };
    const struct rc_plot panels[] = {
        {.title = title,
         .x = {.label = "problem size"},
         .y = {.label = "run time (s)", .scale = scale},
         .series = sizes,
         .n_series = n_sizes},
        {.x = {.label = "actual run time (s)", .scale = scale},
         .y = {.label = "predicted run time (s)", .scale = scale},
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
