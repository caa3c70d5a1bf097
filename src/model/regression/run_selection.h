// SPDX-License-Identifier: GPL-3.0-or-later
/* run_selection.h - which runs of a table are looked at, and what is known of them. */
#ifndef RC_MODEL_REGRESSION_RUN_SELECTION_H
#define RC_MODEL_REGRESSION_RUN_SELECTION_H

#include "model/regression/term_library.h"

/* The runs under one or both statistics of the load; the same runs in the same order. */
struct rc_regression_view {
    struct rc_regression_rows rows[RC_REGRESSION_STATS];
    size_t n_stats;
    const struct rc_regression_run **runs; /* of all rows */
    double *scales;
    size_t n;
    struct rc_regression_run *killed; /* the killed ones among the runs, whose times may be changed
                                         (killed_runs.h) */
    size_t n_killed;
    bool owns_killed;
};

/* Looks at no more than `most` runs, evenly chosen.  Where the load is known of most runs, those
 * of which it is not are left out; where of few, or of no four runs all at once, it is left
 * aside.  Bandwidth need not be known of runs on one process.  Scales are 1 / seconds, but next to
 * nothing for killed runs, whose times have to be estimated first.  -1 where memory runs out, or
 * too few completed runs are left.  Free with rc_regression_view_free(), also then. */
int rc_regression_view_make(struct rc_regression_view *view,
                            const struct rc_regression_table *table, size_t most,
                            struct rc_error *error);
void rc_regression_view_free(struct rc_regression_view *view);

/* A view of every so-maniest row of another one, with its scales; of all where it has no more than
 * `most`. */
int rc_regression_view_thin(struct rc_regression_view *view, const struct rc_regression_view *of,
                            size_t most, struct rc_error *error);

#endif
