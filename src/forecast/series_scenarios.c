// SPDX-License-Identifier: GPL-3.0-or-later
/* series_scenarios.c - what several series of one kind will do together. */
#include "forecast/series_scenarios.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "forecast/analog_scenarios.h"

enum {
    LATELY = 30,        /* samples that describe the present */
    PAST_CELLS = 16384, /* of the past that is learnt from, at least, in samples */
    PAST_HORIZONS = 64  /* ... and in lengths of the future */
};

struct rc_series_scenarios {
    double at;
    struct rc_series_track *tracks;
    size_t n, capacity;
    struct rc_forecast_set set;
    struct rc_scenarios *generator;
    double *drawn, *path; /* with the present value in front, and without */
    bool present;         /* the present value is the first of a path */
    bool borrowed;        /* the samples are another's */
};

struct rc_series_scenarios *rc_forecast_series_scenarios_create(double at, struct rc_error *error)
{
    struct rc_series_scenarios *scenarios = calloc(1, sizeof *scenarios);

    if (!scenarios)
        rc_error_no_memory(error);
    else
        scenarios->at = at;
    return scenarios;
}

/* ---- reading ---- */

static int grow(struct rc_series_scenarios *scenarios, struct rc_error *error)
{
    size_t capacity = scenarios->capacity ? 2 * scenarios->capacity : 16;
    struct rc_series_track *grown;

    if (scenarios->n < scenarios->capacity)
        return 0;
    grown = realloc(scenarios->tracks, capacity * sizeof *grown);
    if (!grown)
        return rc_error_no_memory(error);
    scenarios->tracks = grown;
    scenarios->capacity = capacity;
    return 0;
}

static int take_last(void *data, const struct rc_series_info *info)
{
    *(double *)data = info->last;
    return 0;
}

/* Whether there is such a series, with nothing recent in it. */
static bool is_old(struct rc_db *db, const struct rc_series_key *key, double at)
{
    double last = NAN;

    return rc_db_series_list(db, key, take_last, &last, NULL) == 0 &&
           last < at - RC_SERIES_SCENARIOS_OLD;
}

int rc_forecast_series_scenarios_take(struct rc_series_scenarios *scenarios,
                                      struct rc_sample *samples, size_t n, struct rc_error *error)
{
    bool old =
        n == 0 || samples[n - 1].t < scenarios->at - RC_SERIES_SCENARIOS_OLD; /* as good as none */
    int status = 0;

    if (!old)
        status = grow(scenarios, error) ? -1 : 1;
    if (status > 0)
        scenarios->tracks[scenarios->n++] = (struct rc_series_track){samples, n};
    else
        free(samples);
    return status;
}

int rc_forecast_series_scenarios_add(struct rc_series_scenarios *scenarios, struct rc_db *db,
                                     const struct rc_series_key *key, struct rc_error *error)
{
    double at = scenarios->at;
    struct rc_sample *samples = NULL;
    size_t n = 0;

    if (is_old(db, key, at))
        return 0;
    if (rc_db_series_load(db, key, at - RC_SERIES_SCENARIOS_PAST, at, &samples, &n, error))
        return -1;
    return rc_forecast_series_scenarios_take(scenarios, samples, n, error);
}

int rc_forecast_series_scenarios_add_samples(struct rc_series_scenarios *scenarios,
                                             const struct rc_sample *samples, size_t n,
                                             struct rc_error *error)
{
    size_t first = 0;
    struct rc_sample *own;

    while (n > 0 && samples[n - 1].t > scenarios->at)
        n--;
    while (first < n && samples[first].t < scenarios->at - RC_SERIES_SCENARIOS_PAST)
        first++;
    own = malloc((n - first + 1) * sizeof *own);
    if (!own)
        return rc_error_no_memory(error);
    memcpy(own, samples + first, (n - first) * sizeof *own);
    return rc_forecast_series_scenarios_take(scenarios, own, n - first, error);
}

