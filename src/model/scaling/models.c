// SPDX-License-Identifier: GPL-3.0-or-later
/* models.c - all scaling models of an app on a platform. */
#include "model/scaling/models.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

void rc_scaling_models_free(struct rc_scaling_models *models)
{
    for (size_t i = 0; i < models->n; i++)
        rc_scaling_model_free(&models->items[i]);
    free(models->items);
    free(models->links);
    *models = (struct rc_scaling_models){0};
}

/* ---- models ---- */

/* The largest block that was measured. */
static const struct rc_mesh *largest(const struct rc_scaling_model *model)
{
    const struct rc_scaling_samples *samples = &model->samples;
    const struct rc_mesh *most = &samples->groups[0].block;

    assert(samples->n_groups > 0);
    for (size_t i = 1; i < samples->n_groups; i++)
        if (rc_scaling_mesh_cells(&samples->groups[i].block) > rc_scaling_mesh_cells(most))
            most = &samples->groups[i].block;
    return most;
}

static bool same_messages(const struct rc_scaling_model *model, const struct rc_mesh *block)
{
    const struct rc_mesh *own = largest(model);

    if (model->setting.cut > 1)
        return rc_scaling_mesh_equal(own, block);
    return own->extent[RC_MESH_COLS] == block->extent[RC_MESH_COLS] &&
           own->extent[RC_MESH_LAYERS] == block->extent[RC_MESH_LAYERS];
}

static bool same_place(const struct rc_scaling_setting *setting, const char *cluster,
                       const char *network, int per_host, int cut)
{
    return strcmp(setting->cluster, cluster) == 0 && strcmp(setting->network, network) == 0 &&
           (per_host == 0 || setting->per_host == per_host) && setting->cut == cut;
}

/* The model that `model` takes the place of; NULL for none. */
static struct rc_scaling_model *replaced(const struct rc_scaling_models *models,
                                         const struct rc_scaling_model *model)
{
    const struct rc_scaling_setting *setting = &model->setting;

    for (size_t i = 0; i < models->n; i++) {
        struct rc_scaling_model *other = &models->items[i];

        if (same_place(&other->setting, setting->cluster, setting->network, 0, setting->cut) &&
            other->setting.per_host == setting->per_host && same_messages(other, largest(model)))
            return other;
    }
    return NULL;
}

int rc_scaling_models_put(struct rc_scaling_models *models, struct rc_scaling_model *model,
                          struct rc_error *error)
{
    struct rc_scaling_model *place = replaced(models, model);
    int status = 0;

    if (place)
        rc_scaling_model_free(place);
    else if (models->n >= RC_SCALING_MODELS_MAX)
        status = rc_error_set(error, "an app has at most %d scaling models on a platform",
                              RC_SCALING_MODELS_MAX);
    else
        status = rc_array_room(&models->items, models->n + 1, &models->room, sizeof *models->items,
                               error);
    if (status) {
        rc_scaling_model_free(model);
        return -1;
    }
    if (!place)
        place = &models->items[models->n++];
    *place = *model;
    *model = (struct rc_scaling_model){0};
    return 0;
}

const struct rc_scaling_model *rc_scaling_models_find(const struct rc_scaling_models *models,
                                                      const char *cluster, const char *network,
                                                      int per_host, int cut,
                                                      const struct rc_mesh *mesh, int64_t procs)
{
    const struct rc_scaling_model *best = NULL;
    double nearest = INFINITY;
    struct rc_mesh block;

    if (rc_scaling_mesh_block(mesh, procs, cut, &block, NULL))
        return NULL;
    for (size_t i = 0; i < models->n; i++) {
        const struct rc_scaling_model *model = &models->items[i];
        double away =
            fabs(log(rc_scaling_mesh_cells(largest(model)) / rc_scaling_mesh_cells(&block)));

        if (!same_place(&model->setting, cluster, network, per_host, cut))
            continue;
        if (cut == 1 && same_messages(model, &block))
            return model;
        if (cut > 1 && away < nearest) {
            nearest = away;
            best = model;
        }
    }
    return best;
}

