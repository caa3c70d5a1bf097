// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_book.c - the models that 'runcast scale fit' kept, and which of them answers. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "cmd/scale.h"

enum { PHRASE = 200 };

int rc_cmd_scale_load_book(const struct rc_cmd_scale *scale, struct rc_book *book)
{
    struct rc_store *store = rc_cmd_open_store(scale->options->db, RC_STORE_READ, NULL);
    struct rc_error error = {0};
    int found;

    if (!store)
        return RC_EXIT_FAILED;
    found = rc_book_load(store, scale->options->app, scale->platform->name, book, &error);
    rc_store_close(store);
    if (found == 0) {
        rc_error_set(&error, "there is no scaling model of '%s' on '%s'", scale->options->app,
                     scale->platform->name);
        rc_error_hint(&error, "'runcast scale plan', 'measure' and 'fit' make one");
    }
    return found > 0 ? RC_EXIT_OK : rc_cmd_fail(&error, "reading the models");
}

/* ---- the one that there is not ---- */

/* What is asked of a model. */
struct asked {
    const char *app, *cluster, *network;
    int per_host, cut; /* per_host 0: any */
    const struct rc_mesh *mesh;
};

/* In what a model may be another one, and how that is said: an option that asks for it. */
static bool other_cluster(const struct asked *asked, const struct rc_scale_model *model)
{
    return strcmp(asked->cluster, model->setting.cluster) != 0;
}

static bool other_network(const struct asked *asked, const struct rc_scale_model *model)
{
    return strcmp(asked->network, model->setting.network) != 0;
}

static bool other_per_host(const struct asked *asked, const struct rc_scale_model *model)
{
    return asked->per_host && asked->per_host != model->setting.per_host;
}

static bool other_cut(const struct asked *asked, const struct rc_scale_model *model)
{
    return asked->cut != model->setting.cut;
}

/* Messages of a cut by rows are as long as the columns; other cuts do not ask. */
static bool other_length(const struct asked *asked, const struct rc_scale_model *model)
{
    const struct rc_mesh *own = &model->samples.groups[0].block;

    return model->setting.cut == 1 &&
           (own->extent[RC_MESH_COLS] != asked->mesh->extent[RC_MESH_COLS] ||
            own->extent[RC_MESH_LAYERS] != asked->mesh->extent[RC_MESH_LAYERS]);
}

static void add(char text[PHRASE], const char *format, ...) RC_PRINTF(2, 3);
static void add(char text[PHRASE], const char *format, ...)
{
    size_t at = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + at, PHRASE - at, format, arguments);
    va_end(arguments);
}

static void tell_cluster(const struct rc_scale_model *model, char text[PHRASE])
{
    add(text, "--cluster %s", model->setting.cluster);
}

static void tell_network(const struct rc_scale_model *model, char text[PHRASE])
{
    add(text, "--network %s", model->setting.network);
}

static void tell_per_host(const struct rc_scale_model *model, char text[PHRASE])
{
    add(text, "--per-host %d", model->setting.per_host);
}

static void tell_cut(const struct rc_scale_model *model, char text[PHRASE])
{
    add(text, "--cut %d", model->setting.cut);
}

static void tell_length(const struct rc_scale_model *model, char text[PHRASE])
{
    const struct rc_mesh *own = &model->samples.groups[0].block;

    add(text, "a --size of %" PRId64 " columns", own->extent[RC_MESH_COLS]);
    if (own->extent[RC_MESH_LAYERS] > 1)
        add(text, " and %" PRId64 " layers", own->extent[RC_MESH_LAYERS]);
}

static const struct {
    bool (*is_other)(const struct asked *asked, const struct rc_scale_model *model);
    void (*tell)(const struct rc_scale_model *model, char text[PHRASE]);
    int weight; /* how much of another question it is */
} facets[] = {
    {other_cluster, tell_cluster, 4}, {other_network, tell_network, 2},
    {other_per_host, tell_per_host, 1}, {other_cut, tell_cut, 2}, {other_length, tell_length, 3},
};
enum { N_FACETS = sizeof facets / sizeof *facets };

static const struct rc_scale_model *nearest(const struct rc_book *book, const struct asked *asked)
{
    const struct rc_scale_model *best = NULL;
    int least = 0;

    for (size_t i = 0; i < book->n_models; i++) {
        int away = 0;

        for (size_t k = 0; k < N_FACETS; k++)
            away += facets[k].is_other(asked, &book->models[i]) ? facets[k].weight : 0;
        if (!best || away < least) {
            best = &book->models[i];
            least = away;
        }
    }
    return best;
}

/* Says what there is not, and which of those that there are is nearest to it. */
static int no_model(const struct rc_book *book, const struct asked *asked, struct rc_error *error)
{
    const struct rc_scale_model *near = nearest(book, asked);
    char wanted[PHRASE] = "", there[PHRASE] = "";

    if (asked->mesh->extent[RC_MESH_LAYERS] > 1)
        add(wanted, " and %" PRId64 " layers", asked->mesh->extent[RC_MESH_LAYERS]);
    if (asked->per_host)
        add(wanted, ", with %d on a host", asked->per_host);
    if (asked->cut > 1 || (near && near->setting.cut > 1))
        add(wanted, ", cut in %d direction%s", asked->cut, asked->cut == 1 ? "" : "s");
    rc_error_set(error, "there is no model of '%s' on the cluster '%s' (%s) with meshes of "
                        "%" PRId64 " columns%s",
                 asked->app, asked->cluster, asked->network, asked->mesh->extent[RC_MESH_COLS],
                 wanted);
    for (size_t k = 0; near && k < N_FACETS; k++)
        if (facets[k].is_other(asked, near)) {
            add(there, "%s", *there ? ", " : "");
            facets[k].tell(near, there);
        }
    return rc_error_hint(error, "%s%s%s'runcast scale measure' and 'fit' with these options make "
                                "%s",
                         *there ? "there is one for " : "", there, *there ? "; " : "",
                         *there ? "another" : "one");
}

/* ---- the one that answers ---- */

/* How many processes the platform's placement has on a host, as for plans. */
static int usual_per_host(const struct rc_cluster *cluster, int64_t procs)
{
    int usual = cluster->n_hosts > 0 ? rc_cluster_slots(cluster, 0) : 0;

    if (usual > 0 && cluster->order == RC_PLACE_SPREAD) {
        int64_t each = (procs + (int64_t)cluster->n_hosts - 1) / (int64_t)cluster->n_hosts;

        usual = each < usual ? (int)each : usual;
    }
    return usual;
}

/* The model of as many processes on a host as are asked for; else as the placement has and, where
 * that was not measured, of any. */
const struct rc_scale_model *rc_cmd_scale_find_model(const struct rc_cmd_scale *scale,
                                                     const struct rc_cmd_scale_part *part,
                                                     const struct rc_book *book,
                                                     struct rc_error *error)
{
    const struct rc_cluster *cluster = &scale->platform->clusters[part->cluster];
    const struct asked asked = {scale->options->app, cluster->name,
                                cluster->networks[part->network].name, part->per_host,
                                (int)scale->options->cut, &scale->mesh};
    const int tries[] = {part->per_host ? part->per_host : usual_per_host(cluster, part->procs),
                         part->per_host};
    const struct rc_scale_model *model = NULL;

    for (size_t i = 0; i < sizeof tries / sizeof *tries && !model; i++)
        model = rc_book_find(book, asked.cluster, asked.network, tries[i], asked.cut, asked.mesh,
                             part->procs);
    if (!model)
        no_model(book, &asked, error);
    return model;
}
