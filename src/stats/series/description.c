// SPDX-License-Identifier: GPL-3.0-or-later
/* description.c - what a series looks like.
 *
 * J. M. Schopf's dissertation (UC San Diego, 1998), sections 4.A.1 (moments), 4.B.1 (time frame),
 * 4.B.3 (modes and temporal locality), 4.B.4 (closeness to a normal distribution) and 4.D.1 (bins).
 * The autocorrelation, which the dissertation does not have, says how fast the past of a series
 * loses its worth for a forecast. */
#include "stats/series/description.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/resample.h"

enum { GRID_MAX = 1 << 20 }; /* points; a finer grid than the samples deserve is made coarser */

const int rc_series_percentiles[RC_SERIES_PERCENTILES] = {5, 25, 50, 75, 95};

/* The autocorrelation on a grid as fine as the samples are. */
static int describe_memory(const struct rc_sample *samples, size_t n, double gap,
                           struct rc_series_description *description, struct rc_error *error)
{
    double step = fmax(description->spacing, (description->last - description->first) / GRID_MAX);
    struct rc_series_grid grid;
    size_t most;
    double *values, *acf;
    int status;

    description->next = description->half = NAN;
    if (!(step > 0))
        return 0;
    if (rc_series_grid_over(samples, n, step, &grid, error))
        return -1;
    most = grid.n / 2;
    if (most == 0)
        return 0;
    values = calloc(grid.n, sizeof *values);
    acf = calloc(most + 1, sizeof *acf);
    if (!values || !acf)
        status = rc_error_no_memory(error);
    else
        status = rc_series_resample(samples, n, &grid, RC_SERIES_HOLD, gap, values, error) ||
                         rc_series_acf(values, grid.n, most, acf, error)
                     ? -1
                     : 0;
    if (!status) {
        description->next = acf[1];
        for (size_t lag = 1; lag <= most && isnan(description->half); lag++)
            if (acf[lag] < 0.5)
                description->half = (double)lag * step;
    }
    free(values);
    free(acf);
    return status;
}

static void describe_sorted(const double *sorted, size_t n,
                            struct rc_series_description *description)
{
    for (int i = 0; i < RC_SERIES_PERCENTILES; i++)
        description->quantiles[i] = rc_series_quantile(sorted, n, rc_series_percentiles[i] / 100.0);
    for (int rule = 0; rule < RC_SERIES_BIN_RULES; rule++) {
        description->bins[rule].n = rc_series_bin_count((enum rc_series_bin_rule)rule, sorted, n);
        description->bins[rule].width =
            rc_series_bin_width((enum rc_series_bin_rule)rule, sorted, n);
    }
}

/* The sd of a series with several modes is far above that of each mode, and bins by Scott's rule
 * are too wide to show them. */
static size_t bins_of_modes(const struct rc_series_description *description)
{
    double sd = description->moments.sd, within = description->modes.aggregate_sd,
           bins = (double)description->bins[RC_SERIES_BINS_SCOTT].n;

    if (sd > 0 && within > 0)
        bins = fmax(bins, ceil(bins * sd / within));
    return (size_t)fmin(bins, RC_SERIES_BINS_FINE);
}

int rc_series_describe(const struct rc_sample *samples, size_t n,
                       struct rc_series_description *description, struct rc_error *error)
{
    double *values = rc_series_values(samples, n, &description->n, error), *sorted = NULL, gap;
    size_t known = values ? description->n : 0;
    int status = -1;

    if (!values)
        return -1;
    *description = (struct rc_series_description){.n = known};
    if (known == 0) {
        rc_error_set(error, "no sample in the window");
        goto done;
    }
    description->first = samples[0].t;
    description->last = samples[n - 1].t;
    rc_series_moments(values, known, &description->moments);
    sorted = rc_series_sorted(values, known, &known, error);
    if (!sorted || rc_series_spacing(samples, n, &description->spacing, error))
        goto done;
    describe_sorted(sorted, known, description);
    gap = description->spacing > 0 ? RC_SERIES_GAP * description->spacing : INFINITY;
    status = describe_memory(samples, n, gap, description, error) ||
                     rc_series_frame(samples, n, NULL, 0, gap, &description->frame, error) ||
                     rc_series_modes(values, known, NULL, &description->modes, error) ||
                     rc_series_locality(samples, n, &description->modes, description->frame.seconds,
                                        gap, &description->locality, error) ||
                     rc_series_closeness(values, known, RC_SERIES_BINS_SCOTT,
                                         &description->closeness, error)
                 ? -1
                 : 0;
    if (!status)
        description->mode_bins = bins_of_modes(description);
done:
    free(values);
    free(sorted);
    return status;
}
