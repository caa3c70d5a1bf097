// SPDX-License-Identifier: BSD-2-Clause
/* writer_limits.h - the memory limits of a trace writer. */
#ifndef RC_MPI_TRACE_WRITER_LIMITS_H
#define RC_MPI_TRACE_WRITER_LIMITS_H

#include <stdint.h>

#include "runcast.h"

/* What exceeds them is written out, and forgotten.  All of it together is under 64 MiB with the
 * limits of rc_trace_limits_init(), and pages that are never used are never taken from the
 * system. */
struct rc_trace_limits {
    uint32_t window;     /* calls and loops in a row; loop bodies up to a quarter of it are found */
    uint32_t nodes;      /* the same with those inside of loops; above `window` */
    uint32_t samples;    /* positions inside of loops with up to RC_TRACE_SAMPLES calls each */
    uint32_t times;      /* positions with more */
    uint32_t symbols;    /* different calls */
    uint32_t list_items; /* numbers in their lists; at least RC_TRACE_LIST_MAX */
    uint32_t block;      /* bytes of the largest block of the file; at least 2^20 */
};

/* The default limits. */
void rc_trace_limits_init(struct rc_trace_limits *limits);

/* Whether a writer can work with them: 0, or -1. */
int rc_trace_limits_check(const struct rc_trace_limits *limits, struct rc_error *error);

#endif
