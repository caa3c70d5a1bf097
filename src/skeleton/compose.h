// SPDX-License-Identifier: GPL-3.0-or-later
/* compose.h - a cut form as the plan of a program. */
#ifndef RC_SKELETON_COMPOSE_H
#define RC_SKELETON_COMPOSE_H

#include "skeleton/cut.h"
#include "skeleton/plan.h"

/* Makes the plan of a skeleton that is shorter by a ratio.  Free with rc_plan_free(); on failure
 * there is nothing to free. */
int rc_compose(const struct rc_form *form, double ratio, struct rc_plan *plan,
               struct rc_error *error);

#endif
