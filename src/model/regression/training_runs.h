// SPDX-License-Identifier: GPL-3.0-or-later
/* training_runs.h - the runs that a model is fitted to, in memory. */
#ifndef RC_MODEL_REGRESSION_TRAINING_RUNS_H
#define RC_MODEL_REGRESSION_TRAINING_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum rc_regression_stat { RC_REGRESSION_MINAVG, RC_REGRESSION_AVGMIN, RC_REGRESSION_STATS };
enum {
    RC_REGRESSION_PARAMS_MAX = 16,   /* further parameters of a model */
    RC_REGRESSION_LEFT_OUT_MAX = 32, /* parameters that are no predictors; more are not counted */
    RC_REGRESSION_PLACES_MAX = 1000
};

/* "minavg", "avgmin". */
const char *rc_regression_stat_name(enum rc_regression_stat stat);

struct rc_regression_run {
    int64_t id;
    double n, p, seconds;
    double at_least; /* of a killed run: it ran that long; `seconds` is then an estimate, and the
                        same before there is one.  0: the run completed */
    double cpu[RC_REGRESSION_STATS],
        bw[RC_REGRESSION_STATS];             /* NAN where unknown; CPU of a core of the speed
                                                 that the table refers to (speeds.h) */
    double bytes;                            /* read and written; NAN where unknown */
    double params[RC_REGRESSION_PARAMS_MAX]; /* NAN where unknown */
    size_t place;                            /* which of the table's, from 1; 0: unknown */
    double weight;                           /* least speed of its hosts; 0: unknown */
    double gain[RC_REGRESSION_STATS];        /* CPU by samples of hosts that differ, by the least
                                                 that it can have been; NAN: not sampled; 0: its
                                                 hosts do not differ */
};

/* A parameter that is no predictor. */
struct rc_regression_left_out {
    char *name;
    enum {
        RC_REGRESSION_SIMULATED, /* it describes a simulation, not the program */
        RC_REGRESSION_CONSTANT,
        RC_REGRESSION_PARTLY /* only some runs have it */
    } reason;
    size_t n_runs; /* that have it */
};
void rc_regression_left_out_free(struct rc_regression_left_out *left_out, size_t n);

/* Start from zeros; free with rc_regression_table_free(). */
struct rc_regression_table {
    struct rc_regression_run *runs; /* that completed, by rising id */
    size_t n_runs, capacity;
    struct rc_regression_run *killed; /* whose times are lower bounds, by rising id */
    size_t n_killed, killed_room;
    char *params[RC_REGRESSION_PARAMS_MAX]; /* their names */
    size_t n_params;
    /* Parameters of the runs that are not among them, unless parameters were asked for. */
    struct rc_regression_left_out left_out[RC_REGRESSION_LEFT_OUT_MAX];
    size_t n_left_out;
    char **places; /* the hosts of runs, each text once: the first RC_REGRESSION_PLACES_MAX */
    size_t n_places, places_room;
};
void rc_regression_table_free(struct rc_regression_table *table);

/* Adds a run that completed or was interrupted, with the parameters that the table has names for.
 * -1 where memory runs out.  Failed runs, and runs with impossible values (a time that is not
 * positive), must not be added: -1, too. */
int rc_regression_table_add(struct rc_regression_table *table, const struct rc_run *run,
                            struct rc_error *error);

/* Adds a run that is a table's already; the same must hold for it. */
int rc_regression_table_append(struct rc_regression_table *table,
                               const struct rc_regression_run *run, struct rc_error *error);

struct rc_regression_speeds;

/* Which runs of the database are wanted. */
struct rc_regression_wanted {
    const char *app, *platform; /* platform NULL: of any */
    int64_t after;              /* only runs with a larger id */
    const char *const *params;  /* these further parameters; NULL: all that are known of all runs,
                                      and vary */
    size_t n_params;
    const char *phase;                         /* time of that phase, or NULL: of the whole run */
    int process;                               /* time of that process, or -1 */
    const struct rc_regression_speeds *speeds; /* of hosts; NULL: all are taken to be alike */
};
/* Reads them into an empty table.  Runs without all of the parameters that were asked for
 * are left out; it is an error if no run has one of them.  Names that runcast
 * itself puts into runs of simulated clusters (seed, every, load, sim_point, measured) are no
 * parameters unless they are asked for.
 *
 * Interrupted runs are among the killed ones, unless the time of a phase or a process is wanted.
 *
 * With speeds, the CPU of a run is the least of speed times CPU over its hosts
 * (rc_regression_speeds_scale()); if no run has its CPU, hosts are assumed to be idle. */
int rc_regression_table_load(struct rc_regression_table *table, struct rc_db *store,
                             const struct rc_regression_wanted *wanted, struct rc_error *error);

#endif
