// SPDX-License-Identifier: GPL-3.0-or-later
/* horizon_answers.c - what a forecast answers: for horizons on the ladder, between its rungs, and
 * after a gap.
 *
 * After a gap of g samples the error is larger, as that of a longer horizon is: where a series
 * walks at random, the mean over h samples that begin g from now errs like the mean over the next h
 * + 3g (their variances are g + h/3 and (h + 3g)/3 steps).  Errors are taken from there. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "forecast/internal.h"

enum { WIDENED = 2 }; /* the level whose widening stands for that of the whole distribution: 90 % */

double rc_forecast_restless(const struct rc_forecast *forecast)
{
    if (!(forecast->usually > 0))
        return 1;
    return fmin(fmax(forecast->lately / forecast->usually, 0.05), 20);
}

/* Nothing is forecast that was never seen the like of. */
static double mended(const struct rc_forecast_history *past, double answer)
{
    if (!isfinite(answer))
        return rc_forecast_back(past, 0);
    return fmin(fmax(answer, past->low), past->high);
}

void rc_forecast_ask(const struct rc_forecast *forecast, size_t horizon, const double *flat,
                     double *answers)
{
    const struct rc_forecast_history *past = &forecast->past;

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        const struct rc_forecaster *one = &rc_forecasters[i];

        if (flat && one->flat)
            answers[i] = flat[i];
        else
            answers[i] = mended(past, one->mean(one, forecast->states[i], past, horizon));
    }
}

/* Two rungs, the share of the second, and by what the errors of both are too small. */
struct place {
    const struct rc_forecast_rung *low, *high;
    double part, stretch;
};

/* What can be said of a horizon; where nothing of so long a one was judged yet, what can be said of
 * shorter ones, with an error that grows like a random walk's. */
static struct place place_of(const struct rc_forecast *forecast, double horizon)
{
    const struct rc_forecast_rung *own = &forecast->rungs[RC_FORECAST_LADDER];
    struct rc_forecast_place on_ladder = rc_forecast_place(horizon);
    struct place place = {&forecast->rungs[on_ladder.rung], &forecast->rungs[on_ladder.next],
                          on_ladder.part, 1};

    if (horizon == (double)own->horizon && own->errors.n > 0)
        return (struct place){own, own, 0, 1};
    if (place.high->errors.n > 0)
        return place;
    while (on_ladder.rung > 0 && forecast->rungs[on_ladder.rung].errors.n == 0)
        on_ladder.rung--;
    place.low = place.high = &forecast->rungs[on_ladder.rung];
    place.stretch = sqrt(fmin(horizon, RC_FORECAST_LONGEST) / (double)place.low->horizon);
    return place;
}

static size_t whole(double horizon)
{
    return horizon < RC_FORECAST_LONGEST ? (size_t)fmax(horizon + 0.5, 1) : RC_FORECAST_LONGEST;
}

const char *rc_forecast_part_name(size_t part)
{
    return rc_forecasters[part].name;
}

void rc_forecast_ask_parts(const struct rc_forecast *forecast, double horizon, double *answers,
                           double *weights)
{
    bool known = forecast->past.n > 0;
    struct place place = place_of(forecast, (double)whole(horizon));

    if (answers && known)
        rc_forecast_ask(forecast, whole(horizon), NULL, answers);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        if (answers && !known)
            answers[i] = NAN;
        if (weights)
            weights[i] = !known ? NAN
                                : (1 - place.part) * place.low->chooser.weights[i] +
                                      place.part * place.high->chooser.weights[i];
    }
}

double rc_forecast_mean(const struct rc_forecast *forecast, double horizon)
{
    const struct rc_forecast_history *past = &forecast->past;
    double answers[RC_FORECAST_PARTS], weights[RC_FORECAST_PARTS], sum = 0;

    if (past->n == 0)
        return NAN;
    rc_forecast_ask_parts(forecast, horizon, answers, weights);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        sum += weights[i] * answers[i];
    return fmin(fmax(sum, past->low), past->high);
}