static void forget_future(struct rc_series_scenarios *scenarios)
{
    rc_forecast_scenarios_destroy(scenarios->generator);
    rc_forecast_set_free(&scenarios->set);
    free(scenarios->drawn);
    free(scenarios->path);
    scenarios->generator = NULL;
    scenarios->drawn = scenarios->path = NULL;
}

void rc_forecast_series_scenarios_drop_last(struct rc_series_scenarios *scenarios)
{
    forget_future(scenarios);
    scenarios->n--;
    if (!scenarios->borrowed)
        free((void *)(uintptr_t)scenarios->tracks[scenarios->n].samples);
}

void rc_forecast_series_scenarios_destroy(struct rc_series_scenarios *scenarios)
{
    if (!scenarios)
        return;
    forget_future(scenarios);
    for (size_t i = 0; i < scenarios->n && !scenarios->borrowed; i++)
        free((void *)(uintptr_t)scenarios->tracks[i].samples);
    free(scenarios->tracks);
    free(scenarios);
}

struct rc_series_scenarios *
rc_forecast_series_scenarios_part(const struct rc_series_scenarios *whole, const size_t *series,
                                  size_t n, struct rc_error *error)
{
    struct rc_series_scenarios *part = rc_forecast_series_scenarios_create(whole->at, error);

    if (!part)
        return NULL;
    part->borrowed = true;
    part->tracks = calloc(n + 1, sizeof *part->tracks);
    if (!part->tracks) {
        rc_error_no_memory(error);
        rc_forecast_series_scenarios_destroy(part);
        return NULL;
    }
    part->n = part->capacity = n;
    for (size_t i = 0; i < n; i++)
        part->tracks[i] = whole->tracks[series[i]];
    return part;
}

/* ---- what is known ---- */

size_t rc_forecast_series_scenarios_series(const struct rc_series_scenarios *scenarios)
{
    return scenarios->n;
}

double rc_forecast_series_scenarios_newest(const struct rc_series_scenarios *scenarios)
{
    double newest = INFINITY;

    for (size_t i = 0; i < scenarios->n; i++)
        newest = fmin(newest, scenarios->tracks[i].samples[scenarios->tracks[i].n - 1].t);
    return newest;
}

void rc_forecast_series_scenarios_facts(const struct rc_series_scenarios *scenarios, size_t series,
                                        struct rc_forecast_series_scenarios_facts *facts)
{
    const struct rc_series_track *track = &scenarios->tracks[series];
    size_t last = track->n - 1, first = last > LATELY ? last - LATELY : 0;

    *facts = (struct rc_forecast_series_scenarios_facts){
        .n = track->n, .newest = track->samples[last].t, .step = NAN, .most = -INFINITY};
    if (last > first)
        facts->step = (track->samples[last].t - track->samples[first].t) / (double)(last - first);
    for (size_t i = 0; i <= last; i++)
        facts->most = fmax(facts->most, track->samples[i].value);
}

double rc_forecast_series_scenarios_lately(const struct rc_series_scenarios *scenarios,
                                           size_t series)
{
    const struct rc_series_track *track = &scenarios->tracks[series];
    size_t n = track->n < LATELY ? track->n : LATELY;
    double sum = 0;

    for (size_t i = track->n - n; i < track->n; i++)
        sum += track->samples[i].value;
    return sum / (double)n;
}

double rc_forecast_series_scenarios_mean(const struct rc_series_scenarios *scenarios, size_t series)
{
    const struct rc_series_track *track = &scenarios->tracks[series];
    double sum = 0;

    for (size_t i = 0; i < track->n; i++)
        sum += track->samples[i].value;
    return sum / (double)track->n;
}

/* ---- scenarios ---- */

/* The last part of the tracks: what is longer ago costs time and teaches little. */
static void recent_part(const struct rc_series_scenarios *scenarios, double seconds,
                        struct rc_series_track *recent)
{
    double longest = 0;

