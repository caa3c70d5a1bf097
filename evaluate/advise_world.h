// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_world.h - hosts under a drawn load, a program of a known law on them, and a model that was
 * fitted to its runs: where choices can be compared with what would have come of others. */
#ifndef RC_EVALUATE_ADVISE_WORLD_H
#define RC_EVALUATE_ADVISE_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "advise/place/timing_regress.h"
#include "base/random.h"
#include "predict/scenario_run_time.h"

enum { WORLD_HOSTS = 8, WORLD_SETS = 1 << WORLD_HOSTS };

struct world {
    struct rc_regression_model *model;
    double work, each; /* the law: work / (p cpu) + each * p seconds, of one problem size */
    double n;          /* that size */
    double noise;      /* sd of the logarithm of a run's time, besides the load */
    uint64_t seed;
    struct rc_random *random;
};
/* `work` seconds, idle and on one process.  -1, with the error, where no model can be fitted. */
int world_begin(struct world *world, double work, double each, double noise, uint64_t seed,
                struct rc_error *error);
void world_end(struct world *world);

/* One moment: the load until then is known, and that after it comes. */
struct moment {
    struct world *world;
    size_t n_hosts;
    double at;
    char names[WORLD_HOSTS][32];
    const char *hosts[WORLD_HOSTS];
    struct rc_host_forecast_many *forecast;
    struct rc_timing *timing;
    double *true_values; /* of each host, TRUE_CELLS from the moment on */
};
int moment_begin(struct moment *moment, struct world *world, size_t n_hosts, uint64_t number,
                 struct rc_error *error);
void moment_end(struct moment *moment);

/* The time of a run on the hosts of each set (bit i: host i), one process on each, along what will
 * come; times[0] is not set. */
void moment_true_times(const struct moment *moment, double *times);
/* Adds up `samples` such times along scenarios of one who knows how loads are drawn.  -1 where memory
 * runs out. */
int moment_oracle_times(const struct moment *moment, size_t samples, double *sums,
                        struct rc_error *error);

/* The same for all hosts alone, with noise: the time along what will come, and times along scenarios,
 * one after the other. */
double moment_true_time(const struct moment *moment);
int moment_oracle_samples(const struct moment *moment, double *samples, size_t n,
                          struct rc_error *error);

/* What a host has at the moment. */
double moment_now(const struct moment *moment, size_t host);

#endif
