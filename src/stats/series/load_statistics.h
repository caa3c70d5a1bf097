// SPDX-License-Identifier: GPL-3.0-or-later
/* load_statistics.h - what a run saw of the load, as two numbers.
 *
 * H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid scheduling"
 * (2008), take the average of each host over the run and of these the least (minavg).  Programs
 * that wait for one another go at the pace of the slowest host at each instant: the average over
 * the run of the least (avgmin) is what drives them. */
#ifndef RC_STATS_SERIES_LOAD_STATISTICS_H
#define RC_STATS_SERIES_LOAD_STATISTICS_H

#include <stddef.h>

#include "runcast.h"

/* The samples of one host or link, by rising time. */
struct rc_series_track {
    const struct rc_sample *samples;
    size_t n;
};

struct rc_series_load {
    double minavg, avgmin;
};

/* Averages over the time from `from` to `to` (from < to), in which each value holds until the next.
 * Time before the first sample of any track is left out.  Both are NAN where nothing is left, or
 * where there is no track.  -1 where memory runs out or the times make no sense. */
int rc_series_load_statistics(const struct rc_series_track *tracks, size_t n_tracks, double from,
                              double to, struct rc_series_load *load, struct rc_error *error);

#endif
