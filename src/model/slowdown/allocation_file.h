// SPDX-License-Identifier: GPL-3.0-or-later
/* allocation_file.h - machines, tasks and times from a file (docs/slowdown.md). */
#ifndef RC_MODEL_SLOWDOWN_ALLOCATION_FILE_H
#define RC_MODEL_SLOWDOWN_ALLOCATION_FILE_H

#include "model/slowdown/allocation.h"

enum { RC_ALLOCATION_TIMES_MAX = 1 << 22 }; /* transfer times: tasks x machines x machines */

/* Start from {0}; free with rc_slowdown_allocation_file_free(). */
struct rc_allocation_file {
    char **machines, **tasks; /* names */
    size_t n_machines, n_tasks;
    double *execution, *transfer, *slowdown, *link; /* as allocation.h has them */
};

/* Reads such a file: `text`, or the file `name` where it is NULL.  An error has its place. */
int rc_slowdown_allocation_file_parse(const char *text, size_t length, const char *name,
                                      struct rc_allocation_file *file, struct rc_error *error);
void rc_slowdown_allocation_file_free(struct rc_allocation_file *file);

/* Sets a slowdown by a text: "M1=3" of a machine, "M1>M2=3" of messages from one to another,
 * "M1<>M2=3" both ways.  It is 1 at least. */
int rc_slowdown_allocation_file_slow(struct rc_allocation_file *file, const char *text,
                                     struct rc_error *error);

/* What is in it; good while it is there. */
struct rc_allocation rc_slowdown_allocation_file_view(const struct rc_allocation_file *file);

#endif
