// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_internal.h - accuracy.c makes a prediction for each run, accuracy_judge.c says what
 * follows from all of them. */
#ifndef RC_MODEL_STRUCTURAL_ACCURACY_INTERNAL_H
#define RC_MODEL_STRUCTURAL_ACCURACY_INTERNAL_H

#include "model/structural/accuracy.h"

/* Compares the times of phases that have the name of a task with what the model gives them. */
void rc_structural_accuracy_phases(struct rc_accuracy *accuracy, const struct rc_run *run,
                                   const struct rc_accuracy_run *found);

/* Fills in all that follows from the runs. */
int rc_structural_accuracy_judge(struct rc_accuracy *accuracy,
                                 const struct rc_accuracy_options *options, struct rc_error *error);

#endif
