// SPDX-License-Identifier: GPL-3.0-or-later
/* memory.h - what a process has in memory, by what runs had; for this folder only. */
#ifndef RC_MODEL_SCALING_MEMORY_H
#define RC_MODEL_SCALING_MEMORY_H

#include "model/scaling/model.h"

/* The line base + per_cell cells through what `n` blocks have in memory, with the least squares of
 * all that fall neither with cells nor below 0: memory that does not grow with the block is all
 * base.  Where the largest block is less than twice the smallest, a line would be noise: then all
 * of the largest is taken for its cells.  NAN and 0 where n is 0. */
void rc_scaling_memory_line(const double *cells, const double *bytes, size_t n, double *per_cell,
                            double *base);

/* Sets what a process of the model has, by its options or its runs. */
int rc_scaling_memory_fit(struct rc_scaling_model *model, struct rc_error *error);

#endif
