// SPDX-License-Identifier: GPL-3.0-or-later
/* task_allocation.h - on which machine each of several tasks in sequence is to run: the example of the
 * introduction of Figueira and Berman, for any number of tasks and machines. */
#ifndef RC_MODEL_SLOWDOWN_TASK_ALLOCATION_H
#define RC_MODEL_SLOWDOWN_TASK_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_ALLOCATION_TASKS_MAX = 10000, RC_ALLOCATION_MACHINES_MAX = 1000 };

/* Times when all is idle; INFINITY: it cannot be done there, or sent that way.  Transfers within a
 * machine take none. */
struct rc_allocation {
    size_t n_tasks, n_machines;
    const double *execution; /* [task][machine] */
    const double *transfer; /* [task][from][to], of what `task` hands to the next; the last's is not
                                used */
    const double *slowdown; /* [machine] */
    const double *link;     /* slowdowns [from][to] */
};

struct rc_mapping {
    size_t *machines; /* of each task */
    double seconds;   /* INFINITY: there is no way */
    bool tie;         /* another one is as good; this is the first, by the machines' order */
};

/* The mapping that takes the least time; to be freed with rc_slowdown_mapping_free(). */
int rc_slowdown_allocation_solve(const struct rc_allocation *allocation, struct rc_mapping *mapping,
                                 struct rc_error *error);
void rc_slowdown_mapping_free(struct rc_mapping *mapping);

/* What one task of a mapping takes, and what sending its results to the next one does. */
struct rc_allocation_step {
    double execution, transfer;
};
struct rc_allocation_step rc_slowdown_allocation_step(const struct rc_allocation *allocation,
                                                      const size_t *machines, size_t task);

/* What a given mapping takes. */
double rc_slowdown_allocation_seconds(const struct rc_allocation *allocation,
                                      const size_t *machines);

/* ---- a file of tasks ---- */

enum { RC_ALLOCATION_TIMES_MAX = 1 << 22 }; /* transfer times: tasks x machines x machines */

/* Start from {0}; free with rc_slowdown_allocation_file_free(). */
struct rc_allocation_file {
    char **machines, **tasks; /* names */
    size_t n_machines, n_tasks;
    double *execution, *transfer, *slowdown, *link; /* as task_allocation.h has them */
};

/* Reads such a file: `text`, or the file `name` where it is NULL.  An error has its place. */
int rc_slowdown_allocation_file_parse(const char *text, size_t length, const char *name,
                                      struct rc_allocation_file *file, struct rc_error *error);
void rc_slowdown_allocation_file_free(struct rc_allocation_file *file);

/* Sets a slowdown by a text: "M1=3" of a machine, "M1>M2=3" of messages from one to another,
 * "M1<>M2=3" both ways.  It is 1 at least. */
int rc_slowdown_allocation_file_slow(struct rc_allocation_file *file, const char *text,
                                     struct rc_error *error);

/* The best mapping of it, to be freed; an error where there is no way to run all tasks. */
int rc_slowdown_allocation_file_solve(const struct rc_allocation_file *file,
                                      struct rc_mapping *mapping, struct rc_error *error);

/* What is in it; good while it is there. */
struct rc_allocation rc_slowdown_allocation_file_view(const struct rc_allocation_file *file);

#endif
