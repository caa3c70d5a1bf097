// SPDX-License-Identifier: BSD-2-Clause
/* writer.h - records the calls of one thread of one rank into a trace file, inside of a user's
 * program.
 *
 * A writer belongs to one thread at a time.  It takes its memory once, within the limits, and
 * never calls malloc() afterwards.  It keeps no file open between the moments when it writes, so
 * that a program that closes descriptors or forks does no harm; a child of the program writes
 * nothing.  errno stays as it was.  When anything fails, it reports that once, and does nothing
 * from then on. */
#ifndef RC_MPI_TRACE_WRITER_H
#define RC_MPI_TRACE_WRITER_H

#include "runcast.h"
#include "mpi/trace/format.h"
#include "mpi/trace/compute_notes.h"
#include "mpi/trace/trace.h"
#include "mpi/trace/writer_limits.h"

struct rc_trace_writer_options {
    struct rc_trace_limits limits; /* all 0: those of rc_trace_limits_init() */
    bool fresh;                    /* a file that is there already is left alone, and an error */
    /* Called once, when the writer switches itself off; may be NULL.  `text` is one line. */
    void (*trouble)(void *data, const char *text);
    void *data;
};

struct rc_trace_writer;

/* Makes the file (or empties it, if it need not be fresh) and writes its header; NULL where that
 * fails.  `options` may be NULL.  End with rc_trace_writer_finish(). */
struct rc_trace_writer *rc_trace_writer_create(const char *path,
                                               const struct rc_trace_header *header,
                                               const struct rc_trace_writer_options *options,
                                               struct rc_error *error);

/* Adds a call that began and ended at these readings of the header's clock, in ns; `cpu` is the CPU
 * time of the computing before it, or -1, and stands for that of `also_for` others that came
 * without, too (as far as there were so many at its position).  Calls come in their order: one that
 * began before the last one ended is taken to have begun there.  Lists longer than
 * RC_TRACE_LIST_MAX are cut. */
void rc_trace_writer_add(struct rc_trace_writer *writer, const struct rc_trace_call *call,
                         uint64_t start, uint64_t end, int64_t cpu, uint32_t also_for);

/* Whether it is in the middle of its work, and must be left alone: what a signal's handler finds
 * that came while the thread was in one of these functions. */
bool rc_trace_writer_is_busy(const struct rc_trace_writer *writer);

/* Whether it still records. */
bool rc_trace_writer_is_on(const struct rc_trace_writer *writer);

/* Writes out all there is; loops begin anew after that. */
void rc_trace_writer_flush(struct rc_trace_writer *writer);

/* Writes notes about the computing between calls; once, before the end. */
void rc_trace_writer_notes(struct rc_trace_writer *writer, const struct rc_trace_note *notes,
                           size_t n);

/* Writes how fast the cores were; once, before the end. */
void rc_trace_writer_speed(struct rc_trace_writer *writer, const struct rc_trace_speed *speed);

/* Writes the rest and the end mark, the program having ended at this reading of the clock.  -1
 * where the file is not whole, now or since some trouble before.  Nothing may be added from then
 * on. */
int rc_trace_writer_seal(struct rc_trace_writer *writer, uint64_t end, struct rc_error *error);

/* The same, and frees the writer. */
int rc_trace_writer_finish(struct rc_trace_writer *writer, uint64_t end, struct rc_error *error);

/* Frees the writer, or nothing where it is NULL, and writes nothing: a file without an end mark is
 * not whole, and its reader reports that. */
void rc_trace_writer_destroy(struct rc_trace_writer *writer);

#endif
