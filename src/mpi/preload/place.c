// SPDX-License-Identifier: BSD-2-Clause
/* place.c - where a program runs, and by which clock. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "mpi/preload/begin.h"

void rc_preload_place(struct rc_trace_header *header)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    snprintf(header->clock, sizeof header->clock, "CLOCK_MONOTONIC");
    if (gethostname(header->host, sizeof header->host - 1) != 0)
        header->host[0] = '\0';
    path[length > 0 ? length : 0] = '\0';
    snprintf(header->program, sizeof header->program, "%.255s", path);
}
