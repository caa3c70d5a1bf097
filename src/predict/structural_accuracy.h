// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_accuracy.h - predictions of a structural model for past runs, each corrected by how
 * those before it fared. */
#ifndef RC_PREDICT_STRUCTURAL_ACCURACY_H
#define RC_PREDICT_STRUCTURAL_ACCURACY_H

#include "model/structural/accuracy.h"

/* What was corrected; `level` is that of the intervals, and is to be set before. */
struct rc_predict_corrections {
    double level;
    size_t n;      /* predictions that were corrected */
    double factor; /* that they were multiplied by, geometric mean; NAN where none was */
};

/* For `revise` of struct rc_accuracy_options; `data` is a struct rc_predict_corrections.  Each
 * prediction becomes what it would have been, had those of runs that ended before been learnt from.
 * -1 where memory runs out. */
int rc_predict_correct_in_turn(void *data, struct rc_accuracy_run *runs, size_t n,
                               struct rc_error *error);

#endif
