// SPDX-License-Identifier: GPL-3.0-or-later
/* analog_scenarios.c - what came after moments like this one. */
#include "forecast/analog_scenarios.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "forecast/segment_chains.h"

enum {
    LEAST = 16,       /* moments of the past */
    LOOKED_AT = 4096, /* at most, evenly spread */
    LIKE_SHARE = 64,  /* of those, one in so many is like the present, and LEAST at least */
    LIKE_MOST = 256,
    SPANS = 4
};
static const size_t spans[SPANS] = {1, 4, 16, 64}; /* whose means are compared */
static const double weights[SPANS] = {1, 0.5, 0.5, 0.25};
/* Of a series that goes in steps: how much levels count, and how much their age, where a level has
 * nothing to do with the one before, and where it has. */
static const double level_weight = 0.5, age_weight = 0.5, echo_age_weight = 0.05;
static const double together_from = 0.25;
static const double echo_least = 0.25; /* what is less may be chance */

struct moment {
    double distance;
    size_t known; /* values up to it */
};

struct series {
    const double *values;
    double now; /* the last value that is known */
    double low, high, mean, variance;
    bool steps;    /* most values are exactly those before them: it stays, and then jumps */
    double echo;   /* correlation of a level with the one that it jumped from, if any */
    double *fades; /* by how much a difference is left after 1, 2 ... values */
    struct rc_segments *segments; /* of a series that goes in steps, where there are enough */
};

struct rc_scenarios {
    const struct rc_forecast_set *set;
    size_t horizon;
    bool together;
    struct series *series;
    struct moment *moments; /* of series s from moments[s * n_moments] on; the likest first */
    size_t n_moments, n_like;
    bool *whole; /* scratch */
    double *fades;
};

void rc_forecast_scenarios_destroy(struct rc_scenarios *scenarios)
{
    if (!scenarios)
        return;
    for (size_t s = 0; scenarios->series && s < scenarios->set->n_series; s++)
        rc_forecast_segments_destroy(scenarios->series[s].segments);
    free(scenarios->series);
    free(scenarios->moments);
    free(scenarios->whole);
    free(scenarios->fades);
    free(scenarios);
}

/* ---- what the series are like ---- */

static void survey(const struct rc_forecast_set *set, struct series *series)
{
    double sum = 0, squares = 0;
    size_t n = 0, same = 0;

    series->low = INFINITY;
    series->high = -INFINITY;
    series->now = NAN;
    for (size_t i = 0; i < set->n; i++) {
        double value = series->values[i];

        if (!isfinite(value))
            continue;
        series->low = fmin(series->low, value);
        series->high = fmax(series->high, value);
        same += value == series->now;
        series->now = value;
        sum += value;
        n++;
    }
    series->mean = n ? sum / (double)n : 0;
    series->steps = 2 * same > n;
    for (size_t i = 0; i < set->n; i++)
        if (isfinite(series->values[i]))
            squares += (series->values[i] - series->mean) * (series->values[i] - series->mean);
    series->variance = n ? squares / (double)n : 0;
}

/* How much a level has to do with the one before it. */
static void find_echo(const struct rc_forecast_set *set, struct series *series)
{
    double sum = 0, squares = 0;

    for (size_t i = 1; i < set->n; i++) {
        double from = series->values[i - 1] - series->mean, to = series->values[i] - series->mean;

        if (from != to && isfinite(from) && isfinite(to)) {
            sum += from * to;
            squares += 0.5 * (from * from + to * to);
        }
    }
    series->echo = squares > 0 && sum / squares >= echo_least ? sum / squares : 0;
}

/* The autocorrelation at each lag up to the horizon, never rising and never below 0. */
static void find_fades(const struct rc_forecast_set *set, struct series *series, size_t horizon)
{
    double least = 1;

    for (size_t lag = 1; lag <= horizon; lag++) {
        double sum = 0;
        size_t n = 0;

        for (size_t i = lag; i < set->n && least > 0; i++) {
            double product =
                (series->values[i] - series->mean) * (series->values[i - lag] - series->mean);

            if (isfinite(product)) {
                sum += product;
                n++;
            }
        }
        if (n > 0 && series->variance > 0)
            least = fmin(least, fmax(sum / (double)n / series->variance, 0));
        series->fades[lag - 1] = least;
    }
}

static double correlation(const struct rc_forecast_set *set, const struct series *a,
                          const struct series *b)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        double product = (a->values[i] - a->mean) * (b->values[i] - b->mean);

        if (isfinite(product)) {
            sum += product;
            n++;
        }
    }
    return n > 0 && a->variance > 0 && b->variance > 0
               ? sum / (double)n / sqrt(a->variance * b->variance)
               : 0;
}

