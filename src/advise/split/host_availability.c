// SPDX-License-Identifier: GPL-3.0-or-later
/* host_availability.c - what hosts are like now, and what they may be like during the run. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "advise/split/optimal_division.h"
#include "advise/split/split_internal.h"
#include "base/error.h"
#include "forecast/series_scenarios.h"
#include "db/series.h"

enum {
    LOOKS_MAX = 4,       /* at scenarios that go further each time */
    CELLS_MAX = 1 << 24, /* of all scenarios together */
    SCENARIOS_LEAST = 50,
    SAMPLES_MAX = 1 << 18, /* of a host */
    READ_SECONDS = 14 * 86400
};
static const double margin = 1.5;       /* by which scenarios are longer than the run */
static const double beyond_most = 0.05; /* of the scenarios that the run may outlast */

/* ---- the past ---- */

static int note_series(void *data, const struct rc_series_info *info)
{
    (void)info;
    *(bool *)data = true;
    return 0;
}

int rc_split_read(struct rc_db *db, const char *host, double at, size_t n_hosts,
                  struct rc_sample **samples, size_t *n_samples, struct rc_error *error)
{
    const struct rc_series_key key = {host, "", "cpu"};
    uint64_t share = RC_SERIES_LOAD_MAX / (n_hosts + 1);
    double newest = -INFINITY, from;
    bool there = false;

    *samples = NULL;
    *n_samples = 0;
    if (rc_db_series_list(db, &key, note_series, &there, error) ||
        (there && rc_db_series_last_begin(db, &key, at, 1, &newest, error)))
        return -1;
    if (!(newest >= at - RC_SERIES_SCENARIOS_OLD))
        return 0;
    if (rc_db_series_last_begin(db, &key, at, share < SAMPLES_MAX ? share : SAMPLES_MAX, &from,
                                error))
        return -1;
    return rc_db_series_load(db, &key, fmax(from, at - READ_SECONDS), at, samples, n_samples,
                             error);
}

void rc_split_look_back(const struct rc_split_question *question, struct rc_split *split)
{
    for (size_t h = 0; h < question->n_hosts; h++) {
        const struct rc_split_host *host = &question->hosts[h];
        struct rc_split_fact *fact = &split->facts[h];

        *fact = (struct rc_split_fact){.mean = 1, .last = 1, .forecast = NAN};
        if (host->n_samples == 0)
            continue;
        fact->known = true;
        fact->last = host->samples[host->n_samples - 1].value;
        rc_split_tuning_window(host->samples, host->n_samples, question->at,
                               question->tuning.window, &fact->mean, &fact->sd);
    }
}

/* ---- scenarios ---- */

struct ahead {
    const struct rc_split_question *question;
    struct rc_split *split;
    struct rc_series_scenarios *scenarios;
    const struct rc_balance_host *hosts; /* when nothing else runs */
    double *times;                       /* room for one of each scenario */
};

static int begin(struct ahead *ahead, struct rc_error *error)
{
    const struct rc_split_question *question = ahead->question;

    ahead->scenarios = rc_forecast_series_scenarios_create(question->at, error);
    if (!ahead->scenarios)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < question->n_hosts; h++)
        if (question->hosts[h].n_samples > 0 &&
            rc_forecast_series_scenarios_add_samples(ahead->scenarios, question->hosts[h].samples,
                                                     question->hosts[h].n_samples, error) < 0)
            return -1;
    return 0;
}

/* Takes the values of a drawn scenario, of the hosts that have samples. */
static void take_scenario(const struct ahead *ahead, size_t path,
                          const struct rc_series_scenario_paths *drawn)
{
    const struct rc_split *split = ahead->split;

    for (size_t h = 0, series = 0; h < split->n_hosts; h++)
        if (split->facts[h].known) {
            rc_split_paths_set(split->paths, path, h, drawn->values + series * drawn->n);
            series++;
        }
}

