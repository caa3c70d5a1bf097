// SPDX-License-Identifier: GPL-3.0-or-later
/* cost_guess.c - roughly how long a run takes, before there is a model: for the cost of a plan. */
#include <math.h>
#include <stdlib.h>

#include "model/scaling/forms.h"
#include "model/scaling/plan_internal.h"
#include "stats/series/statistics.h"

/* Blocks that differ by less than this factor show no line. */
#define LINE_LEAST 2

/* The median of seconds by cells. */
static double median_rate(const double *cells, const double *seconds, size_t n)
{
    double *rates = calloc(n + 1, sizeof *rates), *sorted, median;

    for (size_t i = 0; rates && i < n; i++)
        rates[i] = seconds[i] / cells[i];
    sorted = rates ? rc_series_sorted(rates, n, &n, NULL) : NULL;
    median = sorted ? rc_series_quantile(sorted, n, 0.5) : NAN;
    free(sorted);
    free(rates);
    return median;
}

/* A line by relative errors, or all of the time for the cells where blocks are of one size. */
static struct rc_scaling_cost_guess guess_line(const double *cells, const double *seconds, size_t n)
{
    struct rc_scaling_cost_guess guess = {0, NAN};
    double *weight = calloc(n + 1, sizeof *weight), least = INFINITY, most = 0;

    for (size_t i = 0; weight && i < n; i++) {
        weight[i] = 1 / (seconds[i] * seconds[i]);
        least = fmin(least, cells[i]);
        most = fmax(most, cells[i]);
    }
    if (most >= LINE_LEAST * least)
        rc_scaling_line_rising(cells, seconds, weight, n, &guess.base, &guess.per_cell);
    else if (weight)
        guess.per_cell = median_rate(cells, seconds, n);
    free(weight);
    return guess;
}

struct rc_scaling_cost_guess rc_scaling_plan_cost_guess(const struct rc_scaling_run *runs,
                                                        size_t n_runs, bool parallel)
{
    double *cells = calloc(n_runs + 1, sizeof *cells),
           *seconds = calloc(n_runs + 1, sizeof *seconds);
    struct rc_scaling_cost_guess guess = {0, NAN};
    size_t n = 0;

    for (size_t i = 0; cells && seconds && i < n_runs; i++) {
        struct rc_mesh block;

        if (parallel != (runs[i].procs > 1) || !(runs[i].seconds > 0) ||
            rc_scaling_mesh_block(&runs[i].mesh, runs[i].procs, runs[i].cut, &block, NULL))
            continue;
        cells[n] = rc_scaling_mesh_cells(&block);
        seconds[n++] = runs[i].seconds;
    }
    if (n > 0)
        guess = guess_line(cells, seconds, n);
    free(cells);
    free(seconds);
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
