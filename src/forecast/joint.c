// SPDX-License-Identifier: GPL-3.0-or-later
/* joint.c - futures of several hosts, drawn together.
 *
 * While the series are followed, the path that is forecast for each of them is kept at up to 256
 * moments of the past (origins).  The difference between a path and what came is a window of
 * residuals.  A future is drawn by picking one origin for all hosts and adding its windows to the
 * paths forecast now: what the hosts did at the same time, and how one instant followed another, is
 * kept as it was, without a model of either.
 *
 * The path of a host follows from the means over the next 1, 2, 4 ... values: between 2^k and
 * 2^(k+1) it is the level that makes both means come out. */
#include "forecast/joint.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "forecast/internal.h"

enum { ORIGINS = 256, LEAST = 8, WARMUP = 16, KNOTS = RC_FC_LADDER + 1 };

#define CHANGE 3.0 /* of the size of errors that is taken into account, at most */

struct path {
    double levels[KNOTS]; /* from values 2^(k-1) on; the first one is the next value */
    double size, wider;   /* of errors over the horizon; see rc_fc_error_size() */
};

struct rc_joint {
    const struct rc_forecast_set *set;
    size_t horizon;
    size_t n_origins;
    size_t origins[ORIGINS]; /* the number of values that were known then */
    struct path *paths; /* of series s at origin o: paths[s * (ORIGINS + 1) + o]; the last: now */
    double *means, *lows, *highs; /* of each series: forecast; what it stays between */
};

void rc_joint_destroy(struct rc_joint *joint)
{
    if (!joint)
        return;
    free(joint->paths);
    free(joint->means);
    free(joint);
}

static void find_path(const struct rc_forecast *forecast, size_t horizon, struct path *path)
{
    double before = 0, sum = 0;

    rc_fc_error_size(forecast, (double)horizon, &path->size, &path->wider);
    for (size_t k = 0; k < KNOTS; k++) {
        double end = fmin((double)((size_t)1 << k), (double)horizon);

        path->levels[k] = k > 0 ? path->levels[k - 1] : 0;
        if (end > before) {
            double all = end * rc_forecast_mean(forecast, end);

            path->levels[k] = (all - sum) / (end - before);
            sum = all;
            before = end;
        }
    }
}

/* Calls for value j of a path, from 0. */
static double level_at(const struct path *path, size_t j)
{
    size_t k = 0;

    while (((size_t)1 << k) <= j)
        k++;
    return path->levels[k];
}

/* Whether all series are known over the horizon after the first `known` values. */
static bool is_whole(const struct rc_joint *joint, size_t known)
{
    const struct rc_forecast_set *set = joint->set;

    for (size_t s = 0; s < set->n_series; s++)
        for (size_t j = 0; j < joint->horizon; j++)
            if (!isfinite(set->values[s * set->n + known + j]))
                return false;
    return true;
}

static void pick_origins(struct rc_joint *joint)
{
    size_t n = joint->set->n, last, every;

    if (n < WARMUP + joint->horizon)
        return;
    last = n - joint->horizon;
    every = (last - WARMUP) / ORIGINS + 1;
    for (size_t known = last; known >= WARMUP && joint->n_origins < ORIGINS; known -= every) {
        if (is_whole(joint, known))
            joint->origins[joint->n_origins++] = known;
        if (known < every)
            break;
    }
}

/* Follows one series, and keeps its paths at the origins, which fall, and at the end. */
static int follow(struct rc_joint *joint, size_t series, struct rc_error *error)
{
    const struct rc_forecast_set *set = joint->set;
    struct rc_forecast_options options = {set->step, set->start, joint->horizon, set->limit};
    struct rc_forecast *forecast = rc_forecast_create(&options, error);
    struct path *paths = joint->paths + series * (ORIGINS + 1);
    size_t left = joint->n_origins;

    if (!forecast)
        return -1;
    for (size_t i = 0; i < set->n; i++) {
        rc_forecast_add(forecast, set->values[series * set->n + i]);
        if (left > 0 && joint->origins[left - 1] == i + 1)
            find_path(forecast, joint->horizon, &paths[--left]);
    }
    find_path(forecast, joint->horizon, &paths[ORIGINS]);
    joint->means[series] = rc_forecast_mean(forecast, (double)joint->horizon);
    joint->lows[series] = rc_fc_within(forecast, -INFINITY);
    joint->highs[series] = rc_fc_within(forecast, INFINITY);
    rc_forecast_destroy(forecast);
    return 0;
}

