// SPDX-License-Identifier: GPL-3.0-or-later
/* task_allocation.h - machines for the tasks of a chain: the example in the introduction of
 * Figueira and Berman, for any number of tasks and machines. */
#ifndef RC_MODEL_SLOWDOWN_TASK_ALLOCATION_H
#define RC_MODEL_SLOWDOWN_TASK_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_ALLOCATION_TASKS_MAX = 10000, RC_ALLOCATION_MACHINES_MAX = 1000 };

/* Times on idle machines; INFINITY: impossible.  Transfers within a machine take no time. */
struct rc_allocation {
    size_t n_tasks, n_machines;
    const double *execution; /* [task][machine] */
    const double *transfer;  /* [task][from][to], to the next task; the last one is not used */
    const double *slowdown;  /* [machine] */
    const double *link;      /* slowdowns [from][to] */
};

struct rc_mapping {
    size_t *machines; /* of each task */
    double seconds;   /* INFINITY: no possible mapping */
    bool tie; /* another one takes the same time; this is the first in the order of machines */
};

/* The fastest mapping; free with rc_slowdown_mapping_free(). */
int rc_slowdown_allocation_solve(const struct rc_allocation *allocation, struct rc_mapping *mapping,
                                 struct rc_error *error);
void rc_slowdown_mapping_free(struct rc_mapping *mapping);

/* The times of a task of a mapping, and of the transfer to the next one. */
struct rc_allocation_step {
    double execution, transfer;
};
struct rc_allocation_step rc_slowdown_allocation_step(const struct rc_allocation *allocation,
                                                      const size_t *machines, size_t task);

/* The time of a mapping. */
double rc_slowdown_allocation_seconds(const struct rc_allocation *allocation,
                                      const size_t *machines);

/* ---- a file of tasks ---- */

enum { RC_ALLOCATION_TIMES_MAX = 1 << 22 }; /* transfer times: tasks x machines x machines */

/* Start from {0}; free with rc_slowdown_allocation_file_free(). */
struct rc_allocation_file {
    char **machines, **tasks; /* names */
    size_t n_machines, n_tasks;
    double *execution, *transfer, *slowdown, *link; /* as in struct rc_allocation */
};

/* Reads `text`, or the file `name` if it is NULL.  Errors have their place. */
int rc_slowdown_allocation_file_parse(const char *text, size_t length, const char *name,
                                      struct rc_allocation_file *file, struct rc_error *error);
void rc_slowdown_allocation_file_free(struct rc_allocation_file *file);

/* Sets a slowdown by a text: "M1=3" of a machine, "M1>M2=3" of messages from one to another,
 * "M1<>M2=3" in both directions.  At least 1. */
int rc_slowdown_allocation_file_slow(struct rc_allocation_file *file, const char *text,
                                     struct rc_error *error);

/* Its fastest mapping, to be freed; an error if there is none. */
int rc_slowdown_allocation_file_solve(const struct rc_allocation_file *file,
                                      struct rc_mapping *mapping, struct rc_error *error);

/* Its content; valid as long as the file. */
struct rc_allocation rc_slowdown_allocation_file_view(const struct rc_allocation_file *file);

#endif
