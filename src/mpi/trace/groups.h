// SPDX-License-Identifier: BSD-2-Clause
/* groups.h - which processes the communicators of a trace have.
 *
 * Each rank numbers its communicators by itself.  Here those with the same processes in the same
 * order are one group, which has the same number for all ranks. */
#ifndef RC_MPI_TRACE_GROUPS_H
#define RC_MPI_TRACE_GROUPS_H

#include "mpi/trace/trace.h"

enum { RC_GROUP_UNKNOWN = -1, RC_GROUP_WORLD = 0 };

/* Of an inter-communicator, `members` are those on the side that has the lowest rank. */
struct rc_group {
    uint32_t *members; /* ranks in MPI_COMM_WORLD */
    uint32_t n;
    uint32_t n_remote; /* those on the other side, which follow; 0: it has no sides */
};

struct rc_groups;

/* MPI_COMM_WORLD is in it from the start.  NULL where memory runs out. */
struct rc_groups *rc_trace_groups_create(uint32_t ranks);
void rc_trace_groups_destroy(struct rc_groups *groups);
int rc_trace_groups_count(const struct rc_groups *groups);
/* NULL for RC_GROUP_UNKNOWN; good until the next group is made. */
const struct rc_group *rc_trace_groups_get(const struct rc_groups *groups, int group);

/* The communicators of one rank, as it goes on; all zero is none but those that MPI makes. */
struct rc_communicator {
    int group;
    int32_t *neighbours; /* in its topology: n_sources, then n_destinations; ranks in it */
    uint32_t n_sources, n_destinations;
};
struct rc_communicators {
    struct rc_groups *groups;
    uint32_t rank;
    struct rc_communicator *items;
    uint32_t n;
};

/* Starts with those that MPI makes; free with rc_trace_communicators_end().  -1 where memory runs
 * out. */
int rc_trace_communicators_begin(struct rc_communicators *communicators, struct rc_groups *groups,
                                 uint32_t rank);
void rc_trace_communicators_end(struct rc_communicators *communicators);

/* Takes a call that makes a communicator.  What makes no sense gives one that is not known. */
void rc_trace_communicators_construct(struct rc_communicators *communicators,
                                      const struct rc_trace_call *call);

/* NULL where it is not known. */
const struct rc_communicator *
rc_trace_communicators_get(const struct rc_communicators *communicators, int32_t number);

/* The rank in MPI_COMM_WORLD of a peer in a communicator; -1 where that is not known. */
int64_t rc_trace_communicators_peer(const struct rc_communicators *communicators, int32_t number,
                                    int32_t peer);

#endif
