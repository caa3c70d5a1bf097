// SPDX-License-Identifier: GPL-3.0-or-later
/* plan.h - a skeleton before it becomes a program: for each rank loops of calls, and the computing
 * before each of them.
 *
 * In a plan sends and receives match: each message that is sent is received, with the same number
 * of bytes; all members of a communicator make the same collective calls on it in the same order,
 * with sizes that agree; and whoever runs it comes to its end.  Whoever makes a plan sees to that
 * (rc_skeleton_plan_check() proves it), and whoever turns it into a program keeps it. */
#ifndef RC_MODEL_SKELETON_COMPOSE_PLAN_H
#define RC_MODEL_SKELETON_COMPOSE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"
#include "model/skeleton/loops/loops.h"
#include "model/skeleton/match/recorded_program.h"
#include "mpi/trace/call_kinds.h"

/* Computing before a call. */
struct rc_plan_work {
    double seconds; /* CPU time on the machine of the trace, on average over the iterations */
    double spread[RC_PROGRAM_EIGHTHS];
    uint64_t footprint;   /* bytes of memory that it goes over; 0 where that is not known */
    double read, written; /* bytes of files, on average over the iterations */
};

/* Where there is none, the peer is RC_TRACE_NONE; it may be RC_TRACE_NULL (MPI_PROC_NULL). */
struct rc_plan_message {
    int32_t peer; /* rank in the communicator */
    int32_t tag;
    uint64_t bytes;
};

/* A call.  Only these kinds are in plans:
 *   Send Ssend Isend Issend Recv Irecv Sendrecv Sendrecv_replace
 *   Probe, and Iprobe, which asks again and again
 *   Bsend Ibsend: sends that wait for nobody, and that nobody waits for; they have no request
 *   Start (of one that is described by `started`)
 *   Startall: the same, begun together with others of that kind before and after it
 *   Wait Waitany Test Testany: of one request   Waitall Waitsome Testall Testsome: of those in a
 *   list; all wait until these are done, the tests by asking again and again
 *   Barrier Bcast Gather[v] Scatter[v] Reduce Allgather[v] Alltoall[v] Allreduce
 *   Reduce_scatter[_block] Scan Exscan, and all of these non-blocking
 *   Neighbor_all{gather,toall}[v], and these non-blocking, on communicators with neighbours
 *   Comm_dup (made and freed again)  File_{read,write}_at[_all]
 */
struct rc_skeleton_plan_op {
    unsigned kind;              /* enum rc_trace_kind */
    unsigned started;           /* of a Start[all]: Send_init, Ssend_init or Recv_init */
    bool held;                  /* of a Startall: it is begun by the next one, which comes next */
    uint32_t communicator;      /* of the plan */
    int32_t root;               /* of a rooted collective; of a Startall its place among those that
                                 * were begun together; RC_TRACE_NONE */
    struct rc_plan_message out; /* what is sent; of a collective the bytes that this rank gives to
                                 * each other rank (to the root; at the root to each) */
    struct rc_plan_message in;  /* what is received */
    int32_t request;            /* the slot that a non-blocking call or a Start fills, or that a
                                 * wait for one empties; RC_TRACE_NONE */
    uint32_t list;              /* place in `lists` of the plan */
    uint32_t list_length; /* Waitall and others: slots of requests.  Gatherv, Scatterv, Allgatherv,
                                 * Reduce_scatter: bytes of each rank of the communicator.
                                 * Alltoallv: bytes to each, then bytes from each.
                                 * Neighbor_...v: bytes to each neighbour, then from each. */
    int32_t file;         /* of a file call: which; RC_TRACE_NONE */
};

#define RC_PLAN_NO_OP UINT32_MAX

/* A call where it stands in the program. */
struct rc_plan_step {
    uint32_t op;   /* RC_PLAN_NO_OP where there is only computing */
    uint32_t work; /* the computing before it */
};

/* Loops as in loops.h: the value of an item that is no loop is the number of a step. */
struct rc_plan_rank {
    struct rc_loops_item *items;
    size_t n_items;
    struct rc_plan_step *steps;
    size_t n_steps;
    double tail; /* computing after the last call, CPU seconds */
};

struct rc_plan_communicator {
    uint32_t *members; /* ranks of the world, in the order of their ranks here */
    uint32_t n;
    /* Neighbours by rank here, for neighbourhood calls: those that rank r receives from are
     * sources[source_first[r]] to before sources[source_first[r + 1]].  NULL where it has none. */
    uint32_t *sources, *source_first;
    uint32_t *destinations, *destination_first;
};

struct rc_plan {
    uint32_t ranks;
    struct rc_plan_rank *rank;
    struct rc_skeleton_plan_op *ops; /* of all ranks */
    size_t n_ops;
    struct rc_plan_work *works;
    size_t n_works;
    int64_t *lists;
    size_t n_lists;
    struct rc_plan_communicator *communicators; /* the first is the world */
    size_t n_communicators;
    uint32_t files;
    /* For the reader of the program. */
    char program[256];       /* that was recorded */
    char mpi[256];           /* with which */
    double original_seconds; /* from the end of MPI_Init to the beginning of MPI_Finalize */
    double ratio;            /* K: how many times shorter this is meant to be */
    double shortest_seconds; /* of a good skeleton (section 4.5); 0 where there is none */
};

/* The call of a step; NULL where there is only computing. */
static inline const struct rc_skeleton_plan_op *rc_skeleton_plan_op(const struct rc_plan *plan,
                                                                    const struct rc_plan_step *step)
{
    return step->op == RC_PLAN_NO_OP ? NULL : plan->ops + step->op;
}

/* Frees what a plan has, or nothing where it is NULL; it is empty then. */
void rc_skeleton_plan_free(struct rc_plan *plan);

#endif
