// SPDX-License-Identifier: GPL-3.0-or-later
/* time_frame.h - the time frame over which the past of a series resembles its future. */
#ifndef RC_STATS_SERIES_TIME_FRAME_H
#define RC_STATS_SERIES_TIME_FRAME_H

#include <stddef.h>

#include "runcast.h"
#include "stats/series/modes.h"

/* Where an answer comes from. */
enum rc_series_frame_source {
    RC_SERIES_FRAME_MEASURED,  /* the means of adjacent windows correlate */
    RC_SERIES_FRAME_TOO_SHORT, /* the default: no window length has enough windows */
    RC_SERIES_FRAME_CONSTANT,  /* the default: the means do not change, so any length would do */
    RC_SERIES_FRAME_UNRELATED  /* the default: at no length does one window predict the next */
};
/* One sentence of it, for people. */
const char *rc_series_frame_source_text(enum rc_series_frame_source source);

struct rc_series_frame {
    double seconds; /* the answer */
    enum rc_series_frame_source source;
    double correlation; /* at that length; of UNRELATED, the highest of any; otherwise NAN */
    size_t pairs;       /* of windows that it comes from; otherwise 0 */
};

/* The least correlation of adjacent windows, and the least number of pairs for it. */
#define RC_SERIES_FRAME_CORRELATION 0.7
enum { RC_SERIES_FRAME_PAIRS = 12 };

/* The longest window of a ladder of lengths (in seconds; NULL: 30 s to 1 h) such that the means of
 * adjacent windows correlate above 0.7; RC_SERIES_FRAME_DEFAULT if the data do not decide.  Lengths
 * in which there are not two samples, by the median time between them, are passed over.  `gap` as
 * for rc_series_resample().  -1 for lengths that make no sense, and where memory runs out. */
int rc_series_frame(const struct rc_sample *samples, size_t n, const double *ladder,
                    size_t n_ladder, double gap, struct rc_series_frame *frame,
                    struct rc_error *error);

/* The correlation of the means of adjacent windows of one length, and the number of pairs. */
int rc_series_frame_correlation(const struct rc_sample *samples, size_t n, double seconds,
                                double gap, double *correlation, size_t *pairs,
                                struct rc_error *error);

#endif
