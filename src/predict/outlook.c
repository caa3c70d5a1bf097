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

#include "base/error.h"
#include "predict/futures.h"
#include "store/series.h"

enum {
    LATELY = 30,         /* samples that tell how it is now */
    PAST_CELLS = 16384,  /* of the past that is learnt from, at least, in samples */
    PAST_HORIZONS = 64,  /* ... and in lengths of the future */
    PAST_SECONDS = 14 * 86400, /* ... and in seconds, at most */
    LEAST_CELLS = 26     /* fewer samples tell nothing of how the load changes */
};

/* The series of one kind. */
struct side {
    struct rc_ts_track *tracks;
    size_t n, capacity;
    struct rc_forecast_set set;
    struct rc_futures *futures;
    double *drawn, *path; /* with the present value in front, and without */
    double *scratch;
    bool present; /* the present value is the first of a path */
};

struct rc_outlook {
    struct side cpu, bw;
    double at, newest, seconds;
    bool steady;
    char *missing;
};

/* ---- reading ---- */

static int add_track(struct side *side, struct rc_store *store, const struct rc_series_key *key,
                     double at, struct rc_error *error)
{
    struct rc_sample *samples = NULL;
    size_t n = 0;

    if (side->n == side->capacity) {
        size_t capacity = side->capacity ? 2 * side->capacity : 16;
        struct rc_ts_track *grown = realloc(side->tracks, capacity * sizeof *grown);

        if (!grown)
            return rc_error_no_memory(error);
        side->tracks = grown;
        side->capacity = capacity;
    }
    if (rc_series_load(store, key, at - PAST_SECONDS, at, &samples, &n, error))
        return -1;
    side->tracks[side->n++] = (struct rc_ts_track){samples, n};
    return 0;
}

struct reading {
    struct rc_outlook *outlook;
    struct rc_store *store;
    const char *const *hosts;
    size_t n_hosts;
    bool *has_cpu; /* by host */
    struct rc_error *error;
};

static size_t host_of(const struct reading *reading, const char *name)
{
    size_t i = 0;

    while (i < reading->n_hosts && strcmp(reading->hosts[i], name) != 0)
        i++;
    return i;
}

/* A series that has nothing of the last day is as good as none. */
static bool is_recent(const struct rc_ts_track *track, double at)
{
    return track->n > 0 && track->samples[track->n - 1].t >= at - RC_OUTLOOK_OLD;
}

static int take_series(struct reading *reading, struct side *side, const struct rc_series_key *key)
{
    const struct rc_ts_track *track;
    struct rc_outlook *outlook = reading->outlook;

    if (add_track(side, reading->store, key, outlook->at, reading->error))
        return -1;
    track = &side->tracks[side->n - 1];
    if (!is_recent(track, outlook->at)) {
        free((void *)(uintptr_t)track->samples);
        side->n--;
        return 0;
    }
    outlook->newest = fmin(outlook->newest, track->samples[track->n - 1].t);
    return 1;
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    struct reading *reading = data;
    const struct rc_series_key *key = &info->key;
    size_t host = host_of(reading, key->host);
    bool cpu = strcmp(key->metric, "cpu") == 0 && !*key->peer;
    int taken;

    if (host == reading->n_hosts || !(info->first <= reading->outlook->at) ||
        !(info->last >= reading->outlook->at - RC_OUTLOOK_OLD) ||
        (!cpu && strcmp(key->metric, "bandwidth") != 0) ||
        (*key->peer && host_of(reading, key->peer) == reading->n_hosts))
        return 0;
    taken = take_series(reading, cpu ? &reading->outlook->cpu : &reading->outlook->bw, key);
    if (taken > 0 && cpu)
        reading->has_cpu[host] = true;
    return taken < 0 ? -1 : 0;
}

static void forget_tracks(struct side *side)
{
    for (size_t i = 0; i < side->n; i++)
        free((void *)(uintptr_t)side->tracks[i].samples);
    side->n = 0;
}

