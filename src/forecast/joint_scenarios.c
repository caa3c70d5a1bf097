// SPDX-License-Identifier: GPL-3.0-or-later
/* joint_scenarios.c - load scenarios of several hosts.
 *
 * While the series are followed, the path that is forecast for each of them is stored at up to 256
 * moments of the past (origins).  The difference between a path and what came is a window of
 * residuals.  A scenario is drawn by picking one origin for all hosts and adding its windows to the
 * paths forecast now: what the hosts did at the same time, and how one instant followed another, is
 * preserved without a model of either.
 *
 * The error of the mean over a path is not that of the window, but one of the errors that the
 * host's forecast expects at that horizon: the one with the rank of the window.  (R.
 * Schefzik, T. Thorarinsdottir and T. Gneiting, "Uncertainty quantification in complex simulation
 * models using ensemble copula coupling", Statistical Science 28, 2013: quantiles from each
 * variable alone, in the order that the ensemble has.)  Windows of a short past overlap, and are so
 * similar that their spread would be too small.
 *
 * The path of a host follows from the means over the next 1, 2, 4 ... values: between 2^k and
 * 2^(k+1) it is the level that makes both means come out. */
#include "forecast/joint_scenarios.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "forecast/internal.h"

enum { ORIGINS = 256, LEAST = 8, WARMUP = 16, KNOTS = RC_FORECAST_LADDER, LOOK_UP_EVERY = 4096 };

#define CHANGE 3.0 /* of the size of errors that is taken into account, at most */

struct path {
    double levels[KNOTS]; /* from values 2^(k-1) on; the first one is the next value */
    double size;          /* of errors over the horizon; see rc_forecast_error_size() */
};

struct host {
    double mean;            /* over the horizon, as it is forecast */
    uint64_t judged;        /* forecasts of that horizon */
    double low, high;       /* what it stays between */
    double errors[ORIGINS]; /* of that mean: quantiles, evenly spread and rising */
    double missed[ORIGINS]; /* by how much the mean that came at an origin missed */
    size_t ranks[ORIGINS];  /* of these, among all origins: 0 is the least */
    struct path then[ORIGINS], now;
};

struct rc_joint {
    const struct rc_forecast_set *set;
    const struct rc_monitor *monitor;
    size_t horizon;
    size_t n_origins;
    size_t origins[ORIGINS]; /* the number of values that were known then; falling */
    struct host *hosts;      /* one for each series */
};

void rc_forecast_joint_destroy(struct rc_joint *joint)
{
    if (!joint)
        return;
    free(joint->hosts);
    free(joint);
}

