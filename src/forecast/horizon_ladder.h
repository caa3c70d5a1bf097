// SPDX-License-Identifier: GPL-3.0-or-later
/* horizon_ladder.h - the horizons for which errors are kept: 1, 2, 4 ... 512 samples. */
#ifndef RC_FORECAST_HORIZON_LADDER_H
#define RC_FORECAST_HORIZON_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RC_FORECAST_LADDER = 10,
    RC_FORECAST_LONGEST = 1 << (RC_FORECAST_LADDER - 1),
    RC_FORECAST_DENSITY = 8, /* forecasts of a long horizon that are made in that time */
    RC_FORECAST_PENDING = 12 /* of them that can wait for their end */
};

/* The horizon of a rung, in samples. */
static inline size_t rc_forecast_horizon(size_t rung)
{
    return (size_t)1 << rung;
}

/* Of how many samples one is the beginning of a forecast that is kept and judged: neighbours in
 * time would hardly differ where the horizon is long. */
static inline double rc_forecast_stride(size_t horizon)
{
    return horizon <= RC_FORECAST_DENSITY ? 1 : (double)horizon / RC_FORECAST_DENSITY;
}

/* How many kept forecasts share a sample. */
static inline double rc_forecast_overlap(size_t horizon)
{
    return (double)horizon / rc_forecast_stride(horizon);
}

/* Whether the n-th sample is such a beginning.  They are spread evenly, yet in step with no period:
 * of a series that repeats itself every 4 samples, every phase is seen. */
bool rc_forecast_due(size_t horizon, uint64_t n);

/* The forecasts of one horizon that wait for their end, each in a slot that the caller has. */
struct rc_forecast_queue {
    uint64_t made[RC_FORECAST_PENDING];
    size_t first, n;
};
/* The slot of the forecast that ends with sample n, which leaves the queue; -1: there is none. */
int rc_forecast_queue_take(struct rc_forecast_queue *queue, size_t horizon, uint64_t n);
/* A slot for a forecast that begins after sample n; -1: there is none. */
int rc_forecast_queue_add(struct rc_forecast_queue *queue, uint64_t n);

/* Where a horizon lies: between `rung` and the next one, `part` of the way by its logarithm.  The
 * longest rung stands for all that is longer. */
struct rc_forecast_place {
    size_t rung, next;
    double part;
};
struct rc_forecast_place rc_forecast_place(double horizon);

/* The mean over `horizon` from those over the two rungs about it: what is between them comes
 * evenly. */
double rc_forecast_between(struct rc_forecast_place place, double horizon, double low, double high);

#endif
