// SPDX-License-Identifier: BSD-2-Clause
/* reader.h - reads a trace file: as loops and calls, or as all the calls one by one.
 *
 * A file that is cut short or damaged gives what can still be read: all blocks that are whole.
 * After that, the functions end with an error that describes the fault. */
#ifndef RC_MPI_TRACE_READER_H
#define RC_MPI_TRACE_READER_H

#include "runcast.h"
#include "mpi/trace/compute_notes.h"
#include "mpi/trace/time_statistics.h"
#include "mpi/trace/trace.h"

struct rc_trace;

/* NULL where the file cannot be read, is no trace, or one of a newer format.  Close with
 * rc_trace_close(). */
struct rc_trace *rc_trace_open(const char *path, struct rc_error *error);

/* The same from memory, which must stay; `name` is for errors. */
struct rc_trace *rc_trace_open_bytes(const void *bytes, size_t length, const char *name,
                                     struct rc_error *error);
void rc_trace_close(struct rc_trace *trace);

/* Where it comes from; NULL where that part of the file is damaged. */
const struct rc_trace_header *rc_trace_header(const struct rc_trace *trace);

/* A call at a position of the program. */
struct rc_trace_position {
    const struct rc_trace_call *call;
    uint64_t n;     /* how often it was made there, in all the loops around it */
    unsigned depth; /* of loops around it */
    uint64_t time;  /* when the outermost of these began, or the computing before the call; ns */
    const struct rc_trace_times *times;
    /* The n samples that these come from, in the order of time, where they were few enough to be
     * kept (n <= RC_TRACE_SAMPLES), or NULL. */
    const struct rc_trace_sample *samples;
};

/* Any function may be NULL.  What they are given is good until they return.  A return value other
 * than 0 ends the walk. */
struct rc_trace_visitor {
    int (*call)(void *data, const struct rc_trace_position *position);
    /* A loop that goes round `count` times, over `length` calls and loops. */
    int (*loop_begin)(void *data, uint64_t count, uint32_t length);
    int (*loop_end)(void *data);
    /* Here is a gap of `calls` calls, which cannot be read; 0 where it is not known how many. */
    int (*lost)(void *data, uint64_t calls);
    void *data;
};

/* Walks over loops and calls.  0 at the end of a good file, -1 where it is damaged or cannot be
 * read, and else what a visitor returned. */
int rc_trace_walk(struct rc_trace *trace, const struct rc_trace_visitor *visitor,
                  struct rc_error *error);

/* Walks over all the calls in the order of time.  What is in a loop of many repetitions has times
 * that are the averages of its position, so spread that sums are exact.  Returns as above. */
int rc_trace_expand(struct rc_trace *trace,
                    int (*visit)(void *data, const struct rc_trace_event *event), void *data,
                    struct rc_error *error);

/* What a walk has found. */
struct rc_trace_summary {
    uint64_t bytes;     /* of the file */
    uint64_t blocks;    /* that could be read */
    uint64_t calls;     /* in them */
    uint64_t positions; /* where these are made: the size of the program, as it were */
    uint64_t loops;
    uint64_t lost;     /* calls that are known to be missing */
    uint64_t problems; /* places where something was wrong */
    bool ended;        /* the trace came to its end */
    uint64_t end;      /* then the time of that; else the end of the last call; ns */
};

/* That of the last walk or expansion that went to the end; belongs to the trace. */
const struct rc_trace_summary *rc_trace_summary(const struct rc_trace *trace);

/* Notes about the computing between calls, found by the last walk or expansion that went to the
 * end; NULL where there are none.  They belong to the trace. */
const struct rc_trace_note *rc_trace_notes(const struct rc_trace *trace, size_t *n);

/* How fast the cores were, found in the same way; without samples where that is not known. */
const struct rc_trace_speed *rc_trace_speed(const struct rc_trace *trace);

/* Looks at all of a file.  Returns as rc_trace_walk(); the summary, unless it is NULL, is filled in
 * either way. */
int rc_trace_check(const char *path, struct rc_trace_summary *summary, struct rc_error *error);

#endif