/* Over neighbours in the list only: enough, and few for many hosts. */
static bool hang_together(const struct rc_scenarios *scenarios)
{
    size_t n = scenarios->set->n_series;
    double sum = 0;

    for (size_t s = 1; s < n; s++)
        sum += correlation(scenarios->set, &scenarios->series[s - 1], &scenarios->series[s]);
    return n > 1 && sum / (double)(n - 1) >= together_from;
}

/* ---- moments like this one ---- */

/* What a moment is compared by. */
struct features {
    double means[SPANS]; /* over the last values */
    double age;          /* of the last value: the logarithm of how long it has been there */
};

static double mean_before(const double *values, size_t known, size_t span)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = known > span ? known - span : 0; i < known; i++)
        if (isfinite(values[i])) {
            sum += values[i];
            n++;
        }
    return n ? sum / (double)n : (double)NAN;
}

static void describe(const struct series *series, size_t known, struct features *features)
{
    const double *values = series->values;
    size_t age = 1;

    features->means[0] = mean_before(values, known, 1);
    if (series->steps) {
        while (age < known && values[known - 1 - age] == values[known - 1])
            age++;
        features->age = log2((double)age);
        if (series->echo == 0) /* earlier levels have no information */
            return;
    }
    for (int k = 1; k < SPANS; k++)
        features->means[k] = mean_before(values, known, spans[k]);
}

static double square(double x)
{
    return x * x;
}

static double distance(const struct series *series, const struct features *a,
                       const struct features *b)
{
    double sum = 0, variance = series->variance > 0 ? series->variance : 1;
    int means = series->steps && series->echo == 0 ? 1 : SPANS;

    for (int k = 0; k < means; k++)
        sum += weights[k] * square(a->means[k] - b->means[k]);
    if (!series->steps)
        return sum / variance;
    return level_weight * sum / variance +
           (series->echo > 0 ? echo_age_weight : age_weight) * square(a->age - b->age);
}

/* Whether the value at `i` and all of the horizon after it are known, for all of them in one walk
 * from the end: `whole[i]`. */
static void find_whole(const struct rc_scenarios *scenarios, const struct series *series,
                       bool *whole)
{
    size_t known = 0;

    for (size_t i = scenarios->set->n; i-- > 0;) {
        known = isfinite(series->values[i]) ? known + 1 : 0;
        whole[i] = known > scenarios->horizon;
    }
}

static int by_distance(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return (a->known < b->known) - (a->known > b->known);
}

/* Fills the distances of one series; where it has no whole future, the moment is infinitely far.
 * Of one that goes by segments, only that is asked. */
static void measure(const struct rc_scenarios *scenarios, const struct series *series,
                    struct moment *moments, bool add)
{
    const bool *whole = scenarios->whole;
    struct features now, then;

    find_whole(scenarios, series, scenarios->whole);
    for (size_t m = 0; series->segments && m < scenarios->n_moments; m++)
        moments[m].distance = whole[moments[m].known - 1] ? 0 : (double)INFINITY;
    if (series->segments)
        return;
    describe(series, scenarios->set->n, &now);
    for (int k = 0; k < SPANS; k++) /* where the last ones are missing */
        now.means[k] = k > 0 && isfinite(now.means[k]) ? now.means[k] : series->now;
    for (size_t m = 0; m < scenarios->n_moments; m++) {
        double one = INFINITY;

        if (whole[moments[m].known - 1]) {
            describe(series, moments[m].known, &then);
            one = distance(series, &now, &then);
        }
        moments[m].distance = add ? moments[m].distance + one : one;
    }
}

/* How many of the moments, sorted, can be used. */
static size_t usable(const struct moment *moments, size_t n)
{
    size_t whole = 0, like;

    while (whole < n && isfinite(moments[whole].distance))
        whole++;
    if (whole < LEAST)
        return 0;
    like = whole / LIKE_SHARE;
    return like < LEAST ? LEAST : like > LIKE_MOST ? LIKE_MOST : like;
}

/* In any order, but those that can be used first. */
static void whole_first(struct moment *moments, size_t n)
{
    size_t whole = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(moments[i].distance))
            moments[whole++] = moments[i];
    for (; whole < n; whole++)
        moments[whole].distance = INFINITY;
}

