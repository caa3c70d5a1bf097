// SPDX-License-Identifier: BSD-2-Clause
/* compute_notes.h - what was seen of the computing between two calls: memory that it touched, and
 * files that it read and wrote. */
#ifndef RC_MPI_TRACE_COMPUTE_NOTES_H
#define RC_MPI_TRACE_COMPUTE_NOTES_H

#include "mpi/trace/bytes.h"
#include "mpi/trace/trace.h"

enum { RC_TRACE_NOTES_MAX = 4096 };

/* Gaps between two calls, which are without their lists here. */
struct rc_trace_note {
    struct rc_trace_call before, after;
    uint64_t footprints;    /* how many such gaps had their memory measured */
    uint64_t footprint;     /* bytes of memory that one of them touched, on average */
    uint64_t files;         /* how many were looked at for files */
    uint64_t read, written; /* bytes in all of these together */
};

/* Puts up to RC_TRACE_NOTES_MAX notes. */
void rc_trace_notes_put(struct rc_bytes_out *out, const struct rc_trace_note *notes, size_t n);

/* Reads them into memory that is to be freed; -1 where they are damaged, or there is no memory. */
int rc_trace_notes_get(const uint8_t *bytes, size_t length, struct rc_trace_note **notes,
                       size_t *n);

/* Whether two calls are the same but for their lists. */
bool rc_trace_same_but_list(const struct rc_trace_call *a, const struct rc_trace_call *b);

/* ---- how fast the cores of a rank were while it was recorded, in units of base/compute_kernel.h
 * ---- */

/* Memory of 256 KiB, 1, 4 and 16 MiB. */
enum { RC_TRACE_SPEED_SIZES = 4, RC_TRACE_SPEED_LEAST = 256 << 10, RC_TRACE_SPEED_STEP = 4 };

struct rc_trace_speed {
    uint64_t samples;                   /* spread over the trace; 0: nothing is known */
    double units;                       /* in a second of CPU time */
    double lines[RC_TRACE_SPEED_SIZES]; /* of memory, by size; 0: not measured */
};

/* Adds the payload of a block of speeds. */
void rc_trace_speed_put(struct rc_bytes_out *out, const struct rc_trace_speed *speed);

/* -1, and nothing is known, where the bytes make no sense. */
int rc_trace_speed_get(const uint8_t *bytes, size_t length, struct rc_trace_speed *speed);

#endif
