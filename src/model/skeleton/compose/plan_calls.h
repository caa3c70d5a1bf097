// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_calls.h - what the calls of a plan are: their classes, and the sizes of what they send and
 * receive.
 *
 * What the sizes of a call are.  Point to point: `out.bytes` are sent and `in.bytes` received.  Of
 * Bcast, Gather, Scatter, Reduce, Allgather, Alltoall, Allreduce, Reduce_scatter_block, Scan and
 * Exscan all members have one size, the bytes of one rank's part: it is the larger of `out.bytes`
 * and `in.bytes`, so that either may be left 0.  Gatherv and Allgatherv: `out.bytes` is what this
 * rank gives; Scatterv: `in.bytes` what it gets; the lists (of Gatherv and Scatterv at the root
 * alone) say the same for all ranks.  Neighbor_allgather and Neighbor_alltoall give `out.bytes` to
 * each destination and get `in.bytes` from each source; Neighbor_allgatherv gives `out.bytes`, and
 * its list need not say what is given.  A File_..._all call is one of its communicator. */
#ifndef RC_MODEL_SKELETON_COMPOSE_PLAN_CALLS_H
#define RC_MODEL_SKELETON_COMPOSE_PLAN_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/skeleton/compose/plan.h"

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

/* The size of a collective call that all members agree on. */
uint64_t rc_skeleton_plan_part(const struct rc_skeleton_plan_op *op);

/* How many neighbours `rank` of the communicator has. */
uint32_t rc_skeleton_plan_sources(const struct rc_plan_communicator *communicator, uint32_t rank);
uint32_t rc_skeleton_plan_destinations(const struct rc_plan_communicator *communicator,
                                       uint32_t rank);

#endif
