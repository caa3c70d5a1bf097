// SPDX-License-Identifier: GPL-3.0-or-later
/* plan.c - what plans are made of. */
#include "model/skeleton/compose/plan.h"

#include <stdlib.h>
#include <string.h>

void rc_skeleton_plan_free(struct rc_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; plan->rank && i < plan->ranks; i++) {
        free(plan->rank[i].items);
        free(plan->rank[i].steps);
    }
    for (size_t i = 0; plan->communicators && i < plan->n_communicators; i++) {
        free(plan->communicators[i].members);
        free(plan->communicators[i].sources);
        free(plan->communicators[i].source_first);
        free(plan->communicators[i].destinations);
        free(plan->communicators[i].destination_first);
    }
    free(plan->rank);
    free(plan->ops);
    free(plan->works);
    free(plan->lists);
    free(plan->communicators);
    memset(plan, 0, sizeof *plan);
}
