// SPDX-License-Identifier: BSD-2-Clause
/* traffic.h - messages between ranks, and collective calls, over all ranks of a trace.
 *
 * Ranks are added one after the other, each with the calls of its threads in their order, and how
 * often each was made; a call in a loop is added once.  Communicators and requests are followed by
 * the calls that make them. */
#ifndef RC_MPI_TRACE_TRAFFIC_H
#define RC_MPI_TRACE_TRAFFIC_H

#include "mpi/trace/fault_list.h"
#include "mpi/trace/trace.h"

/* ---- the groups of communicators ---- */

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

/* ---- traffic ---- */

enum {
    RC_TRAFFIC_SIZES = 65,         /* 0 bytes, 1, 2 to 3, 4 to 7, and so on */
    RC_TRAFFIC_DENSE_MAX = 512,    /* ranks up to which collectives are counted by pairs */
    RC_TRAFFIC_CELLS_MAX = 1 << 22 /* pairs in groups */
};

/* Messages of a size. */
struct rc_traffic_size {
    uint64_t messages;
    double bytes;
};

/* Messages from one rank to another, in one group.  Ranks are those in MPI_COMM_WORLD. */
struct rc_traffic_pair {
    int32_t group;
    uint32_t from, to;
    uint64_t sent, received; /* messages; not those inside of collective calls */
    double bytes;            /* sent */
};

struct rc_traffic;

/* NULL where memory runs out. */
struct rc_traffic *rc_trace_traffic_create(uint32_t ranks);
void rc_trace_traffic_destroy(struct rc_traffic *traffic);

/* What a rank sends is also added to `sent`, and what it gives to collective calls to `given`; both
 * have RC_TRAFFIC_SIZES places.  -1 where memory runs out. */
int rc_trace_traffic_begin(struct rc_traffic *traffic, uint32_t rank, struct rc_traffic_size *sent,
                           struct rc_traffic_size *given);
/* A call that was made n times; returns the bytes that this rank sent, asked to receive, gave, read
 * or wrote in all of them. */
double rc_trace_traffic_call(struct rc_traffic *traffic, const struct rc_trace_call *call,
                             uint64_t n);
/* Calls of this rank are missing: what it did afterwards with others is not known. */
void rc_trace_traffic_lost(struct rc_traffic *traffic);
void rc_trace_traffic_end(struct rc_traffic *traffic);

/* Whether a call waits for all others of a communicator of more than one process. */
bool rc_trace_traffic_waits(const struct rc_traffic *traffic, const struct rc_trace_call *call);

/* All pairs, ordered by group, sender and receiver; belongs to the traffic. */
const struct rc_traffic_pair *rc_trace_traffic_pairs(struct rc_traffic *traffic, size_t *n);
const struct rc_groups *rc_trace_traffic_groups(const struct rc_traffic *traffic);

/* The bytes that one rank's part of collective calls has for another's: ranks * ranks, by the rank
 * that gives; NULL where there are too many ranks.  Which way they went, only the MPI knows. */
const double *rc_trace_traffic_collective(const struct rc_traffic *traffic);

/* Finds what does not agree: messages sent and not received, or the other way round, and collective
 * calls that not all processes of a group made equally often.  `notes` gets what could not be
 * compared, and why. */
void rc_trace_traffic_compare(struct rc_traffic *traffic, struct rc_faults *faults,
                              struct rc_faults *notes);

#endif
