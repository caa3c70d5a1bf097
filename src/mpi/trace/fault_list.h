// SPDX-License-Identifier: BSD-2-Clause
/* fault_list.h - a list of what is wrong, one sentence each. */
#ifndef RC_MPI_TRACE_FAULT_LIST_H
#define RC_MPI_TRACE_FAULT_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum { RC_FAULTS_KEPT = 50 }; /* sentences; more are only counted */

/* All zero is an empty list; free with rc_trace_faults_free(). */
struct rc_faults {
    char *texts[RC_FAULTS_KEPT];
    size_t kept;
    uint64_t n; /* all that were found */
};

/* Adds a sentence, or only counts it where there are RC_FAULTS_KEPT or memory runs out. */
void rc_trace_faults_add(struct rc_faults *faults, const char *format, ...) RC_PRINTF(2, 3);
void rc_trace_faults_free(struct rc_faults *faults);

#endif
