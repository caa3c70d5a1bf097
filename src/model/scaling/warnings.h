// SPDX-License-Identifier: GPL-3.0-or-later
/* warnings.h - what the times of the small runs make doubtful about a model; for this folder
 * only. */
#ifndef RC_MODEL_SCALING_WARNINGS_H
#define RC_MODEL_SCALING_WARNINGS_H

#include "model/scaling/fit_system.h"

/* Less than this part of a run's time is not worth a word. */
#define RC_SCALING_WORTH 0.005

/* Adds a sentence to the notes and the warnings of a model.  -1 where memory runs out. */
int rc_scaling_warn(struct rc_scaling_model *model, struct rc_error *error, const char *format, ...)
    RC_PRINTF(3, 4);

/* Warns of what the times of the runs show: communication that is hidden behind computing,
 * runs that took less than their computing alone, and small blocks that took longer than large ones
 * on as many processes.  `system` is what the model was fitted with. */
int rc_scaling_warn_times(struct rc_scaling_model *model, const struct rc_fit_system *system,
                          struct rc_error *error);

#endif
