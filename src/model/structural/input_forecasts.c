// SPDX-License-Identifier: GPL-3.0-or-later
/* input_forecasts.c - inputs that are forecast: which series they are of, and the scenarios of
 * these.
 *
 * A lane has the series of one metric (those of too short a past in one of their own), which are
 * drawn together; lanes differ in how often they are sampled, so each keeps its own step. */
#include "model/structural/input_forecasts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* What is left of a core at least, since the kernel forgets nobody; of other things, the part of
 * their present value. */
static const double least = 0.001;

static struct rc_lane *find_lane(struct rc_binding *binding, const char *metric, bool brief,
                                 struct rc_error *error)
{
    struct rc_lane *lane = binding->lanes;

    while (lane && (strcmp(lane->metric, metric) != 0 || lane->brief != brief))
        lane = lane->next;
    if (lane)
        return lane;
    lane = calloc(1, sizeof *lane);
    if (!lane || !(lane->metric = strdup(metric))) {
        free(lane);
        rc_error_no_memory(error);
        return NULL;
    }
    lane->brief = brief;
    lane->scenarios = rc_forecast_series_scenarios_create(binding->setting.now, error);
    lane->next = binding->lanes;
    binding->lanes = lane; /* also where it has no scenarios: it is freed with the binding */
    return lane->scenarios ? lane : NULL;
}

static struct rc_lane_series *find_series(const struct rc_lane *lane, const char *host,
                                          const char *peer)
{
    for (size_t i = 0; i < lane->n_series; i++)
        if (strcmp(lane->series[i].host, host) == 0 && strcmp(lane->series[i].peer, peer) == 0)
            return &lane->series[i];
    return NULL;
}

/* Reads a series into a lane, and tells what there is of it.  0: nothing recent. */
static int read_series(const struct rc_binding *binding, struct rc_lane *lane,
                       const struct rc_series_key *key,
                       struct rc_forecast_series_scenarios_facts *facts, struct rc_error *error)
{
    struct rc_lane_series *more =
        realloc(lane->series, (lane->n_series + 1) * sizeof *lane->series);
    int got;

    if (!more)
        return rc_error_no_memory(error);
    lane->series = more;
    got = rc_forecast_series_scenarios_add(lane->scenarios, binding->setting.db, key, error);
    if (got > 0)
        rc_forecast_series_scenarios_facts(lane->scenarios, lane->n_series, facts);
    return got;
}

static void note_on_series(struct rc_binding *binding, const struct rc_item *item,
                           const struct rc_series_key *key,
                           const struct rc_forecast_series_scenarios_facts *facts)
{
    const char *const indices[] = {key->host, key->peer};
    double age = binding->setting.now - facts->newest;
    char name[RC_REASON_SIZE];

    rc_structural_bound_name(item, indices, *key->peer ? 2 : 1, name);
    if (facts->n < RC_SERIES_SCENARIOS_LEAST)
        rc_structural_bound_note(binding, RC_NOTE_SHORT_PAST, item, name, -(double)facts->n,
                                 (double)facts->n);
    if (age > RC_BOUND_OLD_STEPS * facts->step)
        rc_structural_bound_note(binding, RC_NOTE_OLD, item, name, age, facts->step);
    if (strcmp(item->metric, "cpu") == 0 && facts->most > RC_BOUND_ONE)
        rc_structural_bound_note(binding, RC_NOTE_ABOVE_ONE, item, name, facts->most, 1);
}

static void nothing_recent(const struct rc_item *item, const struct rc_series_key *key,
                           struct rc_error *error)
{
    rc_error_set(error, "%s: the database has no %s of '%s'%s%s%s from the last 24 h", item->name,
                 item->metric, key->host, *key->peer ? " to '" : "", key->peer,
                 *key->peer ? "'" : "");
    rc_error_code(error, "structural.no-recent-samples", NULL);
}

/* Reads a series, the first time that it is asked for.  Those with too short a past have a lane of
 * their own, so that the others can still be forecast. */
