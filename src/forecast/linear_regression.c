// SPDX-License-Identifier: GPL-3.0-or-later
/* linear_regression.c - the mean over the next H values as a linear function of what the past looks
 * like.
 *
 * One model for each rung of the ladder, fitted to that rung's own question (a direct forecast, as
 * opposed to one that is iterated as in autoregression.c).  The features are the differences
 * between means over the last 1, 2, 4 ... 256 values and over all of them (F. Corsi, "A simple
 * approximate long-memory model of realized volatility", Journal of Financial Econometrics 7, 2009,
 * does so with three windows), what is usual at the times of the day in question, and how the
 * median of the recent values differs from their mean.  What is learned is the difference between
 * what came and a window's mean, from discounted sums of squares with a ridge, each pair weighed by
 * the inverse of its error: least absolute rather than least squared errors, so that a spike
 * teaches no more than other values.
 *
 * The sums are kept rather than their inverse: a series that does not change for hours leaves them
 * singular, and the ridge takes care of that whenever they are solved. */
#include <math.h>

#include "forecast/forecaster.h"

enum { DYADIC = 9, SOLVE_EVERY = 4, LEAST = 8 };
#define PAIRS 1500.0 /* pairs */
#define RIDGE 8.0    /* pairs without a connection */
#define NEAR 0.3     /* errors below this part of their mean all count alike */

static double base_of(const struct rc_forecast_history *past, size_t rung)
{
    return rc_forecast_window_mean(past, rung < 2 ? 1 : rc_forecast_horizon(rung) / 2);
}

static void look(const struct rc_forecast_regression *regression,
                 const struct rc_forecast_history *past, size_t rung, struct rc_forecast_pair *pair)
{
    const struct rc_forecast_daily *daily = &regression->daily;
    double *feature = pair->features, nearer = rc_forecast_back(past, 0);
    double horizon = (double)rc_forecast_horizon(rung);

    pair->base = base_of(past, rung);
    for (size_t i = 0; i < DYADIC; i++) {
        double further =
            i + 1 < DYADIC ? rc_forecast_window_mean(past, (size_t)2 << i) : past->mean;

        feature[i] = nearer - further;
        nearer = further;
    }
    feature[DYADIC] = 1;
    feature[DYADIC + 1] = feature[DYADIC + 2] = 0;
    if (rc_forecast_daily_known(daily)) {
        feature[DYADIC + 1] = rc_forecast_daily_usual(daily, past, 1, horizon + 1) - pair->base;
        feature[DYADIC + 2] = rc_forecast_daily_usual(daily, past, 1 - horizon, 1) - pair->base;
    }
    feature[DYADIC + 3] =
        rc_forecast_sorted_median(&past->sorted[2]) - rc_forecast_window_mean(past, 31);
}

static double answer(const struct rc_forecast_model *model, const struct rc_forecast_pair *pair)
{
    double sum = 0;

    for (size_t i = 0; i < RC_FORECAST_FEATURES; i++)
        sum += model->weights[i] * pair->features[i];
    return pair->base + sum;
}

/* Solves (gram + ridge) weights = moment, by Cholesky's decomposition; features that do not vary
 * get no weight. */
static void solve(struct rc_forecast_model *model, size_t rung)
{
    double factor[RC_FORECAST_FEATURES][RC_FORECAST_FEATURES], y[RC_FORECAST_FEATURES];
    double ridge =
        1 + RIDGE * rc_forecast_overlap(rc_forecast_horizon(rung)) / fmin((double)model->n, PAIRS);

    for (size_t i = 0; i < RC_FORECAST_FEATURES; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = model->gram[i][j] * (i == j ? ridge : 1);

            for (size_t k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            if (i != j)
                factor[i][j] = factor[j][j] > 0 ? sum / factor[j][j] : 0;
            else
                factor[i][i] = sum > 1e-12 * model->gram[i][i] ? sqrt(sum) : 0;
        }
        y[i] = model->moment[i];
        for (size_t k = 0; k < i; k++)
            y[i] -= factor[i][k] * y[k];
        y[i] = factor[i][i] > 0 ? y[i] / factor[i][i] : 0;
    }
    for (size_t i = RC_FORECAST_FEATURES; i-- > 0;) {
        for (size_t k = i + 1; k < RC_FORECAST_FEATURES; k++)
            y[i] -= factor[k][i] * y[k];
        y[i] = factor[i][i] > 0 ? y[i] / factor[i][i] : 0;
        model->weights[i] = y[i];
    }
}

/* Learns from a pair, now that `came` is known. */
static void learn(struct rc_forecast_model *model, size_t rung, const struct rc_forecast_pair *pair,
                  double came)
{
    double error = fabs(came - pair->answer), keep = 1 - 1 / PAIRS, weight;

    model->n++;
    model->spread += fmax(1 / (double)model->n, 0.01) * (error - model->spread);
    weight = model->spread > 0 ? 1 / fmax(error / model->spread, NEAR) : 1;
    for (size_t i = 0; i < RC_FORECAST_FEATURES; i++) {
        double scaled = weight * pair->features[i];

        for (size_t j = 0; j <= i; j++)
            model->gram[i][j] = keep * model->gram[i][j] + scaled * pair->features[j];
        model->moment[i] = keep * model->moment[i] + scaled * (came - pair->base);
    }
    if (model->n >= LEAST && model->n % SOLVE_EVERY == 0)
        solve(model, rung);
}

void rc_forecast_regression_update(const struct rc_forecaster *self, void *state,
                                   const struct rc_forecast_history *past)
{
    struct rc_forecast_regression *regression = state;

    rc_forecast_daily_update(self, &regression->daily, past);
    for (size_t rung = 0; rung < RC_FORECAST_LADDER; rung++) {
        struct rc_forecast_model *model = &regression->models[rung];
        size_t horizon = rc_forecast_horizon(rung);
        int ended = rc_forecast_queue_take(&model->queue, horizon, past->n), slot;

        if (ended >= 0)
            learn(model, rung, &model->pending[ended], rc_forecast_window_mean(past, horizon));
        if (rc_forecast_due(horizon, past->n) &&
            (slot = rc_forecast_queue_add(&model->queue, past->n)) >= 0) {
            look(regression, past, rung, &model->pending[slot]);
            model->pending[slot].answer = answer(model, &model->pending[slot]);
        }
    }
}

static double at_rung(const struct rc_forecast_regression *regression,
                      const struct rc_forecast_history *past, size_t rung)
{
    struct rc_forecast_pair pair;

    look(regression, past, rung, &pair);
    return answer(&regression->models[rung], &pair);
}

double rc_forecast_regression_mean(const struct rc_forecaster *self, const void *state,
                                   const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_regression *regression = state;
    struct rc_forecast_place place = rc_forecast_place((double)horizon);
    double low = at_rung(regression, past, place.rung);

    (void)self;
    if (place.next == place.rung)
        return low;
    return rc_forecast_between(place, (double)horizon, low, at_rung(regression, past, place.next));
}
