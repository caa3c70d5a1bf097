// SPDX-License-Identifier: GPL-3.0-or-later
/* description.h - what a series looks like, by the measures of chapter 4 of J. M. Schopf's
 * dissertation: moments, quantiles, modes, temporal locality, time frame, closeness to a normal
 * distribution, and how many bins its histogram should have. */
#ifndef RC_STATS_SERIES_DESCRIPTION_H
#define RC_STATS_SERIES_DESCRIPTION_H

#include "runcast.h"
#include "stats/series/histogram_bins.h"
#include "stats/series/modes.h"
#include "stats/series/normality.h"
#include "stats/series/statistics.h"
#include "stats/series/time_frame.h"

enum { RC_SERIES_PERCENTILES = 5, RC_SERIES_BINS_FINE = 200 };
extern const int rc_series_percentiles[RC_SERIES_PERCENTILES]; /* 5, 25, 50, 75, 95 */

struct rc_series_description {
    size_t n;           /* samples that are finite */
    double first, last; /* times of the first and the last of all samples */
    double spacing;     /* median seconds between samples; 0 for a single one */
    struct rc_series_moments moments;
    double quantiles[RC_SERIES_PERCENTILES];
    double next; /* autocorrelation of neighbours on an even grid; NAN: unknown, or constant */
    double half; /* seconds after which the autocorrelation is below 1/2; NAN: it never is, up to
                    half of the series */
    struct rc_series_frame frame;
    struct rc_series_modes modes;
    struct rc_series_locality locality; /* over that time frame */
    struct rc_series_closeness closeness;
    struct {
        size_t n;
        double width;
    } bins[RC_SERIES_BIN_RULES];
    size_t mode_bins; /* by Scott's rule for the spread within modes, at most RC_SERIES_BINS_FINE */
};

/* Describes samples by rising time, at least one of them finite.  What happened in gaps of more
 * than RC_SERIES_GAP spacings is unknown. */
#define RC_SERIES_GAP 10.0
int rc_series_describe(const struct rc_sample *samples, size_t n,
                       struct rc_series_description *description, struct rc_error *error);

#endif
