// SPDX-License-Identifier: GPL-3.0-or-later
/* factors.c - how times depend on further parameters, for the search to begin with. */
#include "regress/factors.h"

#include "base/error.h"

int rc_rg_factors_find(const struct rc_rg_view *view, struct rc_rg_factor_set *set,
                       struct rc_error *error)
{
    (void)view;
    (void)error;
    *set = (struct rc_rg_factor_set){.n = 1};
    return 0;
}
