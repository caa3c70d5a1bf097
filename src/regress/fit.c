// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - from runs to models, by either criterion. */
#include "regress/fit.h"

#include "regress/committee_fit.h"
#include "regress/paper.h"

struct rc_rg_model *rc_rg_fit(const struct rc_rg_table *table, enum rc_rg_criterion criterion,
                              struct rc_error *error)
{
    return criterion == RC_RG_PAPER ? rc_rg_paper_fit(table, error)
                                    : rc_rg_committee_fit(table, error);
}
