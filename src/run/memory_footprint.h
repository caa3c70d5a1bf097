// SPDX-License-Identifier: GPL-3.0-or-later
/* memory_footprint.h - the memory of a process and all that it started on this machine, while they
 * run. */
#ifndef RC_RUN_MEMORY_FOOTPRINT_H
#define RC_RUN_MEMORY_FOOTPRINT_H

#include <sys/types.h>

#include "runcast.h"

enum { RC_FOOTPRINT_PROCESSES_MAX = 1 << 16 };

struct rc_footprint {
    double peak; /* bytes: the most that any of the processes had resident so far; NAN: none seen */
};
void rc_run_footprint_init(struct rc_footprint *footprint);

/* Looks at `root` and its descendants once, by /proc.  What a process had at its highest counts,
 * so that one look shortly before its end tells all of it.  -1 where memory runs out or /proc is
 * not there. */
int rc_run_footprint_look(struct rc_footprint *footprint, pid_t root, struct rc_error *error);

/* Calls `each` for `root` and its descendants.  -1 as above. */
int rc_run_footprint_each(pid_t root, void (*each)(void *data, pid_t pid), void *data,
                          struct rc_error *error);

/* For tests: the parent from the text of /proc/PID/stat, or -1; and the bytes of the line `name`
 * (such as "VmHWM") in the text of /proc/PID/status, or NAN. */
pid_t rc_run_footprint_parent(const char *stat);
double rc_run_footprint_bytes(const char *status, const char *name);

#endif
