// SPDX-License-Identifier: GPL-3.0-or-later
/* time_memory_guess.c - guesses of run time and memory before there is a model:
 * for the cost of a plan, and whether it fits. */
#include <math.h>
#include <stdlib.h>

#include "model/scaling/growth_curves.h"
#include "model/scaling/plan_internal.h"
#include "stats/series/statistics.h"

/* What runs have by the cells of their blocks. */
struct points {
    double *cells, *values, *weight;
    size_t n;
};

static void points_free(struct points *points)
{
    free(points->cells);
    free(points->values);
    free(points->weight);
}

/* Room for `n` of them; where there is none, all is as if there were no runs. */
static size_t points_room(struct points *points, size_t n)
{
    *points = (struct points){.cells = calloc(n + 1, sizeof *points->cells),
                              .values = calloc(n + 1, sizeof *points->values),
                              .weight = calloc(n + 1, sizeof *points->weight)};
    return points->cells && points->values && points->weight ? n : 0;
}

static void add(struct points *points, const struct rc_scaling_run *run, double value)
{
    struct rc_mesh block;

    if (!(value > 0 && isfinite(value)) ||
        rc_scaling_mesh_block(&run->mesh, run->procs, run->cut, &block, NULL))
        return;
    points->cells[points->n] = rc_scaling_mesh_cells(&block);
    points->weight[points->n] = 1 / (value * value);
    points->values[points->n++] = value;
}

void rc_scaling_plan_bytes(const struct rc_scaling_run *runs, size_t n_runs, double *bytes_per_cell,
                           double *bytes_base)
{
    struct points points;
    size_t n = points_room(&points, n_runs);

    for (size_t i = 0; i < n; i++)
        add(&points, &runs[i], runs[i].memory);
    rc_scaling_memory_line(points.cells, points.values, points.n, bytes_per_cell, bytes_base);
    points_free(&points);
}

/* The median of values by cells. */
static double median_rate(struct points *points)
{
    double *sorted, median;
    size_t n;

    for (size_t i = 0; i < points->n; i++)
        points->values[i] /= points->cells[i];
    sorted = rc_series_sorted(points->values, points->n, &n, NULL);
    median = sorted ? rc_series_quantile(sorted, n, 0.5) : NAN;
    free(sorted);
    return median;
}

/* A line by relative errors, or all of the time for the cells where blocks are of one size. */
struct rc_scaling_cost_guess rc_scaling_plan_cost_guess(const struct rc_scaling_run *runs,
                                                        size_t n_runs, bool parallel)
{
    struct rc_scaling_cost_guess guess = {0, NAN};
    struct points points;
    size_t n = points_room(&points, n_runs);

    for (size_t i = 0; i < n; i++)
        if (parallel == (runs[i].procs > 1))
            add(&points, &runs[i], runs[i].seconds);
    if (points.n > 0 && rc_scaling_shows_line(points.cells, points.n))
        rc_scaling_line_rising(points.cells, points.values, points.weight, points.n, &guess.base,
                               &guess.per_cell);
    else if (points.n > 0)
        guess.per_cell = median_rate(&points);
    points_free(&points);
    return guess;
}

double rc_scaling_cost_guess_seconds(const struct rc_scaling_request *request, int64_t procs,
                                     double cells)
{
    const struct rc_scaling_cost_guess *own = procs > 1 ? &request->parallel : &request->sequential,
                                       *other =
                                           procs > 1 ? &request->sequential : &request->parallel;
    const struct rc_scaling_cost_guess *guess = isnan(own->per_cell) ? other : own;

    return guess->base + guess->per_cell * cells;
}
