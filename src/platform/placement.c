// SPDX-License-Identifier: GPL-3.0-or-later
/* placement.c - how many processes go on each host, and the memory that each then has.
 *
 * Packed fills each host in turn.  Spread gives one process to each host in turn, and passes over
 * those that are full; when it ends, every host has min(slots, level) processes, and the first few
 * of those with more slots than that have one more.  The level is found by bisection, so that no
 * number of processes makes it slow. */
#include <assert.h>
#include <math.h>

#include "platform/platform.h"

/* What is still to be placed, on the way from the first host to the last. */
struct placing {
    enum rc_placement_order order;
    int64_t level; /* of spread: what every host with that many slots gets */
    int64_t left;  /* of packed: processes; of spread: processes above the level */
};

int rc_platform_cluster_slots(const struct rc_cluster *cluster, size_t host)
{
    return cluster->per_host > 0 ? cluster->per_host : cluster->hosts[host].cores;
}

/* Processes when no host takes more than `level`. */
static int64_t capacity_below(const struct rc_cluster *cluster, int64_t level)
{
    int64_t sum = 0;

    for (size_t i = 0; i < cluster->n_hosts; i++) {
        int slots = rc_platform_cluster_slots(cluster, i);

        sum += slots < level ? slots : level;
    }
    return sum;
}

int64_t rc_platform_cluster_capacity(const struct rc_cluster *cluster)
{
    return capacity_below(cluster, INT64_MAX);
}

static int start_placing(const struct rc_cluster *cluster, int64_t processes, struct placing *p)
{
    int64_t low = 0, high = 1, middle;

    if (processes < 0 || processes > rc_platform_cluster_capacity(cluster))
        return -1;
    *p = (struct placing){.order = cluster->order, .left = processes};
    if (cluster->order != RC_PLACE_SPREAD)
        return 0;
    for (size_t i = 0; i < cluster->n_hosts; i++)
        if (rc_platform_cluster_slots(cluster, i) >= high)
            high = (int64_t)rc_platform_cluster_slots(cluster, i) + 1;
    /* Always: capacity_below(low) <= processes, and the answer is below high. */
    while (high - low > 1) {
        middle = low + (high - low) / 2;
        if (capacity_below(cluster, middle) <= processes)
            low = middle;
        else
            high = middle;
    }
    assert(capacity_below(cluster, low) <= processes);
    p->level = low;
    p->left = processes - capacity_below(cluster, low);
    return 0;
}

/* Processes on the next host; to be called for each host in turn. */
static int place_next(struct placing *p, int slots)
{
    int64_t count;

    if (p->order != RC_PLACE_SPREAD) {
        count = p->left < slots ? p->left : slots;
        p->left -= count;
        return (int)count;
    }
    count = slots < p->level ? slots : p->level;
    if (slots > p->level && p->left > 0) {
        p->left--;
        count++;
    }
    return (int)count;
}

int rc_platform_cluster_place(const struct rc_cluster *cluster, int64_t processes, int *counts)
{
    struct placing p;

    if (start_placing(cluster, processes, &p))
        return -1;
    for (size_t i = 0; i < cluster->n_hosts; i++)
        counts[i] = place_next(&p, rc_platform_cluster_slots(cluster, i));
    return 0;
}

double rc_platform_cluster_memory_per_process(const struct rc_cluster *cluster, int64_t processes)
{
    struct placing p;
    double least = NAN, share;
    int count;

    if (start_placing(cluster, processes, &p))
        return NAN;
    for (size_t i = 0; i < cluster->n_hosts; i++) {
        count = place_next(&p, rc_platform_cluster_slots(cluster, i));
        if (count == 0)
            continue;
        share = cluster->hosts[i].memory / count;
        if (isnan(share))
            return NAN;
        if (!(share >= least))
            least = share;
    }
    return least;
}

const char *rc_platform_placement_order_name(enum rc_placement_order order)
{
    return order == RC_PLACE_SPREAD ? "spread" : "packed";
}
