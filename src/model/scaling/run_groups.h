// SPDX-License-Identifier: GPL-3.0-or-later
/* run_groups.h - the small runs that a model is fitted to, put together in groups of like ones.
 *
 * How a run is stored in the database: p is its processes, n its columns, and these parameters say the
 * rest: rows, cols, layers (a run without rows is square, or a cube where cut is 3), cut (1, 2 or
 * 3; 1 where not said), network (its place in the cluster's list, from 1), per_host (processes that
 * a host had busy, its fillers among them), copies (how often a sequential run was made on the host
 * at once), alone (1: the cores that per_host and copies count were idle all the same).  Its
 * cluster is that of its hosts.  A parameter command, by which the command that made it is known
 * again, is for those who make runs, and not used here. */
#ifndef RC_MODEL_SCALING_RUN_GROUPS_H
#define RC_MODEL_SCALING_RUN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/scaling/mesh.h"
#include "model/scaling/scaling_notes.h"

enum { RC_SCALING_GROUPS_MAX = 256, RC_SCALING_RUNS_MAX = 65536 };

/* One run, as a scaling model sees it. */
struct rc_scaling_run {
    int64_t id; /* in the database; 0: in none */
    int64_t procs;
    struct rc_mesh mesh; /* the whole */
    double seconds;
    double memory;  /* peak bytes of one process; NAN: not known */
    int cut;        /* directions */
    int network;    /* from 1; 0: not said */
    int per_host;   /* 0: not said; of a sequential run, its copies */
    size_t cluster; /* which of the platform's, or one of the next two */
    size_t n_hosts; /* 0: not said, or not looked for */
    bool alone;     /* made without fillers and copies, where the target has several processes on a
                       host: what they would share is not in its time */
    /* what no model asks for */
    uint64_t across; /* of a run on several clusters: which, as bits; otherwise 0 */
    double command;  /* the hash of the command that made it; NAN: not known */
    double cpu;      /* the CPU availability during the run; NAN: not known */
    bool elsewhere;  /* on a host that was not asked for (usable_runs.h) */
};
/* The bit of a cluster in `across`; 0 where there are too many. */
uint64_t rc_scaling_cluster_bit(size_t cluster);

#define RC_SCALING_CLUSTER_UNSAID SIZE_MAX     /* the run does not say its hosts */
#define RC_SCALING_CLUSTER_NONE (SIZE_MAX - 1) /* its hosts are of several clusters, or of none */

/* The layout of a run of that size (its columns) on `procs` processes, from its hosts ("" or NULL:
 * not said) and its parameters: fills in all of `out` but its id; seconds and memory are NAN.  With
 * `platform` NULL no cluster is looked for.  -1 where the parameters cannot be those of a mesh. */
int rc_scaling_run_layout(double size, int64_t procs, const char *hosts,
                          const struct rc_param *params, size_t n_params,
                          const struct rc_platform *platform, struct rc_scaling_run *out,
                          struct rc_error *why);

/* The same of a run of the database, with its time and memory.  1; or 0, with what keeps it from
 * being of use in `why` (or NULL): it failed, or as above.  Wants the fields HOSTS, N, P, SECONDS,
 * MEMORY, STATUS, PARAMS and CPU_*. */
int rc_scaling_run_of(const struct rc_run *run, const struct rc_platform *platform,
                      struct rc_scaling_run *out, struct rc_error *why);

/* Runs of the same mesh on as many processes. */
struct rc_scaling_group {
    int64_t procs;
    struct rc_mesh mesh, block;
    size_t n;                 /* runs */
    double mean, least, most; /* seconds */
    double squares;           /* sum of (seconds / mean - 1)^2 */
    double memory;            /* the most of its runs; NAN: not known */
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

/* How far single runs are from the mean of their like. */
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
/* Whether those of some group do: -1, with an error that names the worst group and says what to do,
 * unless `force`; then a note for each. */
int rc_scaling_samples_agree(const struct rc_scaling_samples *samples, bool force,
                             struct rc_scaling_notes *notes, struct rc_error *error);

#endif
