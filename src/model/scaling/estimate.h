// SPDX-License-Identifier: GPL-3.0-or-later
/* estimate.h - the time of a large run: steps 5 and 6 of the paper's method, and Eq. 5 for several
 * clusters at once. */
#ifndef RC_MODEL_SCALING_ESTIMATE_H
#define RC_MODEL_SCALING_ESTIMATE_H

#include "model/scaling/monte_carlo.h"
#include "model/scaling/model.h"
#include "stats/value/value.h"

/* The parts of a time at the point: without any uncertainty. */
struct rc_scaling_parts {
    double seconds;                    /* the sum: computing + communicating */
    double computing;                  /* Tcomp */
    double communicating;              /* Tcomm */
    double alpha, gamma_work, surface; /* of which it is the sum, or 0 where that is below 0 */
    bool hidden;                       /* it is below 0 */
    struct rc_mesh block;
    double work;     /* of the block */
    int64_t talking; /* processes that Tcomm is that of: 1 has none.  One process beside other
                        clusters has neighbours there, and counts as 2 */
};

/* The six steps to the letter, for one cluster's part of a run; `joined`: other clusters have parts
 * of it, too.  Tcomp is what was measured where a sequential run had this very block, and else
 * interpolated or extrapolated.  An error where the mesh cannot be cut. */
int rc_scaling_point(const struct rc_scaling_model *model, const struct rc_mesh *mesh,
                     int64_t procs, bool joined, struct rc_scaling_parts *parts,
                     struct rc_error *error);

/* An answer.  Start from {0}; free with rc_scaling_estimate_free(), which makes it {0} again.
 * Values have RC_SCALING_MC_SAMPLES samples, and sample i of one belongs to sample i of all
 * others. */
struct rc_scaling_estimate {
    struct rc_scaling_parts point;
    struct rc_value *seconds;       /* of one future run, with its own noise */
    struct rc_value *computing;     /* on average over runs */
    struct rc_value *communicating; /* the same */
    struct rc_scaling_notes notes;  /* of this answer: extrapolation */
};
void rc_scaling_estimate_free(struct rc_scaling_estimate *estimate);

/* The time of a run on one cluster; `mc` are the samples of the model. */
int rc_scaling_estimate(const struct rc_scaling_model *model, const struct rc_scaling_mc *mc,
                        const struct rc_mesh *mesh, int64_t procs,
                        struct rc_scaling_estimate *estimate, struct rc_error *error);

/* ---- several clusters at once ---- */

enum { RC_SCALING_PARTS_MAX = 8 };

/* One cluster's share of a run. */
struct rc_scaling_share {
    const struct rc_scaling_model *model;
    const struct rc_scaling_mc *mc; /* may be NULL for rc_scaling_split() */
    int64_t procs;
    int64_t rows; /* of the mesh; 0: it takes no part */
};

/* The cost of the link between clusters: the measured time of a run across them, minus the largest
 * of the models' times for its parts.  Plain data. */
struct rc_scaling_link {
    char cluster[2][RC_NAME_MAX + 1];
    char network[RC_NAME_MAX + 1]; /* of both sides; "" where each has its own */
    int64_t cols;                  /* of the mesh: the length of the messages */
    double seconds;                /* >= 0; negative results are set to 0 */
    double sd;                     /* by the noise of the runs */
    size_t runs;
};
/* `runs` are runs of one mesh across the clusters of `shares`, which have its rows (the small run
 * of np0 = 4 has two processes on each side, with the blocks of the target).  Whether they agree is
 * not asked here: rc_scaling_samples_make() puts them in one group, cut 1, and
 * rc_scaling_samples_agree() checks it. */
int rc_scaling_link_measure(const struct rc_scaling_run *runs, size_t n_runs,
                            const struct rc_scaling_share *shares, size_t n_shares,
                            struct rc_scaling_link *link, struct rc_error *error);

/* The time of a mesh over several clusters: the largest of their times (Eq. 5), and the link's
 * where there is one (NULL: none, as in the paper).  The rows of the shares sum to those of the
 * mesh.  `point` and the parts are those of the cluster that takes longest at the point;
 * `estimates` (or NULL) has a place for each share, for its own answer, to be freed by the caller:
 * those that take no part stay {0}. */
int rc_scaling_estimate_many(const struct rc_scaling_share *shares, size_t n_shares,
                             const struct rc_mesh *mesh, const struct rc_scaling_link *link,
                             struct rc_scaling_estimate *estimate,
                             struct rc_scaling_estimate *estimates, struct rc_error *error);

/* The cost of a run of `seconds` at `core_cost` for a core and an hour. */
double rc_scaling_core_hours(double seconds, int64_t cores);
double rc_scaling_cost(double seconds, int64_t cores, double core_cost);

#endif
