// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_internal.h - measuring.c plans runs, measuring_results.c says what follows from them.
 */
#ifndef RC_MODEL_STRUCTURAL_MEASURING_INTERNAL_H
#define RC_MODEL_STRUCTURAL_MEASURING_INTERNAL_H

#include "model/structural/measuring.h"

/* The value of an input without parameters. */
int rc_structural_measuring_value(struct rc_binding *binding, const char *name, double *value,
                                  struct rc_error *error);
/* The setting of a run: its own size and processes, and what else is set. */
int rc_structural_measuring_setting(struct rc_measuring *plan, double size, double processes,
                                    struct rc_model_setting *setting, struct rc_error *error);

/* ---- measuring_conditions.c ---- */

/* The inputs without parameters that formulas of an item and the command use, up to a NULL; to be
 * freed.  Those that runs have of their own, that are measured, or that change with time, are none
 * of them. */
const char **rc_structural_measuring_names(const struct rc_measuring *plan,
                                           const struct rc_item *item,
                                           const struct rc_measuring_options *options,
                                           struct rc_error *error);
/* What a value is measured with by a job; `names` are of its item. */
int rc_structural_measuring_how(struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                                const struct rc_measuring_job *job, const char *const *names,
                                const struct rc_measuring_options *options, size_t *how,
                                struct rc_error *error);
/* Flags the items that formulas of an item lead to, over definitions and tasks. */
void rc_structural_measuring_reach(const struct rc_model *model, const struct rc_item *item,
                                   bool *been);

#endif
