// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate_slowdown.c - aggregate slowdown. */
#include "model/slowdown/aggregate_slowdown.h"

#include <math.h>

#include "base/error.h"

static int check(const struct rc_aggregate_node *nodes, size_t n, enum rc_split split,
                 struct rc_error *error)
{
    double work = 0, dedicated = 0;

    if (n == 0)
        return rc_error_set(error, "no hosts");
    for (size_t i = 0; i < n; i++) {
        const struct rc_aggregate_node *node = &nodes[i];

        if (!(node->weight > 0 && isfinite(node->weight)))
            return rc_error_set(error, "host %zu: weight %g; it must be above 0", i + 1,
                                node->weight);
        if (!(node->slowdown >= 1 && isfinite(node->slowdown)))
            return rc_error_set(error, "host %zu: slowdown %g; it must be at least 1", i + 1,
                                node->slowdown);
        if (split == RC_SPLIT_LOAD)
            continue;
        if (!(node->work >= 0 && node->work <= 1) || node->dedicated < 0 || node->dedicated > 1)
            return rc_error_set(error, "host %zu: its part of the work must be from 0 to 1", i + 1);
        work += node->work;
        dedicated += isnan(node->dedicated) ? node->work : node->dedicated;
    }
    if (split == RC_SPLIT_CONSTRAINT && !(fabs(work - 1) < 1e-6 && fabs(dedicated - 1) < 1e-6))
        return rc_error_set(error, "parts of the work sum to %g, not to 1",
                            fabs(work - 1) < 1e-6 ? dedicated : work);
    return 0;
}

double rc_slowdown_aggregate_extra(double work, size_t n)
{
    return work * (double)n - 1;
}

/* Eq. 5. */
static void by_load(const struct rc_aggregate_node *nodes, size_t n, struct rc_aggregate *aggregate)
{
    for (size_t i = 0; i < n; i++) {
        aggregate->above += nodes[i].weight;
        aggregate->below += nodes[i].weight / nodes[i].slowdown;
    }
}

/* Eq. 9, of which Eqs. 8, 11 and 12 are cases. */
static void by_constraint(const struct rc_aggregate_node *nodes, size_t n,
                          struct rc_aggregate *aggregate)
{
    for (size_t i = 0; i < n; i++) {
        const struct rc_aggregate_node *node = &nodes[i];
        double known = isnan(node->dedicated) ? node->work : node->dedicated,
               shared =
                   (1 + rc_slowdown_aggregate_extra(node->work, n)) * node->slowdown / node->weight,
               alone = (1 + rc_slowdown_aggregate_extra(known, n)) / node->weight;

        if (shared > aggregate->above) {
            aggregate->above = shared;
            aggregate->slowest = i;
        }
        aggregate->below = fmax(aggregate->below, alone);
    }
}

int rc_slowdown_aggregate_compute(const struct rc_aggregate_node *nodes, size_t n,
                                  enum rc_split split, struct rc_aggregate *aggregate,
                                  struct rc_error *error)
{
    *aggregate = (struct rc_aggregate){0};
    if (check(nodes, n, split, error))
        return -1;
    if (split == RC_SPLIT_LOAD)
        by_load(nodes, n, aggregate);
    else
        by_constraint(nodes, n, aggregate);
    aggregate->slowdown = aggregate->above / aggregate->below;
    return 0;
}

void rc_slowdown_aggregate_weights(const double *seconds, size_t n, double *weights)
{
    double slowest = 0;

    for (size_t i = 0; i < n; i++)
        slowest = fmax(slowest, seconds[i]);
    for (size_t i = 0; i < n; i++)
        weights[i] = slowest / seconds[i];
}

double rc_slowdown_aggregate_network(double computing, double communicating, double part)
{
    return (1 - part) * computing + part * communicating;
}
