// SPDX-License-Identifier: GPL-3.0-or-later
/* book.c - all scaling models of an app on a platform, and where they are kept. */
#include "model/scaling/book.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "db/model.h"

#define FAMILY "scaling"

void rc_scaling_book_free(struct rc_book *book)
{
    for (size_t i = 0; i < book->n_models; i++)
        rc_scaling_model_free(&book->models[i]);
    free(book->models);
    free(book->links);
    *book = (struct rc_book){0};
}

/* ---- models ---- */

/* The largest block that was measured; a model always has one. */
static const struct rc_mesh *largest(const struct rc_scaling_model *model)
{
    const struct rc_scaling_samples *samples = &model->samples;
    const struct rc_mesh *most = &samples->groups[0].block;

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
static struct rc_scaling_model *replaced(const struct rc_book *book,
                                         const struct rc_scaling_model *model)
{
    const struct rc_scaling_setting *setting = &model->setting;

    for (size_t i = 0; i < book->n_models; i++) {
        struct rc_scaling_model *other = &book->models[i];

        if (same_place(&other->setting, setting->cluster, setting->network, 0, setting->cut) &&
            other->setting.per_host == setting->per_host && same_messages(other, largest(model)))
            return other;
    }
    return NULL;
}

int rc_scaling_book_put(struct rc_book *book, struct rc_scaling_model *model,
                        struct rc_error *error)
{
    struct rc_scaling_model *place = replaced(book, model);
    int status = 0;

    if (place)
        rc_scaling_model_free(place);
    else if (book->n_models >= RC_BOOK_MODELS_MAX)
        status = rc_error_set(error, "an app has at most %d scaling models on a platform",
                              RC_BOOK_MODELS_MAX);
    else
        status = rc_array_room(&book->models, book->n_models + 1, &book->models_room,
                               sizeof *book->models, error);
    if (status) {
        rc_scaling_model_free(model);
        return -1;
    }
    if (!place)
        place = &book->models[book->n_models++];
    *place = *model;
    *model = (struct rc_scaling_model){0};
    return 0;
}

const struct rc_scaling_model *rc_scaling_book_find(const struct rc_book *book, const char *cluster,
                                                    const char *network, int per_host, int cut,
                                                    const struct rc_mesh *mesh, int64_t procs)
{
    const struct rc_scaling_model *best = NULL;
    double nearest = INFINITY;
    struct rc_mesh block;

    if (rc_scaling_mesh_block(mesh, procs, cut, &block, NULL))
        return NULL;
    for (size_t i = 0; i < book->n_models; i++) {
        const struct rc_scaling_model *model = &book->models[i];
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

const struct rc_scaling_link *rc_scaling_book_find_link(const struct rc_book *book, const char *a,
                                                        const char *b, const char *network,
                                                        int64_t cols)
{
    const struct rc_scaling_link *any = NULL;

    for (size_t i = 0; i < book->n_links; i++) {
        const struct rc_scaling_link *link = &book->links[i];

        if (!joins(link, a, b) || link->cols != cols)
            continue;
        if (strcmp(link->network, network) == 0)
            return link;
        any = any ? any : link;
    }
    return *network ? NULL : any;
}

int rc_scaling_book_put_link(struct rc_book *book, const struct rc_scaling_link *link,
                             struct rc_error *error)
{
    for (size_t i = 0; i < book->n_links; i++)
        if (joins(&book->links[i], link->cluster[0], link->cluster[1]) &&
            book->links[i].cols == link->cols &&
            strcmp(book->links[i].network, link->network) == 0) {
            book->links[i] = *link;
            return 0;
        }
    if (book->n_links >= RC_BOOK_LINKS_MAX)
        return rc_error_set(error, "an app has at most %d links on a platform", RC_BOOK_LINKS_MAX);
    if (rc_array_room(&book->links, book->n_links + 1, &book->links_room, sizeof *book->links,
                      error))
        return -1;
    book->links[book->n_links++] = *link;
    return 0;
}

/* ---- in the store ---- */

/* 1, -1 or -2, as rc_scaling_book_load(). */
static int read_stored(const struct rc_stored_model *stored, const char *app, struct rc_book *book,
                       struct rc_error *error)
{
    if (stored->format > RC_BOOK_FORMAT) {
        rc_error_set(error,
                     "the scaling models of '%s' are of format %d, and this program reads "
                     "format %d",
                     app, stored->format, RC_BOOK_FORMAT);
        rc_error_hint(error, "a newer runcast made them, and can read them");
        return -1;
    }
    if (stored->format < RC_BOOK_FORMAT) {
        rc_error_set(error, "the scaling models of '%s' are of format %d, which there never was",
                     app, stored->format);
        rc_error_hint(error, "fit them again with 'runcast scale fit'");
        return -2;
    }
    errno = 0;
    if (rc_scaling_book_read(stored->body, strlen(stored->body), book, error) == 0)
        return 1;
    return errno == ENOMEM ? -1 : -2; /* a good text may need more memory than there is */
}

int rc_scaling_book_load(struct rc_db *store, const char *app, const char *platform,
                         struct rc_book *book, struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_db_model_find(store, app, platform, FAMILY, &stored, error);

    *book = (struct rc_book){0};
    if (found <= 0)
        return found;
    found = read_stored(&stored, app, book, error);
    if (found > 0)
        book->made = stored.made;
    rc_db_stored_model_free(&stored);
    return found;
}

int rc_scaling_book_save(struct rc_db *store, const char *app, const char *platform,
                         const struct rc_book *book, int64_t *id, struct rc_error *error)
{
    json_t *object = rc_scaling_book_json(book);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int status;

    json_decref(object);
    if (!text)
        return rc_error_no_memory(error);
    if (strlen(text) > RC_BOOK_TEXT_MAX)
        status = rc_error_set(error, "the scaling models of '%s' are too many to be kept", app);
    else
        status = rc_db_model_add(store, app, platform, FAMILY, RC_BOOK_FORMAT, text, id, error);
    free(text);
    return status;
}
