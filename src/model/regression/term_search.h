// SPDX-License-Identifier: GPL-3.0-or-later
/* term_search.h - sums of terms that explain the runs, the best first. */
#ifndef RC_MODEL_REGRESSION_TERM_SEARCH_H
#define RC_MODEL_REGRESSION_TERM_SEARCH_H

#include "model/regression/term_library.h"

struct rc_regression_candidate {
    unsigned short columns[RC_REGRESSION_TERMS_MAX]; /* of the library, rising */
    unsigned n_terms;
    double
        score; /* the less the better: minus the logarithm of how likely the runs are with it, and it
                     is beforehand */
};

/* Smaller relative errors do not distinguish forms: every machine varies more. */
#define RC_REGRESSION_ERROR_FLOOR 0.01

/* How wide and how far a search goes. */
struct rc_regression_effort {
    unsigned most_terms;
    size_t beam; /* sums of each length that are made longer; up to RC_REGRESSION_BEAM_MAX */
};
enum { RC_REGRESSION_BEAM_MAX = 120 };

/* Finds up to `room` of the best candidates of one or more terms, all of whose coefficients
 * are positive, by rising score.  Returns how many; at least one, unless memory runs out: 0. */
size_t rc_regression_search(const struct rc_regression_library *library,
                            struct rc_regression_effort effort,
                            struct rc_regression_candidate *candidates, size_t room);

/* Least squares for the given columns.  False where they are too much alike, or a coefficient is
 * not positive.  `coefficients` are for columns of length 1; `inverse` (or NULL) is filled with
 * the inverse of their products, n by n. */
bool rc_regression_solve(const struct rc_regression_library *library, const unsigned short *columns,
                         unsigned n, double *coefficients, double *inverse);

/* The prior penalty of a sum of these terms, in addition to those of each: long sums are,
 * and so are messages that grow faster with the size than the work does. */
double rc_regression_form_penalty(const struct rc_regression_library *library,
                                  const unsigned short *columns, unsigned n);

/* What a sum of squared relative errors over n runs costs. */
double rc_regression_misfit(double squares, size_t n_rows);

#endif
