// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_sums.h - the sums over runs that the paper's search needs.
 *
 * Every candidate of every stage is a sum of columns: a function of the size over the available CPU
 * (computation), or over a function of the bandwidth (communication).  Functions of the number of
 * processes only scale them, by the same for all runs on so many processes.  So the sums of
 * products of all columns, one set for each number of processes, are enough for all three stages,
 * and a run more is one product more. */
#ifndef RC_MODEL_REGRESSION_SANJAY_VADHIYAR_SUMS_H
#define RC_MODEL_REGRESSION_SANJAY_VADHIYAR_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/regression/basis_functions.h"
#include "model/regression/training_runs.h"

enum {
    RC_REGRESSION_COMPUTATIONS = RC_REGRESSION_SIZES_PAPER,
    RC_REGRESSION_COMMUNICATIONS = RC_REGRESSION_SIZES_PAPER * (RC_REGRESSION_WIDTHS - 1),
    RC_REGRESSION_SUMS_COLUMNS = 1 + RC_REGRESSION_COMPUTATIONS + RC_REGRESSION_COMMUNICATIONS,
    RC_REGRESSION_SUMS = RC_REGRESSION_SUMS_COLUMNS * (RC_REGRESSION_SUMS_COLUMNS + 1) / 2,
    RC_REGRESSION_BLOCKS_MAX = 512 /* different numbers of processes */
};

/* Runs on one number of processes.  Column 0 is the seconds. */
struct rc_regression_block {
    double p, n_runs;
    struct rc_range n;                           /* sizes */
    double per_procs[RC_REGRESSION_PROCS_PAPER]; /* 1 over the functions of p */
    double sums[RC_REGRESSION_SUMS];             /* lower triangle, row by row */
};

struct rc_regression_sums {
    struct rc_regression_block **blocks; /* by rising number of processes */
    size_t n_blocks;
    enum rc_regression_stat stat;
    bool bandwidth; /* it is known of some run on two processes or more */
    double bw_mean; /* of those runs, what is taken where it is unknown; NAN */
    bool
        unusable[RC_REGRESSION_SUMS_COLUMNS]; /* not positive, or not finite, for one of the runs */
};

/* Decides on the statistic of the load (minavg, unless no run has it and some run has avgmin) and
 * takes in all runs.  NULL with `error` set where memory runs out, or numbers of processes are too
 * many. */
struct rc_regression_sums *rc_regression_sums_create(const struct rc_regression_table *table,
                                                     struct rc_error *error);
void rc_regression_sums_destroy(struct rc_regression_sums *sums);

/* Takes in one more run, of a size and a time above 0. */
int rc_regression_sums_add(struct rc_regression_sums *sums, const struct rc_regression_run *run,
                           struct rc_error *error);

/* The load of a run as the paper's models take it: a whole core and the mean bandwidth where they
 * are unknown, or cannot be (an availability of nothing). */
double rc_regression_sums_cpu(const struct rc_regression_sums *sums,
                              const struct rc_regression_run *run);
double rc_regression_sums_bw(const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run);

/* Where a column is: computation by a function of the size, communication by that and a function of
 * the bandwidth (0 alone where no bandwidth is known, 1 to 8 otherwise). */
static inline unsigned rc_regression_column_comp(unsigned size)
{
    return 1 + size;
}
static inline unsigned rc_regression_column_comm(const struct rc_regression_sums *sums,
                                                 unsigned size, unsigned width)
{
    return 1 + RC_REGRESSION_COMPUTATIONS +
           (width - (sums->bandwidth ? 1 : 0)) * RC_REGRESSION_SIZES_PAPER + size;
}
static inline double rc_regression_block_sum(const struct rc_regression_block *block, unsigned a,
                                             unsigned b)
{
    return a > b ? block->sums[a * (a + 1) / 2 + b] : block->sums[b * (b + 1) / 2 + a];
}

/* The block of so many processes, or NULL. */
const struct rc_regression_block *rc_regression_sums_find(const struct rc_regression_sums *sums,
                                                          double p);

#endif
