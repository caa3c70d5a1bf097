// SPDX-License-Identifier: BSD-2-Clause
/* rank_outline.h - when a rank did what, as well as that can be known without unfolding its loops.
 *
 * A loop of many rounds has only statistics of its calls, so that each round is taken to be like
 * the average.  A loop whose rounds are shorter than a bin of the time line is spread over its time
 * evenly.  What this takes thus depends on the size of the file, and not on the number of calls. */
#ifndef RC_MPI_TRACE_RANK_OUTLINE_H
#define RC_MPI_TRACE_RANK_OUTLINE_H

#include "mpi/trace/reader.h"
#include "mpi/trace/timeline.h"

/* A call or a loop of what stands outermost in a trace; times in ns. */
struct rc_outline_node {
    uint64_t count; /* rounds of a loop; 0: a call */
    uint32_t end;   /* the next node that is not in it */
    unsigned kind;
    bool waits;              /* a blocking call that all processes make */
    double times[RC_DOINGS]; /* of one execution, with all rounds */
    double before;           /* of a call: the computing before it */
    double last[RC_DOINGS];  /* of a call, the last time; of a loop, its last round */
};

/* A call in which a rank may wait for all others at its end. */
struct rc_closing {
    double start, length; /* of the call */
    double computed;      /* before it, since time 0 */
    unsigned kind;
};

enum { RC_CLOSINGS = 4096, RC_OUTLINE_DEPTH = 64 };

struct rc_outline {
    struct rc_outline_node *nodes;
    uint32_t n, room;
    uint32_t open[RC_OUTLINE_DEPTH]; /* loops that are not at their end */
    unsigned depth;
    double start;    /* of the outermost loop */
    double computed; /* in all that came before */
    double end;      /* of the last call */
    bool failed;     /* memory ran out */
    struct rc_timeline timeline;
    struct rc_closing closings[RC_CLOSINGS]; /* the last ones; a ring */
    uint64_t n_closings;                     /* all that there were */
};

/* Free with rc_trace_outline_free(). */
void rc_trace_outline_init(struct rc_outline *outline);
void rc_trace_outline_free(struct rc_outline *outline);

/* For the visitor of a walk; `waits`: it is a blocking call that all processes make. */
void rc_trace_outline_call(struct rc_outline *outline, const struct rc_trace_position *position,
                           bool waits);
void rc_trace_outline_loop_begin(struct rc_outline *outline, uint64_t count);
void rc_trace_outline_loop_end(struct rc_outline *outline);

/* The long wait for the others with which the trace ends: of the blocking calls of all processes
 * after which a hundredth of the time at most was spent computing, the longest.  Where there is
 * none, one of length 0 at the end. */
struct rc_closing rc_trace_outline_closing(const struct rc_outline *outline);

#endif
