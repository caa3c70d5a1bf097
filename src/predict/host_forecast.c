// SPDX-License-Identifier: GPL-3.0-or-later
/* host_forecast.c - the forecast load of the hosts of a run.
 *
 * CPU and bandwidth are drawn each by itself: they are often sampled at very different rates, and
 * one grid for both would be as coarse as the coarser.  Hosts are drawn together, and so are
 * links. */
#include "predict/host_forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "forecast/series_scenarios.h"
#include "db/series.h"

/* The series of one kind. */
struct side {
    struct rc_series_scenarios *scenarios;
    double *scratch; /* of a lane */
    double *weights; /* of each series; NULL: all count once */
    double idle;     /* the least weight of hosts without a series; INFINITY: there are none */
    double *weighed; /* one scenario, by these weights */
    size_t room;
};

struct rc_host_forecast {
    struct side cpu, bw;
    double at, seconds;
    bool steady;
    char *missing;
    size_t n_missing;
    size_t *series_of; /* of each host, its series of CPU, from 1; 0: there is none */
    size_t n_hosts;
};

/* ---- reading ---- */

struct reading {
    struct rc_host_forecast *forecast;
    struct rc_db *store;
    const char *const *hosts;
    size_t n_hosts;
    struct rc_error *error;
};

static size_t host_of(const struct reading *reading, const char *name)
{
    size_t i = 0;

    while (i < reading->n_hosts && strcmp(reading->hosts[i], name) != 0)
        i++;
    return i;
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    struct reading *reading = data;
    const struct rc_series_key *key = &info->key;
    size_t host = host_of(reading, key->host);
    bool cpu = strcmp(key->metric, "cpu") == 0 && !*key->peer;
    struct side *side = cpu ? &reading->forecast->cpu : &reading->forecast->bw;
    int taken;

    if (host == reading->n_hosts || !(info->first <= reading->forecast->at) ||
        !(info->last >= reading->forecast->at - RC_SERIES_SCENARIOS_OLD) ||
        (!cpu && strcmp(key->metric, "bandwidth") != 0) ||
        (*key->peer && host_of(reading, key->peer) == reading->n_hosts))
        return 0;
    taken = rc_forecast_series_scenarios_add(side->scenarios, reading->store, key, reading->error);
    if (taken > 0 && cpu)
        reading->forecast->series_of[host] = rc_forecast_series_scenarios_series(side->scenarios);
    return taken < 0 ? -1 : 0;
}

static int read_all(struct reading *reading)
{
    struct rc_host_forecast *forecast = reading->forecast;
    const char *first = NULL;

    if (rc_db_series_list(reading->store, NULL, meet_series, reading, reading->error))
        return -1;
    for (size_t i = 0; i < reading->n_hosts; i++)
        if (!forecast->series_of[i]) {
            first = first ? first : reading->hosts[i];
            forecast->n_missing++;
        }
    forecast->missing = first ? strdup(first) : NULL;
    return first && !forecast->missing ? rc_error_no_memory(reading->error) : 0;
}

static int get_scratch(struct side *side, struct rc_error *error)
{
    /* With one more for those that are idle. */
    side->scratch =
        calloc(2 * rc_forecast_series_scenarios_series(side->scenarios) + 2, sizeof *side->scratch);
    side->idle = INFINITY;
    return side->scratch ? 0 : rc_error_no_memory(error);
}

static int fill(struct reading *reading, double at)
{
    struct rc_host_forecast *forecast = reading->forecast;

    forecast->at = at;
    forecast->cpu.scenarios = rc_forecast_series_scenarios_create(at, reading->error);
    forecast->bw.scenarios = rc_forecast_series_scenarios_create(at, reading->error);
    return !forecast->cpu.scenarios || !forecast->bw.scenarios || read_all(reading) ||
                   get_scratch(&forecast->cpu, reading->error) ||
                   get_scratch(&forecast->bw, reading->error)
               ? -1
               : 0;
}

struct rc_host_forecast *rc_predict_host_forecast_create(struct rc_db *store,
                                                         const char *const *hosts, size_t n_hosts,
                                                         double at, struct rc_error *error)
{
    struct rc_host_forecast *forecast = calloc(1, sizeof *forecast);
    struct reading reading = {forecast, store, hosts, n_hosts, error};

    if (forecast) {
        forecast->n_hosts = n_hosts;
        forecast->series_of = calloc(n_hosts + 1, sizeof *forecast->series_of);
    }
    if (!forecast || !forecast->series_of)
        rc_error_no_memory(error);
    else if (fill(&reading, at) == 0)
        return forecast;
    rc_predict_host_forecast_destroy(forecast);
    return NULL;
}

