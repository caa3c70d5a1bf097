// SPDX-License-Identifier: BSD-2-Clause
/* speed.h - how fast the cores of a rank were while it was recorded, in units of base/kernel.h. */
#ifndef RC_MPI_TRACE_SPEED_H
#define RC_MPI_TRACE_SPEED_H

#include "mpi/trace/bytes.h"

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