static int find_moments(struct rc_scenarios *scenarios)
{
    size_t last = scenarios->set->n - scenarios->horizon, every = last / LOOKED_AT + 1;
    size_t lists = scenarios->together ? 1 : scenarios->set->n_series;

    scenarios->n_moments = (last - 1) / every + 1;
    scenarios->moments = calloc(scenarios->n_moments * lists, sizeof *scenarios->moments);
    scenarios->whole = calloc(scenarios->set->n, sizeof *scenarios->whole);
    if (!scenarios->moments || !scenarios->whole)
        return -1;
    scenarios->n_like = LIKE_MOST;
    for (size_t s = 0; s < scenarios->set->n_series; s++) {
        struct moment *moments =
            scenarios->moments + (scenarios->together ? 0 : s * scenarios->n_moments);

        for (size_t m = 0; m < scenarios->n_moments; m++)
            moments[m].known = last - m * every;
        measure(scenarios, &scenarios->series[s], moments, scenarios->together && s > 0);
    }
    for (size_t list = 0; list < lists; list++) {
        struct moment *moments = scenarios->moments + list * scenarios->n_moments;
        size_t like;

        if (scenarios->series[list].segments)
            whole_first(moments, scenarios->n_moments);
        else
            qsort(moments, scenarios->n_moments, sizeof *moments, by_distance);
        like = usable(moments, scenarios->n_moments);
        scenarios->n_like = like < scenarios->n_like ? like : scenarios->n_like;
    }
    return 0;
}

/* ---- making and drawing ---- */

static int prepare(struct rc_scenarios *scenarios, struct rc_error *error)
{
    const struct rc_forecast_set *set = scenarios->set;

    scenarios->series = calloc(set->n_series, sizeof *scenarios->series);
    scenarios->fades = calloc(set->n_series * scenarios->horizon, sizeof *scenarios->fades);
    if (!scenarios->series || !scenarios->fades)
        return rc_error_no_memory(error);
    for (size_t s = 0; s < set->n_series; s++) {
        struct series *series = &scenarios->series[s];

        series->values = set->values + s * set->n;
        series->fades = scenarios->fades + s * scenarios->horizon;
        survey(set, series);
        if (!series->steps) /* what goes in steps does not fade */
            find_fades(set, series, scenarios->horizon);
        find_echo(set, series);
    }
    scenarios->together = hang_together(scenarios);
    for (size_t s = 0; s < set->n_series && !scenarios->together; s++) {
        struct series *series = &scenarios->series[s];

        if (series->steps &&
            rc_forecast_segments_create(series->values, set->n, &series->segments, error) < 0)
            return -1;
    }
    return find_moments(scenarios) ? rc_error_no_memory(error) : 0;
}

struct rc_scenarios *rc_forecast_scenarios_create(const struct rc_forecast_set *set,
                                                  struct rc_error *error)
{
    struct rc_scenarios *scenarios = calloc(1, sizeof *scenarios);
    int status = -1;

    if (!scenarios) {
        rc_error_no_memory(error);
        return NULL;
    }
    scenarios->set = set;
    scenarios->horizon = (size_t)fmax(ceil(set->horizon), 1);
    if (set->n > scenarios->horizon)
        status = prepare(scenarios, error);
    if (status == 0 && scenarios->n_like > 0)
        return scenarios;
    if (status == 0 || set->n <= scenarios->horizon)
        rc_error_set(error, "too few past samples to forecast %zu samples ahead",
                     scenarios->horizon);
    rc_forecast_scenarios_destroy(scenarios);
    return NULL;
}

size_t rc_forecast_scenarios_horizon(const struct rc_scenarios *scenarios)
{
    return scenarios->horizon;
}

bool rc_forecast_scenarios_together(const struct rc_scenarios *scenarios)
{
    return scenarios->together;
}

static void follow(const struct series *series, size_t known, size_t horizon, double *path)
{
    const double *came = series->values + known; /* after the value then */
    double before = came[-1], shift = series->now - before;

    for (size_t j = 0; j < horizon; j++) {
        if (!series->steps)
            path[j] = came[j] + shift * series->fades[j];
        else {
            shift *= came[j] == before ? 1 : series->echo;
            path[j] = came[j] + shift;
        }
        before = came[j];
        path[j] = fmin(fmax(path[j], series->low), series->high);
    }
}

void rc_forecast_scenarios_draw(const struct rc_scenarios *scenarios, struct rc_random *random,
                                double *paths)
{
    size_t pick = (size_t)rc_random_below(random, scenarios->n_like);

    for (size_t s = 0; s < scenarios->set->n_series; s++) {
        const struct moment *moments =
            scenarios->moments + (scenarios->together ? 0 : s * scenarios->n_moments);

        if (scenarios->series[s].segments) {
            rc_forecast_segments_draw(scenarios->series[s].segments, random, scenarios->horizon,
                                      paths + s * scenarios->horizon);
            continue;
        }
        if (s > 0 && !scenarios->together)
            pick = (size_t)rc_random_below(random, scenarios->n_like);
        follow(&scenarios->series[s], moments[pick].known, scenarios->horizon,
               paths + s * scenarios->horizon);
    }
}
