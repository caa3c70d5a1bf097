// SPDX-License-Identifier: GPL-3.0-or-later
/* run_layout.h - a small run as a scaling model sees it: its mesh, hosts and network.
 *
 * How a run is stored in the database: p is its processes, n its columns, and these parameters have
 * the rest: rows, cols, layers (a run without rows is square, or a cube where cut is 3), cut (1, 2
 * or 3; default: 1), network (its place in the cluster's list, from 1), per_host (processes that a
 * host had busy, its fillers among them), copies (how often a sequential run was made on the host
 * at once), alone (1: the cores that per_host and copies count were idle all the same).  Its
 * cluster is that of its hosts.  A parameter command, by which the command that made it is known
 * again, is for those who make runs, and not used here. */
#ifndef RC_MODEL_SCALING_RUN_LAYOUT_H
#define RC_MODEL_SCALING_RUN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/scaling/mesh.h"
#include "runcast.h"

/* One run, as a scaling model sees it. */
struct rc_scaling_run {
    int64_t id; /* in the database; 0: in none */
    int64_t procs;
    struct rc_mesh mesh; /* the whole */
    double seconds;
    double memory;  /* peak bytes of one process; NAN: unknown */
    int cut;        /* directions */
    int network;    /* from 1; 0: unknown */
    int per_host;   /* 0: unknown; of a sequential run, its copies */
    size_t cluster; /* which of the platform's, or one of the next two */
    size_t n_hosts; /* 0: unknown, or not looked for */
    bool alone;     /* made without fillers and copies, where the target has several processes on a
                       host: contention for memory is not in its time */
    /* not used by models */
    uint64_t across; /* of a run on several clusters: which, as bits; otherwise 0 */
    double command;  /* the hash of the command that made it; NAN: unknown */
    double cpu;      /* the CPU availability during the run; NAN: unknown */
    bool killed;     /* `seconds` is the time after which it was killed or, in a fit, the time that
                        it would have had (killed_small_runs.h) */
    bool elsewhere;  /* on a host that was not asked for (usable_runs.h) */
};
/* The bit of a cluster in `across`; 0 where there are too many. */
uint64_t rc_scaling_cluster_bit(size_t cluster);

#define RC_SCALING_CLUSTER_UNSAID SIZE_MAX     /* the run has no hosts */
#define RC_SCALING_CLUSTER_NONE (SIZE_MAX - 1) /* its hosts are of several clusters, or of none */

/* The layout of a run of that size (its columns) on `procs` processes, from its hosts ("" or NULL:
 * unknown) and its parameters: fills in all of `out` but its id; seconds and memory are NAN.  With
 * `platform` NULL no cluster is looked for.  -1 where the parameters cannot be those of a mesh. */
int rc_scaling_run_layout(double size, int64_t procs, const char *hosts,
                          const struct rc_param *params, size_t n_params,
                          const struct rc_platform *platform, struct rc_scaling_run *out,
                          struct rc_error *why);

/* The same of a run of the database, with its time and memory; a killed run is marked so.  1; or 0,
 * with the reason why it is not usable in `why` (or NULL): it failed, or as above.  Needs the fields HOSTS, N, P, SECONDS,
 * MEMORY, STATUS, PARAMS and CPU_*. */
int rc_scaling_run_of(const struct rc_run *run, const struct rc_platform *platform,
                      struct rc_scaling_run *out, struct rc_error *why);

#endif
