// SPDX-License-Identifier: GPL-3.0-or-later
/* analog_scenarios.h - load scenarios of several series together: what came after moments like this
 * one.
 *
 * A future is what came after one of the moments of the past that were most like the present.
 *
 * A load that jumps between levels (most of its values are exactly those before them) is compared
 * by its level and by how long that has lasted; where a level has to do with the one before, also
 * by the means over the last 4, 16 and 64 values.  As long as it stayed then, the future stays at
 * the present value; with every jump, the difference between now and then fades by the correlation
 * of a level with the one before.  Any other series is compared by its value and those means, and
 * the difference fades as its autocorrelation does.  No future leaves what was seen.
 *
 * So scenarios go to levels that there are, and stay as long as loads do.  (Errors of mean
 * forecasts, added to a mean forecast, would give levels in between, and some that never were: too
 * little for the least of many hosts.)
 *
 * Where a series that jumps has jumped often enough, its scenarios are chains of what it did
 * (segment_chains.h): there are many more of these than moments like this one.
 *
 * Series that hang together (a mean correlation of 0.25 or more) are drawn from one moment for
 * all, the others each from its own, since no moment of the past is like the present for many
 * hosts at once. */
#ifndef RC_FORECAST_ANALOG_SCENARIOS_H
#define RC_FORECAST_ANALOG_SCENARIOS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "forecast/even_series.h"

struct rc_scenarios;

/* `set` must outlive the result.  NULL where memory runs out, or where the past has not 16 moments
 * with a whole horizon after them.  Destroy with rc_forecast_scenarios_destroy(). */
struct rc_scenarios *rc_forecast_scenarios_create(const struct rc_forecast_set *set,
                                                  struct rc_error *error);
void rc_forecast_scenarios_destroy(struct rc_scenarios *scenarios);

/* How many values a future has. */
size_t rc_forecast_scenarios_horizon(const struct rc_scenarios *scenarios);
/* Whether the series are drawn from one moment for all. */
bool rc_forecast_scenarios_together(const struct rc_scenarios *scenarios);

/* Draws one: value j (from 0) of series s at paths[s * horizon + j]. */
void rc_forecast_scenarios_draw(const struct rc_scenarios *scenarios, struct rc_random *random,
                                double *paths);

#endif
