// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep.h - many simulated runs from one file: which there are, and doing those that are not done.
 *
 * A point is one run: app, size, processes, load, seed and start.  What defines it comes to a
 * number that is stored with the run, so that a sweep that was stopped, however that came, goes on
 * with what is missing.
 *
 * Every pair of a seed and a load has a calendar of its own, a year long, so that their samples do
 * not meet in the database. */
#ifndef RC_TESTBED_SIM_SWEEP_H
#define RC_TESTBED_SIM_SWEEP_H

#include "testbed/sim/sim.h"

enum {
    RC_SWEEP_LIST_MAX = 10000, /* entries of a list in a sweep file */
    RC_SWEEP_LOADS_MAX = 16,
    RC_SWEEP_SEEDS_MAX = 400,
    RC_SWEEP_POINTS_MAX = 1000000,
    RC_SWEEP_JOBS_MAX = 1024
};
#define RC_SWEEP_CALENDAR (366 * 86400.0) /* seconds that each seed and load has */

struct rc_sweep_app {
    char *name, *cluster, *hosts, *network; /* but for the name, NULL where not given */
    double *sizes;
    size_t n_sizes;
    int64_t *procs; /* 0: as many as the hosts take */
    size_t n_procs;
    char **arguments;
    size_t n_arguments;
};

struct rc_sweep {
    struct rc_platform *platform;
    char *db; /* a path; NULL where not given */
    struct rc_load **loads;
    char **load_names;
    size_t n_loads;
    uint64_t *seeds;
    size_t n_seeds;
    double *starts; /* in the load's time; NAN: the default */
    size_t n_starts;
    double over; /* starts are drawn over that time; NAN: `starts` count */
    double from; /* when that time begins */
    size_t repeat;
    double every, history, speed;
    struct rc_sweep_app *apps;
    size_t n_apps;
    char digest[RC_DIGEST_TEXT_SIZE]; /* of the platform */
};

/* Reads a sweep file (docs/reference/load-files.md) with the platform and the loads that it names.
 * Destroy with rc_sim_sweep_destroy(). */
struct rc_sweep *rc_sim_sweep_load(const char *path, struct rc_error *error);
/* The same from memory; `name` stands for the file in errors, and other files are looked for from
 * its directory; `files` false: none is read, and `platform` and the loads stay NULL. */
struct rc_sweep *rc_sim_sweep_parse(const char *text, size_t length, const char *name, int files,
                                    struct rc_error *error);
void rc_sim_sweep_destroy(struct rc_sweep *sweep);

struct rc_sweep_point {
    size_t app, size, procs, load, seed, repeat; /* indexes */
    double start;                                /* NAN: the default */
    double base;
    double id; /* a whole number below 2^52 */
};

/* All points of a sweep, in an array that the caller frees: the repeats one after the other, so
 * that a sweep that is stopped early has some of everything. */
int rc_sim_sweep_points(const struct rc_sweep *sweep, struct rc_sweep_point **points, size_t *n,
                        struct rc_error *error);

/* When the time of a load begins in the calendar for a run that belongs to no sweep.  Named loads
 * have a year of their own for each of the seeds 1 to 400, behind those that a sweep of up to 11
 * loads has; load files and other seeds have one by their digest, which two may share.  What was
 * recorded may have dates, and begins at RC_LOAD_EPOCH. */
double rc_sim_sweep_single_base(const struct rc_load *load, uint64_t seed);

/* Checks that the programs exist and the processes fit, before anything is run.  -1 with the first
 * fault, which is that of `*app` and `*procs` (procs: n_procs where it is the program). */
int rc_sim_sweep_check(const struct rc_sweep *sweep, size_t *app, size_t *procs,
                       struct rc_error *error);

/* Leaves the points that have no run in the database, in their order. */
int rc_sim_sweep_left(struct rc_db *db, struct rc_sweep_point *points, size_t *n,
                      struct rc_error *error);

/* A point as a job.  Free with rc_sim_sweep_job_free(). */
struct rc_sim_sweep_job {
    struct rc_sim_job job;
    const char **program;
    char size[32];
};
int rc_sim_sweep_job(const struct rc_sweep *sweep, const struct rc_sweep_point *point,
                     struct rc_sim_sweep_job *job, struct rc_error *error);
void rc_sim_sweep_job_free(struct rc_sim_sweep_job *job);

struct rc_sweep_progress {
    /* Called by the thread that called rc_sim_sweep_run(), after each point; or NULL. */
    void (*failed)(void *data, const struct rc_sweep_point *point, const struct rc_error *error);
    void *data;
    /* what was done */
    size_t done, failures;
};

/* Does the points, `jobs` at a time; each run is stored as soon as it is done.  A point that fails
 * is counted, and the others go on.  -1 where it was stopped by `monitor`, and where it could not
 * begin. */
int rc_sim_sweep_run(const struct rc_sweep *sweep, const struct rc_sweep_point *points, size_t n,
                     size_t jobs, struct rc_db *db, struct rc_sweep_progress *progress,
                     const struct rc_monitor *monitor, struct rc_error *error);

#endif
