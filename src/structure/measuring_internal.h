// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_internal.h - measuring.c plans runs, measuring_take.c says what follows from them. */
#ifndef RC_STRUCTURE_MEASURING_INTERNAL_H
#define RC_STRUCTURE_MEASURING_INTERNAL_H

#include "structure/measuring.h"

/* A number from a formula of the model, for given members. */
int rc_measuring_number(struct rc_binding *binding, const struct rc_expression *formula,
                        const char *const *members, size_t n_members, double *number,
                        struct rc_error *error);

#endif
