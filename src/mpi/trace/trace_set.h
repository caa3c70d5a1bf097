// SPDX-License-Identifier: BSD-2-Clause
/* trace_set.h - a trace as a whole: a directory with the trace files of all ranks.
 *
 * rank-R.rct is that of the thread of rank R that called MPI_Init, rank-R.thread-T.rct that of its
 * thread T, and trace.json describes the run: docs/reference/trace-format.md.  Only the heads of
 * the files are read here. */
#ifndef RC_MPI_TRACE_TRACE_SET_H
#define RC_MPI_TRACE_TRACE_SET_H

#include "runcast.h"
#include "mpi/trace/fault_list.h"
#include "mpi/trace/reader.h"

enum {
    RC_TRACE_SET_RANKS_MAX = 1 << 16,
    RC_TRACE_SET_FILES_MAX = 1 << 17 /* in the directory; those of threads too */
};

struct rc_trace_set_file {
    char *path;
    uint32_t rank, thread; /* by its name */
    char *problem;         /* why it cannot be opened; NULL where it can */
    bool has_header;       /* it may be open and have a damaged one */
    struct rc_trace_header header;
};

/* The contents of trace.json: NULL, 0 and NAN where a value is missing. */
struct rc_trace_about {
    bool there;
    char *command;  /* its words, with blanks between them */
    double began;   /* UTC, seconds since 1970 */
    double seconds; /* of the whole command */
    int status;     /* with which it ended; -1 where that is not known */
};

struct rc_trace_set {
    char *directory;
    struct rc_trace_set_file *files; /* by rank, then by thread */
    size_t n_files;
    uint32_t ranks;    /* of the program, as in most files; files of some may be missing */
    uint64_t earliest; /* time 0 of the file that began first, as `began_wall` */
    struct rc_trace_about about;
    struct rc_faults faults; /* what does not fit together */
};

/* NULL where there is no such directory, or no trace file in it.  Damaged files are no failure
 * here: `faults` and their `problem` describe them. */
struct rc_trace_set *rc_trace_set_open(const char *directory, struct rc_error *error);
void rc_trace_set_close(struct rc_trace_set *set);

/* -1, with the first thing that is wrong, unless all ranks are there once, open, and agree. */
int rc_trace_set_whole(const struct rc_trace_set *set, struct rc_error *error);

/* Reads all files, and adds up their calls and bytes in `all`.  `fault` must be {0}, and is set to
 * what is wrong with the first file that is not whole. */
void rc_trace_set_check(const struct rc_trace_set *set, struct rc_trace_summary *all,
                        struct rc_error *fault);

/* The file of thread 0 of a rank; NULL where there is none. */
const struct rc_trace_set_file *rc_trace_set_rank(const struct rc_trace_set *set, uint32_t rank);

/* When a file's time 0 was, in seconds after the earliest of all, by the hosts' clocks; 0 where
 * that is not known. */
double rc_trace_set_offset(const struct rc_trace_set *set, const struct rc_trace_set_file *file);

/* The names of the hosts, each once, in the order of the ranks; the array is to be freed, the names
 * belong to the trace.  NULL, and 0, where none is known or memory runs out. */
const char **rc_trace_set_hosts(const struct rc_trace_set *set, size_t *n);

/* The program that was recorded, by the first file that names it. */
const char *rc_trace_set_program(const struct rc_trace_set *set);

/* The name of a file without its directory. */
const char *rc_trace_set_file_name(const struct rc_trace_set_file *file);

/* How many bytes the files in its directory have, others included. */
int64_t rc_trace_set_bytes(const struct rc_trace_set *set);

/* Reads the name of a file: 0 where it is that of a trace. */
int rc_trace_set_parse_name(const char *name, uint32_t *rank, uint32_t *thread);

/* ---- trace.json ---- */

/* Reads trace.json of a directory.  Where there is none, all is unknown; where it makes no sense,
 * a fault is added. */
void rc_trace_about_read(struct rc_trace_about *about, const char *directory,
                         struct rc_faults *faults);
/* The same from memory. */
void rc_trace_about_parse(struct rc_trace_about *about, const char *text, size_t length,
                          struct rc_faults *faults);
void rc_trace_about_free(struct rc_trace_about *about);

/* A run that was recorded. */
struct rc_trace_run {
    char *const *command; /* words, up to a NULL */
    const char *runcast;  /* the version that recorded it */
    const char *mpi;
    double began, seconds; /* UTC, seconds since 1970; of the whole command, NAN: missing */
    int status;            /* with which it ended */
};

/* Writes trace.json, whole or not at all, into the directory of the set. */
int rc_trace_about_write(const struct rc_trace_set *set, const struct rc_trace_run *run,
                         struct rc_error *error);

#endif
