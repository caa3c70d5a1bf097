// SPDX-License-Identifier: GPL-3.0-or-later
/* choice_builder.c - builds choices: places of a run with their processes, cores and memory. */
#include "model/scaling/choice_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const struct rc_cluster *cluster_at(const struct rc_choosing *choosing, size_t cluster)
{
    return &choosing->request->platform->clusters[cluster];
}

const char *rc_scaling_choosing_network(const struct rc_choosing *choosing,
                                        const struct rc_choice_place *place)
{
    return rc_scaling_network_name(cluster_at(choosing, place->cluster), place->network);
}

/* ---- models ---- */

const struct rc_scaling_model *rc_scaling_choosing_model(const struct rc_choosing *choosing,
                                                         const struct rc_choice_place *place,
                                                         const struct rc_mesh *mesh, int64_t procs)
{
    return rc_scaling_models_find(choosing->request->models,
                                  cluster_at(choosing, place->cluster)->name,
                                  rc_scaling_choosing_network(choosing, place), place->per_host,
                                  choosing->request->cut, mesh, procs);
}

const struct rc_scaling_mc *rc_scaling_choosing_mc(struct rc_choosing *choosing,
                                                   const struct rc_scaling_model *model,
                                                   struct rc_error *error)
{
    size_t i = (size_t)(model - choosing->request->models->items);

    if (!choosing->mc[i])
        choosing->mc[i] = rc_scaling_mc_create(model, 1, error);
    return choosing->mc[i];
}

/* ---- processes ---- */

static size_t add_number(int *numbers, size_t n, int number)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] == number)
            return n;
    if (n < RC_CHOICE_PER_HOST_MAX)
        numbers[n++] = number;
    return n;
}

size_t rc_scaling_choosing_per_host(const struct rc_choosing *choosing, size_t cluster,
                                    size_t network, int per_host[RC_CHOICE_PER_HOST_MAX])
{
    const struct rc_choices_request *request = choosing->request;
    const struct rc_choice_place place = {.cluster = cluster, .network = network};
    size_t n = 0;

    if (request->clusters && request->clusters[cluster].per_host > 0)
        return add_number(per_host, 0, request->clusters[cluster].per_host);
    for (size_t i = 0; i < request->models->n; i++) {
        const struct rc_scaling_setting *setting = &request->models->items[i].setting;

        if (strcmp(setting->cluster, cluster_at(choosing, cluster)->name) == 0 &&
            strcmp(setting->network, rc_scaling_choosing_network(choosing, &place)) == 0 &&
            setting->cut == request->cut)
            n = add_number(per_host, n, setting->per_host);
    }
    return n > 0 ? n : add_number(per_host, 0, 0);
}

/* Those that were asked for.  With another number on a host they may fit, so that they are no
 * error. */
static int asked_procs(struct rc_choosing *choosing, const struct rc_cluster *cluster,
                       const struct rc_choice_cluster *asked, int64_t *procs, size_t *n,
                       struct rc_error *error)
{
    int64_t most = rc_platform_cluster_capacity(cluster);

    for (size_t i = 0; i < asked->n_procs; i++) {
        if (asked->procs[i] < 1)
            return rc_error_set(error, "cluster '%s' takes 1 to %lld processes, not %lld",
                                cluster->name, (long long)most, (long long)asked->procs[i]);
        if (asked->procs[i] <= most)
            procs[(*n)++] = asked->procs[i];
        else if (rc_scaling_note(
                     &choosing->choices->notes, error,
                     "cluster '%s' takes at most %lld processes with %d per host; %lld are left "
                     "out",
                     cluster->name, (long long)most,
                     cluster->n_hosts > 0 ? rc_platform_cluster_slots(cluster, 0) : 0,
                     (long long)asked->procs[i]))
            return -1;
    }
    return 0;
}

int rc_scaling_choosing_procs(struct rc_choosing *choosing, const struct rc_choice_place *place,
                              int64_t procs[RC_CHOICE_PROCS_MAX], size_t *n, struct rc_error *error)
{
    const struct rc_choices_request *request = choosing->request;
    struct rc_cluster cluster =
        rc_scaling_placed(cluster_at(choosing, place->cluster), place->per_host);
    int64_t most = rc_platform_cluster_capacity(&cluster);

    *n = 0;
    if (request->clusters && request->clusters[place->cluster].n_procs > 0)
        return asked_procs(choosing, &cluster, &request->clusters[place->cluster], procs, n, error);
    for (int64_t p = 1; p < most && *n + 1 < RC_CHOICE_PROCS_MAX; p *= 2)
        procs[(*n)++] = p;
    if (most >= 1)
        procs[(*n)++] = most;
    return 0;
}

