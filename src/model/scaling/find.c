// SPDX-License-Identifier: GPL-3.0-or-later
/* find.c - which model answers a question, and which is nearest where none does. */
#include "model/scaling/find.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { PHRASE = 200 };

/* ---- where there is none ---- */

static const char *network_of(const struct rc_scaling_question *asked)
{
    return asked->cluster->networks[asked->network].name;
}

/* In what a model may be for another question, and how much each counts. */
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

/* The facts of the error: in what the nearest model differs, each "" where it does not. */
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

/* Says what there is not, and which of those that there are is nearest to it. */
static int no_model(const struct rc_scaling_models *models, const struct rc_scaling_question *asked,
                    struct rc_error *error)
{
    const struct rc_scaling_model *near = nearest(models, asked);
    char wanted[PHRASE] = "";

    if (asked->mesh->extent[RC_MESH_LAYERS] > 1)
        rc_text_append(wanted, PHRASE, " and %" PRId64 " layers",
                       asked->mesh->extent[RC_MESH_LAYERS]);
    if (asked->per_host)
        rc_text_append(wanted, PHRASE, ", with %d on a host", asked->per_host);
    if (asked->cut > 1 || (near && near->setting.cut > 1))
        rc_text_append(wanted, PHRASE, ", cut in %d direction%s", asked->cut,
                       asked->cut == 1 ? "" : "s");
    rc_error_set(error,
                 "there is no model of '%s' on the cluster '%s' (%s) with meshes of "
                 "%" PRId64 " columns%s",
                 asked->app, asked->cluster->name, network_of(asked),
                 asked->mesh->extent[RC_MESH_COLS], wanted);
    return near ? name_nearest(asked, near, error) : rc_error_code(error, "scaling.no-model", NULL);
}

/* ---- the one that answers ---- */

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