static void find_path(const struct rc_forecast *forecast, size_t horizon, struct path *path)
{
    double before = 0, sum = 0;

    path->size = rc_forecast_error_size(forecast, (double)horizon);
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

/* What came after an origin. */
static const double *came_after(const struct rc_joint *joint, size_t series, size_t origin)
{
    return joint->set->values + series * joint->set->n + joint->origins[origin];
}

static void rank_origins(const struct rc_joint *joint, size_t series)
{
    struct host *host = &joint->hosts[series];

    for (size_t o = 0; o < joint->n_origins; o++) {
        const double *came = came_after(joint, series, o);

        host->missed[o] = 0;
        for (size_t j = 0; j < joint->horizon; j++)
            host->missed[o] += (came[j] - level_at(&host->then[o], j)) / (double)joint->horizon;
    }
    for (size_t o = 0; o < joint->n_origins; o++) {
        host->ranks[o] = 0;
        for (size_t i = 0; i < joint->n_origins; i++)
            host->ranks[o] +=
                host->missed[i] < host->missed[o] || (host->missed[i] == host->missed[o] && i < o);
    }
}

/* What is known of the future of a host, now that its series was followed to the end. */
static void look_ahead(const struct rc_joint *joint, const struct rc_forecast *forecast,
                       struct host *host)
{
    double horizon = (double)joint->horizon;

    find_path(forecast, joint->horizon, &host->now);
    host->mean = rc_forecast_mean(forecast, horizon);
    host->judged = rc_forecast_judged(forecast, horizon);
    host->low = rc_forecast_within(forecast, -INFINITY);
    host->high = rc_forecast_within(forecast, INFINITY);
    for (size_t i = 0; i < ORIGINS; i++)
        host->errors[i] =
            rc_forecast_error_quantile(forecast, horizon, ((double)i + 0.5) / ORIGINS);
}

/* Follows one series, and keeps its paths at the origins and at the end. */
static int follow(struct rc_joint *joint, size_t series, struct rc_error *error)
{
    const struct rc_forecast_set *set = joint->set;
    struct rc_forecast_options options = {set->step, set->start, joint->horizon, set->limit};
    struct rc_forecast *forecast = rc_forecast_create(&options, error);
    struct host *host = &joint->hosts[series];
    size_t left = joint->n_origins;
    int status = forecast ? 0 : -1;

    for (size_t i = 0; i < set->n && status == 0; i++) {
        rc_forecast_add(forecast, set->values[series * set->n + i]);
        if (left > 0 && joint->origins[left - 1] == i + 1)
            find_path(forecast, joint->horizon, &host->then[--left]);
        if (i % LOOK_UP_EVERY == 0)
            status = rc_progress_monitor_check(joint->monitor, error);
    }
    if (status == 0) {
        look_ahead(joint, forecast, host);
        rank_origins(joint, series);
    }
    rc_forecast_destroy(forecast);
    return status;
}

static int follow_all(struct rc_joint *joint, struct rc_error *error)
{
    size_t n = joint->set->n_series;

    for (size_t s = 0; s < n; s++) {
        rc_progress_monitor_advance(joint->monitor, s, n);
        if (follow(joint, s, error))
            return -1;
    }
    rc_progress_monitor_advance(joint->monitor, n, n);
    return 0;
}

struct rc_joint *rc_forecast_joint_create(const struct rc_forecast_set *set,
                                          const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_joint *joint = calloc(1, sizeof *joint);
    int status;

    if (joint) {
        joint->set = set;
        joint->monitor = monitor;
        joint->horizon = (size_t)fmin(fmax(set->horizon + 0.5, 1), RC_FORECAST_LONGEST);
        joint->hosts = calloc(set->n_series + 1, sizeof *joint->hosts);
    }
    if (!joint || !joint->hosts) {
        rc_forecast_joint_destroy(joint);
        rc_error_no_memory(error);
        return NULL;
    }
    pick_origins(joint);
    if (joint->n_origins < LEAST) {
        rc_error_set(error, "too few samples of all hosts at the same time");
        status = rc_error_hint(error,
                               "a horizon of %zu samples needs at least %zu samples of all "
                               "hosts, without gaps",
                               joint->horizon, joint->horizon + WARMUP + LEAST - 1);
    } else {
        status = follow_all(joint, error);
    }
    if (status) {
        rc_forecast_joint_destroy(joint);
        return NULL;
    }
    return joint;
}

size_t rc_forecast_joint_horizon(const struct rc_joint *joint)
{
    return joint->horizon;
}

double rc_forecast_joint_mean(const struct rc_joint *joint, size_t series)
{
    return joint->hosts[series].mean;
}

uint64_t rc_forecast_joint_judged(const struct rc_joint *joint)
{
    uint64_t least = UINT64_MAX;

    for (size_t s = 0; s < joint->set->n_series; s++)
        least = joint->hosts[s].judged < least ? joint->hosts[s].judged : least;
    return least;
}

/* Errors of now, as compared with those of then. */
static double stretch(const struct path *now, const struct path *then)
{
    double ratio = then->size > 0 ? now->size / then->size : 1;

    return fmin(fmax(ratio, 1 / CHANGE), CHANGE);
}

/* One scenario of all hosts: value j (from 0) of series s at paths[s * horizon + j]. */
static void draw(const struct rc_joint *joint, struct rc_random *random, double *paths)
{
    size_t origin = (size_t)rc_random_below(random, joint->n_origins);
    double within = rc_random_uniform(random); /* a rank: the same for all hosts */

    for (size_t s = 0; s < joint->set->n_series; s++) {
        const struct host *host = &joint->hosts[s];
        const struct path *then = &host->then[origin];
        const double *came = came_after(joint, s, origin);
        double scale = stretch(&host->now, then);
        double p = ((double)host->ranks[origin] + within) / (double)joint->n_origins;
        double error = host->errors[(size_t)fmin(p * ORIGINS, ORIGINS - 1)];

        for (size_t j = 0; j < joint->horizon; j++) {
            double residual = came[j] - level_at(then, j) - host->missed[origin];
            double value = level_at(&host->now, j) + error + scale * residual;

            paths[s * joint->horizon + j] = fmin(fmax(value, host->low), host->high);
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

struct rc_value *rc_forecast_joint_value(const struct rc_joint *joint, enum rc_joint_stat stat,
                                         size_t draws, struct rc_random *random,
                                         struct rc_error *error)
{
    size_t n = joint->set->n_series;
    double *paths = malloc(n * joint->horizon * sizeof *paths);
    double *drawn = malloc((draws ? draws : 1) * sizeof *drawn);
    struct rc_value *value = NULL;
    int status = paths && drawn ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < draws && status == 0; i++) {
        draw(joint, random, paths);
        drawn[i] = (stat == RC_JOINT_AVGMIN ? avgmin : minavg)(paths, n, joint->horizon);
        status = rc_progress_monitor_check(joint->monitor, error);
    }
    if (status == 0)
        value = rc_value_sample(drawn, draws, error);
    free(paths);
    free(drawn);
    return value;
}
