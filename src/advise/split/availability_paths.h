// SPDX-License-Identifier: GPL-3.0-or-later
/* availability_paths.h - load scenarios of all hosts together: the CPU availability of each,
 * step by step.
 *
 * Two tables of the same scenarios: 1 / availability, hosts side by side, for those who look at all
 * hosts at one instant after the other; and the availability summed over time, instants side by
 * side, for those who look for when one host has done its work. */
#ifndef RC_ADVISE_SPLIT_AVAILABILITY_PATHS_H
#define RC_ADVISE_SPLIT_AVAILABILITY_PATHS_H

#include <stddef.h>

#include "runcast.h"

/* What a process gets of a core, at least. */
#define RC_PATHS_LEAST 0.001

struct rc_paths {
    size_t n_paths, n_hosts, n;
    double step;
    double *inverse; /* of host h at instant j of scenario p: [(p * (n + 1) + j) * n_hosts + h]; the
                        last instant is all that comes after */
    double *sums;    /* until j * step: [(p * n_hosts + h) * (n + 1) + j] */
    size_t *until;   /* the first instant after j that is another: [p * (n + 1) + j]; n for the last
                        ones.  Loads stay for a while, and steps are much shorter than that */
};

/* The row of `inverse` at an instant, by host. */
static inline double *rc_split_paths_instant(const struct rc_paths *paths, size_t path, size_t j)
{
    return paths->inverse + (path * (paths->n + 1) + j) * paths->n_hosts;
}

/* The row of `sums` of a host, by instant. */
static inline double *rc_split_paths_sums(const struct rc_paths *paths, size_t path, size_t host)
{
    return paths->sums + (path * paths->n_hosts + host) * (paths->n + 1);
}

/* For `n_paths` scenarios of `n_hosts`, each of `n` values (0: they stay as they are) that hold
 * `step` seconds each; all at 1 until they are set.  NULL where memory runs out.  Destroy with
 * rc_split_paths_destroy(). */
struct rc_paths *rc_split_paths_create(size_t n_paths, size_t n_hosts, size_t n, double step,
                                       struct rc_error *error);
void rc_split_paths_destroy(struct rc_paths *paths);

/* Sets the n availabilities of a host in one scenario.  Beyond them it has the mean of their second
 * half: what was reached by then, without the way there. */
void rc_split_paths_set(struct rc_paths *paths, size_t path, size_t host, const double *values);
/* Sets one that stays, in all scenarios. */
void rc_split_paths_set_steady(struct rc_paths *paths, size_t host, double value);
/* To be called once all are set. */
void rc_split_paths_ready(struct rc_paths *paths);

/* How many scenarios there are, and how many hosts. */
size_t rc_split_paths_count(const struct rc_paths *paths);
size_t rc_split_paths_hosts(const struct rc_paths *paths);
/* How many values there are of all hosts and scenarios: what following them all costs. */
size_t rc_split_paths_cells(const struct rc_paths *paths);
/* How far they go, in seconds; INFINITY where they stay as they are. */
double rc_split_paths_seconds(const struct rc_paths *paths);

/* The mean availability of a host until `seconds`, over all scenarios. */
double rc_split_paths_mean(const struct rc_paths *paths, size_t host, double seconds);

#endif
