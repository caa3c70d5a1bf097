// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_model.h - what fitting by the paper's method and learning by it share. */
#ifndef RC_MODEL_REGRESSION_SANJAY_VADHIYAR_MODEL_H
#define RC_MODEL_REGRESSION_SANJAY_VADHIYAR_MODEL_H

#include <stdint.h>

#include "model/regression/sanjay_vadhiyar.h"

/* The member that a combination is, but for coefficients and error. */
void rc_regression_paper_terms(const struct rc_regression_sums *sums,
                               struct rc_regression_combination made,
                               struct rc_regression_member *member);
/* All functions' values for one run, so that a thousand members need no power of their own. */
struct rc_regression_paper_row {
    double sizes[RC_REGRESSION_SIZES], per_procs[RC_REGRESSION_PROCS],
        per_width[RC_REGRESSION_WIDTHS], per_cpu;
    bool alone; /* on one process: no communication */
};
void rc_regression_paper_row(const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run,
                             struct rc_regression_paper_row *row);
/* The values of a member's terms; false where one is not positive or not finite (but on one process
 * those of communication are 0, as they should be). */
bool rc_regression_paper_columns(const struct rc_regression_member *member,
                                 const struct rc_regression_paper_row *row, double *columns);

/* The least standard errors are rounding, and all are compared in small steps: so many steps, for
 * runs whose seconds have this root of the mean square. */
uint32_t rc_regression_paper_steps(double error, double root_mean_square);

/* Gives all weight to the first member. */
void rc_regression_paper_first_answers(struct rc_regression_model *model);
/* Fills in the first member's spread from its normal equations, its error and the model's sigma. */
void rc_regression_paper_spread(struct rc_regression_model *model,
                                const struct rc_regression_normal *normal);
/* Widens what was seen by one run, and counts it. */
void rc_regression_paper_see(struct rc_regression_model *model,
                             const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run);

#endif
