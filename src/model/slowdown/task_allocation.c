// SPDX-License-Identifier: GPL-3.0-or-later
/* task_allocation.c - machines for the tasks of a chain.
 *
 * From the last task to the first: the least time from the start of a task on a machine to the end
 * follows from that of the next task on every machine.  Then tasks are mapped from the first on, to
 * the first of equally good machines. */
#include "model/slowdown/task_allocation.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Times that differ by less are equal, since sums round differently. */
static bool as_good(double a, double b)
{
    return a <= b + 1e-9 * fabs(b);
}

static double execution(const struct rc_allocation *a, size_t task, size_t machine)
{
    return a->execution[task * a->n_machines + machine] * a->slowdown[machine];
}

static double transfer(const struct rc_allocation *a, size_t task, size_t from, size_t to)
{
    return from == to ? 0
                      : a->transfer[(task * a->n_machines + from) * a->n_machines + to] *
                            a->link[from * a->n_machines + to];
}

/* left[task][machine]: from the start of `task` there to the end. */
static void find_times_left(const struct rc_allocation *a, double *left)
{
    size_t m = a->n_machines;

    for (size_t task = a->n_tasks; task-- > 0;)
        for (size_t here = 0; here < m; here++) {
            double least = task + 1 < a->n_tasks ? INFINITY : 0;

            for (size_t next = 0; task + 1 < a->n_tasks && next < m; next++)
                least = fmin(least, transfer(a, task, here, next) + left[(task + 1) * m + next]);
            left[task * m + here] = execution(a, task, here) + least;
        }
}

/* The first of the best machines for `task`, after `before`. */
static size_t choose(const struct rc_allocation *a, const double *left, size_t task, size_t before,
                     bool *tie)
{
    size_t m = a->n_machines, best = 0, good = 0;
    double least = INFINITY;

    for (int pass = 0; pass < 2; pass++)
        for (size_t here = m; here-- > 0;) {
            double all = left[task * m + here] + (task ? transfer(a, task - 1, before, here) : 0);

            if (pass == 0) {
                least = fmin(least, all);
            } else if (as_good(all, least)) {
                best = here;
                good++;
            }
        }
    *tie = *tie || good > 1;
    return best;
}

int rc_slowdown_allocation_solve(const struct rc_allocation *allocation, struct rc_mapping *mapping,
                                 struct rc_error *error)
{
    size_t n = allocation->n_tasks, m = allocation->n_machines;
    double *left;

    *mapping = (struct rc_mapping){0};
    if (n == 0 || m == 0 || n > RC_ALLOCATION_TASKS_MAX || m > RC_ALLOCATION_MACHINES_MAX)
        return rc_error_set(error,
                            "number of tasks must be from 1 to %d, and of machines from 1 to %d",
                            RC_ALLOCATION_TASKS_MAX, RC_ALLOCATION_MACHINES_MAX);
    left = calloc(n * m, sizeof *left);
    mapping->machines = calloc(n, sizeof *mapping->machines);
    if (!left || !mapping->machines) {
        free(left);
        rc_slowdown_mapping_free(mapping);
        return rc_error_no_memory(error);
    }
    find_times_left(allocation, left);
    for (size_t task = 0; task < n; task++)
        mapping->machines[task] =
            choose(allocation, left, task, task ? mapping->machines[task - 1] : 0, &mapping->tie);
    mapping->seconds = rc_slowdown_allocation_seconds(allocation, mapping->machines);
    mapping->tie = mapping->tie && isfinite(mapping->seconds);
    free(left);
    return 0;
}

void rc_slowdown_mapping_free(struct rc_mapping *mapping)
{
    free(mapping->machines);
    *mapping = (struct rc_mapping){0};
}

struct rc_allocation_step rc_slowdown_allocation_step(const struct rc_allocation *allocation,
                                                      const size_t *machines, size_t task)
{
    bool last = task + 1 == allocation->n_tasks;

    return (struct rc_allocation_step){
        execution(allocation, task, machines[task]),
        last ? 0 : transfer(allocation, task, machines[task], machines[task + 1])};
}

double rc_slowdown_allocation_seconds(const struct rc_allocation *allocation,
                                      const size_t *machines)
{
    double seconds = 0;

    for (size_t task = 0; task < allocation->n_tasks; task++) {
        struct rc_allocation_step step = rc_slowdown_allocation_step(allocation, machines, task);

        seconds += step.execution;
        seconds += step.transfer;
    }
    return seconds;
}
