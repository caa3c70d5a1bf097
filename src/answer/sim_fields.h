// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_fields.h - simulated runs, and sweeps of them. */
#ifndef RC_ANSWER_SIM_FIELDS_H
#define RC_ANSWER_SIM_FIELDS_H

#include "report/field.h"
#include "testbed/sim/sweep.h"

/* ---- a simulated run ---- */

struct rc_answer_sim {
    int64_t id; /* in the database; 0: not stored */
    const char *platform, *load, *check;
    uint64_t seed;
    double start, interval;
    struct rc_sim_result result; /* shares all that it points to */
    json_t *notes;               /* the caller's */
};

extern const struct rc_field rc_answer_sim[];

/* Job and result must outlive it. */
struct rc_answer_sim rc_answer_sim_make(const struct rc_sim_job *job,
                                        const struct rc_sim_result *result, int64_t id);

/* ---- sweeps ---- */

/* A run of a sweep that is left to do. */
struct rc_answer_sweep_point {
    const char *app, *load;
    double size;
    int64_t procs; /* 0: all that fit */
    uint64_t seed;
    double start, id;
};

extern const struct rc_field rc_answer_sweep_point[];

/* The result of a sweep. */
struct rc_answer_sweep {
    struct rc_sweep_progress progress;
    size_t known;  /* runs that were in the database already */
    json_t *notes; /* the caller's */
};

extern const struct rc_field rc_answer_sweep[];

/* The texts of `sweep` must outlive it. */
struct rc_answer_sweep_point rc_answer_sweep_point_make(const struct rc_sweep *sweep,
                                                        const struct rc_sweep_point *point);

#endif
