// SPDX-License-Identifier: GPL-3.0-or-later
/* recorded_program.h - a recorded program in memory: the calls of all ranks, one by one. */
#ifndef RC_MODEL_SKELETON_MATCH_RECORDED_PROGRAM_H
#define RC_MODEL_SKELETON_MATCH_RECORDED_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"
#include "mpi/trace/compute_notes.h"
#include "mpi/trace/trace.h"

#define RC_PROGRAM_NONE UINT32_MAX

/* Calls of all ranks together that are taken: they need some 40 bytes each. */
#define RC_PROGRAM_EVENTS_MAX ((size_t)100000000)

/* How computing times are spread over the iterations: their means between the eighths, relative to
 * the mean of all, so that the mean of the eight is 1. */
enum { RC_PROGRAM_EIGHTHS = 8 };

/* A place in the program where a call is made, once or often.  Times are means over all of these,
 * in seconds. */
struct rc_program_position {
    uint32_t call;   /* of the rank's calls */
    uint32_t spread; /* of the rank's spreads, or RC_PROGRAM_NONE where the times are not known one
                      * by one */
    double work;     /* CPU time of the computing before it */
    double wall;     /* and the elapsed time of that */
    double inside;   /* elapsed time of the call */
    uint64_t footprint;   /* bytes of memory that the computing goes over; 0: not known */
    double read, written; /* bytes of files during the computing */
};

struct rc_program_rank {
    struct rc_trace_call *calls; /* that differ; lists belong to this */
    size_t n_calls;
    struct rc_program_position *positions;
    size_t n_positions;
    double (*spreads)[RC_PROGRAM_EIGHTHS]; /* of the computing at positions */
    size_t n_spreads;
    uint32_t *events; /* positions, in the order of time, from after MPI_Init to MPI_Finalize */
    size_t n_events;  /* without MPI_Finalize itself */
    double tail;      /* CPU time of the computing after the last call */
    double seconds;   /* elapsed time from the end of MPI_Init to the beginning of MPI_Finalize, or
                       * where there is none to the end of the trace */
    struct rc_trace_speed speed; /* of its core */
    double speed_ratio; /* that speed, relative to the mean of all ranks; 1 where it is not known */
};

struct rc_program {
    uint32_t ranks;
    struct rc_program_rank *rank;
    size_t events;       /* of all ranks */
    uint64_t failed;     /* calls that failed, which are no events */
    size_t unsuccessful; /* tests and probes that found nothing, which are none either */
    int status;          /* with which it ended; -1 where that is not known */
    char name[RC_TRACE_TEXT_SIZE];
    char mpi[RC_TRACE_TEXT_SIZE];
    double seconds;              /* of the rank that took longest */
    struct rc_trace_speed speed; /* of the cores, on average; no samples: not known of all */
};

/* Reads the trace in a directory.  Fails where a rank is missing or its file is damaged, and where
 * calls were made by several threads of a rank.  Destroy with rc_skeleton_program_destroy(). */
struct rc_program *rc_skeleton_program_read(const char *directory, struct rc_error *error);
void rc_skeleton_program_destroy(struct rc_program *program);

/* How many calls the program made that did not fail. */
static inline size_t rc_skeleton_program_calls_made(const struct rc_program *program)
{
    return program->events + program->unsuccessful;
}

/* The call and the position of an event. */
static inline const struct rc_program_position *
rc_program_position(const struct rc_program_rank *rank, size_t event)
{
    return rank->positions + rank->events[event];
}

static inline const struct rc_trace_call *
rc_skeleton_program_call(const struct rc_program_rank *rank, size_t event)
{
    return rank->calls + rank->positions[rank->events[event]].call;
}

#endif
