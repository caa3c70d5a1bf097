// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - from runs to models. */
#include "regress/fit.h"

#include "base/error.h"
#include "regress/paper.h"

struct rc_rg_model *rc_rg_fit(const struct rc_rg_table *table, enum rc_rg_criterion criterion,
                              struct rc_error *error)
{
    if (criterion == RC_RG_PAPER)
        return rc_rg_paper_fit(table, error);
    rc_error_set(error, "not yet");
    return NULL;
}
