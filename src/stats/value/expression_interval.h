// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_interval.h - a computation in intervals, over boxes; for this folder only. */
#ifndef RC_STATS_VALUE_EXPRESSION_INTERVAL_H
#define RC_STATS_VALUE_EXPRESSION_INTERVAL_H

#include "stats/value/expression_steps.h"

/* A result, and all that it is made of.  A box gives each leaf, but for numbers, an interval. */
struct rc_problem {
    struct rc_step *steps; /* the last one is the result */
    size_t n;
    size_t *leaves; /* steps that are leaves; first those that are used more than once */
    size_t n_leaves, n_repeated;
    double (*values)[2], (*slopes)[2]; /* of each step */
    double (*rough)[2];                /* slopes by each step, from one way back */
    double turn;                       /* 1, or -1: the negative of the result is meant */
    double work;                       /* steps carried out so far */
};

/* The plain range of a step whose operands have these; -1 where there is none that is finite.  Of a
 * leaf, `to` stays as it is. */
int rc_value_step_value(int operation, const double a[2], const double b[2], double to[2]);

/* Makes the problem of finding step `root`; to be released, also on failure. */
int rc_value_problem_prepare(struct rc_problem *problem, const struct rc_steps *steps, size_t root,
                             struct rc_error *error);
void rc_value_problem_release(struct rc_problem *problem);

/* The plain range of the result over a box, `ends` for each leaf; -1 where a step cannot be
 * computed there. */
int rc_value_problem_evaluate(struct rc_problem *problem, double (*ends)[2], double result[2]);

/* Both are about the box that rc_value_problem_evaluate() was last given, for which it returned 0. 
 * Ends of slopes may be infinite. */

/* Finds the slopes of the result by all steps at once, in `rough`. */
void rc_value_problem_find_rough(struct rc_problem *problem);
/* Finds the slope of the result by leaf `leaf`: often narrower, but for one only. */
void rc_value_problem_find_slope(struct rc_problem *problem, size_t leaf, double slope[2]);

#endif
