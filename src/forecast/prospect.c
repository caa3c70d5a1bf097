// SPDX-License-Identifier: GPL-3.0-or-later
/* prospect.c - what several series of one kind will do together. */
#include "forecast/prospect.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "forecast/futures.h"

enum {
    LATELY = 30,        /* samples that tell how it is now */
    PAST_CELLS = 16384, /* of the past that is learnt from, at least, in samples */
    PAST_HORIZONS = 64  /* ... and in lengths of the future */
};

struct rc_prospect {
    double at;
    struct rc_series_track *tracks;
    size_t n, capacity;
    struct rc_forecast_set set;
    struct rc_futures *futures;
    double *drawn, *path; /* with the present value in front, and without */
    bool present;         /* the present value is the first of a path */
    bool borrowed;        /* the samples are another's */
};

struct rc_prospect *rc_forecast_prospect_create(double at, struct rc_error *error)
{
    struct rc_prospect *prospect = calloc(1, sizeof *prospect);

    if (!prospect)
        rc_error_no_memory(error);
    else
        prospect->at = at;
    return prospect;
}

/* ---- reading ---- */

static int grow(struct rc_prospect *prospect, struct rc_error *error)
{
    size_t capacity = prospect->capacity ? 2 * prospect->capacity : 16;
    struct rc_series_track *grown;

    if (prospect->n < prospect->capacity)
        return 0;
    grown = realloc(prospect->tracks, capacity * sizeof *grown);
    if (!grown)
        return rc_error_no_memory(error);
    prospect->tracks = grown;
    prospect->capacity = capacity;
    return 0;
}

static int take_last(void *data, const struct rc_series_info *info)
{
    *(double *)data = info->last;
    return 0;
}

/* Whether there is such a series, with nothing recent in it. */
static bool is_old(struct rc_db *store, const struct rc_series_key *key, double at)
{
    double last = NAN;

    return rc_db_series_list(store, key, take_last, &last, NULL) == 0 &&
           last < at - RC_PROSPECT_OLD;
}

int rc_forecast_prospect_take(struct rc_prospect *prospect, struct rc_sample *samples, size_t n,
                              struct rc_error *error)
{
    bool old = n == 0 || samples[n - 1].t < prospect->at - RC_PROSPECT_OLD; /* as good as none */
    int status = 0;

    if (!old)
        status = grow(prospect, error) ? -1 : 1;
    if (status > 0)
        prospect->tracks[prospect->n++] = (struct rc_series_track){samples, n};
    else
        free(samples);
    return status;
}

int rc_forecast_prospect_add(struct rc_prospect *prospect, struct rc_db *store,
                             const struct rc_series_key *key, struct rc_error *error)
{
    double at = prospect->at;
    struct rc_sample *samples = NULL;
    size_t n = 0;

    if (is_old(store, key, at))
        return 0;
    if (rc_db_series_load(store, key, at - RC_PROSPECT_PAST, at, &samples, &n, error))
        return -1;
    return rc_forecast_prospect_take(prospect, samples, n, error);
}

int rc_forecast_prospect_add_samples(struct rc_prospect *prospect, const struct rc_sample *samples,
                                     size_t n, struct rc_error *error)
{
    size_t first = 0;
    struct rc_sample *own;

    while (n > 0 && samples[n - 1].t > prospect->at)
        n--;
    while (first < n && samples[first].t < prospect->at - RC_PROSPECT_PAST)
        first++;
    own = malloc((n - first + 1) * sizeof *own);
    if (!own)
        return rc_error_no_memory(error);
    memcpy(own, samples + first, (n - first) * sizeof *own);
    return rc_forecast_prospect_take(prospect, own, n - first, error);
}

static void forget_future(struct rc_prospect *prospect)
{
    rc_forecast_futures_destroy(prospect->futures);
    rc_forecast_set_free(&prospect->set);
    free(prospect->drawn);
    free(prospect->path);
    prospect->futures = NULL;
    prospect->drawn = prospect->path = NULL;
}

void rc_forecast_prospect_drop_last(struct rc_prospect *prospect)
{
    forget_future(prospect);
    prospect->n--;
    if (!prospect->borrowed)
        free((void *)(uintptr_t)prospect->tracks[prospect->n].samples);
}

void rc_forecast_prospect_destroy(struct rc_prospect *prospect)
{
    if (!prospect)
        return;
    forget_future(prospect);
    for (size_t i = 0; i < prospect->n && !prospect->borrowed; i++)
        free((void *)(uintptr_t)prospect->tracks[i].samples);
    free(prospect->tracks);
    free(prospect);
}

struct rc_prospect *rc_forecast_prospect_part(const struct rc_prospect *whole, const size_t *series,
                                              size_t n, struct rc_error *error)
{
    struct rc_prospect *part = rc_forecast_prospect_create(whole->at, error);

    if (!part)
        return NULL;
    part->borrowed = true;
    part->tracks = calloc(n + 1, sizeof *part->tracks);
    if (!part->tracks) {
        rc_error_no_memory(error);
        rc_forecast_prospect_destroy(part);
        return NULL;
    }
    part->n = part->capacity = n;
    for (size_t i = 0; i < n; i++)
        part->tracks[i] = whole->tracks[series[i]];
    return part;
}

/* ---- what is known ---- */

size_t rc_forecast_prospect_series(const struct rc_prospect *prospect)
{
    return prospect->n;
}

double rc_forecast_prospect_newest(const struct rc_prospect *prospect)
{
    double newest = INFINITY;

    for (size_t i = 0; i < prospect->n; i++)
        newest = fmin(newest, prospect->tracks[i].samples[prospect->tracks[i].n - 1].t);
    return newest;
}

