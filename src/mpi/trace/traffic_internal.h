// SPDX-License-Identifier: BSD-2-Clause
/* traffic_internal.h - what the files about traffic share. */
#ifndef RC_MPI_TRACE_TRAFFIC_INTERNAL_H
#define RC_MPI_TRACE_TRAFFIC_INTERNAL_H

#include <uthash.h>

#include "mpi/trace/traffic.h"

/* A pair in a group, with its place among others. */
struct rc_traffic_cell {
    struct rc_traffic_pair pair; /* its first three members are the key */
    UT_hash_handle hh;
};

/* Calls that all processes of a group make. */
struct rc_traffic_together {
    struct {
        int32_t group;
        int32_t kind;
        int32_t root;
    } key;
    uint64_t current; /* by the rank that is added */
    uint64_t n;       /* by the first one */
    uint32_t first;   /* which is this */
    uint32_t seen;    /* ranks that made any */
    uint32_t other;   /* one that made another number of them */
    uint64_t other_n; /* that number; 0: there is none */
    UT_hash_handle hh;
};

/* What a request stands for. */
struct rc_traffic_request {
    unsigned kind; /* of the call that made it */
    unsigned flags;
    int32_t communicator;
    struct rc_trace_message message, from;
    bool known;
};

struct rc_traffic {
    uint32_t ranks;
    struct rc_groups *groups;
    struct rc_communicators communicators; /* of the rank that is added */
    struct rc_traffic_request *requests;   /* its requests, by their number */
    uint32_t n_requests;
    struct rc_traffic_size *sent, *given;
    struct rc_traffic_cell *cells;
    struct rc_traffic_together *together;
    struct rc_traffic_pair *sorted;
    double *collective;
    uint64_t unknown;     /* messages */
    uint64_t apart;       /* collective calls in communicators that are not known */
    uint64_t lost;        /* ranks of which calls are missing */
    uint64_t failed;      /* calls that returned an error */
    uint64_t cancelled;   /* requests */
    bool full;            /* not all pairs could be kept */
    uint32_t ranks_added; /* ranks */
};

/* count * size, no more than fits. */
static inline uint64_t rc_trace_traffic_bytes(uint64_t count, uint64_t size)
{
    uint64_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) ? UINT64_MAX : bytes;
}

/* a + b, no more than fits. */
static inline uint64_t rc_trace_traffic_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Adds n messages of so many bytes to the sizes. */
static inline void rc_trace_traffic_size_add(struct rc_traffic_size *sizes, uint64_t bytes,
                                             uint64_t n)
{
    struct rc_traffic_size *size = &sizes[bytes > 0 ? 64 - (unsigned)__builtin_clzll(bytes) : 0];

    size->messages = rc_trace_traffic_sum(size->messages, n);
    size->bytes += (double)bytes * (double)n;
}

/* A collective call that was made n times; returns the bytes that this rank gave. */
double rc_trace_traffic_collect(struct rc_traffic *traffic, const struct rc_trace_call *call,
                                uint64_t n);

#endif
