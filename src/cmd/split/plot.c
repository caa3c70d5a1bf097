// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.c - the shares of the hosts, and the distribution of the run time by several policies. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answer/split_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "report/plot.h"
#include "cmd/split/split.h"

enum { AT = 200, CURVES = 4, LABELS_MAX = 32, PIXELS = 600 };
static const double room = 1.2; /* above the largest share, for the name of the host */

/* For comparison with the chosen policy. */
static const enum rc_policy compared[] = {RC_POLICY_MEAN, RC_POLICY_LAST, RC_POLICY_CURRENT};

struct curve {
    char name[40];
    double x[AT], y[AT];
};

struct figure {
    double places[RC_CMD_SPLIT_HOSTS_MAX], shares[RC_CMD_SPLIT_HOSTS_MAX];
    const char *names[RC_CMD_SPLIT_HOSTS_MAX];
    struct curve curves[CURVES];
    struct rc_plot_series ends[CURVES];
    size_t n_ends;
};

/* The probability that the run has ended by then, at quantiles from 0 to 1. */
static void add_end(const struct rc_cmd_split *asked, enum rc_policy policy, struct figure *figure)
{
    const struct rc_split_plan *plan = &asked->split.plans[policy];
    struct curve *curve = &figure->curves[figure->n_ends];

    if (!plan->there ||
        isnan(rc_answer_split_policy_of(&asked->question, &asked->split, policy).low))
        return; /* the time, or its spread, is not known */
    snprintf(curve->name, sizeof curve->name, "%s%s", rc_split_policy_name(policy),
             policy == asked->policy ? " (chosen)" : "");
    for (size_t i = 0; i < AT; i++) {
        curve->y[i] = (double)i / (AT - 1);
        curve->x[i] = rc_value_quantile(plan->time, curve->y[i]);
    }
    figure->ends[figure->n_ends++] = (struct rc_plot_series){
        .name = curve->name, .style = RC_PLOT_LINE, .x = curve->x, .y = curve->y, .n = AT};
}

static double most_of(const double *values, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, values[i]);
    return most;
}

static void write_title(const struct rc_cmd_split *asked, char *title, size_t size)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(asked->options->size, 6, number);
    snprintf(title, size, "%.60s, size %s", asked->options->app, number);
    if (asked->platform)
        rc_text_append(title, size, " on %.40s", asked->platform->name);
    rc_text_append(title, size, ": %" PRId64 " units%s on %zu host%s, policy %s",
                   asked->question.units, asked->options->running ? " for the rest of the run" : "",
                   asked->list.count, asked->list.count == 1 ? "" : "s",
                   rc_split_policy_name(asked->policy));
}

static int draw(const struct rc_cmd_split *asked, struct figure *figure,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n = asked->list.count;
    char title[200];
    struct rc_plot_series parts = {
        .style = RC_PLOT_SPIKES, .x = figure->places, .y = figure->shares, .n = n};
    struct rc_plot_series labels = {.style = RC_PLOT_POINTS,
                                    .x = figure->places,
                                    .y = figure->shares,
                                    .labels = figure->names,
                                    .n = n,
                                    .like = 1};
    const struct rc_plot_series hosts[] = {parts, labels};
    struct rc_plot panels[] = {
        {.title = title,
         .x = {.label = "host, in the order of ranks",
               .low = 0.5,
               .high = (double)n + 0.5,
               .step = -1},
         .y = {.label = "share of the work", .low = 0, .high = room * most_of(figure->shares, n)},
         .series = hosts,
         .n_series = n <= LABELS_MAX ? 2 : 1,
         .pixels = PIXELS},
        {.x = {.label = asked->options->running ? "remaining run time in s" : "run time in s"},
         .y = {.label = "probability of having finished", .low = 0, .high = 1},
         .series = figure->ends,
         .n_series = figure->n_ends},
    };

    write_title(asked, title, sizeof title);
    return rc_plot_write(asked->options->plot, panels, figure->n_ends ? 2 : 1, monitor, error);
}

int rc_cmd_split_plot(const struct rc_cmd_split *asked, const struct rc_monitor *monitor,
                      struct rc_error *error)
{
    struct figure *figure = calloc(1, sizeof *figure);
    int status;

    if (!figure)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < asked->list.count; h++) {
        figure->places[h] = (double)h + 1;
        figure->shares[h] =
            (double)asked->split.plans[asked->policy].units[h] / (double)asked->question.units;
        figure->names[h] = asked->list.names[h];
    }
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (compared[i] != asked->policy)
            add_end(asked, compared[i], figure);
    add_end(asked, asked->policy, figure); /* last, and so above the others */
    status = draw(asked, figure, monitor, error);
    free(figure);
    return status;
}
