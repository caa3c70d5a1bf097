// SPDX-License-Identifier: GPL-3.0-or-later
/* plan.h - which small runs to make so that a large one can be predicted.
 *
 * Small runs keep the block of the target, so that all messages are as long as the target's, and
 * are made again with a quarter of the work: a quarter of the rows, which leaves the messages of a
 * cut by rows as they are.  With a cut of two or three directions that shortens some messages, so
 * a third size is run, with half the rows and half the columns: it has the same work and other
 * messages, which is what the term of the surface (model.h) is fitted to.  Of a block with twice as
 * many rows as columns that would be the quarter turned round, with the same messages; so where it
 * is near that, the third size has all rows and a quarter of the columns.
 *
 * They are spread, one process to a host: packed on few hosts, none would have a neighbour on both
 * sides across the network, as every inner host of a large run has.  In simulated trials packed
 * runs led to errors of 30 to 190 %, and spread ones to 1 %.  Where the target has several
 * processes on a host, the other cores of the small runs are kept busy by copies of the sequential
 * run ("fillers"), and sequential runs are made in as many copies at once, so that memory is shared
 * as it will be.  Where there are too few hosts, runs are packed as the target is, and a note says
 * that the network's part may be understated.  The slowest hosts are taken, since they set the
 * speed of a large run. */
#ifndef RC_MODEL_SCALING_PLAN_H
#define RC_MODEL_SCALING_PLAN_H

#include "model/scaling/mesh.h"
#include "model/scaling/scaling_notes.h"
#include "model/scaling/run_groups.h"
#include "model/scaling/process_work.h"

enum { RC_SCALING_PLAN_SMALL_MAX = 8, RC_SCALING_PLAN_REPEATS_MAX = 1000 };

enum rc_scaling_plan_size {
    RC_SCALING_PLAN_FULL,    /* the block of the target */
    RC_SCALING_PLAN_QUARTER, /* a quarter of its rows */
    RC_SCALING_PLAN_HALVED, /* half its rows and half its columns: cuts of two or three directions */
    RC_SCALING_PLAN_NARROW, /* a quarter of its columns: in place of that, where rows are many */
    RC_SCALING_PLAN_HALF,   /* half its rows: the check of straightness */
    RC_SCALING_PLAN_SIZES
};

/* Roughly how long a run takes: `base` seconds, and `per_cell` for each cell of a block; NAN: not
 * known. */
struct rc_scaling_cost_guess {
    double base, per_cell;
};

/* What is wanted.  Start from rc_scaling_request_init(). */
struct rc_scaling_request {
    const struct rc_platform *platform;
    size_t cluster;    /* of the platform */
    size_t network;    /* of the cluster */
    const char *hosts; /* those that the target may run on, of which those of other clusters are
                          passed over; NULL: any of the cluster */
    struct rc_mesh mesh;
    int64_t procs;
    int cut;      /* 1 */
    int per_host; /* of the target; 0: by the platform's placement */
    /* numbers of processes; none: 4 and 8 (one direction), 9 and 16 (two), 27 and 64 (three) */
    int64_t small[RC_SCALING_PLAN_SMALL_MAX];
    size_t n_small;
    int repeats;                        /* of each run: 3 */
    bool check;                         /* a third size, for linearity.h */
    const struct rc_scaling_work *work; /* NULL: cells; RC_WORK_POWER needs `check` */
    double bytes_per_cell;              /* NAN: unknown */
    double bytes_base;                  /* of a process, besides; 0 */
    /* how long runs take, roughly; where one of the two is not known, the other stands for it, and
     * where none is, costs are parts of the target's */
    struct rc_scaling_cost_guess sequential, parallel;
};
void rc_scaling_request_init(struct rc_scaling_request *request);

/* A guess from the sequential or from the parallel ones of these runs of the app: a line through
 * blocks and seconds that neither falls nor begins below 0; of blocks of about one size the median
 * of seconds by cells.  Parallel runs have their communication in it, as of few processes.
 * per_cell is NAN where there are none. */
