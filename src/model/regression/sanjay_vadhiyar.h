// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar.h - the method of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel
 * applications for grid scheduling", J. Parallel Distrib. Comput. 68 (2008), to the letter.
 *
 * What the paper leaves open:
 * - Its 77 functions of the size are those of basis_functions.h: of eleven, each alone, each with a
 *   constant, and each pair.
 * - Stage three selects by the runs on two processes or more, as in the paper.  The list is then
 *   trained on all training data, one-process runs among them, and sorted: it is this list that
 *   later runs are added to.  (Coefficients from runs on two processes and more alone can
 *   have errors of a factor of 33 on one process, in simulated runs of a sort.)
 * - Where there are no runs on two processes, stage two takes the smallest number above one.
 * - Standard errors below a millionth of the times are rounding, and equal; among equals, what has
 *   fewer terms and is less surprising (basis_functions.h) comes first.
 * - A function that is not positive and finite for all runs is left out: of a bandwidth below 1,
 *   for example, there is no logarithm to divide by.
 * - Programs without one-process runs: all 77 x 77 x 8 combinations at the smallest number of
 *   processes are visited, each function meeting the others in turn; one that has given a large
 *   error (over twice the least so far) in over half of the 616 combinations that it is part of is
 *   dropped from those to come. */
#ifndef RC_MODEL_REGRESSION_SANJAY_VADHIYAR_H
#define RC_MODEL_REGRESSION_SANJAY_VADHIYAR_H

#include "model/regression/model.h"
#include "model/regression/normal_equations.h"
#include "model/regression/sanjay_vadhiyar_sums.h"

enum {
    RC_REGRESSION_PAPER_FUNCTIONS = 77,     /* of the size: 11 + 11 + 55 */
    RC_REGRESSION_PAPER_AFTER_FIRST = 20,   /* functions for computation */
    RC_REGRESSION_PAPER_SECOND_EACH = 10,   /* combinations for each of them */
    RC_REGRESSION_PAPER_AFTER_SECOND = 20,  /* combinations in all */
    RC_REGRESSION_PAPER_THIRD_EACH = 50,    /* for each of those */
    RC_REGRESSION_PAPER_AFTER_THIRD = 1000, /* the list */
    RC_REGRESSION_PAPER_LARGE_MOST = 308, /* large errors of a function, without one-process runs */
    RC_REGRESSION_PAPER_LOWEST_MOST = 5,  /* times in a row in the lowest tenth: dropped */
    RC_REGRESSION_PAPER_SEARCH_AFTER = 50 /* predictions */
};

/* What a stage did. */
struct rc_regression_paper_stage {
    double p;                   /* processes of its runs; 0: all above one */
    size_t runs, tried, fitted; /* fitted: with a standard error */
    size_t within, kept;        /* within: 20 % of the least */
    double least;               /* standard error, in seconds */
};
struct rc_regression_paper_report {
    bool without_one; /* too few runs on one process: the first stage did not take place */
    struct rc_regression_paper_stage stages[3];
    size_t dropped; /* functions, without one-process runs */
};

/* All three stages.  NULL where runs are too few; the hint says which to record.  `report` may be
 * NULL.  Destroy with rc_regression_model_destroy(). */
struct rc_regression_model *rc_regression_paper_fit(const struct rc_regression_table *table,
                                                    struct rc_error *error);
struct rc_regression_model *
rc_regression_paper_fit_report(const struct rc_regression_table *table,
                               struct rc_regression_paper_report *report, struct rc_error *error);

/* ---- its parts, for the learner ---- */

/* One of the 77: a sum of one or two functions of basis_functions.h. */
struct rc_regression_paper_function {
    unsigned char sizes[2];
    unsigned char n;
};
struct rc_regression_paper_function rc_regression_paper_function(unsigned function);

/* Eq. (1) but for coefficients: functions of the size by number (0 to 76), of the rest as in
 * basis_functions.h. */
struct rc_regression_combination {
    unsigned char comp, comm, width, procs_comp, procs_comm;
};

/* What is left after the first stage: functions for computation. */
struct rc_regression_paper_first {
    unsigned char functions[RC_REGRESSION_PAPER_FUNCTIONS];
    size_t n;
    bool without_one;
};
void rc_regression_paper_first(const struct rc_regression_sums *sums,
                               struct rc_regression_paper_first *first,
                               struct rc_regression_paper_report *report);
/* Stages two and three: fills in up to RC_REGRESSION_PAPER_AFTER_THIRD combinations, the best on
 * all runs first. */
int rc_regression_paper_search(const struct rc_regression_sums *sums,
                               const struct rc_regression_paper_first *first,
                               struct rc_regression_combination *list, size_t *n_list,
                               struct rc_regression_paper_report *report, struct rc_error *error);

/* The normal equations of a combination over all runs. */
void rc_regression_paper_normal(const struct rc_regression_sums *sums,
                                struct rc_regression_combination combination,
                                struct rc_regression_normal *normal);

/* 0 where a run can be learned from: its size and time are above 0, and finite. */
int rc_regression_paper_check(const struct rc_regression_run *run, struct rc_error *error);

#endif
