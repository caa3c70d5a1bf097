// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_error_correlation.h - how much the errors of models of a run's parts have in common: the
 * mean correlation, over the pairs of parts of the same run, of the errors of the models. */
#ifndef RC_MODEL_REGRESSION_PHASE_ERROR_CORRELATION_H
#define RC_MODEL_REGRESSION_PHASE_ERROR_CORRELATION_H

#include "model/regression/model.h"

/* log(true / predicted) of a run; NAN where the model means nothing. */
double rc_regression_error_of(const struct rc_regression_model *model,
                              const struct rc_regression_run *run);

/* Start from zeros; free with rc_regression_together_free(). */
struct rc_regression_together {
    struct rc_regression_tally {
        int64_t run;
        double sum, squares; /* of its parts' errors, in times of their spread */
        double n;
    } * tallies; /* by rising run */
    size_t n, capacity;
};
void rc_regression_together_free(struct rc_regression_together *together);

/* Makes a place for a run; they come by rising id. */
int rc_regression_together_run(struct rc_regression_together *together, int64_t run,
                               struct rc_error *error);

/* Takes in the errors of one part's model on the runs that it was fitted to.  Runs without a place
 * are passed over. */
void rc_regression_together_part(struct rc_regression_together *together,
                                 const struct rc_regression_table *table,
                                 const struct rc_regression_model *model);

/* From 0 (nothing in common) to 1. */
double rc_regression_together_correlation(const struct rc_regression_together *together);

#endif
