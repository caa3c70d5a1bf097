// SPDX-License-Identifier: GPL-3.0-or-later
/* paper_errors.h - how far off a model by the paper was on runs that it had not seen.
 *
 * The paper answers with one number.  So that its models have intervals too, they get what those by
 * the default criterion have (model.h): errors, sorted and over the noise of runs on so many
 * processes. */
#ifndef RC_REGRESS_PAPER_ERRORS_H
#define RC_REGRESS_PAPER_ERRORS_H

#include "regress/model.h"

/* The latest errors; start from zeros, or from what a model has. */
struct rc_rg_errors {
    double off[RC_RG_RESIDUALS_MAX]; /* log(true / foretold) */
    unsigned char class[RC_RG_RESIDUALS_MAX]; /* of numbers of processes */
    size_t n, next;
};

/* From a model's errors.  Of which numbers of processes they were is not known any more: they are
 * taken to be of all in turn. */
void rc_rg_errors_begin(struct rc_rg_errors *errors, const struct rc_rg_model *model);

/* One more.  Answers that are off by a factor of more than 100, or not above 0, count as off by
 * that factor. */
void rc_rg_errors_add(struct rc_rg_errors *errors, double p, double seconds, double foretold);
double rc_rg_errors_off(double seconds, double foretold);

/* Fills in the model's residuals, noise and sigma. */
void rc_rg_errors_tell(const struct rc_rg_errors *errors, struct rc_rg_model *model);

#endif
