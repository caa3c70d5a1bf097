// SPDX-License-Identifier: BSD-2-Clause
/* traffic.h - who sends what to whom, and which calls processes make together, over all ranks of a
 * trace.
 *
 * Ranks are added one after the other, each with the calls of its threads in their order, and how
 * often each was made; a call in a loop is added once.  Communicators and requests are followed by
 * the calls that make them. */
#ifndef RC_MPI_TRACE_TRAFFIC_H
#define RC_MPI_TRACE_TRAFFIC_H

#include "mpi/trace/faults.h"
#include "mpi/trace/groups.h"

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
/* Calls of this rank are missing: nothing can be said of what it did afterwards with others. */
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
