// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble.h - candidates that are judged by runs that they had not seen, and weighted by that. */
#ifndef RC_MODEL_REGRESSION_ENSEMBLE_H
#define RC_MODEL_REGRESSION_ENSEMBLE_H

#include "model/regression/term_search.h"

/* Weights go by this power of how likely the runs are: they are not as independent of one another
 * as a product of likelihoods takes them to be. */
#define RC_REGRESSION_TEMPER 0.8

/* Predictions of an ensemble for the rows that it was made from, each held out. */
struct rc_regression_ensemble {
    struct rc_regression_member members[RC_REGRESSION_ENSEMBLE_MAX];
    size_t n;
    double *held_out; /* seconds of each row */
    size_t n_held_out;
    double score; /* of the best member */
    double sigma; /* the spread of log(true / held out), outliers left aside */
};

/* A candidate with the library that it is of. */
struct rc_regression_nominee {
    const struct rc_regression_library *library;
    const struct rc_regression_rows *rows;
    struct rc_regression_candidate candidate;
};

/* Judges all nominees and makes an ensemble of the best.  All libraries have the same runs as
 * rows, in the same order.  -1 where memory runs out, or none is left.  Free with
 * rc_regression_ensemble_free(), also then. */
int rc_regression_ensemble_make(struct rc_regression_ensemble *ensemble,
                                const struct rc_regression_nominee *nominees, size_t n,
                                struct rc_error *error);
void rc_regression_ensemble_free(struct rc_regression_ensemble *ensemble);

/* As rc_regression_fit(): an ensemble is what is made by default; in ensemble_fit.c. */
struct rc_regression_model *rc_regression_ensemble_fit(const struct rc_regression_table *table,
                                                       struct rc_error *error);

#endif
