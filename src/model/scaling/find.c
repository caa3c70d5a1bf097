// SPDX-License-Identifier: GPL-3.0-or-later
/* find.c - which model of a book answers a question, and what is nearest where none does. */
#include "model/scaling/find.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum { PHRASE = 200 };

/* ---- the one that there is not ---- */

static const char *network_of(const struct rc_scaling_question *asked)
{
    return asked->cluster->networks[asked->network].name;
}

/* In what a model may be another one, and how that is said: an option that asks for it. */
static bool other_cluster(const struct rc_scaling_question *asked,
                          const struct rc_scaling_model *model)
{
    return strcmp(asked->cluster->name, model->setting.cluster) != 0;
}

static bool other_network(const struct rc_scaling_question *asked,
                          const struct rc_scaling_model *model)
{
    return strcmp(network_of(asked), model->setting.network) != 0;
}

static bool other_per_host(const struct rc_scaling_question *asked,
                           const struct rc_scaling_model *model)
{
    return asked->per_host && asked->per_host != model->setting.per_host;
}

static bool other_cut(const struct rc_scaling_question *asked, const struct rc_scaling_model *model)
{
    return asked->cut != model->setting.cut;
}

/* Messages of a cut by rows are as long as the columns; other cuts do not ask. */
static bool other_length(const struct rc_scaling_question *asked,
                         const struct rc_scaling_model *model)
{
    const struct rc_mesh *own = &model->samples.groups[0].block;

    return model->setting.cut == 1 &&
           (own->extent[RC_MESH_COLS] != asked->mesh->extent[RC_MESH_COLS] ||
            own->extent[RC_MESH_LAYERS] != asked->mesh->extent[RC_MESH_LAYERS]);
}

static void tell_cluster(const struct rc_scaling_model *model, char text[PHRASE])
{
    rc_text_append(text, PHRASE, "--cluster %s", model->setting.cluster);
}

static void tell_network(const struct rc_scaling_model *model, char text[PHRASE])
{
    rc_text_append(text, PHRASE, "--network %s", model->setting.network);
}

static void tell_per_host(const struct rc_scaling_model *model, char text[PHRASE])
{
    rc_text_append(text, PHRASE, "--per-host %d", model->setting.per_host);
}

static void tell_cut(const struct rc_scaling_model *model, char text[PHRASE])
{
    rc_text_append(text, PHRASE, "--cut %d", model->setting.cut);
}

static void tell_length(const struct rc_scaling_model *model, char text[PHRASE])
{
    const struct rc_mesh *own = &model->samples.groups[0].block;

    rc_text_append(text, PHRASE, "a --size of %" PRId64 " columns", own->extent[RC_MESH_COLS]);
    if (own->extent[RC_MESH_LAYERS] > 1)
        rc_text_append(text, PHRASE, " and %" PRId64 " layers", own->extent[RC_MESH_LAYERS]);
}

static const struct {
    bool (*is_other)(const struct rc_scaling_question *asked, const struct rc_scaling_model *model);
    void (*tell)(const struct rc_scaling_model *model, char text[PHRASE]);
    int weight; /* how much of another question it is */
} facets[] = {
    {other_cluster, tell_cluster, 4},   {other_network, tell_network, 2},
    {other_per_host, tell_per_host, 1}, {other_cut, tell_cut, 2},
    {other_length, tell_length, 3},
};
enum { N_FACETS = sizeof facets / sizeof *facets };

static const struct rc_scaling_model *nearest(const struct rc_scaling_models *models,
                                              const struct rc_scaling_question *asked)
{
    const struct rc_scaling_model *best = NULL;
    int least = 0;

    for (size_t i = 0; i < models->n; i++) {
        int away = 0;

        for (size_t k = 0; k < N_FACETS; k++)
            away += facets[k].is_other(asked, &models->items[i]) ? facets[k].weight : 0;
        if (!best || away < least) {
            best = &models->items[i];
            least = away;
        }
    }
    return best;
}

/* Says what there is not, and which of those that there are is nearest to it. */
static int no_model(const struct rc_scaling_models *models, const struct rc_scaling_question *asked,
                    struct rc_error *error)
{
    const struct rc_scaling_model *near = nearest(models, asked);
    char wanted[PHRASE] = "", there[PHRASE] = "";

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
    for (size_t k = 0; near && k < N_FACETS; k++)
        if (facets[k].is_other(asked, near)) {
            rc_text_append(there, PHRASE, "%s", *there ? ", " : "");
            facets[k].tell(near, there);
        }
    return rc_error_hint(error,
                         "%s%s%s'runcast scale measure' and 'fit' with these options make "
                         "%s",
                         *there ? "there is one for " : "", there, *there ? "; " : "",
                         *there ? "another" : "one");
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