/* ---- links ---- */

static bool joins(const struct rc_scaling_link *link, const char *a, const char *b)
{
    return (strcmp(link->cluster[0], a) == 0 && strcmp(link->cluster[1], b) == 0) ||
           (strcmp(link->cluster[0], b) == 0 && strcmp(link->cluster[1], a) == 0);
}

const struct rc_scaling_link *rc_scaling_models_find_link(const struct rc_scaling_models *models,
                                                          const char *a, const char *b,
                                                          const char *network, int64_t cols)
{
    const struct rc_scaling_link *any = NULL;

    for (size_t i = 0; i < models->n_links; i++) {
        const struct rc_scaling_link *link = &models->links[i];

        if (!joins(link, a, b) || link->cols != cols)
            continue;
        if (strcmp(link->network, network) == 0)
            return link;
        any = any ? any : link;
    }
    return *network ? NULL : any;
}

int rc_scaling_models_put_link(struct rc_scaling_models *models, const struct rc_scaling_link *link,
                               struct rc_error *error)
{
    for (size_t i = 0; i < models->n_links; i++)
        if (joins(&models->links[i], link->cluster[0], link->cluster[1]) &&
            models->links[i].cols == link->cols &&
            strcmp(models->links[i].network, link->network) == 0) {
            models->links[i] = *link;
            return 0;
        }
    if (models->n_links >= RC_SCALING_LINKS_MAX)
        return rc_error_set(error, "an app has at most %d links on a platform",
                            RC_SCALING_LINKS_MAX);
    if (rc_array_room(&models->links, models->n_links + 1, &models->links_room,
                      sizeof *models->links, error))
        return -1;
    models->links[models->n_links++] = *link;
    return 0;
}

enum { PHRASE = 200 };

/* ---- which model answers, and which is nearest where none does ---- */

struct rc_cluster rc_scaling_placed(const struct rc_cluster *cluster, int per_host)
{
    struct rc_cluster copy = *cluster;

    if (per_host > 0)
        copy.per_host = per_host;
    return copy;
}

const char *rc_scaling_network_name(const struct rc_cluster *cluster, size_t network)
{
    return network < cluster->n_networks ? cluster->networks[network].name : "";
}

static const char *network_of(const struct rc_scaling_question *asked)
{
    return rc_scaling_network_name(asked->cluster, asked->network);
}

/* The ways in which a model may be for another question, and their weights. */
enum { CLUSTER, NETWORK, PER_HOST, CUT, LENGTH, FACETS };
static const int weights[FACETS] = {4, 2, 1, 2, 3};

static int differ(const struct rc_scaling_question *asked, const struct rc_scaling_model *model,
                  bool other[FACETS])
{
    const struct rc_mesh *own = &model->samples.groups[0].block;
    int away = 0;

    other[CLUSTER] = strcmp(asked->cluster->name, model->setting.cluster) != 0;
    other[NETWORK] = strcmp(network_of(asked), model->setting.network) != 0;
    other[PER_HOST] = asked->per_host && asked->per_host != model->setting.per_host;
    other[CUT] = asked->cut != model->setting.cut;
    /* messages of a cut by rows are as long as the columns; other cuts do not ask */
    other[LENGTH] = model->setting.cut == 1 &&
                    (own->extent[RC_MESH_COLS] != asked->mesh->extent[RC_MESH_COLS] ||
                     own->extent[RC_MESH_LAYERS] != asked->mesh->extent[RC_MESH_LAYERS]);
    for (int i = 0; i < FACETS; i++)
        away += other[i] ? weights[i] : 0;
    return away;
}