static int draw(struct ahead *ahead, struct rc_error *error)
{
    struct rc_split *split = ahead->split;
    struct rc_random *random = rc_random_create(ahead->question->seed, 0);
    struct rc_series_scenario_paths drawn;

    if (!random)
        return rc_error_no_memory(error);
    rc_forecast_series_scenarios_draw(ahead->scenarios, random, &drawn);
    split->scenarios = ahead->question->scenarios;
    if (drawn.n == 0)
        split->scenarios = 1;
    else if (split->scenarios > CELLS_MAX / (split->n_hosts * (drawn.n + 1)))
        split->scenarios = CELLS_MAX / (split->n_hosts * (drawn.n + 1));
    if (split->scenarios < SCENARIOS_LEAST && drawn.n > 0)
        split->scenarios = SCENARIOS_LEAST < ahead->question->scenarios
                               ? SCENARIOS_LEAST
                               : ahead->question->scenarios;
    rc_split_paths_destroy(split->paths);
    split->paths =
        rc_split_paths_create(split->scenarios, split->n_hosts, drawn.n, drawn.step, error);
    for (size_t path = 0; path < split->scenarios && split->paths && drawn.n > 0; path++) {
        take_scenario(ahead, path, &drawn);
        rc_forecast_series_scenarios_draw(ahead->scenarios, random, &drawn);
    }
    for (size_t h = 0; h < split->n_hosts && split->paths && drawn.n == 0; h++)
        rc_split_paths_set_steady(split->paths, h, split->facts[h].last);
    if (split->paths)
        rc_split_paths_ready(split->paths);
    rc_random_destroy(random);
    return split->paths ? 0 : -1;
}

/* When nearly all runs that are divided so have ended. */
static int late_end(struct ahead *ahead, const double *work, double *seconds,
                    struct rc_error *error)
{
    struct rc_optimal optimal = {.paths = ahead->split->paths,
                                 .hosts = ahead->hosts,
                                 .total = (double)ahead->question->units,
                                 .coupling = ahead->question->coupling,
                                 .quantile = 1 - beyond_most};

    if (rc_split_optimal_times(&optimal, work, ahead->times, error))
        return -1;
    *seconds = rc_split_optimal_cost(&optimal, ahead->times);
    return 0;
}

/* How long all hosts with samples have been seen. */
static double past_of(const struct rc_split_question *question)
{
    double since = -INFINITY;

    for (size_t h = 0; h < question->n_hosts; h++)
        if (question->hosts[h].n_samples > 0)
            since = fmax(since, question->hosts[h].samples[0].t);
    return question->at - since;
}

static int look(struct ahead *ahead, const double *work, struct rc_error *error)
{
    struct rc_split *split = ahead->split;
    double late = 0;

    for (size_t h = 0; h < split->n_hosts; h++)
        if (work[h] > 0)
            late =
                fmax(late, ahead->hosts[h].fixed + work[h] * ahead->hosts[h].unit /
                                                       fmax(split->facts[h].last, RC_PATHS_LEAST));
    for (int i = 0; i < LOOKS_MAX; i++) {
        double wanted = margin * late, reached = wanted;

        split->steady = false;
        if (rc_forecast_series_scenarios_look(ahead->scenarios, &reached, &split->steady, error) ||
            draw(ahead, error) || late_end(ahead, work, &late, error))
            return -1;
        if (late <= rc_split_paths_seconds(split->paths) || reached < wanted)
            break;
    }
    split->seconds = rc_split_paths_seconds(split->paths);
    split->lengths = past_of(ahead->question) / split->seconds;
    for (size_t h = 0; h < split->n_hosts; h++)
        split->facts[h].forecast = rc_split_paths_mean(split->paths, h, late);
    return 0;
}

int rc_split_look_ahead(const struct rc_split_question *question,
                        const struct rc_balance_host *hosts, const double *work, double *times,
                        struct rc_split *split, struct rc_error *error)
{
    struct ahead ahead = {.question = question, .split = split, .hosts = hosts, .times = times};
    int status = begin(&ahead, error) || look(&ahead, work, error) ? -1 : 0;

    rc_forecast_series_scenarios_destroy(ahead.scenarios);
    return status;
}
