// SPDX-License-Identifier: BSD-2-Clause
/* timeline.c - the time that a rank computed and communicated, in bins of time. */
#include "mpi/trace/timeline.h"

#include <math.h>
#include <string.h>

#include "mpi/trace/call_kinds.h"

enum rc_doing rc_trace_doing_of(unsigned kind)
{
    enum rc_trace_class class = rc_trace_kind_info(kind)->class;

    return class == RC_TRACE_OTHER || class == RC_TRACE_FILES ? RC_DOING_OTHER
                                                              : RC_DOING_COMMUNICATING;
}

void rc_trace_timeline_init(struct rc_timeline *timeline)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->width = 1024;
}

/* Two bins become one each time. */
void rc_trace_timeline_reach(struct rc_timeline *timeline, double end)
{
    while (end > timeline->width * RC_TIMELINE_BINS) {
        for (int i = 0; i < RC_TIMELINE_BINS; i++)
            for (int j = 0; j < RC_DOINGS; j++)
                timeline->bins[i][j] = i < RC_TIMELINE_BINS / 2
                                           ? timeline->bins[2 * i][j] + timeline->bins[2 * i + 1][j]
                                           : 0;
        timeline->width *= 2;
    }
}

static int bin_of(const struct rc_timeline *timeline, double time)
{
    double bin = floor(time / timeline->width);

    return bin < 0 ? 0 : bin < RC_TIMELINE_BINS ? (int)bin : RC_TIMELINE_BINS - 1;
}

/* The part of bin `i` that lies between two moments, as a length. */
static double overlap(const struct rc_timeline *timeline, int i, double from, double to)
{
    double low = fmax(from, i * timeline->width), high = fmin(to, (i + 1) * timeline->width);

    return high > low ? high - low : 0;
}

void rc_trace_timeline_add(struct rc_timeline *timeline, double start, double length,
                           const double times[RC_DOINGS])
{
    int first, last;

    rc_trace_timeline_reach(timeline, start + length);
    first = bin_of(timeline, start);
    last = bin_of(timeline, start + length);
    for (int i = first; i <= last; i++) {
        double share = first == last ? 1 : overlap(timeline, i, start, start + length) / length;

        for (int j = 0; j < RC_DOINGS; j++)
            timeline->bins[i][j] += share * times[j];
    }
}

void rc_trace_timeline_between(const struct rc_timeline *timeline, double from, double to,
                               double times[RC_DOINGS])
{
    memset(times, 0, RC_DOINGS * sizeof *times);
    if (!(to > from) || from >= timeline->width * RC_TIMELINE_BINS || to <= 0)
        return;
    for (int i = bin_of(timeline, from), last = bin_of(timeline, to); i <= last; i++) {
        double share = overlap(timeline, i, from, to) / timeline->width;

        for (int j = 0; j < RC_DOINGS; j++)
            times[j] += share * timeline->bins[i][j];
    }
}