struct rc_joint *rc_joint_create(const struct rc_forecast_set *set, struct rc_error *error)
{
    struct rc_joint *joint = calloc(1, sizeof *joint);
    int status = 0;

    if (joint) {
        joint->set = set;
        joint->horizon = (size_t)fmin(fmax(set->horizon + 0.5, 1), RC_FC_LONGEST);
        joint->paths = calloc(set->n_series * (ORIGINS + 1), sizeof *joint->paths);
        joint->means = calloc(set->n_series * 3 + 1, sizeof *joint->means);
    }
    if (!joint || !joint->paths || !joint->means) {
        rc_joint_destroy(joint);
        rc_error_no_memory(error);
        return NULL;
    }
    joint->lows = joint->means + set->n_series;
    joint->highs = joint->lows + set->n_series;
    pick_origins(joint);
    if (joint->n_origins < LEAST) {
        rc_error_set(error, "the hosts were not seen together for long enough");
        status = rc_error_hint(error,
                               "a horizon of %zu samples takes %zu samples or more of all "
                               "hosts, without gaps",
                               joint->horizon, joint->horizon + WARMUP + LEAST - 1);
    }
    for (size_t s = 0; s < set->n_series && status == 0; s++)
        status = follow(joint, s, error);
    if (status) {
        rc_joint_destroy(joint);
        return NULL;
    }
    return joint;
}

size_t rc_joint_horizon(const struct rc_joint *joint)
{
    return joint->horizon;
}

double rc_joint_mean(const struct rc_joint *joint, size_t series)
{
    return joint->means[series];
}

/* Errors of now, as compared with those of then. */
static double stretch(const struct path *now, const struct path *then)
{
    double ratio = then->size > 0 ? now->size / then->size : 1;

    return now->wider * fmin(fmax(ratio, 1 / CHANGE), CHANGE);
}

void rc_joint_draw(const struct rc_joint *joint, struct rc_random *random, double *paths)
{
    const struct rc_forecast_set *set = joint->set;
    size_t origin = (size_t)rc_random_below(random, joint->n_origins);

    for (size_t s = 0; s < set->n_series; s++) {
        const struct path *then = &joint->paths[s * (ORIGINS + 1) + origin];
        const struct path *now = &joint->paths[s * (ORIGINS + 1) + ORIGINS];
        const double *came = set->values + s * set->n + joint->origins[origin];
        double scale = stretch(now, then);

        for (size_t j = 0; j < joint->horizon; j++) {
            double value = level_at(now, j) + scale * (came[j] - level_at(then, j));

            paths[s * joint->horizon + j] = fmin(fmax(value, joint->lows[s]), joint->highs[s]);
        }
    }
}

static double avgmin(const double *paths, size_t n_series, size_t horizon)
{
    double sum = 0;

    for (size_t j = 0; j < horizon; j++) {
        double least = INFINITY;

        for (size_t s = 0; s < n_series; s++)
            least = fmin(least, paths[s * horizon + j]);
        sum += least;
    }
    return sum / (double)horizon;
}

static double minavg(const double *paths, size_t n_series, size_t horizon)
{
    double least = INFINITY;

    for (size_t s = 0; s < n_series; s++) {
        double sum = 0;

        for (size_t j = 0; j < horizon; j++)
            sum += paths[s * horizon + j];
        least = fmin(least, sum / (double)horizon);
    }
    return least;
}

struct rc_value *rc_joint_value(const struct rc_joint *joint, enum rc_joint_stat stat, size_t draws,
                                struct rc_random *random, struct rc_error *error)
{
    size_t n = joint->set->n_series;
    double *paths = malloc(n * joint->horizon * sizeof *paths);
    double *drawn = malloc((draws ? draws : 1) * sizeof *drawn);
    struct rc_value *value = NULL;

    if (!paths || !drawn)
        rc_error_no_memory(error);
    else {
        for (size_t i = 0; i < draws; i++) {
            rc_joint_draw(joint, random, paths);
            drawn[i] = (stat == RC_JOINT_AVGMIN ? avgmin : minavg)(paths, n, joint->horizon);
        }
        value = rc_value_sample(drawn, draws, error);
    }
    free(paths);
    free(drawn);
    return value;
}
