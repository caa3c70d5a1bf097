// SPDX-License-Identifier: GPL-3.0-or-later
/* resample.h - from samples at any time to an even grid, and the windows of a series.
 *
 * Samples are ordered by rising time, as the database has them; two of one time are allowed, and
 * the later one counts.  A sample whose value is not finite counts as absent. */
#ifndef RC_STATS_SERIES_RESAMPLE_H
#define RC_STATS_SERIES_RESAMPLE_H

#include <stddef.h>

#include "runcast.h"

/* The samples with from <= t <= to (NAN: open) are samples[*first .. *first + count - 1]; count is
 * returned.  O(log n). */
size_t rc_series_window(const struct rc_sample *samples, size_t n, double from, double to,
                        size_t *first);

/* The median of the times between samples; 0 where there are none.  -1 where memory runs out. */
int rc_series_spacing(const struct rc_sample *samples, size_t n, double *spacing,
                      struct rc_error *error);

/* Points at start, start + step, ...; as cells, [start, start + step), ... */
struct rc_series_grid {
    double start, step;
    size_t n;
};

enum { RC_SERIES_POINTS_MAX = 1 << 26 };

/* The grid from the first sample to the last: the least that has both inside.  A step of 0 stands
 * for the spacing.  It is an error where `step` is not positive otherwise, where there is no
 * sample, and where there would be more than RC_SERIES_POINTS_MAX points. */
int rc_series_grid_over(const struct rc_sample *samples, size_t n, double step,
                        struct rc_series_grid *grid, struct rc_error *error);

enum rc_series_fill {
    RC_SERIES_HOLD,   /* at each point, the last value so far; NAN where it is older than `gap` */
    RC_SERIES_LINEAR, /* on the line between the samples on either side; NAN where these are further
                     apart than `gap`, and outside the samples */
    RC_SERIES_MEAN /* in each cell, the time-weighted mean of what RC_SERIES_HOLD shows; NAN where more
                     than half of the cell is not known */
};

/* Writes grid->n values to `out`.  `gap` > 0 in seconds; INFINITY: none is too long.  -1 where
 * grid or gap make no sense. */
int rc_series_resample(const struct rc_sample *samples, size_t n, const struct rc_series_grid *grid,
                       enum rc_series_fill fill, double gap, double *out, struct rc_error *error);

#endif
