// SPDX-License-Identifier: GPL-3.0-or-later
/* model_registry.c - structural models that are kept in the database.  As a text, a model is
 *
 *     {"model": "ga", "files": [{"name": "ga.rcm", "text": "model ga\n…"}]} */
#include "model/structural/model_registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "db/fitted_models.h"
#include "model/structural/measured_inputs.h"
#include "model/structural/check.h"

/* ---- keeping ---- */

static char *to_text(const struct rc_model *model)
{
    json_t *object = json_object(), *files = json_array();
    char *text;

    for (size_t i = 0; i < model->n_files; i++) {
        json_t *file = json_object();

        rc_json_set(file, "name", rc_json_text(model->files[i].name));
        rc_json_set(file, "text", rc_json_text(model->files[i].text));
        json_array_append_new(files, file);
    }
    rc_json_set(object, "model", rc_json_text(model->name));
    rc_json_set(object, "files", files);
    text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

struct first_error {
    const struct rc_model *model;
    struct rc_error *error;
    size_t n;
};

static void take_finding(void *data, const struct rc_finding *finding)
{
    struct first_error *first = data;

    if (finding->severity != RC_FINDING_ERROR || first->n++)
        return;
    rc_error_at(first->error, first->model->files[finding->file].name, finding->line,
                finding->column, "%s", finding->text);
    rc_error_code(first->error, "structural.model-faults", NULL);
}

int rc_structural_check(const struct rc_model *model, struct rc_error *error)
{
    struct first_error first = {model, error, 0};

    return rc_structural_model_check(model, take_finding, &first, error) || first.n ? -1 : 0;
}

int rc_structural_save(struct rc_db *db, const char *app, const struct rc_model *model, int section,
                       int64_t *id, struct rc_error *error)
{
    char *text;
    int status;

    if (!*app)
        return rc_error_set(error, "an app has a name");
    if (rc_structural_check(model, error))
        return -1;
    text = to_text(model);
    if (!text)
        return rc_error_no_memory(error);
    status = rc_db_model_add(db, app, section < 0 ? "" : model->sections[section].name,
                             RC_STRUCTURAL_METHOD, RC_STRUCTURAL_FORMAT, text, id, error);
    free(text);
    return status;
}

/* ---- reading back ---- */

void rc_structural_free(struct rc_structural *structure)
{
    rc_structural_model_destroy(structure->model);
    free(structure->platform);
    *structure = (struct rc_structural){.section = -1};
}

static int damaged(const char *app, struct rc_error *error)
{
    rc_error_set(error, "the stored model of '%s' is damaged", app);
    return rc_error_code(error, "structural.damaged", NULL);
}

static struct rc_model *from_json(const json_t *object, const char *app, struct rc_error *error)
{
    struct rc_model_text texts[RC_MODEL_FILES_MAX];
    const json_t *files = json_object_get(object, "files");
    size_t n = json_array_size(files);

    for (size_t i = 0; i < n && i < RC_MODEL_FILES_MAX; i++) {
        const json_t *file = json_array_get(files, i);
        const json_t *text = json_object_get(file, "text");

        texts[i] = (struct rc_model_text){json_string_value(json_object_get(file, "name")),
                                          json_string_value(text), json_string_length(text)};
        if (!texts[i].name || !texts[i].text)
            n = 0;
    }
    if (n == 0 || n > RC_MODEL_FILES_MAX) {
        damaged(app, error);
        return NULL;
    }
    return rc_structural_model_parse_all(texts, n, error);
}

static int from_text(const struct rc_stored_model *stored, const char *app, const char *platform,
                     struct rc_structural *structure, struct rc_error *error)
{
    json_t *object;

    if (stored->format != RC_STRUCTURAL_FORMAT) {
        rc_error_set(error,
                     "the stored model of '%s' is of format %d, and this program reads format %d",
                     app, stored->format, RC_STRUCTURAL_FORMAT);
        return rc_error_code(error, "structural.newer-format", NULL);
    }
    object = json_loads(stored->body, 0, NULL);
    if (!object)
        return damaged(app, error);
    structure->model = from_json(object, app, error);
    json_decref(object);
    structure->platform = strdup(platform);
    structure->n_files = structure->model ? structure->model->n_files : 0;
    structure->id = stored->id;
    structure->made = stored->made;
    if (structure->model && !structure->platform)
        rc_error_no_memory(error);
    return structure->model && structure->platform ? 0 : -1;
}

/* ---- finding ---- */

/* The one that is best for a platform so far. */
struct search {
    const char *platform; /* NULL: not said */
    struct rc_stored_model best;
    char *kept_for;
    int rank; /* 2: for the platform, 1: for any, 0: for another; -1: none yet */
    size_t n;
    char names[200]; /* of all platforms */
    struct rc_error *error;
};

static int consider(void *data, const struct rc_model_row *row)
{
    struct search *search = data;
    size_t length = strlen(search->names);
    int rank = search->platform && strcmp(row->platform, search->platform) == 0 ? 2
               : !*row->platform                                                ? 1
                                                                                : 0;

    search->n++;
    if (*row->platform)
        snprintf(search->names + length, sizeof search->names - length, "%s%s", length ? ", " : "",
                 row->platform);
    if (rank <= search->rank)
        return 0;
    rc_db_stored_model_free(&search->best);
    free(search->kept_for);
    search->best = row->model;
    search->best.body = strdup(row->model.body);
    search->kept_for = strdup(row->platform);
    search->rank = rank;
    return search->best.body && search->kept_for ? 0 : rc_error_no_memory(search->error);
}

static int not_found(const char *app, const struct search *search, struct rc_error *error)
{
    if (search->n == 0) {
        rc_error_set(error, "the store has no structural model of '%s'", app);
        return rc_error_code(error, "structural.no-model", "%s", app);
    }
    if (search->platform)
        rc_error_set(error, "the structural models of '%s' are for other platforms than '%s': %s",
                     app, search->platform, search->names);
    else
        rc_error_set(error, "the store has several structural models of '%s': for %s", app,
                     search->names);
    return rc_error_code(error, "structural.other-platforms", NULL);
}

/* Adds what was measured of its inputs on the platform. */
static int add_measured(struct rc_db *db, const char *platform, struct rc_structural *structure,
                        struct rc_error *error)
{
    int section = structure->section;
    const char *named =
        !platform && section >= 0 ? structure->model->sections[section].name : platform;
    char *name = named ? strdup(named) : NULL; /* the model will be another one */
    int taken = named && !name ? rc_error_no_memory(error)
                               : rc_structural_benchmarks_add(db, name, &structure->model,
                                                              &structure->section, error);

    free(name);
    return taken < 0 ? -1 : 0;
}

int rc_structural_load(struct rc_db *db, const char *app, const char *platform,
                       struct rc_structural *structure, struct rc_error *error)
{
    struct search search = {.platform = platform, .rank = -1, .error = error};
    int status = rc_db_model_list(db, app, RC_STRUCTURAL_METHOD, consider, &search, error);

    *structure = (struct rc_structural){.section = -1};
    structure->missing = status == 0 && (search.n == 0 || (search.rank == 0 && search.n > 1));
    if (structure->missing)
        status = not_found(app, &search, error);
    if (status == 0)
        status = from_text(&search.best, app, search.kept_for, structure, error);
    if (status == 0) {
        structure->section =
            *structure->platform
                ? rc_structural_model_find_section(structure->model, structure->platform)
            : platform ? rc_structural_model_find_section(structure->model, platform)
                       : -1;
        if (structure->section < 0 && structure->model->n_sections == 1)
            structure->section = 0;
        status = add_measured(db, platform, structure, error);
    }
    rc_db_stored_model_free(&search.best);
    free(search.kept_for);
    return status ? -1 : 0;
}

/* ---- all of them ---- */

struct listing {
    int (*each)(void *data, const struct rc_structural_entry *entry);
    void *data;
};

static int tell(void *data, const struct rc_model_row *row)
{
    const struct listing *listing = data;
    json_t *object =
        row->model.format == RC_STRUCTURAL_FORMAT ? json_loads(row->model.body, 0, NULL) : NULL;
    const json_t *files = json_object_get(object, "files");
    struct rc_structural_entry entry = {
        .app = row->app,
        .platform = row->platform,
        .model = json_string_value(json_object_get(object, "model")),
        .file = json_string_value(json_object_get(json_array_get(files, 0), "name")),
        .n_files = json_array_size(files),
        .id = row->model.id,
        .made = row->model.made};
    int status = listing->each(listing->data, &entry);

    json_decref(object);
    return status;
}

int rc_structural_list(struct rc_db *db, const char *app,
                       int (*each)(void *data, const struct rc_structural_entry *entry), void *data,
                       struct rc_error *error)
{
    struct listing listing = {each, data};

    return rc_db_model_list(db, app, RC_STRUCTURAL_METHOD, tell, &listing, error);
}

int rc_structural_remove(struct rc_db *db, const char *app, const char *platform, uint64_t *removed,
                         struct rc_error *error)
{
    return rc_db_model_remove(db, app, platform, RC_STRUCTURAL_METHOD, removed, error);
}
