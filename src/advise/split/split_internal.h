// SPDX-License-Identifier: GPL-3.0-or-later
/* split_internal.h - what the files of split.h share. */
#ifndef RC_ADVISE_SPLIT_SPLIT_INTERNAL_H
#define RC_ADVISE_SPLIT_SPLIT_INTERNAL_H

#include "advise/split/time_balancing.h"
#include "advise/split/split.h"

/* What the hosts are like now: all of the facts but `forecast`. */
void rc_split_look_back(const struct rc_split_question *question, struct rc_split *split);

/* Draws the scenarios, as far as a run that is divided like `work` goes, and sets `forecast`.
 * `hosts` are as when nothing else runs; `times` has room for each of the question's scenarios. */
int rc_split_look_ahead(const struct rc_split_question *question,
                        const struct rc_balance_host *hosts, const double *work, double *times,
                        struct rc_split *split, struct rc_error *error);

#endif