void rc_forecast_prospect_facts(const struct rc_prospect *prospect, size_t series,
                                struct rc_forecast_prospect_facts *facts)
{
    const struct rc_series_track *track = &prospect->tracks[series];
    size_t last = track->n - 1, first = last > LATELY ? last - LATELY : 0;

    *facts = (struct rc_forecast_prospect_facts){
        .n = track->n, .newest = track->samples[last].t, .step = NAN, .most = -INFINITY};
    if (last > first)
        facts->step = (track->samples[last].t - track->samples[first].t) / (double)(last - first);
    for (size_t i = 0; i <= last; i++)
        facts->most = fmax(facts->most, track->samples[i].value);
}

double rc_forecast_prospect_lately(const struct rc_prospect *prospect, size_t series)
{
    const struct rc_series_track *track = &prospect->tracks[series];
    size_t n = track->n < LATELY ? track->n : LATELY;
    double sum = 0;

    for (size_t i = track->n - n; i < track->n; i++)
        sum += track->samples[i].value;
    return sum / (double)n;
}

double rc_forecast_prospect_mean(const struct rc_prospect *prospect, size_t series)
{
    const struct rc_series_track *track = &prospect->tracks[series];
    double sum = 0;

    for (size_t i = 0; i < track->n; i++)
        sum += track->samples[i].value;
    return sum / (double)track->n;
}

/* ---- futures ---- */

/* The last part of the tracks: what is longer ago costs time and teaches little. */
static void recent_part(const struct rc_prospect *prospect, double seconds,
                        struct rc_series_track *recent)
{
    double longest = 0;

    for (size_t i = 0; i < prospect->n; i++) {
        const struct rc_series_track *track = &prospect->tracks[i];
        size_t first = track->n > PAST_CELLS ? track->n - PAST_CELLS : 0;

        longest = fmax(longest, prospect->at - track->samples[first].t);
    }
    longest = fmax(longest, PAST_HORIZONS * seconds);
    for (size_t i = 0; i < prospect->n; i++) {
        const struct rc_series_track *track = &prospect->tracks[i];
        size_t first = 0;

        while (track->samples[first].t < prospect->at - longest)
            first++;
        recent[i] = (struct rc_series_track){track->samples + first, track->n - first};
    }
}

/* How long all series have been seen. */
static double past_of(const struct rc_prospect *prospect)
{
    double since = -INFINITY;

    for (size_t i = 0; i < prospect->n; i++)
        since = fmax(since, prospect->tracks[i].samples[0].t);
    return prospect->at - since;
}

/* 1: futures of so many seconds can be drawn; 0: the past is too short for that. */
static int try_future(struct rc_prospect *prospect, double seconds, struct rc_series_track *recent,
                      struct rc_error *error)
{
    struct rc_forecast_set *set = &prospect->set;
    size_t n;

    forget_future(prospect);
    recent_part(prospect, seconds, recent);
    if (rc_forecast_set_lay(recent, prospect->n, prospect->at, seconds, set, error))
        return 0;
    if (set->n < RC_PROSPECT_LEAST || !(prospect->futures = rc_forecast_futures_create(set, error)))
        return 0;
    n = rc_forecast_futures_horizon(prospect->futures);
    prospect->drawn = malloc(prospect->n * n * sizeof *prospect->drawn);
    prospect->path = malloc(prospect->n * (n + 1) * sizeof *prospect->path);
    if (!prospect->drawn || !prospect->path)
        return rc_error_no_memory(error);
    /* A cell of one sample holds until the next; a cell of several is the mean over its time. */
    prospect->present = set->start + (double)(set->n - 1) * set->step >= set->at - 0.5 * set->step;
    return 1;
}

int rc_forecast_prospect_look(struct rc_prospect *prospect, double *seconds, bool *steady,
                              struct rc_error *error)
{
    struct rc_series_track *recent;
    struct rc_error why;
    int got = 0;

    if (prospect->n == 0)
        return 0;
    recent = calloc(prospect->n, sizeof *recent);
    if (!recent)
        return rc_error_no_memory(error);
    *seconds = fmin(*seconds, 0.5 * past_of(prospect));
    for (int i = 0; i < 4 && got == 0 && *seconds > 0; i++, *seconds *= got ? 1 : 0.5)
        got = try_future(prospect, *seconds, recent, &why);
    free(recent);
    if (got == 0) {
        forget_future(prospect);
        *steady = true;
    }
    if (got < 0 && error)
        *error = why;
    return got < 0 ? -1 : 0;
}

/* The present value, where it is known, holds until the first of the future. */
static void put_present_first(struct rc_prospect *prospect, size_t n)
{
    const struct rc_forecast_set *set = &prospect->set;

    for (size_t s = 0; s < prospect->n; s++) {
        double now = set->values[s * set->n + set->n - 1];
        double *path = prospect->path + s * (n + 1);

        path[0] = isfinite(now) ? now : prospect->drawn[s * n];
        memcpy(path + 1, prospect->drawn + s * n, n * sizeof *path);
    }
}

void rc_forecast_prospect_draw(struct rc_prospect *prospect, struct rc_random *random,
                               struct rc_prospect_paths *paths)
{
    size_t n;

    *paths = (struct rc_prospect_paths){.n_series = prospect->n};
    if (!prospect->futures)
        return;
    n = rc_forecast_futures_horizon(prospect->futures);
    rc_forecast_futures_draw(prospect->futures, random, prospect->drawn);
    if (prospect->present)
        put_present_first(prospect, n);
    paths->values = prospect->present ? prospect->path : prospect->drawn;
    paths->n = n + prospect->present;
    paths->step = prospect->set.step;
}
