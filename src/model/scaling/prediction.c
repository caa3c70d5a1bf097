// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction.c - the time, memory and cost of a large run, on one cluster or split over several. */
#include "model/scaling/prediction.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"

void rc_scaling_prediction_free(struct rc_scaling_prediction *prediction)
{
    for (size_t i = 0; i < RC_SCALING_PARTS_MAX; i++) {
        rc_scaling_estimate_free(&prediction->estimates[i]);
        rc_scaling_mc_free(prediction->mc[i]);
    }
    rc_scaling_estimate_free(&prediction->estimate);
    rc_scaling_notes_free(&prediction->notes);
    *prediction = (struct rc_scaling_prediction){0};
}

/* ---- parts ---- */

static int find_part(struct rc_scaling_prediction *it, size_t i, struct rc_error *error)
{
    const struct rc_scaling_part *part = &it->target.parts[i];
    const struct rc_cluster *cluster = &it->target.platform->clusters[part->cluster];
    const struct rc_scaling_question asked = {.app = it->target.app,
                                              .cluster = cluster,
                                              .network = part->network,
                                              .per_host = part->per_host,
                                              .cut = it->target.cut,
                                              .mesh = &it->target.mesh,
                                              .procs = part->procs};
    const struct rc_scaling_model *model = rc_scaling_models_answering(it->models, &asked, error);
    struct rc_cluster copy;

    if (!model)
        return -1;
    it->mc[i] = rc_scaling_mc_create(model, 1, error);
    if (!it->mc[i])
        return -1;
    it->per_host[i] = part->per_host ? part->per_host : model->setting.per_host;
    copy = rc_scaling_placed(cluster, it->per_host[i]);
    it->host_memory[i] = rc_platform_cluster_memory_per_process(&copy, part->procs);
    it->sides[i] = (struct rc_scaling_side){
        .share = {.model = model, .mc = it->mc[i], .procs = part->procs},
        .core_cost = cluster->core_hour_cost,
        .cores = part->procs,
        .memory = it->host_memory[i],
        .beyond = it->target.force,
        .weight = part->weight,
        .bytes_per_cell = isnan(it->target.bytes_per_cell) ? 0 : it->target.bytes_per_cell};
    if (it->target.force || part->procs <= rc_platform_cluster_capacity(&copy))
        return 0;
    rc_error_set(error, "cluster '%s' takes %" PRId64 " processes, not %" PRId64, cluster->name,
                 rc_platform_cluster_capacity(&copy), part->procs);
    return rc_error_code(error, "scaling.too-many-processes", NULL);
}

static int split_rows(struct rc_scaling_prediction *it, struct rc_error *error)
{
    size_t n = it->target.n_parts;

    if (n == 1)
        it->sides[0].share.rows = it->target.mesh.extent[RC_MESH_ROWS];
    else if (rc_scaling_split(it->sides, n, &it->target.mesh, it->target.aim, error))
        return -1;
    for (size_t i = 0; i < n; i++)
        it->shares[i] = it->sides[i].share;
    return 0;
}

/* Memory of a process; an error if less is available. */
static int check_memory(struct rc_scaling_prediction *it, size_t i, struct rc_error *error)
{
    const struct rc_scaling_share *share = &it->shares[i];
    double given = it->target.bytes_per_cell;
    struct rc_mesh mesh = rc_scaling_mesh_with_rows(&it->target.mesh, share->rows);
    char needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    it->memory[i] = NAN;
    if (share->rows == 0)
        return 0;
    if (rc_scaling_mesh_block(&mesh, share->procs, it->target.cut, &it->blocks[i], error))
        return -1;
    it->memory[i] = isnan(given) ? rc_scaling_memory(share->model, &it->blocks[i])
                                 : given * rc_scaling_mesh_cells(&it->blocks[i]);
    if (!(it->memory[i] > it->host_memory[i]) || it->target.force)
        return 0;
    rc_unit_format_apart(it->memory[i], it->host_memory[i], RC_BYTES, needed, has);
    rc_error_set(error, "not enough memory: a process on '%s' needs %s; %s available",
                 share->model->setting.cluster, needed, has);
    return rc_error_code(error, "scaling.no-memory", NULL);
}

