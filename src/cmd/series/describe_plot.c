// SPDX-License-Identifier: GPL-3.0-or-later
/* describe_plot.c - a series as a plot: its histogram, and below it the samples over time, both
 * coloured by mode. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/core/metric_units.h"
#include "cmd/series/series.h"
#include "report/cell.h"
#include "report/plot.h"

enum { NAMES_SIZE = 96, LABEL_SIZE = 256, POINTS = 4000 };

/* Values times the factor are drawn, in the unit. */
struct scale {
    double factor;
    char unit[RC_CMD_SCALE_UNIT];
};

/* What is drawn of a mode. */
struct drawn {
    char name[NAMES_SIZE];
    double *x, *share; /* bars */
    double *t, *value; /* samples */
    size_t n_bars, n_samples;
};

static int make_room(struct drawn *drawn, size_t bars, size_t samples, struct rc_error *error)
{
    drawn->x = calloc(bars, sizeof *drawn->x);
    drawn->share = calloc(bars, sizeof *drawn->share);
    drawn->t = calloc(samples, sizeof *drawn->t);
    drawn->value = calloc(samples, sizeof *drawn->value);
    return drawn->x && drawn->share && drawn->t && drawn->value ? 0 : rc_error_no_memory(error);
}

static void name_mode(const struct rc_series_mode *mode, const struct scale *scale,
                      char name[NAMES_SIZE])
{
    char mean[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE], share[RC_CELL_SIZE];

    rc_number_format_short(mode->mean * scale->factor, 3, mean);
    rc_number_format_short(mode->sd * scale->factor, 2, sd);
    snprintf(name, NAMES_SIZE, "%s ± %s%s%s: %s", mean, isnan(mode->sd) ? "?" : sd,
             scale->unit[0] ? " " : "", scale->unit, rc_cell_percent_text(mode->share, 3, share));
}

/* Each bin belongs to the mode of its middle.  The bars of a mode are next to one another. */
static void fill_bars(const struct rc_bin *bins, size_t n_bins, const struct rc_series_modes *modes,
                      double factor, struct drawn *drawn)
{
    for (size_t i = 0; i < n_bins; i++) {
        size_t mode = rc_series_mode_of(modes, (bins[i].low + bins[i].high) / 2);
        struct drawn *of = drawn + (mode == RC_SERIES_NO_MODE ? 0 : mode);

        of->x[of->n_bars] = bins[i].low * factor;
        of->share[of->n_bars++] = bins[i].p;
        of->x[of->n_bars] = bins[i].high * factor; /* of the next bar, or the end */
    }
    for (size_t i = 0; i < modes->n_modes; i++) {
        if (drawn[i].n_bars == 0) /* narrower than a bin */
            drawn[i].x[0] = drawn[i].share[0] = NAN;
        drawn[i].share[drawn[i].n_bars++] = 0;
    }
}

/* Of very many samples, some that are evenly spaced. */
static void fill_samples(const struct rc_sample *samples, size_t n,
                         const struct rc_series_modes *modes, double factor, struct drawn *drawn)
{
    size_t shown = n < POINTS ? n : POINTS;

    for (size_t i = 0; i < shown; i++) {
        const struct rc_sample *sample = samples + i * n / shown;
        size_t mode = rc_series_mode_of(modes, sample->value);

        if (mode == RC_SERIES_NO_MODE)
            continue;
        drawn[mode].t[drawn[mode].n_samples] = sample->t;
        drawn[mode].value[drawn[mode].n_samples++] = sample->value * factor;
    }
}

static int draw(const char *path, const char *name, const char *metric, const char *unit,
                const struct drawn *drawn, size_t n, const struct rc_monitor *monitor,
                struct rc_error *error)
{
    struct rc_plot_series bars[RC_SERIES_MODES_MAX], points[RC_SERIES_MODES_MAX];
    char label[LABEL_SIZE];

    snprintf(label, sizeof label, *unit ? "%s (%s)" : "%s%s", metric, unit);
    for (size_t i = 0; i < n; i++) {
        bars[i] = (struct rc_plot_series){.name = drawn[i].name,
                                          .style = RC_PLOT_BARS,
                                          .x = drawn[i].x,
                                          .y = drawn[i].share,
                                          .n = drawn[i].n_bars};
        points[i] = (struct rc_plot_series){
            .style = RC_PLOT_POINTS, .x = drawn[i].t, .y = drawn[i].value, .n = drawn[i].n_samples};
    }
    return rc_plot_write(path,
                         (struct rc_plot[]){{.title = name,
                                             .x = {.label = label},
                                             .y = {.label = "share of samples"},
                                             .series = bars,
                                             .n_series = n,
                                             .pixels = 600},
                                            {.x = {.label = "time (UTC)", .scale = RC_PLOT_TIME},
                                             .y = {.label = label},
                                             .series = points,
                                             .n_series = n}},
                         2, monitor, error);
}

int rc_cmd_series_plot(const char *path, const char *name, const char *metric,
                       const struct rc_sample *samples, size_t n, size_t bins,
                       const struct rc_series_modes *modes, const struct rc_monitor *monitor,
                       struct rc_error *error)
{
    struct drawn *drawn = calloc(modes->n_modes, sizeof *drawn);
    struct rc_bin *histogram = NULL;
    struct scale scale;
    size_t n_bins = 0, n_known;
    double *values = rc_series_values(samples, n, &n_known, error), *sorted = NULL;
    int status = -1;

    if (!drawn)
        rc_error_no_memory(error);
    if (!drawn || !values || !(sorted = rc_series_sorted(values, n_known, &n_known, error)) ||
        rc_series_histogram(RC_SERIES_BINS_SCOTT, bins, sorted, n_known, &histogram, &n_bins,
                            error))
        goto done;
    scale.factor =
        rc_cmd_metric_scale(metric, fmax(fabs(sorted[0]), fabs(sorted[n_known - 1])), scale.unit);
    for (size_t i = 0; i < modes->n_modes; i++) {
        if (make_room(drawn + i, n_bins + 1, n, error))
            goto done;
        name_mode(modes->modes + i, &scale, drawn[i].name);
    }
    fill_bars(histogram, n_bins, modes, scale.factor, drawn);
    fill_samples(samples, n, modes, scale.factor, drawn);
    status = draw(path, name, metric, scale.unit, drawn, modes->n_modes, monitor, error);
done:
    for (size_t i = 0; drawn && i < modes->n_modes; i++) {
        free(drawn[i].x);
        free(drawn[i].share);
        free(drawn[i].t);
        free(drawn[i].value);
    }
    free(drawn);
    free(histogram);
    free(sorted);
    free(values);
    return status;
}
