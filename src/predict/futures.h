// SPDX-License-Identifier: GPL-3.0-or-later
/* futures.h - possible futures of several series together: what came after moments like this one.
 *
 * The moments of the past that were most like the present are looked up: by the value, and by the means
 * over the last 4, 16 and 64 values, so that a level that has just been reached is told from one that has
 * lasted.  A future is what came after one of them.  Where the value then was another one than now, the
 * difference fades as the autocorrelation of the series does; as long as the series stayed at exactly
 * that value, the future stays at exactly the present one.
 *
 * So a load that jumps between levels has futures that stay for a while and then jump, to levels that
 * there are; one that wavers has futures that waver.  (Errors of mean forecasts, added to a mean
 * forecast, would give levels in between, and some that never were: too little for the least of many
 * hosts.)
 *
 * Series that hang together (a mean correlation of 0.25 or more) are drawn from one moment for all, the
 * others each from its own, since no moment of the past is like the present for many hosts at once. */
#ifndef RC_PREDICT_FUTURES_H
#define RC_PREDICT_FUTURES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "forecast/series_forecast.h"

struct rc_futures;

/* `set` must outlive the result.  NULL where memory runs out, or where the past has not 16 moments with
 * a whole horizon after them.  Destroy with rc_futures_destroy(). */
struct rc_futures *rc_futures_create(const struct rc_forecast_set *set, struct rc_error *error);
void rc_futures_destroy(struct rc_futures *futures);

/* How many values a future has. */
size_t rc_futures_horizon(const struct rc_futures *futures);
/* Whether the series are drawn from one moment for all. */
bool rc_futures_together(const struct rc_futures *futures);

/* Draws one: value j (from 0) of series s at paths[s * horizon + j]. */
void rc_futures_draw(const struct rc_futures *futures, struct rc_random *random, double *paths);

#endif
