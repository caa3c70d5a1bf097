// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_plot.c - plot of what was available before and during a simulated run. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/lab/sim.h"
#include "report/plot.h"

/* Hosts with a curve each.  With more hosts, there is one for the minimum and one for the mean. */
enum { LINES_MAX = 4 };

struct lines {
    struct rc_plot_series *series;
    double *x, *y;
    size_t n_series;
};

static void lines_free(struct lines *lines)
{
    free(lines->series);
    free(lines->x);
    free(lines->y);
}

/* Fills in the values of line `line` at sample `i`. */
static double value_at(const struct rc_sim_resource *resources, size_t n, bool each, size_t line,
                       size_t i, double scale)
{
    double least = INFINITY, sum = 0;

    if (each)
        return resources[line].samples[i].value * scale;
    for (size_t r = 0; r < n; r++) {
        least = fmin(least, resources[r].samples[i].value);
        sum += resources[r].samples[i].value;
    }
    return (line == 0 ? least : sum / (double)n) * scale;
}

static int make_lines(const struct rc_sim_resource *resources, size_t n, double base, double scale,
                      bool named, struct lines *lines, struct rc_error *error)
{
    static const char *const over_all[] = {"minimum over hosts", "mean over hosts"};
    bool each = n <= LINES_MAX;
    size_t n_samples = resources[0].n_samples;

    lines->n_series = each ? n : 2;
    lines->series = calloc(lines->n_series, sizeof *lines->series);
    lines->x = calloc(n_samples + 1, sizeof *lines->x);
    lines->y = calloc(lines->n_series * (n_samples + 1), sizeof *lines->y);
    if (!lines->series || !lines->x || !lines->y)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_samples; i++)
        lines->x[i] = base + resources[0].samples[i].t;
    for (size_t line = 0; line < lines->n_series; line++) {
        double *y = lines->y + line * (n_samples + 1);

        for (size_t i = 0; i < n_samples; i++)
            y[i] = value_at(resources, n, each, line, i, scale);
        lines->series[line] = (struct rc_plot_series){.name = !named ? NULL
                                                              : each ? resources[line].name
                                                                     : over_all[line],
                                                      .style = RC_PLOT_STEPS,
                                                      .x = lines->x,
                                                      .y = y,
                                                      .n = n_samples};
    }
    return 0;
}

static double fastest(const struct rc_sim_world *world)
{
    double most = 0;

    for (size_t i = world->n_hosts; i < world->n_resources; i++)
        most = fmax(most, world->resources[i].full);
    return most;
}

int rc_cmd_lab_sim_plot(const char *path, const struct rc_sim_job *job,
                        const struct rc_sim_result *result, const struct rc_monitor *monitor,
                        struct rc_error *error)
{
    const struct rc_sim_world *world = &result->world;
    double start = job->base + result->start;
    struct rc_plot_mark mark = {result->output.app, start, start + result->seconds};
    struct rc_plot_mark again = {NULL, mark.low, mark.high};
    struct lines cpu = {NULL, NULL, NULL, 0}, links = {NULL, NULL, NULL, 0};
    size_t n_links = world->n_resources - world->n_hosts;
    int status = make_lines(world->resources, world->n_hosts, job->base, 1, true, &cpu, error);

    if (status == 0)
        status = make_lines(world->resources + world->n_hosts, n_links, job->base, 8e-6, false,
                            &links, error);
    if (status == 0) {
        struct rc_plot panels[] = {
            {.title = "CPU availability and available bandwidth, before and during the run",
             .x = {.scale = RC_PLOT_TIME},
             .y = {.label = "CPU availability", .high = 1.05},
             .series = cpu.series,
             .n_series = cpu.n_series,
             .marks = &mark,
             .n_marks = 1},
            {.x = {.label = "time (UTC)", .scale = RC_PLOT_TIME},
             .y = {.label = "available bandwidth, Mbit/s", .high = fastest(world) * 8.4e-6},
             .series = links.series,
             .n_series = links.n_series,
             .marks = &again,
             .n_marks = 1},
        };

        status = rc_plot_write(path, panels, 2, monitor, error);
    }
    lines_free(&cpu);
    lines_free(&links);
    return status;
}