/* ---- parts ---- */

/* All cores of the hosts that `procs` processes are on. */
static int64_t whole_cores(const struct rc_cluster *cluster, int64_t procs)
{
    int *counts = calloc(cluster->n_hosts + 1, sizeof *counts);
    int64_t cores = 0;

    if (counts && rc_platform_cluster_place(cluster, procs, counts) == 0)
        for (size_t i = 0; i < cluster->n_hosts; i++)
            cores += counts[i] > 0 ? cluster->hosts[i].cores : 0;
    free(counts);
    return cores > 0 ? cores : procs;
}

void rc_scaling_choosing_part(const struct rc_choosing *choosing,
                              const struct rc_choice_place *place, const struct rc_mesh *mesh,
                              int64_t procs, const struct rc_scaling_model *model,
                              struct rc_choice_part *part)
{
    struct rc_cluster cluster =
        rc_scaling_placed(cluster_at(choosing, place->cluster), place->per_host);

    *part = (struct rc_choice_part){.cluster = place->cluster,
                                    .network = place->network,
                                    .procs = procs,
                                    .rows = mesh->extent[RC_MESH_ROWS],
                                    .per_host = place->per_host,
                                    .cores = procs,
                                    .core_cost = cluster.core_hour_cost,
                                    .model = model};
    if (part->per_host == 0)
        part->per_host = cluster.n_hosts > 0 ? rc_platform_cluster_slots(&cluster, 0) : 0;
    if (choosing->request->whole_hosts)
        part->cores = whole_cores(&cluster, procs);
    part->host_memory = rc_platform_cluster_memory_per_process(&cluster, procs);
    rc_scaling_choosing_memory(choosing, mesh, model, part);
}

void rc_scaling_choosing_memory(const struct rc_choosing *choosing, const struct rc_mesh *mesh,
                                const struct rc_scaling_model *model, struct rc_choice_part *part)
{
    struct rc_mesh own = rc_scaling_mesh_with_rows(mesh, part->rows), block;

    part->memory = NAN;
    if (rc_scaling_mesh_block(&own, part->procs, choosing->request->cut, &block, NULL))
        return;
    if (model && isnan(choosing->request->bytes_per_cell))
        part->memory = rc_scaling_memory(model, &block);
    if (isnan(part->memory))
        part->memory =
            choosing->bytes_base + choosing->bytes_per_cell * rc_scaling_mesh_cells(&block);
}

bool rc_scaling_choice_part_fits(const struct rc_choice_part *part)
{
    return !(part->memory > part->host_memory * (1 + 1e-9)); /* also where one is not known */
}

/* ---- a choice ---- */

struct rc_choice *rc_scaling_choosing_add(struct rc_choosing *choosing, size_t mesh,
                                          struct rc_error *error)
{
    struct rc_choices *choices = choosing->choices;
    struct rc_choice *choice;

    if (choices->n >= RC_CHOICES_MAX) {
        rc_error_set(error, "more than %d choices", RC_CHOICES_MAX);
        rc_error_hint(error, "give the numbers of processes to consider");
        return NULL;
    }
    if (rc_array_room(&choices->items, choices->n + 1, &choices->room, sizeof *choices->items,
                      error))
        return NULL;
    choice = &choices->items[choices->n++];
    *choice = (struct rc_choice){.mesh = mesh,
                                 .seconds = NAN,
                                 .low = NAN,
                                 .high = NAN,
                                 .core_hours = NAN,
                                 .cost = NAN,
                                 .on_time = NAN,
                                 .in_budget = NAN};
    return choice;
}

void rc_scaling_choosing_finish(const struct rc_choosing *choosing, struct rc_choice *choice)
{
    const struct rc_value *seconds = choice->estimate.seconds;
    int64_t cores = 0;
    double rate = 0; /* of a second */

    for (size_t i = 0; i < choice->n_parts; i++) {
        cores += choice->parts[i].cores;
        rate += rc_scaling_cost(1, choice->parts[i].cores, choice->parts[i].core_cost);
    }
    choice->seconds = rc_value_mean(seconds);
    rc_value_span(seconds, 0.9, &choice->low, &choice->high);
    choice->core_hours = rc_scaling_core_hours(choice->seconds, cores);
    choice->cost = rate * choice->seconds;
    if (!isnan(choosing->request->deadline))
        choice->on_time = rc_value_cdf(seconds, choosing->request->deadline);
    if (!isnan(choosing->request->budget) && !isnan(rate))
        choice->in_budget = rate > 0 ? rc_value_cdf(seconds, choosing->request->budget / rate) : 1;
}
