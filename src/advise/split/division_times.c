// SPDX-License-Identifier: GPL-3.0-or-later
/* division_times.c - divided work along load scenarios.
 *
 * Two tables of the same scenarios: 1 / availability, hosts side by side, for those who look at all
 * hosts at one instant after the other; and the availability summed over time, instants side by
 * side, for those who look for when one host has done its work. */
#include "advise/split/division_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct rc_paths {
    size_t n_paths, n_hosts, n;
    double step;
    double *inverse; /* of host h at instant j of scenario p: [(p * (n + 1) + j) * n_hosts + h]; the
                        last instant is all that comes after */
    double *sums;    /* until j * step: [(p * n_hosts + h) * (n + 1) + j] */
    size_t *until;   /* the first instant after j that is another: [p * (n + 1) + j]; n for the last
                        ones.  Loads stay for a while, and steps are much shorter than that */
};

struct rc_paths *rc_split_paths_create(size_t n_paths, size_t n_hosts, size_t n, double step,
                                       struct rc_error *error)
{
    struct rc_paths *paths = calloc(1, sizeof *paths);
    size_t cells = n_paths * n_hosts * (n + 1);

    if (paths) {
        *paths = (struct rc_paths){.n_paths = n_paths, .n_hosts = n_hosts, .n = n, .step = step};
        paths->inverse = malloc((cells + 1) * sizeof *paths->inverse);
        paths->sums = malloc((cells + 1) * sizeof *paths->sums);
        paths->until = malloc((n_paths * (n + 1) + 1) * sizeof *paths->until);
    }
    if (!paths || !paths->inverse || !paths->sums || !paths->until) {
        rc_error_no_memory(error);
        rc_split_paths_destroy(paths);
        return NULL;
    }
    for (size_t i = 0; i < cells; i++)
        paths->inverse[i] = 1;
    return paths;
}

void rc_split_paths_destroy(struct rc_paths *paths)
{
    if (!paths)
        return;
    free(paths->inverse);
    free(paths->sums);
    free(paths->until);
    free(paths);
}

/* ---- filling ---- */

static double *instant(const struct rc_paths *paths, size_t path, size_t j)
{
    return paths->inverse + (path * (paths->n + 1) + j) * paths->n_hosts;
}

static double *sums_of(const struct rc_paths *paths, size_t path, size_t host)
{
    return paths->sums + (path * paths->n_hosts + host) * (paths->n + 1);
}

void rc_split_paths_set(struct rc_paths *paths, size_t path, size_t host, const double *values)
{
    size_t half = paths->n / 2;
    double sum = 0;

    for (size_t j = 0; j < paths->n; j++) {
        double value = fmax(values[j], RC_PATHS_LEAST);

        instant(paths, path, j)[host] = 1 / value;
        sum += j >= half ? value : 0;
    }
    if (paths->n > 0)
        instant(paths, path, paths->n)[host] = (double)(paths->n - half) / sum;
}

void rc_split_paths_set_steady(struct rc_paths *paths, size_t host, double value)
{
    for (size_t path = 0; path < paths->n_paths; path++)
        for (size_t j = 0; j <= paths->n; j++)
            instant(paths, path, j)[host] = 1 / fmax(value, RC_PATHS_LEAST);
}

static void find_changes(struct rc_paths *paths, size_t path)
{
    size_t *until = paths->until + path * (paths->n + 1), size = paths->n_hosts * sizeof(double);

    until[paths->n] = paths->n;
    for (size_t j = paths->n; j-- > 0;)
        until[j] = j + 1 < paths->n &&
                           memcmp(instant(paths, path, j), instant(paths, path, j + 1), size) == 0
                       ? until[j + 1]
                       : j + 1;
}

void rc_split_paths_ready(struct rc_paths *paths)
{
    for (size_t path = 0; path < paths->n_paths; path++) {
        find_changes(paths, path);
        for (size_t h = 0; h < paths->n_hosts; h++) {
            double *sums = sums_of(paths, path, h);

            sums[0] = 0;
            for (size_t j = 0; j < paths->n; j++)
                sums[j + 1] = sums[j] + paths->step / instant(paths, path, j)[h];
        }
    }
}

/* ---- what they are ---- */

size_t rc_split_paths_count(const struct rc_paths *paths)
{
    return paths->n_paths;
}

size_t rc_split_paths_hosts(const struct rc_paths *paths)
{
    return paths->n_hosts;
}

size_t rc_split_paths_cells(const struct rc_paths *paths)
{
    return paths->n_paths * paths->n_hosts * (paths->n + 1);
}

double rc_split_paths_seconds(const struct rc_paths *paths)
{
    return paths->n > 0 ? (double)paths->n * paths->step : (double)INFINITY;
}

/* What a host has had until `seconds`, as if it were alone for so long. */
static double had_by(const struct rc_paths *paths, size_t path, size_t host, double seconds)
{
    const double *sums = sums_of(paths, path, host);
    double at = paths->n > 0 ? floor(seconds / paths->step) : 0;
    size_t j = at < (double)paths->n ? (size_t)at : paths->n;

    return sums[j] + (seconds - (double)j * paths->step) / instant(paths, path, j)[host];
}

double rc_split_paths_mean(const struct rc_paths *paths, size_t host, double seconds)
{
    double sum = 0;

    for (size_t path = 0; path < paths->n_paths; path++)
        sum += had_by(paths, path, host, seconds);
    return sum / (double)paths->n_paths / seconds;
}

/* ---- following ---- */

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
 * slowest has to be made up for at the end, at the pace that there is then. */
static double time_often(const struct rc_paths *paths, size_t path,
                         const struct rc_paths_work *work, double *slopes, double *own)
{
    const size_t *until = paths->until + path * (paths->n + 1);
    double done = 0, pace, rest;
    size_t n = paths->n_hosts, which;

    for (size_t h = 0; slopes && h < n; h++)
        own[h] = 0;
    for (size_t j = 0;; j = until[j]) {
        const double *inverse = instant(paths, path, j);
        double span = (double)(until[j] - j) * paths->step, took;

        pace = slowest(inverse, work, n, &which);
        rest = (1 - done) * pace;
        took = j < paths->n && rest > span ? span : rest;
        if (slopes && pace > 0)
            own[which] += took * inverse[which] / (pace * pace);
        if (took >= rest) {
            for (size_t h = 0; slopes && h < n; h++)
                slopes[h] += pace * own[h];
            return (double)j * paths->step + rest;
        }
        done += took / pace;
    }
}

/* When a host has had so many seconds; `inverse` of the availability that it has then. */
static double when_done(const struct rc_paths *paths, size_t path, size_t host, double work,
                        double *inverse)
{
    const double *sums = sums_of(paths, path, host);
    size_t low = 0, high = paths->n + 1;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (sums[middle] < work)
            low = middle;
        else
            high = middle;
    }
    *inverse = instant(paths, path, low)[host];
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

double rc_split_paths_time(const struct rc_paths *paths, size_t path, enum rc_advise_waits waits,
                           const struct rc_paths_work *work, double *slopes)
{
    return waits == RC_ADVISE_ONCE
               ? time_once(paths, path, work, slopes)
               : time_often(paths, path, work, slopes, slopes ? slopes + paths->n_hosts : NULL);
}
