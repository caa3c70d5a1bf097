// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - from runs to models, by either criterion. */
#include "model/regression/fit.h"

#include "model/regression/committee_fit.h"
#include "model/regression/paper.h"

struct rc_rg_model *rc_rg_fit(const struct rc_rg_table *table, enum rc_rg_criterion criterion,
                              struct rc_error *error)
{
    return criterion == RC_RG_PAPER ? rc_rg_paper_fit(table, error)
                                    : rc_rg_committee_fit(table, error);
}
