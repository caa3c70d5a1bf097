// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_hosts.c - the hosts of small runs, and their cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "model/scaling/plan_internal.h"

void rc_scaling_hosts_free(struct rc_scaling_hosts *hosts)
{
    free(hosts->order);
    *hosts = (struct rc_scaling_hosts){0};
}

/* ---- which hosts ---- */

/* Hosts of other clusters are for the plans of those. */
static int add_host(const struct rc_platform *platform, struct rc_scaling_hosts *hosts,
                    const char *name, struct rc_error *error)
{
    for (size_t i = 0; i < hosts->cluster->n_hosts; i++)
        if (strcmp(hosts->cluster->hosts[i].name, name) == 0) {
            hosts->order[hosts->n++] = i;
            return 0;
        }
    if (rc_platform_find_host(platform, name, NULL))
        return 0;
    return rc_error_set(error, "platform '%s' has no host '%s'", platform->name, name);
}

static int named_hosts(const struct rc_platform *platform, struct rc_scaling_hosts *hosts,
                       const char *text, struct rc_error *error)
{
    struct rc_hostlist list;
    int status = 0;

    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &list, error))
        return -1;
    for (size_t i = 0; i < list.count && !status; i++)
        status = add_host(platform, hosts, list.names[i], error);
    rc_platform_hostlist_free(&list);
    if (status || hosts->n > 0)
        return status;
    return rc_error_set(error, "none of these hosts is in cluster '%s'", hosts->cluster->name);
}

/* The slowest first, otherwise in their order; without speeds, all are equal. */
static int by_speed(const void *a, const void *b, void *data)
{
    const struct rc_host *hosts = data;
    size_t p = *(const size_t *)a, q = *(const size_t *)b;

    if (hosts && hosts[p].speed != hosts[q].speed)
        return (hosts[p].speed > hosts[q].speed) - (hosts[p].speed < hosts[q].speed);
    return (p > q) - (p < q);
}

static void sort_hosts(const struct rc_scaling_hosts *hosts)
{
    bool known = true;

    for (size_t i = 0; i < hosts->n; i++)
        known = known && !isnan(hosts->cluster->hosts[hosts->order[i]].speed);
    qsort_r(hosts->order, hosts->n, sizeof *hosts->order, by_speed,
            known ? hosts->cluster->hosts : NULL);
}

/* ---- the target ---- */

static int no_room(const struct rc_scaling_request *request, const char *cluster, int64_t slots,
                   struct rc_error *error)
{
    rc_error_set(error, "%lld processes do not fit on %s '%s', which take%s %lld",
                 (long long)request->procs, request->hosts ? "these hosts of cluster" : "cluster",
                 cluster, request->hosts ? "" : "s", (long long)slots);
    return request->hosts ? rc_error_code(error, "scaling.few-hosts", NULL) : -1;
}

/* How many processes it has on a host, and on how many. */
static int place_target(const struct rc_scaling_request *request, struct rc_scaling_hosts *hosts,
                        struct rc_error *error)
{
    struct rc_cluster cluster = *hosts->cluster;
    int64_t slots = 0;
    int most = 0;

    if (request->per_host > 0)
        cluster.per_host = request->per_host;
    for (size_t i = 0; i < hosts->n; i++) {
        const struct rc_host *host = &cluster.hosts[hosts->order[i]];
        int here = rc_platform_cluster_slots(&cluster, hosts->order[i]);

        if (request->per_host > 0 && host->cores < request->per_host)
            return rc_error_set(error,
                                "host '%s' has %d core%s, fewer than the %d processes per "
                                "host",
                                host->name, host->cores, host->cores == 1 ? "" : "s",
                                request->per_host);
        slots += here;
        most = here > most ? here : most;
    }
    if (slots < request->procs)
        return no_room(request, cluster.name, slots, error);
    /* spread over the hosts, it may have fewer on each */
    if (request->per_host == 0 && cluster.order == RC_PLACE_SPREAD) {
        int64_t each = (request->procs + (int64_t)hosts->n - 1) / (int64_t)hosts->n;

        most = each < most ? (int)each : most;
    }
    hosts->target = request->procs < most ? (int)request->procs : most;
    hosts->target_hosts = (size_t)((request->procs + hosts->target - 1) / hosts->target);
    return 0;
}

static double memory_of(const struct rc_scaling_request *request, const struct rc_mesh *block)
{
    return request->bytes_base + request->bytes_per_cell * rc_scaling_mesh_cells(block);
}

/* The least that a process has on the first `n` hosts with `busy` on each; NAN: unknown. */
static double host_memory(const struct rc_scaling_hosts *hosts, size_t n, int busy)
{
    double least = INFINITY;

    for (size_t i = 0; i < n; i++) {
        double memory = hosts->cluster->hosts[hosts->order[i]].memory;

        if (isnan(memory))
            return NAN;
        least = fmin(least, memory / busy);
    }
    return least;
}

static bool does_fit(double memory, double there)
{
    return !(memory > there * (1 + 1e-9)); /* also where one is not known */
}