    for (size_t i = 0; i < scenarios->n; i++) {
        const struct rc_series_track *track = &scenarios->tracks[i];
        size_t first = track->n > PAST_CELLS ? track->n - PAST_CELLS : 0;

        longest = fmax(longest, scenarios->at - track->samples[first].t);
    }
    longest = fmax(longest, PAST_HORIZONS * seconds);
    for (size_t i = 0; i < scenarios->n; i++) {
        const struct rc_series_track *track = &scenarios->tracks[i];
        size_t first = 0;

        while (track->samples[first].t < scenarios->at - longest)
            first++;
        recent[i] = (struct rc_series_track){track->samples + first, track->n - first};
    }
}

/* How long all series have been seen. */
static double past_of(const struct rc_series_scenarios *scenarios)
{
    double since = -INFINITY;

    for (size_t i = 0; i < scenarios->n; i++)
        since = fmax(since, scenarios->tracks[i].samples[0].t);
    return scenarios->at - since;
}

/* 1: scenarios of so many seconds can be drawn; 0: the past is too short for that. */
static int try_future(struct rc_series_scenarios *scenarios, double seconds,
                      struct rc_series_track *recent, struct rc_error *error)
{
    struct rc_forecast_set *set = &scenarios->set;
    size_t n;

    forget_future(scenarios);
    recent_part(scenarios, seconds, recent);
    if (rc_forecast_set_lay(recent, scenarios->n, scenarios->at, seconds, set, error))
        return 0;
    if (set->n < RC_SERIES_SCENARIOS_LEAST ||
        !(scenarios->generator = rc_forecast_scenarios_create(set, error)))
        return 0;
    n = rc_forecast_scenarios_horizon(scenarios->generator);
    scenarios->drawn = malloc(scenarios->n * n * sizeof *scenarios->drawn);
    scenarios->path = malloc(scenarios->n * (n + 1) * sizeof *scenarios->path);
    if (!scenarios->drawn || !scenarios->path)
        return rc_error_no_memory(error);
    /* A cell of one sample holds until the next; a cell of several is the mean over its time. */
    scenarios->present = set->start + (double)(set->n - 1) * set->step >= set->at - 0.5 * set->step;
    return 1;
}

int rc_forecast_series_scenarios_look(struct rc_series_scenarios *scenarios, double *seconds,
                                      bool *steady, struct rc_error *error)
{
    struct rc_series_track *recent;
    struct rc_error why;
    int got = 0;

    if (scenarios->n == 0)
        return 0;
    recent = calloc(scenarios->n, sizeof *recent);
    if (!recent)
        return rc_error_no_memory(error);
    *seconds = fmin(*seconds, 0.5 * past_of(scenarios));
    for (int i = 0; i < 4 && got == 0 && *seconds > 0; i++, *seconds *= got ? 1 : 0.5)
        got = try_future(scenarios, *seconds, recent, &why);
    free(recent);
    if (got == 0) {
        forget_future(scenarios);
        *steady = true;
    }
    if (got < 0 && error)
        *error = why;
    return got < 0 ? -1 : 0;
}

/* The present value, where it is known, holds until the first of the future. */
static void put_present_first(struct rc_series_scenarios *scenarios, size_t n)
{
    const struct rc_forecast_set *set = &scenarios->set;

    for (size_t s = 0; s < scenarios->n; s++) {
        double now = set->values[s * set->n + set->n - 1];
        double *path = scenarios->path + s * (n + 1);

        path[0] = isfinite(now) ? now : scenarios->drawn[s * n];
        memcpy(path + 1, scenarios->drawn + s * n, n * sizeof *path);
    }
}

void rc_forecast_series_scenarios_draw(struct rc_series_scenarios *scenarios,
                                       struct rc_random *random,
                                       struct rc_series_scenario_paths *paths)
{
    size_t n;

    *paths = (struct rc_series_scenario_paths){.n_series = scenarios->n};
    if (!scenarios->generator)
        return;
    n = rc_forecast_scenarios_horizon(scenarios->generator);
    rc_forecast_scenarios_draw(scenarios->generator, random, scenarios->drawn);
    if (scenarios->present)
        put_present_first(scenarios, n);
    paths->values = scenarios->present ? scenarios->path : scenarios->drawn;
    paths->n = n + scenarios->present;
    paths->step = scenarios->set.step;
}
