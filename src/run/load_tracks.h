// SPDX-License-Identifier: GPL-3.0-or-later
/* load_tracks.h - what the hosts and links of a run did meanwhile: samples, series by series. */
#ifndef RC_RUN_LOAD_TRACKS_H
#define RC_RUN_LOAD_TRACKS_H

#include <stddef.h>

#include "runcast.h"
#include "stats/series/load_statistics.h"

enum {
    RC_TRACKS_MAX = 1 << 16,         /* series of one run */
    RC_TRACKS_SAMPLES_MAX = 20000000 /* samples of one run, over all series */
};

/* The samples of one series, by rising time. */
struct rc_track {
    char *host, *peer, *metric; /* `peer` is "" for a host */
    struct rc_sample *samples;
    size_t n, capacity;
};

/* Start from {0}; free with rc_run_tracks_free(). */
struct rc_tracks {
    struct rc_track *items;
    size_t n, capacity;
    size_t samples; /* over all */
    size_t dropped; /* that were beyond a limit, or out of order */
    size_t last;    /* where the last sample went: the next one often goes beside it */
};

/* Adds a sample, which has to be later than the last of its series; one that is not, and one
 * beyond the limits, is counted as dropped.  -1 where memory runs out. */
int rc_run_tracks_add(struct rc_tracks *tracks, const struct rc_series_key *key,
                      const struct rc_sample *sample);
void rc_run_tracks_free(struct rc_tracks *tracks);

/* The series, or NULL. */
const struct rc_track *rc_run_tracks_find(const struct rc_tracks *tracks,
                                          const struct rc_series_key *key);

/* The two load statistics of all series of one metric, over the time from `from` to `to`; NAN
 * where there is none.  A series that has a sample only after the beginning counts from the
 * beginning with its first one, as if that had held, if it came in the first half of the time;
 * and until the end with its last one, if that came in the second half, or `good_for` seconds
 * before the end at most.  Otherwise nothing can be said, and both are NAN. */
int rc_run_tracks_load(const struct rc_tracks *tracks, const char *metric, double from, double to,
                       double good_for, struct rc_series_load *load, struct rc_error *error);

#endif
