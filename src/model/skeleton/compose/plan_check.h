// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_check.h - whether what a plan promises holds: all ranks come to their end.
 *
 * All ranks' programs are walked through, without their computing.  Messages are matched in order
 * by communicator, source, destination and tag; each must be received with the bytes that were
 * sent.  A send is done at once (as short messages are) but for Ssend and Issend, which wait for
 * the receive; Bsend and Ibsend never do.  A collective call is done when all members of the
 * communicator have come to it: MPI promises no less waiting.
 *
 * What the sizes of a call are.  Point to point: `out.bytes` are sent and `in.bytes` received.  Of
 * Bcast, Gather, Scatter, Reduce, Allgather, Alltoall, Allreduce, Reduce_scatter_block, Scan and
 * Exscan all members have one size, the bytes of one rank's part: it is the larger of `out.bytes`
 * and `in.bytes`, so that either may be left 0.  Gatherv and Allgatherv: `out.bytes` is what this
 * rank gives; Scatterv: `in.bytes` what it gets; the lists (of Gatherv and Scatterv at the root
 * alone) say the same for all ranks.  Neighbor_allgather and Neighbor_alltoall give `out.bytes` to
 * each destination and get `in.bytes` from each source; Neighbor_allgatherv gives `out.bytes`, and
 * its list need not say what is given.  A File_..._all call is one of its communicator. */
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

/* The size of a collective call that all members agree on; see above. */
uint64_t rc_skeleton_plan_part(const struct rc_skeleton_plan_op *op);

/* How many neighbours `rank` of the communicator has. */
uint32_t rc_skeleton_plan_sources(const struct rc_plan_communicator *communicator, uint32_t rank);
uint32_t rc_skeleton_plan_destinations(const struct rc_plan_communicator *communicator,
                                       uint32_t rank);

/* What a call is to a plan. */
enum rc_plan_class {
    RC_PLAN_FOREIGN, /* not in plans */
    RC_PLAN_SEND,
    RC_PLAN_RECEIVE,
    RC_PLAN_EXCHANGE,
    RC_PLAN_PROBE,
    RC_PLAN_START,
    RC_PLAN_WAIT,
    RC_PLAN_COLLECT, /* all members have one size, or none */
    RC_PLAN_GATHER_V,
    RC_PLAN_SCATTER_V,
    RC_PLAN_ALLGATHER_V,
    RC_PLAN_ALLTOALL_V,
    RC_PLAN_REDUCE_SCATTER,
    RC_PLAN_NEIGHBOURS,
    RC_PLAN_NEIGHBOURS_V,
    RC_PLAN_FILE
};
struct rc_skeleton_plan_kind {
    enum rc_plan_class class;
    bool request; /* it fills a slot */
    bool rooted;
    bool collective;
    bool synchronous; /* it waits for the receive */
    bool ahead;       /* it never waits */
    bool one;         /* of waits: for the request in `request`, and not for those in a list */
    bool lists_given; /* of calls to neighbours: its list begins with what each of them gets */
};
/* Of the kind of a call (not of what a Start or Startall starts). */
struct rc_skeleton_plan_kind rc_skeleton_plan_kind(unsigned kind);

#endif