static int read_all(struct reading *reading)
{
    struct rc_outlook *outlook = reading->outlook;
    size_t unknown = 0;

    if (rc_series_list(reading->store, NULL, meet_series, reading, reading->error))
        return -1;
    while (unknown < reading->n_hosts && reading->has_cpu[unknown])
        unknown++;
    if (unknown == reading->n_hosts)
        return 0;
    forget_tracks(&outlook->cpu);
    outlook->missing = strdup(reading->hosts[unknown]);
    return outlook->missing ? 0 : rc_error_no_memory(reading->error);
}

struct rc_outlook *rc_outlook_create(struct rc_store *store, const char *const *hosts,
                                     size_t n_hosts, double at, struct rc_error *error)
{
    struct rc_outlook *outlook = calloc(1, sizeof *outlook);
    struct reading reading = {outlook, store, hosts, n_hosts, calloc(n_hosts + 1, 1), error};
    int status = 0;

    if (!outlook || !reading.has_cpu) {
        status = rc_error_no_memory(error);
    } else {
        outlook->at = at;
        outlook->newest = INFINITY;
        status = read_all(&reading);
    }
    free(reading.has_cpu);
    if (status == 0)
        return outlook;
    rc_outlook_destroy(outlook);
    return NULL;
}

static void forget_future(struct side *side)
{
    rc_futures_destroy(side->futures);
    rc_forecast_set_free(&side->set);
    free(side->drawn);
    free(side->path);
    free(side->scratch);
    side->futures = NULL;
    side->drawn = side->path = side->scratch = NULL;
}

void rc_outlook_destroy(struct rc_outlook *outlook)
{
    struct side *sides[] = {outlook ? &outlook->cpu : NULL, outlook ? &outlook->bw : NULL};

    if (!outlook)
        return;
    for (size_t i = 0; i < 2; i++) {
        forget_future(sides[i]);
        forget_tracks(sides[i]);
        free(sides[i]->tracks);
    }
    free(outlook->missing);
    free(outlook);
}

/* ---- what is known ---- */

static double mean_lately(const struct rc_ts_track *track)
{
    size_t n = track->n < LATELY ? track->n : LATELY;
    double sum = 0;

    for (size_t i = track->n - n; i < track->n; i++)
        sum += track->samples[i].value;
    return sum / (double)n;
}

static double least_lately(const struct side *side)
{
    double least = NAN;

    for (size_t i = 0; i < side->n; i++)
        least = fmin(least, mean_lately(&side->tracks[i]));
    return least;
}

void rc_outlook_facts(const struct rc_outlook *outlook, struct rc_outlook_facts *facts)
{
    *facts = (struct rc_outlook_facts){
        .cpu_series = outlook->cpu.n,
        .bw_series = outlook->bw.n,
        .missing = outlook->missing,
        .newest = isfinite(outlook->newest) ? outlook->newest : (double)NAN,
        .cpu = least_lately(&outlook->cpu),
        .bw = least_lately(&outlook->bw),
        .seconds = outlook->seconds,
        .steady = outlook->steady,
    };
}

/* ---- futures ---- */

/* The last part of the tracks: what is longer ago costs time and teaches little. */
static void recent_part(const struct side *side, double at, double seconds,
                        struct rc_ts_track *recent)
{
    double longest = 0;

    for (size_t i = 0; i < side->n; i++) {
        const struct rc_ts_track *track = &side->tracks[i];
        size_t first = track->n > PAST_CELLS ? track->n - PAST_CELLS : 0;

        longest = fmax(longest, at - track->samples[first].t);
    }
    longest = fmax(longest, PAST_HORIZONS * seconds);
    for (size_t i = 0; i < side->n; i++) {
        const struct rc_ts_track *track = &side->tracks[i];
        size_t first = 0;

        while (track->samples[first].t < at - longest)
            first++;
        recent[i] = (struct rc_ts_track){track->samples + first, track->n - first};
    }
}

