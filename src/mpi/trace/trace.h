// SPDX-License-Identifier: BSD-2-Clause
/* trace.h - what one rank of an MPI program did: the things that writers and readers of trace files
 * share.  docs/reference/trace-format.md describes the file. */
#ifndef RC_MPI_TRACE_TRACE_H
#define RC_MPI_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/trace/call_kinds.h"

/* Stand for a peer, tag, root or request where there is none, where any would do, and for
 * MPI_PROC_NULL. */
enum { RC_TRACE_NONE = -1, RC_TRACE_ANY = -2, RC_TRACE_NULL = -3 };

enum rc_trace_flag {
    RC_TRACE_DONE = 1,       /* a test or probe that found something */
    RC_TRACE_IN_PLACE = 2,   /* MPI_IN_PLACE was given */
    RC_TRACE_ANY_SOURCE = 4, /* any source would have done; `peer` is the one that it was */
    RC_TRACE_ANY_TAG = 8,    /* the same for the tag */
    RC_TRACE_FAILED = 16,    /* the call returned an error */
    RC_TRACE_FLAGS = 31      /* all of them */
};

/* What is sent, or what is received. */
struct rc_trace_message {
    uint64_t count; /* of elements */
    uint32_t size;  /* of one of them, in bytes */
    int32_t peer;   /* rank in the communicator */
    int32_t tag;
};

enum {
    RC_TRACE_LIST_MAX = 65536 /* numbers in the list of a call */
};

/* What makes two calls the same call: all but the times.  Start from RC_TRACE_CALL_INIT(). */
struct rc_trace_call {
    unsigned kind;                   /* enum rc_trace_kind */
    unsigned flags;                  /* of enum rc_trace_flag */
    int32_t communicator;            /* a number that the recorder gave it; 0 is MPI_COMM_WORLD */
    int32_t root;                    /* rank in the communicator */
    struct rc_trace_message message; /* what is sent, or else what is received */
    struct rc_trace_message from;    /* what is received by a call that also sends */
    int32_t request;                 /* that it gives or takes: the lowest number that was free, so
                                      * that a loop uses the same numbers again */
    uint32_t list_length;
    const int32_t *list; /* what there are several of: requests of a wait, counts of an alltoallv,
                          * ranks of a new communicator, ... */
};

#define RC_TRACE_CALL_INIT(which)                                                                  \
    {                                                                                              \
        .kind = (which), .root = RC_TRACE_NONE,                                                    \
        .message = {.peer = RC_TRACE_NONE, .tag = RC_TRACE_NONE},                                  \
        .from = {.peer = RC_TRACE_NONE, .tag = RC_TRACE_NONE}, .request = RC_TRACE_NONE            \
    }

/* One call at its time.  Times are nanoseconds since the trace began. */
struct rc_trace_event {
    const struct rc_trace_call *call;
    uint64_t start;
    uint64_t end;
    uint64_t before; /* computing before it: since the end of the call before, wall-clock time */
    int64_t cpu;     /* CPU time of that; -1 where it was not measured */
};

/* The times of one call. */
struct rc_trace_sample {
    uint64_t before;
    uint64_t inside : 55;
    uint64_t also_for : 9; /* how many that were not measured the CPU time stands for, too */
    int64_t cpu;           /* -1 where it was not measured */
};

/* Times are cut at 52 days, and CPU times at 512 times the wall-clock time, for one
 * that was measured or together with those it stands for, so that no sum is too large. */
#define RC_TRACE_TIME_MAX (UINT64_C(1) << 52)
enum { RC_TRACE_CPU_MAX = 512, RC_TRACE_ALSO_MAX = RC_TRACE_CPU_MAX - 1 };

enum { RC_TRACE_SAMPLES = 8 }; /* a position with more calls has their statistics */

enum { RC_TRACE_TEXT_SIZE = 256 }; /* of the texts below, with their NUL; longer ones are cut */

/* In the directory of a trace that is being made: its text is the number of ranks. */
#define RC_TRACE_RANKS_LINK "ranks"

/* Where a trace comes from. */
struct rc_trace_header {
    uint32_t rank; /* in MPI_COMM_WORLD */
    uint32_t ranks;
    uint32_t thread;                /* 0 for the one that called MPI_Init */
    uint32_t process;               /* its number on that host */
    uint64_t began;                 /* reading of the clock at time 0 of the trace, ns */
    uint64_t began_wall;            /* ns since 1970, UTC */
    uint64_t cpu_threshold;         /* CPU time was read around computing longer than that, ns */
    char clock[RC_TRACE_TEXT_SIZE]; /* such as "CLOCK_MONOTONIC" */
    char host[RC_TRACE_TEXT_SIZE];
    char program[RC_TRACE_TEXT_SIZE];
    char mpi[RC_TRACE_TEXT_SIZE]; /* such as "Open MPI 4.1.4" */
};

#endif