/* Where errors are looked up. */
static struct place place_of_errors(const struct rc_forecast *forecast, double horizon)
{
    return place_of(forecast, (double)whole(horizon) + 3 * (double)forecast->gap);
}

static double between(const struct place *place, double low, double high)
{
    return place->stretch * ((1 - place->part) * low + place->part * high);
}

double rc_forecast_within(const struct rc_forecast *forecast, double x)
{
    const struct rc_forecast_history *past = &forecast->past;
    double margin = 0.5 * (past->high - past->low);
    double least = past->low >= 0 ? fmax(past->low - margin, 0) : past->low - margin;
    double most = fmin(past->high + margin, fmax(forecast->limit, past->high));

    return fmin(fmax(x, least), most);
}

void rc_forecast_interval(const struct rc_forecast *forecast, double horizon, double level,
                          double *low, double *high)
{
    struct place place = place_of_errors(forecast, horizon);
    double mean = rc_forecast_mean(forecast, horizon), restless = rc_forecast_restless(forecast);
    double near[2], far[2], unit, unit_far;

    *low = -INFINITY;
    *high = INFINITY;
    if (place.low->errors.n == 0)
        return;
    rc_forecast_errors_reach(&place.low->errors, level, near);
    rc_forecast_errors_reach(&place.high->errors, level, far);
    unit = rc_forecast_errors_scale(&place.low->errors, restless);
    unit_far = rc_forecast_errors_scale(&place.high->errors, restless);
    *low = rc_forecast_within(forecast, mean + between(&place, unit * near[0], unit_far * far[0]));
    *high = rc_forecast_within(forecast, mean + between(&place, unit * near[1], unit_far * far[1]));
}

uint64_t rc_forecast_judged(const struct rc_forecast *forecast, double horizon)
{
    struct place place = place_of(forecast, (double)whole(horizon));
    uint64_t near = place.low->errors.n, far = place.high->errors.n;

    return place.stretch > 1 ? 0 : near < far ? near : far;
}

double rc_forecast_error_size(const struct rc_forecast *forecast, double horizon)
{
    struct place place = place_of_errors(forecast, horizon);
    double restless = rc_forecast_restless(forecast);

    return between(&place, rc_forecast_errors_scale(&place.low->errors, restless),
                   rc_forecast_errors_scale(&place.high->errors, restless));
}

double rc_forecast_error_quantile(const struct rc_forecast *forecast, double horizon, double p)
{
    struct place place = place_of_errors(forecast, horizon);
    const struct rc_forecast_errors *near = &place.low->errors, *far = &place.high->errors;
    double restless = rc_forecast_restless(forecast);

    return between(&place,
                   rc_forecast_errors_scale(near, restless) * near->wider[WIDENED] *
                       rc_forecast_errors_quantile(near, p),
                   rc_forecast_errors_scale(far, restless) * far->wider[WIDENED] *
                       rc_forecast_errors_quantile(far, p));
}

struct rc_value *rc_forecast_value(const struct rc_forecast *forecast, double horizon, size_t draws,
                                   struct rc_random *random, struct rc_error *error)
{
    double mean = rc_forecast_mean(forecast, horizon);
    double *drawn = malloc((draws ? draws : 1) * sizeof *drawn);
    struct rc_value *value = NULL;

    if (place_of_errors(forecast, horizon).low->errors.n == 0) {
        rc_error_set(error, "a forecast needs at least two samples");
    } else if (!drawn) {
        rc_error_no_memory(error);
    } else {
        for (size_t i = 0; i < draws; i++) {
            double p = rc_random_uniform(random);

            drawn[i] = rc_forecast_within(forecast,
                                          mean + rc_forecast_error_quantile(forecast, horizon, p));
        }
        value = rc_value_sample(drawn, draws, error);
    }
    free(drawn);
    return value;
}
