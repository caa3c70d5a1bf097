// SPDX-License-Identifier: GPL-3.0-or-later
/* run_layout.c - the mesh, hosts and network of a small run. */
#include "model/scaling/run_layout.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

/* A parameter that must be a whole number within the ends; `otherwise` where there is none. */
static int whole(const struct rc_param *params, size_t n_params, const char *name,
                 int64_t otherwise, int64_t low, int64_t high, int64_t *value, struct rc_error *why)
{
    *value = otherwise;
    for (size_t i = 0; i < n_params; i++) {
        double x = params[i].value;

        if (strcmp(params[i].name, name) != 0)
            continue;
        if (!(x >= (double)low && x <= (double)high && x == floor(x)))
            return rc_error_set(why, "its parameter %s is %g, not a whole number from %lld to %lld",
                                name, x, (long long)low, (long long)high);
        *value = (int64_t)x;
    }
    return 0;
}

uint64_t rc_scaling_cluster_bit(size_t cluster)
{
    return cluster < 64 ? (uint64_t)1 << cluster : 0;
}

/* Finds the cluster that has all of `hosts`, or those that have some each, and how many they are.
 * */
static void find_clusters(const struct rc_platform *platform, const char *hosts,
                          struct rc_scaling_run *out)
{
    struct rc_hostlist list = {0};
    bool known = true, several = false;
    size_t first = 0;

    out->cluster = RC_SCALING_CLUSTER_UNSAID;
    if (!platform || !hosts || !*hosts)
        return;
    out->cluster = RC_SCALING_CLUSTER_NONE;
    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &list, NULL))
        return;
    for (size_t i = 0; i < list.count; i++) {
        const struct rc_cluster *own;
        const struct rc_host *host = rc_platform_find_host(platform, list.names[i], &own);
        size_t cluster = host ? (size_t)(own - platform->clusters) : platform->n_clusters;

        first = i == 0 ? cluster : first;
        several |= cluster != first;
        known &= cluster < platform->n_clusters && rc_scaling_cluster_bit(cluster) != 0;
        out->across |= rc_scaling_cluster_bit(cluster);
    }
    out->n_hosts = list.count;
    if (list.count > 0 && !several && first < platform->n_clusters)
        out->cluster = first;
    if (!known || out->cluster != RC_SCALING_CLUSTER_NONE)
        out->across = 0;
    rc_platform_hostlist_free(&list);
}

int rc_scaling_run_layout(double size, int64_t procs, const char *hosts,
                          const struct rc_param *params, size_t n_params,
                          const struct rc_platform *platform, struct rc_scaling_run *out,
                          struct rc_error *why)
{
    int64_t cut, network, per_host, copies, alone, rows, cols, layers;
    int64_t n = size >= 1 && size <= (double)RC_MESH_MAX && size == floor(size) ? (int64_t)size : 0;
    struct rc_mesh block;

    *out = (struct rc_scaling_run){
        .procs = procs, .seconds = NAN, .memory = NAN, .command = NAN, .cpu = NAN};
    if (whole(params, n_params, "cut", 1, 1, 3, &cut, why) ||
        whole(params, n_params, "network", 0, 0, 1 << 20, &network, why) ||
        whole(params, n_params, "per_host", 0, 0, RC_PER_HOST_MAX, &per_host, why) ||
        whole(params, n_params, "copies", 0, 0, RC_PER_HOST_MAX, &copies, why) ||
        whole(params, n_params, "alone", 0, 0, 1, &alone, why) ||
        whole(params, n_params, "cols", n, 1, RC_MESH_MAX, &cols, why) ||
        whole(params, n_params, "rows", cols, 1, RC_MESH_MAX, &rows, why) ||
        whole(params, n_params, "layers", cut == 3 ? cols : 1, 1, RC_MESH_MAX, &layers, why) ||
        rc_scaling_mesh_init(&out->mesh, rows, cols, layers, why) ||
        rc_scaling_mesh_block(&out->mesh, procs, (int)cut, &block, why))
        return -1;
    out->cut = (int)cut;
    out->network = (int)network;
    out->per_host = (int)(procs == 1 && copies > 0 ? copies : per_host);
    out->alone = alone == 1;
    find_clusters(platform, hosts, out);
    return 0;
}

int rc_scaling_run_of(const struct rc_run *run, const struct rc_platform *platform,
                      struct rc_scaling_run *out, struct rc_error *why)
{
    const char *fault = run->status == RC_RUN_FAILED                    ? "it failed"
                        : !(run->seconds > 0 && isfinite(run->seconds)) ? "its run time is unknown"
                                                                        : NULL;

    *out = (struct rc_scaling_run){0};
    if (fault)
        rc_error_set(why, "%s", fault);
    if (fault || rc_scaling_run_layout(run->n, run->p, run->hosts, run->params, run->n_params,
                                       platform, out, why))
        return 0;
    out->id = run->id;
    out->killed = run->status != RC_RUN_OK;
    out->seconds = run->seconds;
    out->memory = run->memory;
    out->cpu = isnan(run->cpu_avgmin) ? run->cpu_minavg : run->cpu_avgmin;
    for (size_t i = 0; i < run->n_params; i++)
        if (strcmp(run->params[i].name, "command") == 0)
            out->command = run->params[i].value;
    return 1;
}
