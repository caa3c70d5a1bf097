// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_check.h - whether what a plan promises holds: all ranks come to their end.
 *
 * All ranks' programs are walked through, without their computing.  Messages are matched in order
 * by communicator, source, destination and tag; each must be received with the bytes that were
 * sent.  A send is done at once (as short messages are) but for Ssend and Issend, which wait for
 * the receive; Bsend and Ibsend never do.  A collective call is done when all members of the
 * communicator have come to it: MPI promises no less waiting. */
#ifndef RC_MODEL_SKELETON_COMPOSE_PLAN_CHECK_H
#define RC_MODEL_SKELETON_COMPOSE_PLAN_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "runcast.h"
#include "model/skeleton/compose/plan.h"

/* No more calls, of all ranks together, are walked through. */
#define RC_PLAN_CALLS_MAX UINT64_C(100000000)

struct rc_plan_checked {
    uint64_t calls; /* of all ranks */
    /* Whether it would come to its end as well if every send but Bsend and Ibsend waited for its
     * receive, as those of long messages do; where not, `note` says who would wait for what. */
    bool synchronous;
    char note[512];
};

/* -1 where it does not hold; the error names the rank, the call and what it waits for.  Steps are
 * counted from 0 in each rank. */
int rc_skeleton_plan_check(const struct rc_plan *plan, struct rc_plan_checked *checked,
                           struct rc_error *error);

/* Whether all numbers in a plan are within what they are numbers of, its kinds are among those that
 * plans have, and its loops are well formed.  rc_skeleton_plan_check() begins with that. */
int rc_skeleton_plan_well_formed(const struct rc_plan *plan, struct rc_error *error);

#endif
