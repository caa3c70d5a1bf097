// SPDX-License-Identifier: BSD-2-Clause
/* profile.h - where a recorded program spent its time, and which ranks communicated.
 *
 * Made by one walk over each file, without unfolding loops. */
#ifndef RC_MPI_TRACE_PROFILE_H
#define RC_MPI_TRACE_PROFILE_H

#include "mpi/trace/trace_set.h"
#include "mpi/trace/rank_outline.h"
#include "mpi/trace/traffic.h"

enum {
    RC_PROFILE_KINDS = RC_TRACE_KIND_COUNT + 1, /* the last is for those that are not known */
    RC_PROFILE_BINS = 240                       /* of the time line */
};

/* Calls of one kind. */
struct rc_profile_kind {
    uint64_t calls;
    double bytes;   /* sent, given, read or written; of receives, what was asked for */
    double seconds; /* inside of them */
};

/* What was found in one file. */
struct rc_profile_file {
    const struct rc_trace_set_file *file;
    struct rc_trace_summary summary;
    char *problem; /* NULL where it is whole */
};

/* One rank.  Times are seconds, those of its thread 0 alone; calls, bytes and messages are those of
 * all its threads. */
struct rc_profile_rank {
    uint32_t number;
    const char *host; /* NULL where it is not known */
    bool there;       /* some of it could be read */
    double begins;    /* its time 0, after that of the first rank */
    double length;    /* from then to the end of its trace */
    double computing; /* between MPI calls */
    double communicating;
    double files;    /* MPI's calls for files */
    double other;    /* MPI_Init, MPI_Finalize and the like, and what is not known */
    double cpu;      /* CPU time of the computing where it was measured, */
    double measured; /* and the wall-clock time of the same, within loops of many rounds about */
    double closing;  /* when its long closing wait begins, after its time 0 */
    double waited;   /* how long that is */
    const char *closing_call; /* in which it waits; NULL: there is no such wait */
    uint64_t calls;
    struct rc_profile_kind kinds[RC_PROFILE_KINDS];
    struct rc_traffic_size sent[RC_TRAFFIC_SIZES];
    struct rc_traffic_size given[RC_TRAFFIC_SIZES];
    /* The part of each bin of the program's time that it spent with each thing; what is missing to
     * 1 is before its beginning, after its end, or not known. */
    float line[RC_PROFILE_BINS][RC_DOINGS];
};

struct rc_profile {
    const struct rc_trace_set *set;
    uint32_t n_ranks;
    struct rc_profile_rank *ranks;
    struct rc_profile_file *files; /* as those of the trace */
    double length;                 /* from the first time 0 to the last end */
    struct rc_profile_rank total;  /* sums over ranks; `length` and `closing` are the largest */
    double imbalance;              /* the largest computing time over the mean, less 1 */
    struct rc_traffic *traffic;
    struct rc_faults faults; /* what does not fit together, also those of the trace */
    struct rc_faults notes;  /* what could not be compared */
    bool whole;              /* nothing is wrong */
};

/* Reads all files, as far as they can be read.  NULL where memory runs out or the monitor cancels.
 * The trace must outlive the profile. */
struct rc_profile *rc_trace_profile_create(const struct rc_trace_set *set,
                                           const struct rc_monitor *monitor,
                                           struct rc_error *error);
void rc_trace_profile_destroy(struct rc_profile *profile);

/* The part of the time between MPI_Init and MPI_Finalize in which it communicates, or a part of a
 * rank does; NAN where there is none. */
double rc_trace_profile_share(const struct rc_profile_rank *rank);

/* The kinds of calls that were made, those that took longest first; how many there are. */
size_t rc_trace_profile_kinds(const struct rc_profile_rank *rank, unsigned kinds[RC_PROFILE_KINDS]);

/* "MPI_Send" and so on. */
const char *rc_trace_profile_kind_name(unsigned kind);

/* What a rank did from one bin to before another, as parts of what is known of it there, in
 * `parts`; false where nothing is. */
bool rc_trace_profile_line(const struct rc_profile_rank *rank, int from, int to,
                           double parts[RC_DOINGS]);

/* Messages and bytes from one rank to another, over all communicators. */
struct rc_profile_link {
    uint32_t from, to;
    uint64_t messages;
    double bytes;
    double collective; /* bytes of collective calls: see rc_trace_traffic_collective() */
};

/* All pairs between which anything goes, by sender and receiver; to be freed.  NULL, and 0, where
 * there are none or memory runs out. */
struct rc_profile_link *rc_trace_profile_links(const struct rc_profile *profile, size_t *n);

/* Puts those first between which most bytes go, of messages and of collective calls. */
void rc_trace_profile_links_sort(struct rc_profile_link *links, size_t n);

#endif
