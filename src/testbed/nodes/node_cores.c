// SPDX-License-Identifier: GPL-3.0-or-later
/* node_cores.c - which core each node of a testbed is pinned to. */
#include "testbed/nodes/node_cores.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "testbed/nodes/testbed.h"
#include "host/sense/cores.h"

/* Shares are given with two digits or so: what is lost in adding them up must not matter. */
#define SLACK 1e-9

/* The number of the first hardware thread of the core that `cpu` belongs to. */
static int first_thread(int cpu)
{
    char path[128], text[64];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    if (rc_file_read(path, text, sizeof text) || !text[0])
        return cpu;
    return (int)strtol(text, NULL, 10);
}

void rc_nodes_cores_thin(int *cpus, const int *first_of_core, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (cpus[j] >= 0 && first_of_core[i] == first_of_core[j])
                cpus[i] = -1;
}

int rc_nodes_cores_find(struct rc_nodes_cores *cores, struct rc_error *error)
{
    struct rc_sense_cores allowed;
    int cpus[RC_SENSE_CORES_MAX] = {0}, first[RC_SENSE_CORES_MAX] = {0};
    size_t n;

    cores->n = 0;
    if (rc_sense_cores_allowed(&allowed, error))
        return -1;
    for (n = 0; n < allowed.n; n++) {
        cpus[n] = allowed.items[n];
        first[n] = first_thread(cpus[n]);
    }
    rc_nodes_cores_thin(cpus, first, n);
    for (size_t i = 0; i < n; i++)
        if (cpus[i] >= 0)
            cores->items[cores->n++] = (struct rc_nodes_core){.cpu = cpus[i]};
    return 0;
}

/* The core with the largest free share; of equal ones the last, but never the first while another
 * is free. */
static size_t roomiest(const struct rc_nodes_cores *cores)
{
    size_t best = 0;

    for (size_t i = 1; i < cores->n; i++)
        if (cores->items[i].taken <= cores->items[best].taken + SLACK)
            best = i;
    return best;
}

static bool place_all(struct rc_nodes_cores *cores, size_t n, double cpu, int *assigned)
{
    for (size_t i = 0; i < n; i++) {
        struct rc_nodes_core *core = &cores->items[roomiest(cores)];

        if (core->taken + cpu > 1 + SLACK)
            return false;
        core->taken += cpu;
        assigned[i] = core->cpu;
    }
    return true;
}

/* The largest share that `n` nodes can all have: on some core, some number of them fills it. */
static double largest_share(const struct rc_nodes_cores *cores, size_t n)
{
    struct rc_nodes_cores *trial = malloc(sizeof *trial);
    int assigned[RC_NODES_NODES_MAX];
    double best = 0;

    for (size_t i = 0; trial && i < cores->n; i++)
        for (size_t on_it = 1; on_it <= n; on_it++) {
            double share = floor((1 - cores->items[i].taken) / (double)on_it * 100 + SLACK) / 100;

            memcpy(trial, cores, sizeof *trial);
            if (share > best && place_all(trial, n, share, assigned))
                best = share;
        }
    free(trial);
    return best;
}

static int no_room(const struct rc_nodes_cores *cores, size_t n, double cpu, struct rc_error *error)
{
    double most = largest_share(cores, n), taken = 0;

    for (size_t i = 0; i < cores->n; i++)
        taken += cores->items[i].taken;
    if (taken > 0)
        rc_error_set(error,
                     "not enough cores for %zu nodes with %g of a core each: of %zu cores, other "
                     "labs use %.2f",
                     n, cpu, cores->n, taken);
    else
        rc_error_set(error,
                     "not enough cores for %zu nodes with %g of a core each: this machine has %zu",
                     n, cpu, cores->n);
    return most >= RC_NODES_CPU_LEAST
               ? rc_error_code(error, "nodes.no-room", "%g", most)
               : rc_error_hint(error, "use fewer nodes, or remove another lab");
}

int rc_nodes_cores_assign(struct rc_nodes_cores *cores, size_t n, double cpu, double *granted,
                          int *assigned, struct rc_error *error)
{
    struct rc_nodes_cores *before = malloc(sizeof *before);
    bool placed;

    if (!before || cores->n == 0) {
        free(before);
        return rc_error_no_memory(error);
    }
    memcpy(before, cores, sizeof *before);
    *granted = isnan(cpu) ? largest_share(cores, n) : cpu;
    placed = *granted >= RC_NODES_CPU_LEAST && place_all(cores, n, *granted, assigned);
    if (!placed) {
        memcpy(cores, before, sizeof *before);
        no_room(cores, n, *granted, error);
    }
    free(before);
    return placed ? 0 : -1;
}
