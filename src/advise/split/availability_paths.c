// SPDX-License-Identifier: GPL-3.0-or-later
/* availability_paths.c - load scenarios of all hosts together. */
#include "advise/split/availability_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

void rc_split_paths_set(struct rc_paths *paths, size_t path, size_t host, const double *values)
{
    size_t half = paths->n / 2;
    double sum = 0;

    for (size_t j = 0; j < paths->n; j++) {
        double value = fmax(values[j], RC_PATHS_LEAST);

        rc_split_paths_instant(paths, path, j)[host] = 1 / value;
        sum += j >= half ? value : 0;
    }
    if (paths->n > 0)
        rc_split_paths_instant(paths, path, paths->n)[host] = (double)(paths->n - half) / sum;
}

void rc_split_paths_set_steady(struct rc_paths *paths, size_t host, double value)
{
    for (size_t path = 0; path < paths->n_paths; path++)
        for (size_t j = 0; j <= paths->n; j++)
            rc_split_paths_instant(paths, path, j)[host] = 1 / fmax(value, RC_PATHS_LEAST);
}

static void find_changes(struct rc_paths *paths, size_t path)
{
    size_t *until = paths->until + path * (paths->n + 1), size = paths->n_hosts * sizeof(double);

    until[paths->n] = paths->n;
    for (size_t j = paths->n; j-- > 0;)
        until[j] = j + 1 < paths->n && memcmp(rc_split_paths_instant(paths, path, j),
                                              rc_split_paths_instant(paths, path, j + 1), size) == 0
                       ? until[j + 1]
                       : j + 1;
}

void rc_split_paths_ready(struct rc_paths *paths)
{
    for (size_t path = 0; path < paths->n_paths; path++) {
        find_changes(paths, path);
        for (size_t h = 0; h < paths->n_hosts; h++) {
            double *sums = rc_split_paths_sums(paths, path, h);

            sums[0] = 0;
            for (size_t j = 0; j < paths->n; j++)
                sums[j + 1] = sums[j] + paths->step / rc_split_paths_instant(paths, path, j)[h];
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
    const double *sums = rc_split_paths_sums(paths, path, host);
    double at = paths->n > 0 ? floor(seconds / paths->step) : 0;
    size_t j = at < (double)paths->n ? (size_t)at : paths->n;

    return sums[j] +
           (seconds - (double)j * paths->step) / rc_split_paths_instant(paths, path, j)[host];
}

double rc_split_paths_mean(const struct rc_paths *paths, size_t host, double seconds)
{
    double sum = 0;

    for (size_t path = 0; path < paths->n_paths; path++)
        sum += had_by(paths, path, host, seconds);
    return sum / (double)paths->n_paths / seconds;
}
