// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.c - follows a series: each sample moves all forecasters, and ends some of the forecasts
 * that were made before, by which forecasters and answers are judged.
 *
 * Invariants:
 * 1. A forecast of horizon h that was made after sample n is judged at sample n + h, by the mean of
 *    the h samples in between; not at all if one of them was missing.
 * 2. A missing sample is replaced by its own forecast, so that time goes on; it is never what
 *    anything is judged by.
 * 3. Memory and the work for a sample do not grow. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "forecast/internal.h"

#define LATELY 0.1
#define USUALLY 0.005
#define HUGE_VALUE 1e100 /* beyond it, sums of squares would be infinite */

void rc_forecast_destroy(struct rc_forecast *forecast)
{
    if (!forecast)
        return;
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        free(forecast->states[i]);
    free(forecast);
}

static struct rc_forecast *allocate(void)
{
    struct rc_forecast *forecast = calloc(1, sizeof *forecast);

    for (size_t i = 0; forecast && i < RC_FORECAST_PARTS; i++)
        if (rc_forecasters[i].size && !(forecast->states[i] = calloc(1, rc_forecasters[i].size))) {
            rc_forecast_destroy(forecast);
            return NULL;
        }
    return forecast;
}

struct rc_forecast *rc_forecast_create(const struct rc_forecast_options *options,
                                       struct rc_error *error)
{
    struct rc_forecast *forecast = allocate();
    size_t own = options->horizon <= RC_FORECAST_LONGEST ? options->horizon : 0;

    if (!forecast) {
        rc_error_no_memory(error);
        return NULL;
    }
    forecast->limit = options->limit > 0 ? options->limit : (double)INFINITY;
    rc_forecast_history_init(&forecast->past, options->step, options->start - options->step);
    for (size_t i = 0; i <= RC_FORECAST_LADDER; i++) {
        struct rc_forecast_rung *rung = &forecast->rungs[i];

        rung->horizon = i < RC_FORECAST_LADDER ? rc_forecast_horizon(i) : own;
        if (i < RC_FORECAST_LADDER && rung->horizon == own)
            own = 0; /* it is on the ladder */
        rc_forecast_chooser_init(&rung->chooser);
        rc_forecast_errors_init(&rung->errors);
    }
    return forecast;
}

static void judge(struct rc_forecast *forecast, struct rc_forecast_rung *rung, size_t slot)
{
    uint64_t n = forecast->past.n;
    double came = rc_forecast_window_mean(&forecast->past, rung->horizon);
    double error = fabs(came - rung->claims[slot].answer);
    double overlap = rc_forecast_overlap(rung->horizon);

    if (forecast->missing + rung->horizon > n)
        return;
    if (rung->horizon == 1) {
        forecast->lately += fmax(1 / (double)n, LATELY) * (error - forecast->lately);
        forecast->usually += fmax(1 / (double)n, USUALLY) * (error - forecast->usually);
    }
    rc_forecast_chooser_judge(&rung->chooser, &rung->answers[slot], came, overlap);
    rc_forecast_errors_judge(&rung->errors, &rung->claims[slot], came, overlap);
}

static void claim(const struct rc_forecast *forecast, struct rc_forecast_rung *rung, size_t slot,
                  const double *flat)
{
    double scale = rc_forecast_errors_scale(&rung->errors, rc_forecast_restless(forecast)), answer;

    rc_forecast_ask(forecast, rung->horizon, flat, rung->answers[slot].parts);
    answer = rc_forecast_chooser_answer(&rung->chooser, &rung->answers[slot]);
    rc_forecast_errors_claim(&rung->errors, answer, scale, &rung->claims[slot]);
}

static void take_in(struct rc_forecast *forecast, double value)
{
    struct rc_forecast_history *past = &forecast->past;
    double flat[RC_FORECAST_PARTS];

    rc_forecast_history_add(past, value);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        if (rc_forecasters[i].update)
            rc_forecasters[i].update(&rc_forecasters[i], forecast->states[i], past);
    rc_forecast_ask(forecast, 1, NULL, flat);
    for (size_t i = 0; i <= RC_FORECAST_LADDER; i++) {
        struct rc_forecast_rung *rung = &forecast->rungs[i];
        int ended, slot;

        if (rung->horizon == 0)
            continue;
        ended = rc_forecast_queue_take(&rung->queue, rung->horizon, past->n);
        if (ended >= 0)
            judge(forecast, rung, (size_t)ended);
        if (rc_forecast_due(rung->horizon, past->n) &&
            (slot = rc_forecast_queue_add(&rung->queue, past->n)) >= 0)
            claim(forecast, rung, (size_t)slot, flat);
    }
}

void rc_forecast_add(struct rc_forecast *forecast, double value)
{
    if (isfinite(value)) {
        forecast->gap = 0;
        take_in(forecast, fmin(fmax(value, -HUGE_VALUE), HUGE_VALUE));
    } else if (forecast->past.n == 0) {
        forecast->past.clock += forecast->past.step;
    } else {
        forecast->gap++;
        forecast->missing = forecast->past.n + 1;
        take_in(forecast, rc_forecast_mean(forecast, 1));
    }
}

void rc_forecast_skip(struct rc_forecast *forecast, uint64_t samples)
{
    uint64_t few = samples < RC_FORECAST_LONGEST ? samples : RC_FORECAST_LONGEST;

    for (uint64_t i = 0; i < few; i++)
        rc_forecast_add(forecast, NAN);
    forecast->past.clock += (double)(samples - few) * forecast->past.step;
    if (forecast->past.n > 0)
        forecast->gap += samples - few;
}

uint64_t rc_forecast_samples(const struct rc_forecast *forecast)
{
    return forecast->past.n;
}
