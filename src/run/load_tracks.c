// SPDX-License-Identifier: GPL-3.0-or-later
/* load_tracks.c - what the hosts and links of a run did meanwhile. */
#include "run/load_tracks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* The index of a series, or `n`.  Samples come series by series, or in the same order of series
 * again and again, so that the search begins with the last one found. */
static size_t find(const struct rc_tracks *tracks, const struct rc_series_key *key)
{
    for (size_t i = 0; i < tracks->n; i++) {
        size_t at = (tracks->last + i) % tracks->n;
        const struct rc_track *track = &tracks->items[at];

        if (strcmp(track->host, key->host) == 0 && strcmp(track->metric, key->metric) == 0 &&
            strcmp(track->peer, key->peer) == 0)
            return at;
    }
    return tracks->n;
}

const struct rc_track *rc_run_tracks_find(const struct rc_tracks *tracks,
                                          const struct rc_series_key *key)
{
    size_t at = find(tracks, key);

    return at < tracks->n ? &tracks->items[at] : NULL;
}

static void free_track(struct rc_track *track)
{
    free(track->host);
    free(track->peer);
    free(track->metric);
    free(track->samples);
}

static int append(struct rc_tracks *tracks, const struct rc_series_key *key)
{
    struct rc_track track = {strdup(key->host), strdup(key->peer), strdup(key->metric), NULL, 0, 0};
    bool room = rc_array_room(&tracks->items, tracks->n + 1, &tracks->capacity,
                              sizeof *tracks->items, NULL) == 0;

    if (!room || !track.host || !track.peer || !track.metric) {
        free_track(&track);
        return -1;
    }
    tracks->items[tracks->n++] = track;
    return 0;
}

int rc_run_tracks_add(struct rc_tracks *tracks, const struct rc_series_key *key,
                      const struct rc_sample *sample)
{
    size_t at = find(tracks, key);
    struct rc_track *track;

    if (tracks->samples == RC_TRACKS_SAMPLES_MAX || !isfinite(sample->t) ||
        !isfinite(sample->value) || (at == tracks->n && tracks->n == RC_TRACKS_MAX)) {
        tracks->dropped++;
        return 0;
    }
    if (at == tracks->n && append(tracks, key))
        return -1;
    tracks->last = at;
    track = &tracks->items[at];
    if (track->n > 0 && !(sample->t > track->samples[track->n - 1].t)) {
        tracks->dropped++;
        return 0;
    }
    if (rc_array_room(&track->samples, track->n + 1, &track->capacity, sizeof *track->samples,
                      NULL))
        return -1;
    track->samples[track->n++] = *sample;
    tracks->samples++;
    return 0;
}

void rc_run_tracks_free(struct rc_tracks *tracks)
{
    for (size_t i = 0; i < tracks->n; i++)
        free_track(&tracks->items[i]);
    free(tracks->items);
    *tracks = (struct rc_tracks){0};
}

/* ---- load ---- */

/* A copy of the samples that begins at `from` at the latest; NULL where memory runs out. */
static struct rc_sample *since(const struct rc_track *track, double from)
{
    struct rc_sample *copy = malloc(track->n * sizeof *copy);

    if (copy) {
        memcpy(copy, track->samples, track->n * sizeof *copy);
        copy[0].t = fmin(copy[0].t, from);
    }
    return copy;
}

/* Whether the series covers enough of the time from `from` to `to`. */
static bool covers(const struct rc_track *track, double from, double to, double good_for)
{
    double middle = from + (to - from) / 2, last = track->samples[track->n - 1].t;

    return track->samples[0].t <= middle && (last >= middle || to - last <= good_for);
}

int rc_run_tracks_load(const struct rc_tracks *tracks, const char *metric, double from, double to,
                       double good_for, struct rc_series_load *load, struct rc_error *error)
{
    struct rc_series_track *chosen = calloc(tracks->n + 1, sizeof *chosen);
    struct rc_sample **copies = calloc(tracks->n + 1, sizeof *copies);
    bool known = true;
    size_t n = 0;
    int status = chosen && copies ? 0 : rc_error_no_memory(error);

    *load = (struct rc_series_load){NAN, NAN};
    for (size_t i = 0; i < tracks->n && status == 0; i++) {
        const struct rc_track *track = &tracks->items[i];

        if (strcmp(track->metric, metric) != 0 || track->n == 0)
            continue;
        known = known && covers(track, from, to, good_for);
        copies[n] = since(track, from);
        if (!copies[n])
            status = rc_error_no_memory(error);
        chosen[n] = (struct rc_series_track){copies[n], track->n};
        n++;
    }
    if (status == 0 && known && n > 0)
        status = rc_series_load_statistics(chosen, n, from, to, load, error);
    for (size_t i = 0; copies && i < n; i++)
        free(copies[i]);
    free(copies);
    free(chosen);
    return status;
}
