// SPDX-License-Identifier: GPL-3.0-or-later
/* load_statistics.c - what a run saw of the load: minavg and avgmin.
 *
 * All tracks are walked together, from one moment at which any of them changes to the next.  Where
 * they share a time base, as they should, that takes as long as there are samples. */
#include "stats/series/load_statistics.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

struct walker {
    size_t next;  /* the first sample that is still to come */
    double value; /* that holds now */
    double area;  /* value times time so far */
    double low, high;
};

/* Sums of many parts of time are off in the last digits; an average is never beyond its values. */
static double average(const struct walker *walker, double time)
{
    return fmin(fmax(walker->area / time, walker->low), walker->high);
}

static void pass(struct walker *walker, double time)
{
    walker->area += walker->value * time;
    walker->low = fmin(walker->low, walker->value);
    walker->high = fmax(walker->high, walker->value);
}

/* Where all tracks have a value: the latest of their first samples, or `from`. */
static double known_since(const struct rc_series_track *tracks, size_t n_tracks, double from)
{
    for (size_t i = 0; i < n_tracks; i++)
        from = tracks[i].n ? fmax(from, tracks[i].samples[0].t) : (double)INFINITY;
    return from;
}

/* When any of them changes next. */
static double next_change(const struct rc_series_track *tracks, size_t n_tracks,
                          const struct walker *walkers, double to)
{
    for (size_t i = 0; i < n_tracks; i++)
        if (walkers[i].next < tracks[i].n)
            to = fmin(to, tracks[i].samples[walkers[i].next].t);
    return to;
}

/* Walks the tracks, and `least` along with them. */
static void walk(const struct rc_series_track *tracks, size_t n_tracks, struct walker *walkers,
                 struct walker *least, double from, double to)
{
    for (double now = from, next; now < to; now = next) {
        least->value = INFINITY;
        for (size_t i = 0; i < n_tracks; i++) {
            struct walker *walker = &walkers[i];

            while (walker->next < tracks[i].n && tracks[i].samples[walker->next].t <= now)
                walker->value = tracks[i].samples[walker->next++].value;
            least->value = fmin(least->value, walker->value);
        }
        next = next_change(tracks, n_tracks, walkers, to);
        for (size_t i = 0; i < n_tracks; i++)
            pass(&walkers[i], next - now);
        pass(least, next - now);
    }
}

int rc_series_load_statistics(const struct rc_series_track *tracks, size_t n_tracks, double from,
                              double to, struct rc_series_load *load, struct rc_error *error)
{
    static const struct walker begin = {.low = INFINITY, .high = -INFINITY};
    struct walker *walkers, least = begin;
    double since;

    *load = (struct rc_series_load){NAN, NAN};
    if (!(from < to) || !isfinite(from) || !isfinite(to))
        return rc_error_set(error, "a run without duration has no average load");
    since = known_since(tracks, n_tracks, from);
    if (n_tracks == 0 || !(since < to))
        return 0;
    walkers = calloc(n_tracks, sizeof *walkers);
    if (!walkers)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_tracks; i++)
        walkers[i] = begin;
    walk(tracks, n_tracks, walkers, &least, since, to);
    load->minavg = INFINITY;
    for (size_t i = 0; i < n_tracks; i++)
        load->minavg = fmin(load->minavg, average(&walkers[i], to - since));
    load->avgmin = average(&least, to - since);
    free(walkers);
    return 0;
}
