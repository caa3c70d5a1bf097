// SPDX-License-Identifier: BSD-2-Clause
/* timeline.h - the time that a rank computed and communicated, in bins of time.
 *
 * Bins become longer as the program goes on. */
#ifndef RC_MPI_TRACE_TIMELINE_H
#define RC_MPI_TRACE_TIMELINE_H

enum rc_doing { RC_DOING_COMPUTING, RC_DOING_COMMUNICATING, RC_DOING_OTHER, RC_DOINGS };
enum { RC_TIMELINE_BINS = 1024 };

/* What a call of a kind counts as. */
enum rc_doing rc_trace_doing_of(unsigned kind);

/* All times are in nanoseconds since the rank's time 0.  Start from rc_trace_timeline_init(). */
struct rc_timeline {
    double width; /* of a bin: a power of 2 */
    double bins[RC_TIMELINE_BINS][RC_DOINGS];
};
void rc_trace_timeline_init(struct rc_timeline *timeline);

/* Makes bins so long that the last ends at `end` or later. */
void rc_trace_timeline_reach(struct rc_timeline *timeline, double end);

/* Spreads times evenly over a stretch. */
void rc_trace_timeline_add(struct rc_timeline *timeline, double start, double length,
                           const double times[RC_DOINGS]);

/* The times between two moments, in `times`. */
void rc_trace_timeline_between(const struct rc_timeline *timeline, double from, double to,
                               double times[RC_DOINGS]);

#endif