struct rc_scaling_cost_guess rc_scaling_plan_cost_guess(const struct rc_scaling_run *runs,
                                                        size_t n_runs, bool parallel);
/* The memory of a process from runs of the app, as `bytes_per_cell` and `bytes_base` of a request:
 * by the line of malloc_tuning.h through blocks and bytes.  NAN and 0 where no run has it. */
void rc_scaling_plan_bytes(const struct rc_scaling_run *runs, size_t n_runs, double *bytes_per_cell,
                           double *bytes_base);

struct rc_scaling_planned {
    enum rc_scaling_plan_size size;
    int64_t procs;       /* 1: sequential */
    struct rc_mesh mesh; /* the whole, as given to the program */
    struct rc_mesh block;
    int per_host; /* processes of the run on one host: 1 where spread, and for a sequential run */
    int copies;   /* of a sequential run, at once on its host; 1 for others */
    int fillers;  /* sequential runs of `block` that go round on each host meanwhile */
    int busy;     /* busy cores of a host: the parameter per_host of the run */
    char *hosts;  /* an expression; belongs to the plan */
    size_t n_hosts;
    int repeats;
    double memory;      /* bytes of a process; NAN: unknown */
    double host_memory; /* bytes that each process may have; NAN: unknown */
    bool fits;          /* true where nothing is known */
    double share;       /* cost of all repeats, as a part of the target's */
    double core_hours;  /* of all repeats, roughly; NAN: unknown */
    char why[160];      /* for people */
};

/* Free with rc_scaling_plan_free(), which makes it {0} again. */
struct rc_scaling_plan {
    struct rc_mesh mesh, block; /* of the target */
    int64_t procs;
    int cut, per_host;
    bool packed;
    struct rc_scaling_planned *runs; /* sequential first, then by processes; the full size first */
    size_t n_runs;
    double memory, host_memory; /* of a process of the target; NAN: unknown */
    bool fits;                  /* the target */
    double share, core_hours;   /* of all runs */
    double target_core_hours;
    struct rc_scaling_notes notes;
};
void rc_scaling_plan_free(struct rc_scaling_plan *plan);

/* Errors: a target that is no larger than its small runs, a block with fewer than four rows, a
 * cluster with too few cores for the small runs or for the target, hosts of which none is of the
 * cluster, or one of no cluster. */
int rc_scaling_plan_make(const struct rc_scaling_request *request, struct rc_scaling_plan *plan,
                         struct rc_error *error);
/* -1, with an error, if a small run does not fit in the memory of its hosts. */
int rc_scaling_plan_check(const struct rc_scaling_plan *plan, struct rc_error *error);
/* The same of one run. */
int rc_scaling_planned_check(const struct rc_scaling_planned *run, struct rc_error *error);

/* One cluster's side of a run across clusters: `procs` processes with `block` each, on a host each,
 * with fillers as this request's plan has them, and as often.  A plan was made of the request
 * before.  All of `side` is filled in: its mesh is the side's own, and `share` is of this request's
 * target.  side->hosts is to be freed by the caller; it is NULL on failure.  An error where the
 * cluster has fewer hosts than `procs`. */
int rc_scaling_plan_side(const struct rc_scaling_request *request, const struct rc_mesh *block,
                         int64_t procs, struct rc_scaling_planned *side, struct rc_error *error);

/* Whether `run` is one that the plan asks for: which of its runs, or n_runs.  Runs of other
 * clusters, networks or per_host are not, nor are parallel ones on fewer hosts than the plan's
 * (there they were packed), where they say so. */
size_t rc_scaling_plan_match(const struct rc_scaling_plan *plan,
                             const struct rc_scaling_request *request,
                             const struct rc_scaling_run *run);

/* The rows of a cluster that gets that part of them, rounded up so that all its `procs` processes
 * have as many. */
int64_t rc_scaling_plan_rows(int64_t rows, double part, int64_t procs);

/* The names of sizes: "full", "quarter", "halved", "narrow", "half". */
const char *rc_scaling_plan_size_name(enum rc_scaling_plan_size size);

#endif