void rc_predict_host_forecast_destroy(struct rc_host_forecast *forecast)
{
    if (!forecast)
        return;
    rc_forecast_series_scenarios_destroy(forecast->cpu.scenarios);
    rc_forecast_series_scenarios_destroy(forecast->bw.scenarios);
    free(forecast->cpu.scratch);
    free(forecast->cpu.weights);
    free(forecast->cpu.weighed);
    free(forecast->bw.scratch);
    free(forecast->missing);
    free(forecast->series_of);
    free(forecast);
}

int rc_predict_host_forecast_weigh(struct rc_host_forecast *forecast, const double *weights,
                                   struct rc_error *error)
{
    struct side *side = &forecast->cpu;
    size_t n = rc_forecast_series_scenarios_series(side->scenarios);

    free(side->weights);
    side->weights = NULL;
    side->idle = INFINITY;
    if (!weights || n == 0)
        return 0;
    side->weights = calloc(n, sizeof *side->weights);
    if (!side->weights)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < forecast->n_hosts; i++)
        if (forecast->series_of[i])
            side->weights[forecast->series_of[i] - 1] = weights[i];
        else
            side->idle = fmin(side->idle, weights[i]);
    return 0;
}

/* ---- what is known ---- */

static double least_lately(const struct side *side)
{
    double least = NAN;

    for (size_t i = 0; i < rc_forecast_series_scenarios_series(side->scenarios); i++)
        least = fmin(least, (side->weights ? side->weights[i] : 1) *
                                rc_forecast_series_scenarios_lately(side->scenarios, i));
    return side->weights ? fmin(least, side->idle) : least;
}

void rc_predict_host_forecast_facts(const struct rc_host_forecast *forecast,
                                    struct rc_predict_host_forecast_facts *facts)
{
    double newest = fmin(rc_forecast_series_scenarios_newest(forecast->cpu.scenarios),
                         rc_forecast_series_scenarios_newest(forecast->bw.scenarios));

    *facts = (struct rc_predict_host_forecast_facts){
        .cpu_series = rc_forecast_series_scenarios_series(forecast->cpu.scenarios),
        .bw_series = rc_forecast_series_scenarios_series(forecast->bw.scenarios),
        .n_missing = forecast->n_missing,
        .missing = forecast->missing,
        .newest = isfinite(newest) ? newest : (double)NAN,
        .cpu = least_lately(&forecast->cpu),
        .bw = least_lately(&forecast->bw),
        .seconds = forecast->seconds,
        .steady = forecast->steady,
    };
}

/* ---- scenarios ---- */

int rc_predict_host_forecast_look(struct rc_host_forecast *forecast, double seconds,
                                  struct rc_error *error)
{
    double cpu = seconds, bw = seconds;

    forecast->steady = false;
    if (rc_forecast_series_scenarios_look(forecast->cpu.scenarios, &cpu, &forecast->steady,
                                          error) ||
        rc_forecast_series_scenarios_look(forecast->bw.scenarios, &bw, &forecast->steady, error))
        return -1;
    forecast->seconds = fmin(cpu, bw);
    return 0;
}

/* Multiplies a future by the weights; hosts that are idle are one series more. */
static int weigh_paths(struct side *side, struct rc_series_scenario_paths *paths)
{
    size_t n = paths->n, n_series = paths->n_series + isfinite(side->idle);

    if (rc_array_room(&side->weighed, n_series * n, &side->room, sizeof *side->weighed, NULL))
        return -1;
    for (size_t s = 0; s < n_series; s++)
        for (size_t j = 0; j < n; j++)
            side->weighed[s * n + j] =
                s < paths->n_series ? side->weights[s] * paths->values[s * n + j] : side->idle;
    paths->values = side->weighed;
    paths->n_series = n_series;
    return 0;
}

static void draw_lane(struct side *side, struct rc_random *random, double otherwise,
                      struct rc_predict_lane *lane)
{
    struct rc_series_scenario_paths paths;

    rc_forecast_series_scenarios_draw(side->scenarios, random, &paths);
    *lane = (struct rc_predict_lane){.constant = otherwise};
    if (paths.n == 0) {
        if (paths.n_series > 0)
            lane->constant = least_lately(side);
        return;
    }
    if (side->weights && weigh_paths(side, &paths)) {
        lane->constant = least_lately(side); /* no memory: as it is now */
        return;
    }
    lane->values = paths.values;
    lane->n = paths.n;
    lane->n_series = paths.n_series;
    lane->step = paths.step;
    lane->scratch = side->scratch;
}

void rc_predict_host_forecast_draw(struct rc_host_forecast *forecast, struct rc_random *random,
                                   double cpu, double bw, struct rc_predict_future *scenario)
{
    draw_lane(&forecast->cpu, random, cpu, &scenario->cpu);
    draw_lane(&forecast->bw, random, bw, &scenario->bw);
    scenario->begin = 0;
}