/* The measured link, over the network of both clusters if it is one. */
static int find_link(struct rc_scaling_prediction *it, struct rc_error *error)
{
    const struct rc_scaling_target *target = &it->target;
    const char *names[2], *networks[2];

    for (size_t i = 0; i < 2; i++) {
        const struct rc_cluster *cluster = &target->platform->clusters[target->parts[i].cluster];

        names[i] = cluster->name;
        networks[i] = cluster->networks[target->parts[i].network].name;
    }
    it->link = rc_scaling_models_find_link(it->models, names[0], names[1],
                                           strcmp(networks[0], networks[1]) == 0 ? networks[0] : "",
                                           target->mesh.extent[RC_MESH_COLS]);
    if (it->link)
        return 0;
    rc_error_set(error, "the link between '%s' (%s) and '%s' (%s) was not measured", names[0],
                 networks[0], names[1], networks[1]);
    return rc_error_code(error, "scaling.no-link", NULL);
}

/* ---- notes ---- */

/* With `force` there may be more processes than the cluster takes. */
static int note_capacity(struct rc_scaling_prediction *it, size_t part, struct rc_error *error)
{
    const struct rc_scaling_part *asked = &it->target.parts[part];
    struct rc_cluster cluster =
        rc_scaling_placed(&it->target.platform->clusters[asked->cluster], it->per_host[part]);

    if (asked->procs <= rc_platform_cluster_capacity(&cluster))
        return 0;
    return rc_scaling_note(&it->notes, error,
                           "%" PRId64 " processes do not fit on cluster '%s', which takes "
                           "%" PRId64 " with %d per host",
                           asked->procs, cluster.name, rc_platform_cluster_capacity(&cluster),
                           cluster.n_hosts > 0 ? rc_platform_cluster_slots(&cluster, 0) : 0);
}

static bool are_linked(const struct rc_platform *platform, size_t a, size_t b)
{
    for (size_t i = 0; i < platform->n_links; i++) {
        const size_t *ends = platform->links[i].cluster;

        if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a))
            return true;
    }
    return false;
}

/* Rows go to the clusters in their order: those that follow one another exchange edges. */
static int note_links(struct rc_scaling_prediction *it, struct rc_error *error)
{
    const struct rc_platform *platform = it->target.platform;
    size_t before = SIZE_MAX;

    for (size_t i = 0; i < it->target.n_parts; i++) {
        size_t cluster = it->target.parts[i].cluster;

        if (it->shares[i].rows == 0)
            continue;
        if (before != SIZE_MAX && !are_linked(platform, before, cluster) &&
            rc_scaling_note(
                &it->notes, error,
                "the platform file has no link between '%s' and '%s'; a program may not be "
                "able to run on both",
                platform->clusters[before].name, platform->clusters[cluster].name))
            return -1;
        before = cluster;
    }
    return 0;
}

/* Those of the estimate of the whole are those of its parts. */
static int gather_notes(struct rc_scaling_prediction *it, struct rc_error *error)
{
    for (size_t i = 0; i < it->target.n_parts; i++) {
        const struct rc_scaling_model *model = it->shares[i].model;
        const char *cluster = it->target.n_parts > 1 ? model->setting.cluster : NULL;

        if (it->shares[i].rows > 0 &&
            (note_capacity(it, i, error) ||
             rc_scaling_notes_join(&it->notes, cluster, &it->estimates[i].notes, error) ||
             rc_scaling_notes_join(&it->notes, cluster, &model->notes, error)))
            return -1;
    }
    return note_links(it, error);
}

/* ---- all of it ---- */

/* All clusters are held until the last one ends. */
static void compute_cost(struct rc_scaling_prediction *it)
{
    double seconds = rc_value_mean(it->estimate.seconds);

    it->core_hours = it->cost = 0;
    for (size_t i = 0; i < it->target.n_parts; i++) {
        if (it->shares[i].rows == 0)
            continue;
        it->core_hours += rc_scaling_core_hours(seconds, it->shares[i].procs);
        it->cost += rc_scaling_cost(seconds, it->shares[i].procs, it->sides[i].core_cost);
    }
}

int rc_scaling_predict(const struct rc_scaling_target *target,
                       const struct rc_scaling_models *models, struct rc_scaling_prediction *it,
                       struct rc_error *error)
{
    *it = (struct rc_scaling_prediction){.target = *target, .models = models};
    for (size_t i = 0; i < target->n_parts; i++)
        if (find_part(it, i, error))
            return -1;
    if (split_rows(it, error))
        return -1;
    for (size_t i = 0; i < target->n_parts; i++)
        if (check_memory(it, i, error))
            return -1;
    if ((target->link && find_link(it, error)) ||
        rc_scaling_estimate_many(it->shares, target->n_parts, &target->mesh, it->link,
                                 &it->estimate, it->estimates, error) ||
        gather_notes(it, error))
        return -1;
    compute_cost(it);
    return 0;
}
