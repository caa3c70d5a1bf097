// SPDX-License-Identifier: GPL-3.0-or-later
/* run_groups.h - the small runs of a model, in groups of equal mesh and processes. */
#ifndef RC_MODEL_SCALING_RUN_GROUPS_H
#define RC_MODEL_SCALING_RUN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/scaling/mesh.h"
#include "model/scaling/run_layout.h"
#include "model/scaling/scaling_notes.h"

enum { RC_SCALING_GROUPS_MAX = 256, RC_SCALING_RUNS_MAX = 65536 };

/* Runs of the same mesh on as many processes. */
struct rc_scaling_group {
    int64_t procs;
    struct rc_mesh mesh, block;
    size_t n;                 /* runs */
    double mean, least, most; /* seconds */
    double squares;           /* sum of (seconds / mean - 1)^2 */
    double memory;            /* the most of its runs; NAN: unknown */
};

/* Sequential groups first, then by processes, then by falling cells.  Start from {0}; free with
 * rc_scaling_samples_free(). */
struct rc_scaling_samples {
    struct rc_scaling_group *groups;
    size_t n_groups, room;
    int cut;
};
void rc_scaling_samples_free(struct rc_scaling_samples *samples);
/* Groups `runs`, all of which are taken to be cut in `cut` directions. */
int rc_scaling_samples_make(const struct rc_scaling_run *runs, size_t n_runs, int cut,
                            struct rc_scaling_samples *samples, struct rc_error *error);
int rc_scaling_samples_copy(const struct rc_scaling_samples *from, struct rc_scaling_samples *to,
                            struct rc_error *error);
/* Puts groups that were filled in by hand into their order. */
void rc_scaling_samples_sort(struct rc_scaling_samples *samples);
/* The group of that block on `procs` processes; NULL where there is none. */
const struct rc_scaling_group *rc_scaling_samples_find(const struct rc_scaling_samples *samples,
                                                       int64_t procs, const struct rc_mesh *block);

/* Deviation of single runs from the mean of their group. */
struct rc_scaling_noise {
    double sd;      /* of one run, as a part of its time */
    size_t freedom; /* degrees of freedom of that; 0: it is not measured, but assumed or given */
};
#define RC_SCALING_NOISE_ASSUMED 0.02
/* Pooled over the groups that were repeated; where none was, RC_SCALING_NOISE_ASSUMED. */
struct rc_scaling_noise rc_scaling_samples_noise(const struct rc_scaling_samples *samples);

/* Copies those of `runs` that are of the group, the shortest first; returns how many. */
size_t rc_scaling_group_runs(const struct rc_scaling_group *group,
                             const struct rc_scaling_run *runs, size_t n_runs,
                             struct rc_scaling_run *own);

#define RC_SCALING_DISAGREE 0.20
/* Whether the runs of a group differ by more than RC_SCALING_DISAGREE (most / least - 1). */
bool rc_scaling_group_disagrees(const struct rc_scaling_group *group);
/* Whether those of some group do: -1, with an error that names the worst group,
 * unless `force`; then a note for each. */
int rc_scaling_samples_agree(const struct rc_scaling_samples *samples, bool force,
                             struct rc_scaling_notes *notes, struct rc_error *error);

#endif
