// SPDX-License-Identifier: GPL-3.0-or-later
/* segment_chains.h - load scenarios of a series that stays at a level and then jumps to another.
 *
 * A segment is a level and how long it lasted.  A future is a chain of segments of the past: the
 * present one lasts as long as one of about its level did that had lasted as long by then; what
 * comes next is what came after a segment of about the same level, and so on with that.  So jumps
 * follow one another as they did (from one mode to itself or to another, from rest to a burst and
 * back), levels are those that there are, and a few hours of the past make more scenarios than
 * there are moments in it.  What a level has to do with those before the last one is lost. */
#ifndef RC_FORECAST_SEGMENT_CHAINS_H
#define RC_FORECAST_SEGMENT_CHAINS_H

#include <stddef.h>

#include "base/random.h"
#include "runcast.h"

struct rc_segments;

/* Of n values at equal distances, of which those that are not known are NAN; they are not needed
 * later.  1: `*segments` is to be destroyed by the caller; 0: there are too few of them to go by,
 * and it is NULL, as where -1 is returned. */
int rc_forecast_segments_create(const double *values, size_t n, struct rc_segments **segments,
                                struct rc_error *error);
void rc_forecast_segments_destroy(struct rc_segments *segments);

/* The `horizon` values after the last one that is known. */
void rc_forecast_segments_draw(const struct rc_segments *segments, struct rc_random *random,
                               size_t horizon, double *path);

#endif