static struct rc_lane_series *add_series(struct rc_binding *binding, struct rc_lane **lane,
                                         const struct rc_item *item, const char *host,
                                         const char *peer, struct rc_error *error)
{
    const struct rc_series_key key = {.host = host, .peer = peer, .metric = item->metric};
    struct rc_forecast_series_scenarios_facts facts;
    struct rc_lane_series *series;
    int got = read_series(binding, *lane, &key, &facts, error);

    if (got > 0 && facts.n < RC_SERIES_SCENARIOS_LEAST) {
        rc_forecast_series_scenarios_drop_last((*lane)->scenarios);
        *lane = find_lane(binding, item->metric, true, error);
        got = *lane ? read_series(binding, *lane, &key, &facts, error) : -1;
    }
    if (got == 0)
        nothing_recent(item, &key, error);
    if (got <= 0)
        return NULL;
    series = &(*lane)->series[(*lane)->n_series++];
    *series = (struct rc_lane_series){.host = strdup(host), .peer = strdup(peer)};
    if (!series->host || !series->peer)
        return rc_error_null(rc_error_no_memory(error));
    note_on_series(binding, item, &key, &facts);
    return series;
}

static struct rc_lane_series *series_of(struct rc_binding *binding, const struct rc_item *item,
                                        const char *const *indices, size_t n_indices,
                                        struct rc_lane **lane, struct rc_error *error)
{
    const char *peer = n_indices > 1 ? indices[1] : "";

    if (!binding->setting.db)
        return rc_error_null(
            rc_error_set(error, "%s comes from the database, but there is none", item->name));
    if (isnan(binding->setting.now))
        return rc_error_null(rc_error_set(
            error, "%s is a forecast, but the start of the run is not known", item->name));
    for (*lane = binding->lanes; *lane; *lane = (*lane)->next) {
        struct rc_lane_series *series = strcmp((*lane)->metric, item->metric) == 0
                                            ? find_series(*lane, indices[0], peer)
                                            : NULL;

        if (series)
            return series;
    }
    *lane = find_lane(binding, item->metric, false, error);
    return *lane ? add_series(binding, lane, item, indices[0], peer, error) : NULL;
}

