// SPDX-License-Identifier: GPL-3.0-or-later
/* time_frame.c - the time frame over which the past of a series resembles its future.
 *
 * J. M. Schopf's dissertation, section 4.B.1: over T = 5 minutes the past correlated with the
 * future by more than 0.7, on three systems, and users can find their own T.  Here the series is
 * cut into windows of length T, and the mean of each is correlated with that of the next.
 *
 * With 12 pairs a correlation of 0.7 has t = 0.7 sqrt(10 / (1 - 0.49)) = 3.1: the t-test then
 * rejects "no correlation" at 1 %, so it is passed wherever there are pairs enough and needs no
 * calculation.
 *
 * What the correlation cannot see: a series that only scatters around one mean has none at any T,
 * although any T predicts it well.  The default is the answer then, as `source` shows. */
#include "stats/series/time_frame.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/resample.h"
#include "stats/series/statistics.h"

static const double DEFAULT_LADDER[] = {30,  60,  120,  180,  300,  450,
                                        600, 900, 1200, 1800, 2700, 3600};

const char *rc_series_frame_source_text(enum rc_series_frame_source source)
{
    switch (source) {
    case RC_SERIES_FRAME_MEASURED:
        return "the means of adjacent windows correlate above 0.7";
    case RC_SERIES_FRAME_TOO_SHORT:
        return "the default; the series is too short";
    case RC_SERIES_FRAME_CONSTANT:
        return "the default; the series does not change";
    case RC_SERIES_FRAME_UNRELATED:
        return "the default; no window resembles the next more than another";
    }
    return "?";
}

int rc_series_frame_correlation(const struct rc_sample *samples, size_t n, double seconds,
                                double gap, double *correlation, size_t *pairs,
                                struct rc_error *error)
{
    struct rc_series_grid grid;
    double *means;
    int status;

    *correlation = NAN;
    *pairs = 0;
    if (n == 0)
        return 0;
    if (rc_series_grid_over(samples, n, seconds, &grid, error))
        return -1;
    /* The last cell reaches beyond the last sample; the one before is the last full window. */
    if (grid.n < 3)
        return 0;
    grid.n--;
    means = calloc(grid.n, sizeof *means);
    if (!means)
        return rc_error_no_memory(error);
    status = rc_series_resample(samples, n, &grid, RC_SERIES_MEAN, gap, means, error);
    if (status == 0)
        *correlation = rc_series_correlation(means, means + 1, grid.n - 1, pairs);
    free(means);
    return status;
}

int rc_series_frame(const struct rc_sample *samples, size_t n, const double *ladder,
                    size_t n_ladder, double gap, struct rc_series_frame *frame,
                    struct rc_error *error)
{
    double spacing, correlation;
    size_t pairs;

    *frame = (struct rc_series_frame){RC_SERIES_FRAME_DEFAULT, RC_SERIES_FRAME_TOO_SHORT, NAN, 0};
    if (!ladder) {
        ladder = DEFAULT_LADDER;
        n_ladder = sizeof DEFAULT_LADDER / sizeof *DEFAULT_LADDER;
    }
    if (rc_series_spacing(samples, n, &spacing, error))
        return -1;
    for (size_t i = 0; i < n_ladder; i++) {
        bool enough;

        if (!(ladder[i] > 0) || !isfinite(ladder[i]))
            return rc_error_set(error, "a window must have a positive length, not %g", ladder[i]);
        if (ladder[i] < 2 * spacing)
            continue;
        if (rc_series_frame_correlation(samples, n, ladder[i], gap, &correlation, &pairs, error))
            return -1;
        enough = pairs >= RC_SERIES_FRAME_PAIRS;
        if (enough && correlation > RC_SERIES_FRAME_CORRELATION) {
            if (frame->source != RC_SERIES_FRAME_MEASURED || ladder[i] > frame->seconds)
                *frame = (struct rc_series_frame){ladder[i], RC_SERIES_FRAME_MEASURED, correlation,
                                                  pairs};
        } else if (enough && frame->source != RC_SERIES_FRAME_MEASURED) {
            if (isnan(correlation) && frame->source == RC_SERIES_FRAME_TOO_SHORT) {
                frame->source = RC_SERIES_FRAME_CONSTANT;
            } else if (!isnan(correlation) && !(correlation <= frame->correlation)) {
                frame->source = RC_SERIES_FRAME_UNRELATED;
                frame->correlation = correlation;
                frame->pairs = pairs;
            }
        }
    }
    return 0;
}
