// SPDX-License-Identifier: GPL-3.0-or-later
/* outlook.c - the load to come of the hosts of a run.
 *
 * CPU and bandwidth are drawn each by itself: they are often sampled at very different rates, and
 * one grid for both would be as coarse as the coarser.  Hosts are drawn together, and so are
 * links. */
#include "predict/outlook.h"

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
    double *weighed; /* one future, by these weights */
    size_t room;
};

struct rc_outlook {
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
    struct rc_outlook *outlook;
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
    struct side *side = cpu ? &reading->outlook->cpu : &reading->outlook->bw;
    int taken;

    if (host == reading->n_hosts || !(info->first <= reading->outlook->at) ||
        !(info->last >= reading->outlook->at - RC_SERIES_SCENARIOS_OLD) ||
        (!cpu && strcmp(key->metric, "bandwidth") != 0) ||
        (*key->peer && host_of(reading, key->peer) == reading->n_hosts))
        return 0;
    taken = rc_forecast_series_scenarios_add(side->scenarios, reading->store, key, reading->error);
    if (taken > 0 && cpu)
        reading->outlook->series_of[host] = rc_forecast_series_scenarios_series(side->scenarios);
    return taken < 0 ? -1 : 0;
}

static int read_all(struct reading *reading)
{
    struct rc_outlook *outlook = reading->outlook;
    const char *first = NULL;

    if (rc_db_series_list(reading->store, NULL, meet_series, reading, reading->error))
        return -1;
    for (size_t i = 0; i < reading->n_hosts; i++)
        if (!outlook->series_of[i]) {
            first = first ? first : reading->hosts[i];
            outlook->n_missing++;
        }
    outlook->missing = first ? strdup(first) : NULL;
    return first && !outlook->missing ? rc_error_no_memory(reading->error) : 0;
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
    struct rc_outlook *outlook = reading->outlook;

    outlook->at = at;
    outlook->cpu.scenarios = rc_forecast_series_scenarios_create(at, reading->error);
    outlook->bw.scenarios = rc_forecast_series_scenarios_create(at, reading->error);
    return !outlook->cpu.scenarios || !outlook->bw.scenarios || read_all(reading) ||
                   get_scratch(&outlook->cpu, reading->error) ||
                   get_scratch(&outlook->bw, reading->error)
               ? -1
               : 0;
}

struct rc_outlook *rc_predict_outlook_create(struct rc_db *store, const char *const *hosts,
                                             size_t n_hosts, double at, struct rc_error *error)
{
    struct rc_outlook *outlook = calloc(1, sizeof *outlook);
    struct reading reading = {outlook, store, hosts, n_hosts, error};

    if (outlook) {
        outlook->n_hosts = n_hosts;
        outlook->series_of = calloc(n_hosts + 1, sizeof *outlook->series_of);
    }
    if (!outlook || !outlook->series_of)
        rc_error_no_memory(error);
    else if (fill(&reading, at) == 0)
        return outlook;
    rc_predict_outlook_destroy(outlook);
    return NULL;
}

void rc_predict_outlook_destroy(struct rc_outlook *outlook)
{
    if (!outlook)
        return;
    rc_forecast_series_scenarios_destroy(outlook->cpu.scenarios);
    rc_forecast_series_scenarios_destroy(outlook->bw.scenarios);
    free(outlook->cpu.scratch);
    free(outlook->cpu.weights);
    free(outlook->cpu.weighed);
    free(outlook->bw.scratch);
    free(outlook->missing);
    free(outlook->series_of);
    free(outlook);
}

int rc_predict_outlook_weigh(struct rc_outlook *outlook, const double *weights,
                             struct rc_error *error)
{
    struct side *side = &outlook->cpu;
    size_t n = rc_forecast_series_scenarios_series(side->scenarios);

    free(side->weights);
    side->weights = NULL;
    side->idle = INFINITY;
    if (!weights || n == 0)
        return 0;
    side->weights = calloc(n, sizeof *side->weights);
    if (!side->weights)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < outlook->n_hosts; i++)
        if (outlook->series_of[i])
            side->weights[outlook->series_of[i] - 1] = weights[i];
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

void rc_predict_outlook_facts(const struct rc_outlook *outlook,
                              struct rc_predict_outlook_facts *facts)
{
    double newest = fmin(rc_forecast_series_scenarios_newest(outlook->cpu.scenarios),
                         rc_forecast_series_scenarios_newest(outlook->bw.scenarios));

    *facts = (struct rc_predict_outlook_facts){
        .cpu_series = rc_forecast_series_scenarios_series(outlook->cpu.scenarios),
        .bw_series = rc_forecast_series_scenarios_series(outlook->bw.scenarios),
        .n_missing = outlook->n_missing,
        .missing = outlook->missing,
        .newest = isfinite(newest) ? newest : (double)NAN,
        .cpu = least_lately(&outlook->cpu),
        .bw = least_lately(&outlook->bw),
        .seconds = outlook->seconds,
        .steady = outlook->steady,
    };
}

/* ---- scenarios ---- */

int rc_predict_outlook_look(struct rc_outlook *outlook, double seconds, struct rc_error *error)
{
    double cpu = seconds, bw = seconds;

    outlook->steady = false;
    if (rc_forecast_series_scenarios_look(outlook->cpu.scenarios, &cpu, &outlook->steady, error) ||
        rc_forecast_series_scenarios_look(outlook->bw.scenarios, &bw, &outlook->steady, error))
        return -1;
    outlook->seconds = fmin(cpu, bw);
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

void rc_predict_outlook_draw(struct rc_outlook *outlook, struct rc_random *random, double cpu,
                             double bw, struct rc_predict_future *future)
{
    draw_lane(&outlook->cpu, random, cpu, &future->cpu);
    draw_lane(&outlook->bw, random, bw, &future->bw);
    future->begin = 0;
}
