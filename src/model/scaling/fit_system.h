// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_system.h - the fit as a linear map; for this folder only.
 *
 * Overheads are differences of means of groups, and least squares with given weights are linear in
 * them: so alpha(np), gamma(np) and beta are sums of the means of the groups, each times a factor
 * that hangs on sizes alone.  The factors are found once, and a sample of the means costs no fit.
 */
#ifndef RC_MODEL_SCALING_FIT_SYSTEM_H
#define RC_MODEL_SCALING_FIT_SYSTEM_H

#include "model/scaling/estimate.h"

/* Free with rc_scaling_fit_system_free(). */
struct rc_fit_system {
    const struct rc_scaling_samples *samples;
    const struct rc_scaling_work *work;
    size_t n_groups, n_sequential; /* the sequential ones come first */
    int64_t procs[RC_SCALING_PROCS_MAX];
    size_t n_at;
    double *amount; /* of work, of each group */
    double *rows;   /* factors of the groups: of each alpha, of each gamma, of beta */
};
void rc_scaling_fit_system_free(struct rc_fit_system *system);

/* `samples` and `work` must outlive the system.  With `beta`, there is a term of the surface; -1
 * with an error also where the runs cannot separate the terms. */
int rc_scaling_fit_system_make(const struct rc_scaling_samples *samples,
                               const struct rc_scaling_work *work, bool one_gamma, bool beta,
                               struct rc_fit_system *system, struct rc_error *error);

/* The same without any factors: for rc_scaling_fit_computing() alone. */
int rc_scaling_fit_system_prepare(const struct rc_scaling_samples *samples,
                                  const struct rc_scaling_work *work, struct rc_fit_system *system,
                                  struct rc_error *error);

/* The factors of alpha and gamma for the number of processes at place `at`, and of beta: one for
 * each group.  They belong to the system. */
const double *rc_scaling_fit_alpha(const struct rc_fit_system *system, size_t at);
const double *rc_scaling_fit_gamma(const struct rc_fit_system *system, size_t at);
const double *rc_scaling_fit_beta(const struct rc_fit_system *system);

/* The sum of the means, each times its factor; of other means, or of the groups' own. */
double rc_scaling_fit_sum(const double *row, const double *means, size_t n);
double rc_scaling_fit_mean(const double *row, const struct rc_scaling_samples *samples);
/* The longest mean of the groups on so many processes. */
double rc_scaling_fit_longest(const struct rc_scaling_samples *samples, int64_t procs);
/* The sd of that for the groups of `samples`, if the relative sd of one run is `sd`. */
double rc_scaling_fit_sd(const double *row, const struct rc_scaling_samples *samples, double sd);

/* How many sd of the noise count as more than noise: 95 % of noise is within that. */
double rc_scaling_fit_critical(const struct rc_scaling_noise *noise);

/* The least and the most work of the parallel groups, or of the sequential ones. */
void rc_scaling_fit_range(const struct rc_fit_system *system, bool parallel, double *least,
                          double *most);

/* The factors of Tcomp of `block` in a run on `procs` processes: the mean of the sequential runs of
 * this very block where their work is the same; else a line between those with the next less and
 * next more work; beyond them, from the nearest along the line through the outermost.  `row` has a
 * place for each group; `amount` is the work. */
int rc_scaling_fit_computing(const struct rc_fit_system *system, const struct rc_mesh *block,
                             int64_t procs, double *row, double *amount, struct rc_error *error);

/* The line through alphas against phi_k; with `level`, one that would fall is a constant. */
void rc_scaling_fit_growth(const double *alpha, const double *weight, const int64_t *procs,
                           size_t n, double k, bool level, double *c, double *d);

/* rc_scaling_point() with a system that was made or prepared for the model before. */
int rc_scaling_point_by(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                        const struct rc_mesh *mesh, int64_t procs, bool joined,
                        struct rc_scaling_parts *parts, struct rc_error *error);

/* The weights of a model's alphas in that line, and their numbers of processes. */
void rc_scaling_alpha_weights(const struct rc_scaling_model *model, double *weight, int64_t *procs);

/* ---- warnings; in warnings.c ---- */

/* Less than this part of a run's time is not worth a word. */
#define RC_SCALING_WORTH 0.005

/* Adds a sentence to the notes and the warnings of a model.  -1 where memory runs out. */
int rc_scaling_warn(struct rc_scaling_model *model, struct rc_error *error, const char *format, ...)
    RC_PRINTF(3, 4);

/* Warns of implausible times of the runs: communication that is hidden behind computation,
 * runs that took less than their computing alone, and small blocks that took longer than large ones
 * on as many processes.  `system` is what the model was fitted with. */
int rc_scaling_warn_times(struct rc_scaling_model *model, const struct rc_fit_system *system,
                          struct rc_error *error);

#endif