int rc_scaling_hosts_find(const struct rc_scaling_request *request, int64_t largest,
                          struct rc_scaling_plan *plan, struct rc_scaling_hosts *hosts,
                          struct rc_error *error)
{
    *hosts = (struct rc_scaling_hosts){.cluster = &request->platform->clusters[request->cluster]};
    hosts->order = calloc(hosts->cluster->n_hosts + 1, sizeof *hosts->order);
    if (!hosts->order)
        return rc_error_no_memory(error);
    if (!request->hosts)
        for (; hosts->n < hosts->cluster->n_hosts; hosts->n++)
            hosts->order[hosts->n] = hosts->n;
    else if (named_hosts(request->platform, hosts, request->hosts, error))
        return -1;
    sort_hosts(hosts);
    if (place_target(request, hosts, error))
        return -1;
    plan->per_host = hosts->target;
    plan->memory = memory_of(request, &plan->block);
    plan->host_memory = host_memory(hosts, hosts->target_hosts, hosts->target);
    plan->fits = does_fit(plan->memory, plan->host_memory);
    plan->target_core_hours =
        rc_scaling_cost_guess_seconds(request, plan->procs, rc_scaling_mesh_cells(&plan->block)) *
        (double)plan->procs / 3600;
    plan->packed = hosts->n < (size_t)largest;
    if (!plan->packed || hosts->target_hosts == 1)
        return 0;
    return rc_scaling_note(
        &plan->notes, error,
        "cluster '%s' has %zu hosts, too few for small runs on %lld processes with one per "
        "host; they are placed as the target is, and the network cost may be underestimated",
        hosts->cluster->name, hosts->n, (long long)largest);
}

/* ---- small runs ---- */

/* The first `n` of the hosts as an expression, in the cluster's order. */
static char *expression(const struct rc_scaling_hosts *hosts, size_t n, struct rc_error *error)
{
    const struct rc_cluster *cluster = hosts->cluster;
    const char **names = calloc(cluster->n_hosts, sizeof *names);
    char *text = NULL;
    size_t used = 0;

    if (!names)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < n; i++)
        names[hosts->order[i]] = cluster->hosts[hosts->order[i]].name;
    for (size_t i = 0; i < cluster->n_hosts; i++)
        if (names[i])
            names[used++] = names[i];
    text = rc_platform_hostlist_compress(names, used, error);
    free(names);
    return text;
}

int rc_scaling_plan_place(const struct rc_scaling_hosts *hosts, const struct rc_scaling_plan *plan,
                          struct rc_scaling_planned *run, struct rc_error *error)
{
    run->busy = hosts->target;
    run->copies = run->procs == 1 ? hosts->target : 1;
    run->per_host = 1;
    if (run->procs > 1 && plan->packed)
        run->per_host = run->procs < hosts->target ? (int)run->procs : hosts->target;
    run->fillers = run->procs == 1 ? 0 : run->busy - run->per_host;
    run->n_hosts = (size_t)((run->procs + run->per_host - 1) / run->per_host);
    if (run->n_hosts > hosts->n)
        return rc_error_set(error, "small runs on %lld processes need %zu hosts; there are %zu",
                            (long long)run->procs, run->n_hosts, hosts->n);
    run->hosts = expression(hosts, run->n_hosts, error);
    return run->hosts ? 0 : -1;
}

int rc_scaling_plan_cost(const struct rc_scaling_request *request,
                         const struct rc_scaling_hosts *hosts, const struct rc_scaling_plan *plan,
                         struct rc_scaling_planned *run, struct rc_error *error)
{
    const struct rc_scaling_work cells = {0}, *work = request->work ? request->work : &cells;
    double cores = (double)run->n_hosts * run->busy * run->repeats, whole, part;

    /* a fitted power is not known before the runs */
    if (work->kind == RC_WORK_POWER)
        work = &cells;
    if (rc_scaling_work_of(work, &plan->block, plan->procs, &whole, error) ||
        rc_scaling_work_of(work, &run->block, run->procs, &part, error))
        return -1;
    run->memory = memory_of(request, &run->block);
    run->host_memory = host_memory(hosts, run->n_hosts, run->busy);
    run->fits = does_fit(run->memory, run->host_memory);
    /* a small run takes about as long as the large one, by its part of the work */
    run->core_hours =
        cores / 3600 *
        rc_scaling_cost_guess_seconds(request, run->procs,
                                      part / whole * rc_scaling_mesh_cells(&plan->block));
    run->share = isnan(run->core_hours) ? cores * part / whole / (double)plan->procs
                                        : run->core_hours / plan->target_core_hours;
    return 0;
}

int rc_scaling_plan_side(const struct rc_scaling_request *request, const struct rc_mesh *block,
                         int64_t procs, struct rc_scaling_planned *side, struct rc_error *error)
{
    struct rc_scaling_plan plan = {.mesh = request->mesh,
                                   .procs = request->procs,
                                   .cut = request->cut};
    struct rc_scaling_hosts hosts = {0};
    int status;

    *side = (struct rc_scaling_planned){.procs = procs,
                                        .block = *block,
                                        .repeats = request->repeats,
                                        .why = "one side of a run across clusters"};
    status = rc_scaling_mesh_block(&plan.mesh, plan.procs, plan.cut, &plan.block, error) ||
             rc_scaling_hosts_find(request, procs, &plan, &hosts, error);
    plan.packed = false;
    status = status || rc_scaling_mesh_of_blocks(block, procs, plan.cut, &side->mesh, error) ||
             rc_scaling_plan_place(&hosts, &plan, side, error) ||
             rc_scaling_plan_cost(request, &hosts, &plan, side, error);
    if (status) {
        free(side->hosts);
        side->hosts = NULL;
    }
    rc_scaling_hosts_free(&hosts);
    rc_scaling_notes_free(&plan.notes);
    return status ? -1 : 0;
}
