// SPDX-License-Identifier: GPL-3.0-or-later
/* division_times.h - load scenarios of all hosts together, and how long divided work takes along each.
 *
 * A host that takes w seconds for its work when nothing else runs takes w / a where it has the
 * share a of a core, and `fixed` seconds besides.
 *
 * Where the program waits often (its processes exchange data in each of many iterations), all go at
 * the pace of the slowest at each instant: in a short time dt the run gets dt / max (w / a + fixed)
 * further.  Where it waits once, at the end, each host goes at its own pace, and the last one
 * counts. */
#ifndef RC_ADVISE_SPLIT_DIVISION_TIMES_H
#define RC_ADVISE_SPLIT_DIVISION_TIMES_H

#include <stddef.h>

#include "runcast.h"

enum rc_advise_waits { RC_ADVISE_OFTEN, RC_ADVISE_ONCE };

/* What a process gets of a core, at least. */
#define RC_PATHS_LEAST 0.001

struct rc_paths;

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

/* What each host has to do: seconds when nothing else runs, and seconds besides.  A host without
 * work is not waited for. */
struct rc_paths_work {
    const double *work, *fixed;
};

/* How long it takes along one scenario.  Where `slopes` is not NULL, how much longer it takes for a
 * second more of each host's work is added there; it has 2 n_hosts places, of which the second half
 * is for the work in between. */
double rc_split_paths_time(const struct rc_paths *paths, size_t path, enum rc_advise_waits waits,
                           const struct rc_paths_work *work, double *slopes);

#endif
