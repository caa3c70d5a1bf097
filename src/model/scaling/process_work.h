// SPDX-License-Identifier: GPL-3.0-or-later
/* process_work.h - the work of a process for its block: "work" of Eq. 2.
 *
 * The paper takes the memory of the process, which is in proportion to its cells.  Where that does
 * not hold (its Table III), work is an expression of the user, or a power of the cells that is
 * fitted to three sequential runs. */
#ifndef RC_MODEL_SCALING_PROCESS_WORK_H
#define RC_MODEL_SCALING_PROCESS_WORK_H

#include "model/scaling/run_groups.h"

enum rc_scaling_work_kind {
    RC_WORK_CELLS,      /* the cells of the block */
    RC_WORK_EXPRESSION, /* src/stats/value/expression.h, of rows, cols, layers, cells (of the block) and
                           procs (of the run) */
    RC_WORK_POWER       /* cells ^ exponent, where Tcomp = a + b cells ^ exponent was fitted */
};

enum { RC_SCALING_EXPRESSION_MAX = 4096 };

/* Start from {0}, which is RC_WORK_CELLS; free with rc_scaling_work_free(). */
struct rc_scaling_work {
    enum rc_scaling_work_kind kind;
    struct rc_expression *expression; /* its own; NULL for other kinds */
    double exponent;                  /* RC_WORK_POWER; 1 for cells */
};
void rc_scaling_work_free(struct rc_scaling_work *work);
int rc_scaling_work_copy(const struct rc_scaling_work *from, struct rc_scaling_work *to,
                         struct rc_error *error);

/* Reads an expression; an error has the column in `text`. */
int rc_scaling_work_parse(const char *text, struct rc_scaling_work *work, struct rc_error *error);
/* Fits a power to the sequential groups; an error if they have fewer than three sizes. */
int rc_scaling_work_fit(const struct rc_scaling_samples *samples, struct rc_scaling_work *work,
                        struct rc_error *error);

/* The work of `block` in a run on `procs` processes; > 0.  -1 if an expression has another value.
 * */
int rc_scaling_work_of(const struct rc_scaling_work *work, const struct rc_mesh *block,
                       int64_t procs, double *amount, struct rc_error *error);

#endif
