// SPDX-License-Identifier: GPL-3.0-or-later
/* division_times.c - how long divided work takes along load scenarios. */
#include "advise/split/division_times.h"

#include <math.h>

/* The slowest at an instant, and how long the run would take if all went on like that. */
static double slowest(const double *inverse, const struct rc_paths_work *work, size_t n,
                      size_t *which)
{
    double longest = 0;

    *which = 0;
    for (size_t h = 0; h < n; h++) {
        double seconds = work->work[h] * inverse[h] + work->fixed[h];

        if (seconds > longest && work->work[h] > 0) {
            longest = seconds;
            *which = h;
        }
    }
    return longest;
}

/* Slopes: the integral of 1 / max(...) until the end stays 1.  What a host loses while it is the
 * slowest has to be made up for at the end, at the speed of that time. */
static double time_often(const struct rc_paths *paths, size_t path,
                         const struct rc_paths_work *work, double *slopes, double *own)
{
    const size_t *until = paths->until + path * (paths->n + 1);
    double done = 0, duration, rest;
    size_t n = paths->n_hosts, which;

    for (size_t h = 0; slopes && h < n; h++)
        own[h] = 0;
    for (size_t j = 0;; j = until[j]) {
        const double *inverse = rc_split_paths_instant(paths, path, j);
        double span = (double)(until[j] - j) * paths->step, took;

        duration = slowest(inverse, work, n, &which);
        rest = (1 - done) * duration;
        took = j < paths->n && rest > span ? span : rest;
        if (slopes && duration > 0)
            own[which] += took * inverse[which] / (duration * duration);
        if (took >= rest) {
            for (size_t h = 0; slopes && h < n; h++)
                slopes[h] += duration * own[h];
            return (double)j * paths->step + rest;
        }
        done += took / duration;
    }
}

/* When a host has had so many seconds; `inverse` of the availability that it has then. */
static double when_done(const struct rc_paths *paths, size_t path, size_t host, double work,
                        double *inverse)
{
    const double *sums = rc_split_paths_sums(paths, path, host);
    size_t low = 0, high = paths->n + 1;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (sums[middle] < work)
            low = middle;
        else
            high = middle;
    }
    *inverse = rc_split_paths_instant(paths, path, low)[host];
    return (double)low * paths->step + (work - sums[low]) * *inverse;
}

static double time_once(const struct rc_paths *paths, size_t path, const struct rc_paths_work *work,
                        double *slopes)
{
    double last = 0, slope = 0;
    size_t which = 0;

    for (size_t h = 0; h < paths->n_hosts; h++) {
        double inverse, end;

        if (!(work->work[h] > 0))
            continue;
        end = work->fixed[h] + when_done(paths, path, h, work->work[h], &inverse);
        if (end > last) {
            last = end;
            which = h;
            slope = inverse;
        }
    }
    if (slopes)
        slopes[which] += slope;
    return last;
}

double rc_split_paths_time(const struct rc_paths *paths, size_t path,
                           enum rc_split_coupling coupling, const struct rc_paths_work *work,
                           double *slopes)
{
    return coupling == RC_COUPLING_LOOSE
               ? time_once(paths, path, work, slopes)
               : time_often(paths, path, work, slopes, slopes ? slopes + paths->n_hosts : NULL);
}
