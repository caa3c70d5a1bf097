// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - the model of one app on one cluster over one network, fitted to small runs.
 *
 * After G. Romanazzi and P. K. Jimack, "Parallel performance prediction for numerical codes in a
 * multi-cluster environment" (2008), section IV:
 *     T     = Tcomp + Tcomm                    (1)
 *     Tcomm = alpha(np) + gamma(np) work       (2), and never below 0: a program that communicates
 *             while it computes has a gamma below 0 until all is hidden, and no less than nothing
 *             from there on
 *     alpha = c + d log2 np                    (3)
 *     gamma = gamma of the largest np measured (4), or one for all where repeated runs show that
 *             they do not differ by more than noise.  Where nothing was repeated, the noise is only
 *             assumed, and the paper is followed to the letter
 * Where a mesh is cut in two or three directions, messages change with the block, and a term of the
 * surface is added to (2), beta surface, one beta for all np, as soon as the runs can separate it
 * from the work: that takes three sizes of block (plan.h).  A prediction for the very block that
 * was measured needs no such term, since all its messages are those of the small runs.
 *
 * A model owns its parts.  Fitting never changes it afterwards; predictions only read it. */
#ifndef RC_MODEL_SCALING_MODEL_H
#define RC_MODEL_SCALING_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "model/scaling/scaling_notes.h"
#include "model/scaling/run_groups.h"
#include "model/scaling/process_work.h"

enum { RC_SCALING_PROCS_MAX = 16 }; /* different numbers of processes in the small runs */

enum rc_scaling_gamma { RC_GAMMA_AUTO, RC_GAMMA_ONE, RC_GAMMA_EACH };

/* Where the small runs were made, and for which predictions are. */
struct rc_scaling_setting {
    char cluster[RC_NAME_MAX + 1]; /* "" where it does not matter */
    char network[RC_NAME_MAX + 1];
    int per_host;  /* busy cores of a host; 0: not known */
    int cut;       /* directions */
    bool packed;   /* small runs were packed on hosts, since there were too few: see plan.h */
    size_t alone;  /* runs that were made alone (run_layout.h) */
    size_t unsaid; /* runs without hosts or network, which could be from elsewhere */
};
/* Sets `alone` and `unsaid`, of which the fit makes notes, by the runs that a model of cluster
 * number `cluster` of the platform is fitted to.  Hosts could be others where the platform has
 * several clusters, and the network of a parallel run where the cluster has several. */
void rc_scaling_setting_count(struct rc_scaling_setting *setting,
                              const struct rc_platform *platform, size_t cluster,
                              const struct rc_scaling_run *runs, size_t n_runs);

/* rc_scaling_options_init() gives the defaults. */
struct rc_scaling_options {
    enum rc_scaling_gamma gamma; /* RC_GAMMA_AUTO */
    double noise;                /* relative sd of a single run; NAN: from the runs */
    double bytes_per_cell;       /* NAN: from the runs */
    double form_sd;              /* of k in phi_k, where two np were measured: 0.15 */
    double model_error;          /* relative sd of the method's own error where there are twice the
                                  processes of the largest small run, growing as the root of the
                                  doublings: 0.02, which is 3.5 % for three.  So large were the
                                  errors of the paper's twelve cases (root mean square), of two to
                                  four doublings.  Blocks with twice the work of the largest that
                                  was run, or half that of the smallest, count as a doubling, too */
    bool force;                  /* take runs that disagree */
};
void rc_scaling_options_init(struct rc_scaling_options *options);

/* The small runs' own figures, for reports.  Sizes are of blocks. */
struct rc_scaling_alpha {
    int64_t procs;
    double alpha;    /* of Eq. 2 */
    double alpha_sd; /* by the noise of the runs */
    double gamma;    /* seconds for one unit of work; equal in all where one was taken */
};

struct rc_scaling_model {
    struct rc_scaling_setting setting;
    struct rc_scaling_options options;
    struct rc_scaling_samples samples;
    struct rc_scaling_work work;
    /* fitted */
    struct rc_scaling_noise noise;
    struct rc_scaling_alpha at[RC_SCALING_PROCS_MAX]; /* by rising procs */
    size_t n_at;
    bool one_gamma; /* one for all numbers of processes */
    double gamma;   /* of Eq. 4 */
    double beta;    /* seconds for one cell of surface; 0 where there is no such term */
    bool has_beta;
    double c, d; /* of Eq. 3, with phi_k in place of log2 */
    double k;    /* 0: log2 */
    double k_sd; /* how sure that is */
    bool level;  /* the measured d was below 0 by no more than noise: alpha is taken as
                         constant, and d is 0 */
    double bytes_per_cell, bytes_base; /* a process has bytes_base + bytes_per_cell cells; NAN: not
                                          known */
    struct rc_scaling_notes notes;     /* assumptions, choices and doubts */
    struct rc_scaling_notes
        warnings; /* those of them by which the runs are not as the lines have it:
                                     shown wherever the model is used */
};
void rc_scaling_model_free(struct rc_scaling_model *model); /* makes it {0} again */

/* Fits a model.  `samples` and `work` are copied.  Errors name missing runs (at least two
 * block sizes on one process, and on two numbers of processes; sequential runs of every block that
 * parallel ones have) or disagree.  On failure `model` is {0}. */
int rc_scaling_fit(const struct rc_scaling_samples *samples, const struct rc_scaling_work *work,
                   const struct rc_scaling_setting *setting,
                   const struct rc_scaling_options *options, struct rc_scaling_model *model,
                   struct rc_error *error);

/* Bytes of a process that has `block`; NAN where nothing is known of memory. */
double rc_scaling_memory(const struct rc_scaling_model *model, const struct rc_mesh *block);

#endif
