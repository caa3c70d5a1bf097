// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_load.c - the steps of each host and link under a load. */
#include "testbed/load/platform_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "stats/series/resample.h"

enum { STEPS_MAX = 1 << 22 }; /* of one host, where a series repeats itself */

void rc_load_destroy(struct rc_load *load)
{
    if (!load)
        return;
    for (size_t i = 0; i < load->n_tracks; i++) {
        rc_platform_hostlist_free(&load->tracks[i].hosts);
        rc_load_steps_free(&load->tracks[i].steps);
    }
    free(load->tracks);
    free(load);
}

/* The track of a host and how far on in the series it is; NULL where it has none. */
static const struct rc_load_track *track_of(const struct rc_load *load, enum rc_load_what what,
                                            const char *name, double *shift)
{
    *shift = 0;
    for (size_t i = 0; i < load->n_tracks; i++) {
        const struct rc_load_track *track = &load->tracks[i];

        if (track->what != what)
            continue;
        if (track->hosts.count == 0)
            return track;
        for (size_t j = 0; j < track->hosts.count; j++)
            if (strcmp(track->hosts.names[j], name) == 0) {
                *shift = track->shift * (double)j;
                return track;
            }
    }
    return NULL;
}

void rc_load_span(const struct rc_load *load, enum rc_load_what what, const char *name,
                  struct rc_range *span)
{
    double shift;
    const struct rc_load_track *track = track_of(load, what, name, &shift);

    *span = (struct rc_range){load->kind == RC_LOAD_REPLAY ? -INFINITY : 0,
                              load->kind == RC_LOAD_REPLAY ? INFINITY : RC_LOAD_TIME_MAX};
    if (!track || track->beyond == RC_LOAD_REPEAT)
        return;
    span->low = track->steps.items[0].t - shift;
    if (track->beyond == RC_LOAD_STOP)
        span->high = track->end - shift;
}

/* ---- recorded series ---- */

struct copying {
    struct rc_load_steps *steps;
    size_t capacity;
};

static int copy_step(struct copying *copying, double t, double value, struct rc_error *error)
{
    struct rc_load_steps *steps = copying->steps;

    if (steps->n == STEPS_MAX)
        return rc_error_set(error, "the repeated series has more than %d steps", STEPS_MAX);
    if (rc_array_room(&steps->items, steps->n + 1, &copying->capacity, sizeof *steps->items, error))
        return -1;
    steps->items[steps->n++] = (struct rc_sample){t, value};
    return 0;
}

/* Adds the steps of the series between `from` and `to`, in its own time, and the one that holds at
 * `from`; `on` is added to their times. */
static int copy_part(struct copying *copying, const struct rc_load_steps *series, double from,
                     double to, double on, struct rc_error *error)
{
    size_t first, count = rc_series_window(series->items, series->n, from, to, &first);
    int status = 0;

    if (first > 0 && (count == 0 || series->items[first].t > from)) {
        first--;
        count++;
    }
    for (size_t i = first; i < first + count && status == 0; i++)
        status = copy_step(copying, series->items[i].t + on, series->items[i].value, error);
    return status;
}

static int copy_rounds(struct copying *copying, const struct rc_load_track *track, double from,
                       double to, double shift, struct rc_error *error)
{
    double begin = track->steps.items[0].t, period = track->end - begin;
    double round = floor((from + shift - begin) / period);
    int status = 0;

    if (!(period > 0))
        return copy_step(copying, from, track->steps.items[0].value, error);
    for (; begin + round * period - shift <= to && status == 0; round++) {
        double on = round * period - shift;

        status = copy_part(copying, &track->steps, fmax(begin, from - on),
                           fmin(track->end, to - on), on, error);
    }
    return status;
}

static int replay(const struct rc_load *load, enum rc_load_what what, const char *name, double from,
                  double to, struct rc_load_steps *steps, struct rc_error *error)
{
    struct copying copying = {steps, 0};
    struct rc_range span;
    double shift;
    const struct rc_load_track *track = track_of(load, what, name, &shift);
    int status;

    rc_load_span(load, what, name, &span);
    if (from < span.low || to > span.high)
        return rc_error_set(error,
                            "the series of %s covers %.12g s to %.12g s, not %.12g s to "
                            "%.12g s",
                            name, span.low, span.high, from, to);
    if (!track)
        return copy_step(&copying, from, 1, error);
    status = track->beyond == RC_LOAD_REPEAT
                 ? copy_rounds(&copying, track, from, to, shift, error)
                 : copy_part(&copying, &track->steps, from + shift, to + shift, -shift, error);
    if (status)
        rc_load_steps_free(steps);
    return status;
}

int rc_load_steps(const struct rc_load *load, enum rc_load_what what, uint64_t seed,
                  const char *name, double from, double to, struct rc_load_steps *steps,
                  struct rc_error *error)
{
    *steps = (struct rc_load_steps){NULL, 0};
    if (!(from <= to))
        return rc_error_set(error, "the time range ends before it begins");
    if (load->kind == RC_LOAD_REPLAY)
        return replay(load, what, name, from, to, steps, error);
    return rc_load_shape_draw(&load->shapes[what], what, seed, name, from, to, steps, error);
}
