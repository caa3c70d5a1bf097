// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_steps.h - the steps of a computation in intervals; for this folder only.
 *
 * While an expression is carried out in plain interval arithmetic, the machine notes what it does
 * as steps.  Afterwards rc_value_steps_sharpen() narrows the result: expression_steps.c rewrites
 * the steps so that each quantity is there once, expression_interval.c evaluates them and their
 * derivatives over a box, and expression_bound.c searches the boxes for the ends. */
#ifndef RC_STATS_VALUE_EXPRESSION_STEPS_H
#define RC_STATS_VALUE_EXPRESSION_STEPS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/value/value.h"

/* What a step does: an enum rc_binary, or one of these. */
enum {
    RC_STEP_UNARY = RC_BINARIES, /* + an enum rc_unary */
    RC_STEP_MAX = RC_STEP_UNARY + RC_UNARIES,
    RC_STEP_MIN,
    RC_STEP_LEAF /* a quantity of its own; a number, where both ends are it */
};

struct rc_step {
    int operation;
    uint32_t a, b;  /* earlier steps, equal where there is one operand; 0 of a leaf */
    double ends[2]; /* between which it lies, by plain interval arithmetic; finite, unless it was
                       rewritten and then overflows */
};

/* Each step stands after those that it uses.  All zero, there are none; `list` is to be freed. */
struct rc_steps {
    struct rc_step *list;
    size_t n, capacity;
};

/* Whether it has two operands. */
static inline bool rc_value_step_has_two(const struct rc_step *step)
{
    return step->operation < RC_STEP_UNARY || step->operation == RC_STEP_MAX ||
           step->operation == RC_STEP_MIN;
}

/* Whether it is a leaf that is a number. */
static inline bool rc_value_step_is_number(const struct rc_step *step)
{
    return step->operation == RC_STEP_LEAF && step->ends[0] == step->ends[1];
}

/* Whether both ends are finite. */
static inline bool rc_value_step_is_finite(const struct rc_step *step)
{
    return isfinite(step->ends[0]) && isfinite(step->ends[1]);
}

/* ---- expression_steps.c ---- */

/* The index of the new step, or -1. */
int rc_value_steps_add(struct rc_steps *steps, struct rc_step step, struct rc_error *error);

/* Writes what step `root` comes to anew, into `simple`, which must be all zero and is to be freed
 * also on failure; `*simple_root` is then its step.  There, no two steps do the same to the same,
 * and what identities such as a / a = 1 can do without is gone.  Steps may be left over that the
 * root does not use.  Takes time in proportion to the number of steps.
 *
 * It relies on it that plain interval arithmetic had a result at every step: what is divided by is
 * not 0, roots are not of negative numbers, and so on. */
int rc_value_steps_simplify(const struct rc_steps *steps, size_t root, struct rc_steps *simple,
                            size_t *simple_root, struct rc_error *error);

/* ---- expression_bound.c ---- */

/* Gives the ends of step `root`, heeding that a leaf has one value wherever it is used: no wider
 * than the plain ones, but for rounding. */
int rc_value_steps_sharpen(const struct rc_steps *steps, size_t root, double ends[2],
                           struct rc_error *error);

#endif
