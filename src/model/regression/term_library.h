// SPDX-License-Identifier: GPL-3.0-or-later
/* term_library.h - all terms that a model may have, with their values in the runs at hand.
 *
 * Rows are runs, columns are terms.  Each row is scaled so that errors are relative ones, and each
 * column to length 1.  All that a search needs of the runs are the products of columns with one
 * another and with the times, which are computed once. */
#ifndef RC_MODEL_REGRESSION_TERM_LIBRARY_H
#define RC_MODEL_REGRESSION_TERM_LIBRARY_H

#include "model/regression/model.h"

enum { RC_REGRESSION_LIBRARY_MAX = 640 };

/* The runs that are looked at, and how. */
struct rc_regression_rows {
    const struct rc_regression_run **runs;
    double *scales; /* each row is multiplied by this: 1 / its time, less where it is an outlier */
    size_t n;
    enum rc_regression_stat stat;
    bool cpu, bw, bytes; /* known of these runs */
    bool bw_varies;
    size_t n_params;
};

/* A term's value for one run, under the load that it met, without coefficient. */
double rc_regression_term_in_run(const struct rc_regression_term *term,
                                 const struct rc_regression_rows *rows,
                                 const struct rc_regression_run *run);

struct rc_regression_library {
    size_t n_columns, n_rows;
    struct rc_regression_term *terms;
    double *penalties;
    double *lengths;    /* of the columns before they were scaled */
    double *values;     /* row by row */
    double *products;   /* of columns i and j at [i * n_columns + j] */
    double *with_times; /* of each column and the times */
    double times;       /* of the times with themselves */
};

/* Factors of further parameters that all terms come with: each vector makes a set of columns. */
struct rc_regression_factors {
    unsigned char of[RC_REGRESSION_PARAMS_MAX];
};

/* Fills in a library.  Terms that are negative or not finite in some run, or 0 in all, are left
 * out. -1 where memory runs out, or no term is left.  Free with rc_regression_library_free(), also
 * then. */
int rc_regression_library_make(struct rc_regression_library *library,
                               const struct rc_regression_rows *rows,
                               const struct rc_regression_factors *factors, size_t n_factors,
                               struct rc_error *error);
/* The same with the given terms alone. */
int rc_regression_library_of(struct rc_regression_library *library,
                             const struct rc_regression_rows *rows,
                             const struct rc_regression_term *terms, size_t n_terms,
                             struct rc_error *error);
void rc_regression_library_free(struct rc_regression_library *library);

#endif