bool rc_structural_bound_has_forecast(struct rc_binding *binding, const struct rc_item *item,
                                      const char *const *indices, size_t n_indices)
{
    struct rc_lane *lane;

    return series_of(binding, item, indices, n_indices, &lane, NULL) != NULL;
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

struct rc_value *rc_structural_bound_forecast(struct rc_bound_context *context,
                                              const struct rc_item *item,
                                              const char *const *indices, size_t n_indices,
                                              struct rc_error *error)
{
    struct rc_lane *lane;
    struct rc_lane_series *series =
        series_of(context->binding, item, indices, n_indices, &lane, error);
    size_t s = series ? (size_t)(series - lane->series) : 0, n;

    if (!series)
        return NULL;
    series->used = true;
    n = lane->n_draws;
    if (!lane->level)
        return rc_value_point(fmax(rc_forecast_series_scenarios_lately(lane->scenarios, s), least),
                              error);
    if (!context->rules->random)
        return rc_value_point(mean_of(lane->level + s * n, n), error);
    return rc_value_sample(lane->level + s * n, n, error);
}

/* ---- scenarios ---- */

static void forget_draws(struct rc_lane *lane)
{
    free(lane->paths);
    free(lane->level);
    free(lane->sum);
    free(lane->all);
    lane->paths = lane->level = lane->sum = lane->all = NULL;
}

void rc_structural_lane_forget(struct rc_binding *binding)
{
    for (struct rc_lane *lane = binding->lanes; lane; lane = lane->next)
        forget_draws(lane);
}

void rc_structural_lanes_free(struct rc_binding *binding)
{
    for (struct rc_lane *lane = binding->lanes, *next; lane; lane = next) {
        next = lane->next;
        forget_draws(lane);
        for (size_t i = 0; i < lane->n_series; i++) {
            free(lane->series[i].host);
            free(lane->series[i].peer);
        }
        free(lane->series);
        rc_forecast_series_scenarios_destroy(lane->scenarios);
        free(lane->metric);
        free(lane);
    }
    binding->lanes = NULL;
}

static int get_room(struct rc_lane *lane, size_t n_draws, struct rc_error *error)
{
    size_t n = lane->n_series * n_draws;

    forget_draws(lane);
    lane->n_draws = n_draws;
    lane->paths = malloc((n * lane->n_steps + 1) * sizeof *lane->paths);
    lane->level = malloc((n + 1) * sizeof *lane->level);
    lane->sum = calloc(n + 1, sizeof *lane->sum);
    lane->all = calloc(n + 1, sizeof *lane->all);
    return lane->paths && lane->level && lane->sum && lane->all ? 0 : rc_error_no_memory(error);
}

static double least_of(const struct rc_lane *lane, size_t series)
{
    return strcmp(lane->metric, "cpu") == 0
               ? least
               : least * rc_forecast_series_scenarios_lately(lane->scenarios, series);
}

int rc_structural_lane_draw(struct rc_lane *lane, size_t n_draws, struct rc_random *random,
                            struct rc_error *error)
{
    if (get_room(lane, n_draws, error))
        return -1;
    for (size_t i = 0; i < n_draws; i++) {
        struct rc_series_scenario_paths drawn;

        rc_forecast_series_scenarios_draw(lane->scenarios, random, &drawn);
        for (size_t s = 0; s < lane->n_series; s++) {
            double low = least_of(lane, s);

            for (size_t j = 0; j < lane->n_steps; j++)
                lane->paths[(s * lane->n_steps + j) * n_draws + i] =
                    fmax(drawn.values[s * drawn.n + j], low);
        }
    }
    return 0;
}

/* How many steps there are is only known once one scenario was drawn. */
int rc_structural_lane_look(struct rc_lane *lane, double *seconds, bool *steady,
                            struct rc_random *random, struct rc_error *error)
{
    struct rc_series_scenario_paths drawn;

    if (rc_forecast_series_scenarios_look(lane->scenarios, seconds, steady, error))
        return -1;
    rc_forecast_series_scenarios_draw(lane->scenarios, random, &drawn);
    lane->n_steps = drawn.n;
    lane->step = drawn.step;
    return 0;
}

double rc_structural_lane_until(const struct rc_lane *lane, double t)
{
    double end = (double)lane->n_steps * lane->step;
    double j;

    if (lane->n_steps == 0 || t >= end)
        return INFINITY;
    j = floor(t / lane->step + 1e-9); /* rounding must not leave one that has ended */
    return (j + 1) * lane->step;
}

/* The mean over the second half of each path: what was reached by then, without the way there. */
static void set_beyond(struct rc_lane *lane)
{
    size_t first = lane->n_steps / 2, n = lane->n_draws;

    for (size_t s = 0; s < lane->n_series; s++) {
        double *level = lane->level + s * n;
        double now =
            fmax(rc_forecast_series_scenarios_lately(lane->scenarios, s), least_of(lane, s));

        for (size_t i = 0; i < n; i++)
            level[i] = lane->n_steps ? 0 : now;
        for (size_t j = first; j < lane->n_steps; j++)
            for (size_t i = 0; i < n; i++)
                level[i] +=
                    lane->paths[(s * lane->n_steps + j) * n + i] / (double)(lane->n_steps - first);
    }
}

void rc_structural_lane_set(struct rc_lane *lane, double t)
{
    size_t n = lane->n_draws, j;

    if (isinf(rc_structural_lane_until(lane, t))) {
        set_beyond(lane);
        return;
    }
    j = (size_t)floor(t / lane->step + 1e-9);
    for (size_t s = 0; s < lane->n_series; s++)
        memcpy(lane->level + s * n, lane->paths + (s * lane->n_steps + j) * n,
               n * sizeof *lane->level);
}
