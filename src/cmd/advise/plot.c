// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.c - the run time over the number of processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/advise/advise.h"
#include "report/plot.h"

/* Room for the points of all series. */
struct points {
    double *x, *y, *low, *high;
    size_t n;
};

/* Title, and the label of the choice with its place on the axis. */
struct label {
    char title[200], text[80];
    struct rc_plot_mark mark;
};

static int get_room(struct points *points, size_t most, struct rc_error *error)
{
    points->x = calloc(4 * (most + 1), sizeof *points->x);
    if (!points->x)
        return rc_error_no_memory(error);
    points->y = points->x + most + 1;
    points->low = points->y + most + 1;
    points->high = points->low + most + 1;
    return 0;
}

static void add(struct points *points, const struct rc_advised *one)
{
    if (!isfinite(one->mean) || !isfinite(one->hi90))
        return;
    points->x[points->n] = (double)one->candidate.procs;
    points->y[points->n] = one->mean;
    points->low[points->n] = one->lo90;
    points->high[points->n++] = one->hi90;
}

/* The points from `first` on. */
static struct rc_plot_series series_of(const struct points *points, size_t first, const char *name,
                                       enum rc_plot_style style)
{
    return (struct rc_plot_series){.name = name,
                                   .style = style,
                                   .x = points->x + first,
                                   .y = points->y + first,
                                   .low = points->low + first,
                                   .high = points->high + first,
                                   .n = points->n - first};
}

/* A line for each cluster, the rest of the shortlist as points, and the choice. */
static size_t make_series(const struct rc_cmd_advise *asked, struct points *points,
                          const struct label *label, struct rc_plot_series *series)
{
    const struct rc_search *search = &asked->advice.search;
    size_t n = 0, first;

    for (size_t c = 0; c < asked->platform->n_clusters && !asked->options->probe; c++) {
        first = points->n;
        for (size_t i = 0; i < search->n_all; i++)
            if (search->all[i].candidate.cluster == c)
                add(points, &search->all[i]);
        if (points->n > first)
            series[n++] = series_of(points, first, asked->platform->clusters[c].name, RC_PLOT_LINE);
    }
    first = points->n;
    for (size_t i = 1; i < search->n_list; i++)
        add(points, &search->list[i]);
    if (points->n > first)
        series[n++] = series_of(points, first, "shortlist", RC_PLOT_POINTS);
    first = points->n;
    add(points, &search->list[0]);
    series[n++] = series_of(points, first, label->text, RC_PLOT_POINTS);
    return n;
}

static int make_label(const struct rc_cmd_advise *asked, struct label *label,
                      struct rc_error *error)
{
    const struct rc_candidate *choice = &asked->advice.search.list[0].candidate;
    char *hosts = rc_place_advice_name(&asked->advice, choice, error);
    char n[RC_NUMBER_SIZE];

    if (!hosts)
        return -1;
    rc_number_format_short(asked->options->size, 6, n);
    snprintf(label->title, sizeof label->title, "%.60s, size %s on %.60s, by %s",
             asked->options->app, n, asked->platform->name, asked->options->objective);
    snprintf(label->text, sizeof label->text, "choice: %lld on %.40s%s", (long long)choice->procs,
             hosts, strlen(hosts) > 40 ? "..." : "");
    free(hosts);
    label->mark =
        (struct rc_plot_mark){.low = (double)choice->procs, .high = (double)choice->procs};
    return 0;
}

int rc_cmd_advise_plot(const struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                       struct rc_error *error)
{
    const struct rc_search *search = &asked->advice.search;
    struct rc_plot_series *series = calloc(asked->platform->n_clusters + 2, sizeof *series);
    struct points points = {0};
    struct label label;
    struct rc_plot plot = {.title = label.title,
                           .x = {.label = "processes", .scale = RC_PLOT_LOG},
                           .y = {.label = "run time in s, with 90 % prediction intervals",
                                 .scale = RC_PLOT_LOG},
                           .series = series,
                           .marks = &label.mark,
                           .n_marks = 1};
    int status = series ? get_room(&points, search->n_all + search->n_list, error)
                        : rc_error_no_memory(error);

    if (status == 0)
        status = make_label(asked, &label, error);
    if (status == 0) {
        plot.n_series = make_series(asked, &points, &label, series);
        status = rc_plot_write(asked->options->plot, &plot, 1, monitor, error);
    }
    free(points.x);
    free(series);
    return status;
}