static const struct rc_scaling_model *nearest(const struct rc_scaling_models *models,
                                              const struct rc_scaling_question *asked)
{
    const struct rc_scaling_model *best = NULL;
    bool other[FACETS];
    int least = 0;

    for (size_t i = 0; i < models->n; i++) {
        int away = differ(asked, &models->items[i], other);

        if (!best || away < least) {
            best = &models->items[i];
            least = away;
        }
    }
    return best;
}

/* The facts of the error: how the nearest model differs, each "" where it does not. */
static int name_nearest(const struct rc_scaling_question *asked,
                        const struct rc_scaling_model *near, struct rc_error *error)
{
    const int64_t *extent = near->samples.groups[0].block.extent;
    char per_host[PHRASE], cut[PHRASE], length[PHRASE] = "";
    bool other[FACETS];

    differ(asked, near, other);
    snprintf(per_host, sizeof per_host, "%d", near->setting.per_host);
    snprintf(cut, sizeof cut, "%d", near->setting.cut);
    rc_text_append(length, sizeof length, "%" PRId64 " columns", extent[RC_MESH_COLS]);
    if (extent[RC_MESH_LAYERS] > 1)
        rc_text_append(length, sizeof length, " and %" PRId64 " layers", extent[RC_MESH_LAYERS]);
    return rc_error_code(error, "scaling.no-model", "%s\n%s\n%s\n%s\n%s",
                         other[CLUSTER] ? near->setting.cluster : "",
                         other[NETWORK] ? near->setting.network : "",
                         other[PER_HOST] ? per_host : "", other[CUT] ? cut : "",
                         other[LENGTH] ? length : "");
}

/* The missing model, and the facts of the nearest one. */
static int no_model(const struct rc_scaling_models *models, const struct rc_scaling_question *asked,
                    struct rc_error *error)
{
    const struct rc_scaling_model *near = nearest(models, asked);
    char wanted[PHRASE] = "";

    if (asked->mesh->extent[RC_MESH_LAYERS] > 1)
        rc_text_append(wanted, PHRASE, " and %" PRId64 " layers",
                       asked->mesh->extent[RC_MESH_LAYERS]);
    if (asked->per_host)
        rc_text_append(wanted, PHRASE, ", %d per host", asked->per_host);
    if (asked->cut > 1 || (near && near->setting.cut > 1))
        rc_text_append(wanted, PHRASE, ", cut in %d dimension%s", asked->cut,
                       asked->cut == 1 ? "" : "s");
    rc_error_set(error,
                 "no scaling model of '%s' on cluster '%s' (%s) for meshes of %" PRId64
                 " columns%s",
                 asked->app, asked->cluster->name, network_of(asked),
                 asked->mesh->extent[RC_MESH_COLS], wanted);
    return near ? name_nearest(asked, near, error) : rc_error_code(error, "scaling.no-model", NULL);
}

/* ---- the model of a question ---- */

/* How many processes the platform's placement has on a host, as for plans. */
static int usual_per_host(const struct rc_cluster *cluster, int64_t procs)
{
    int usual = cluster->n_hosts > 0 ? rc_platform_cluster_slots(cluster, 0) : 0;

    if (usual > 0 && cluster->order == RC_PLACE_SPREAD) {
        int64_t each = (procs + (int64_t)cluster->n_hosts - 1) / (int64_t)cluster->n_hosts;

        usual = each < usual ? (int)each : usual;
    }
    return usual;
}

const struct rc_scaling_model *rc_scaling_models_answering(const struct rc_scaling_models *models,
                                                           const struct rc_scaling_question *asked,
                                                           struct rc_error *error)
{
    const int tries[] = {asked->per_host ? asked->per_host
                                         : usual_per_host(asked->cluster, asked->procs),
                         asked->per_host};
    const struct rc_scaling_model *model = NULL;

    for (size_t i = 0; i < sizeof tries / sizeof *tries && !model; i++)
        model = rc_scaling_models_find(models, asked->cluster->name, network_of(asked), tries[i],
                                       asked->cut, asked->mesh, asked->procs);
    if (!model)
        no_model(models, asked, error);
    return model;
}