/* How long all series have been seen. */
static double past_of(const struct side *side, double at)
{
    double since = -INFINITY;

    for (size_t i = 0; i < side->n; i++)
        since = fmax(since, side->tracks[i].samples[0].t);
    return at - since;
}

/* 1: futures of so many seconds can be drawn; 0: the past is too short for that. */
static int try_future(struct side *side, double at, double seconds,
                      struct rc_ts_track *recent, struct rc_error *error)
{
    size_t n;

    forget_future(side);
    recent_part(side, at, seconds, recent);
    if (rc_forecast_set_lay(recent, side->n, at, seconds, &side->set, error))
        return 0;
    if (side->set.n < LEAST_CELLS || !(side->futures = rc_futures_create(&side->set, error)))
        return 0;
    n = rc_futures_horizon(side->futures);
    side->drawn = malloc(side->n * n * sizeof *side->drawn);
    side->path = malloc(side->n * (n + 1) * sizeof *side->path);
    side->scratch = malloc(2 * side->n * sizeof *side->scratch);
    if (!side->drawn || !side->path || !side->scratch)
        return rc_error_no_memory(error);
    /* A cell of one sample holds until the next; a cell of several is the mean over its time. */
    side->present = side->set.start + (double)(side->set.n - 1) * side->set.step >=
                    side->set.at - 0.5 * side->set.step;
    return 1;
}

/* The futures of one side; where the past is too short for any, there are none. */
static int look_ahead(struct side *side, double at, double *seconds, bool *steady,
                      struct rc_error *error)
{
    struct rc_ts_track *recent;
    struct rc_error why;
    int got = 0;

    if (side->n == 0)
        return 0;
    recent = calloc(side->n, sizeof *recent);
    if (!recent)
        return rc_error_no_memory(error);
    *seconds = fmin(*seconds, 0.5 * past_of(side, at));
    for (int i = 0; i < 4 && got == 0 && *seconds > 0; i++, *seconds *= got ? 1 : 0.5)
        got = try_future(side, at, *seconds, recent, &why);
    free(recent);
    if (got == 0) {
        forget_future(side);
        *steady = true;
    }
    if (got < 0 && error)
        *error = why;
    return got < 0 ? -1 : 0;
}

int rc_outlook_look(struct rc_outlook *outlook, double seconds, struct rc_error *error)
{
    double cpu = seconds, bw = seconds;

    outlook->steady = false;
    if (look_ahead(&outlook->cpu, outlook->at, &cpu, &outlook->steady, error) ||
        look_ahead(&outlook->bw, outlook->at, &bw, &outlook->steady, error))
        return -1;
    outlook->seconds = fmin(cpu, bw);
    return 0;
}

/* The present value, where it is known, holds until the first of the future. */
static void put_present_first(struct side *side, size_t n)
{
    for (size_t s = 0; s < side->n; s++) {
        double now = side->set.values[s * side->set.n + side->set.n - 1];
        double *path = side->path + s * (n + 1);

        path[0] = isfinite(now) ? now : side->drawn[s * n];
        memcpy(path + 1, side->drawn + s * n, n * sizeof *path);
    }
}

static void draw_lane(struct side *side, struct rc_random *random, double otherwise,
                      struct rc_predict_lane *lane)
{
    size_t n;

    *lane = (struct rc_predict_lane){.constant = otherwise};
    if (!side->futures) {
        if (side->n > 0)
            lane->constant = least_lately(side);
        return;
    }
    n = rc_futures_horizon(side->futures);
    rc_futures_draw(side->futures, random, side->drawn);
    if (side->present)
        put_present_first(side, n);
    lane->values = side->present ? side->path : side->drawn;
    lane->n = n + side->present;
    lane->n_series = side->n;
    lane->step = side->set.step;
    lane->scratch = side->scratch;
}

void rc_outlook_draw(struct rc_outlook *outlook, struct rc_random *random, double cpu, double bw,
                     struct rc_predict_future *future)
{
    draw_lane(&outlook->cpu, random, cpu, &future->cpu);
    draw_lane(&outlook->bw, random, bw, &future->bw);
    future->begin = 0;
}
