// SPDX-License-Identifier: GPL-3.0-or-later
/* models_json.c - scaling models as JSON, in the database.
 *
 * Measurements and options are written; the fit is repeated when they are read, so
 * that no text can hold a model that no runs would give.  Tables list the members of each object:
 * writing and reading go through the same ones. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "db/fitted_models.h"
#include "model/scaling/models.h"
#include "model/scaling/linearity.h"
#include "stats/value/expression.h"

enum kind {
    NAME, /* char[RC_NAME_MAX + 1] */
    TRUTH,
    GAMMA, /* enum rc_scaling_gamma */
    INT,
    INT64,
    SIZE, /* size_t; 0 where it is missing, if 0 is allowed: older texts lack it */
    NUMBER,
    NUMBER_OR_NULL /* double; NAN is null */
};

struct member {
    const char *name;
    enum kind kind;
    size_t offset;
    double low, high;  /* of numbers */
    const char *fault; /* the error if it is missing or out of range */
};

static const char *const gamma_names[] = {"auto", "one", "each"};
enum { GAMMAS = sizeof gamma_names / sizeof *gamma_names };

#define GROUP(field) offsetof(struct rc_scaling_group, field)
#define GROUP_FAULT "invalid group of runs"
static const struct member group_members[] = {
    {"procs", INT64, GROUP(procs), 1, (double)RC_MESH_PROCS_MAX, GROUP_FAULT},
    {"rows", INT64, GROUP(mesh.extent[RC_MESH_ROWS]), 1, (double)RC_MESH_MAX, GROUP_FAULT},
    {"cols", INT64, GROUP(mesh.extent[RC_MESH_COLS]), 1, (double)RC_MESH_MAX, GROUP_FAULT},
    {"layers", INT64, GROUP(mesh.extent[RC_MESH_LAYERS]), 1, (double)RC_MESH_MAX, GROUP_FAULT},
    {"runs", SIZE, GROUP(n), 1, RC_SCALING_RUNS_MAX, GROUP_FAULT},
    {"seconds", NUMBER, GROUP(mean), 1e-12, 1e12, GROUP_FAULT},
    {"least", NUMBER, GROUP(least), 1e-12, 1e15, GROUP_FAULT},
    {"most", NUMBER, GROUP(most), 0, 1e15, GROUP_FAULT},
    {"squares", NUMBER, GROUP(squares), 0, 1e18, GROUP_FAULT},
    {"memory", NUMBER_OR_NULL, GROUP(memory), 1e-9, 1e18, GROUP_FAULT},
};
enum { GROUP_MEMBERS = sizeof group_members / sizeof *group_members };

#define MODEL(field) offsetof(struct rc_scaling_model, field)
#define NAME_FAULT "invalid name of a cluster or network"
#define PLACE_FAULT "invalid placement of processes"
#define OPTION_FAULT "invalid options of the fit"
static const struct member model_members[] = {
    {"cluster", NAME, MODEL(setting.cluster), 0, 0, NAME_FAULT},
    {"network", NAME, MODEL(setting.network), 0, 0, NAME_FAULT},
    {"per_host", INT, MODEL(setting.per_host), 0, RC_PER_HOST_MAX, PLACE_FAULT},
    {"cut", INT, MODEL(setting.cut), 1, RC_MESH_DIRECTIONS, PLACE_FAULT},
    {"packed", TRUTH, MODEL(setting.packed), 0, 0, PLACE_FAULT},
    {"alone", SIZE, MODEL(setting.alone), 0, RC_SCALING_RUNS_MAX, PLACE_FAULT},
    {"unsaid", SIZE, MODEL(setting.unsaid), 0, RC_SCALING_RUNS_MAX, PLACE_FAULT},
    {"gamma", GAMMA, MODEL(options.gamma), 0, 0, OPTION_FAULT},
    {"noise", NUMBER_OR_NULL, MODEL(options.noise), 0, 1, OPTION_FAULT},
    {"bytes_per_cell", NUMBER_OR_NULL, MODEL(options.bytes_per_cell), 1e-9, 1e12, OPTION_FAULT},
    {"form_sd", NUMBER, MODEL(options.form_sd), 0, 1, OPTION_FAULT},
    {"model_error", NUMBER, MODEL(options.model_error), 0, 1, OPTION_FAULT},
    {"force", TRUTH, MODEL(options.force), 0, 0, OPTION_FAULT},
};
enum { MODEL_MEMBERS = sizeof model_members / sizeof *model_members };

#define LINK(field) offsetof(struct rc_scaling_link, field)
#define LINK_FAULT "invalid link"
static const struct member link_members[] = {
    {"from", NAME, LINK(cluster[0]), 0, 0, LINK_FAULT},
    {"to", NAME, LINK(cluster[1]), 0, 0, LINK_FAULT},
    {"network", NAME, LINK(network), 0, 0, LINK_FAULT},
    {"cols", INT64, LINK(cols), 1, (double)RC_MESH_MAX, LINK_FAULT},
    {"seconds", NUMBER, LINK(seconds), 0, 1e12, LINK_FAULT},
    {"sd", NUMBER, LINK(sd), 0, 1e12, LINK_FAULT},
    {"runs", SIZE, LINK(runs), 1, RC_SCALING_RUNS_MAX, LINK_FAULT},
};
enum { LINK_MEMBERS = sizeof link_members / sizeof *link_members };

/* ---- writing ---- */

static json_t *write_member(const struct member *member, const void *at)
{
    switch (member->kind) {
    case NAME:
        return rc_json_text(at);
    case TRUTH:
        return json_boolean(*(const bool *)at);
    case GAMMA:
        return json_string(gamma_names[*(const enum rc_scaling_gamma *)at]);
    case INT:
        return json_integer(*(const int *)at);
    case INT64:
        return json_integer(*(const int64_t *)at);
    case SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case NUMBER:
    case NUMBER_OR_NULL:
        break;
    }
    return rc_json_number(*(const double *)at);
}

static json_t *write_members(const struct member *members, size_t n, const void *from)
{
    json_t *object = json_object();

    for (size_t i = 0; i < n; i++)
        rc_json_set(object, members[i].name,
                    write_member(&members[i], (const char *)from + members[i].offset));
    return object;
}

static json_t *write_work(const struct rc_scaling_work *work)
{
    if (work->kind == RC_WORK_EXPRESSION)
        return rc_json_text(rc_value_expression_text(work->expression));
    return work->kind == RC_WORK_POWER ? json_real(work->exponent) : json_null();
}

static json_t *write_model(const struct rc_scaling_model *model)
{
    json_t *object = write_members(model_members, MODEL_MEMBERS, model), *groups = json_array();

    for (size_t i = 0; i < model->samples.n_groups; i++)
        json_array_append_new(groups, write_members(group_members, GROUP_MEMBERS,
                                                    &model->samples.groups[i]));
    rc_json_set(object, "work", write_work(&model->work));
    rc_json_set(object, "groups", groups);
    return object;
}

json_t *rc_scaling_models_json(const struct rc_scaling_models *models)
{
    json_t *root = json_object(), *items = json_array(), *links = json_array();
    int status = 0;

    for (size_t i = 0; i < models->n && !status; i++)
        status = json_array_append_new(items, write_model(&models->items[i]));
    for (size_t i = 0; i < models->n_links && !status; i++)
        status = json_array_append_new(links, write_members(link_members, LINK_MEMBERS,
                                                            &models->links[i]));
    if (rc_json_set(root, "scaling", json_integer(RC_SCALING_FORMAT)))
        status = -1;
    if (rc_json_set(root, "models", items))
        status = -1;
    if (rc_json_set(root, "links", links))
        status = -1;
    if (!status)
        return root;
    json_decref(root);
    return NULL;
}

/* ---- reading ---- */

static bool is_in(const struct member *member, double value)
{
    return value >= member->low && value <= member->high;
}

static int read_gamma(const char *name, enum rc_scaling_gamma *gamma)
{
    for (int i = 0; name && i < GAMMAS; i++)
        if (strcmp(gamma_names[i], name) == 0) {
            *gamma = (enum rc_scaling_gamma)i;
            return 0;
        }
    return -1;
}

/* -1 where the value is not as it must be. */
static int read_member(const struct member *member, const json_t *value, void *at)
{
    int64_t whole = json_integer_value(value);
    size_t length = json_string_length(value);

    switch (member->kind) {
    case NAME:
        if (!json_is_string(value) || length > RC_NAME_MAX ||
            !rc_text_is_printable(json_string_value(value), length))
            return -1;
        memcpy(at, json_string_value(value), length + 1);
        return 0;
    case TRUTH:
        *(bool *)at = json_is_true(value);
        return json_is_boolean(value) ? 0 : -1;
    case GAMMA:
        return read_gamma(json_string_value(value), at);
    case INT:
        *(int *)at = (int)whole;
        break;
    case INT64:
        *(int64_t *)at = whole;
        break;
    case SIZE:
        *(size_t *)at = (size_t)whole;
        if (!value && member->low == 0)
            return 0;
        break;
    case NUMBER:
    case NUMBER_OR_NULL:
        *(double *)at = json_is_number(value) ? json_number_value(value) : NAN;
        return is_in(member, *(double *)at) ||
                       (member->kind == NUMBER_OR_NULL && json_is_null(value))
                   ? 0
                   : -1;
    }
    return json_is_integer(value) && is_in(member, (double)whole) ? 0 : -1;
}

/* NULL, or the fault. */
static const char *read_members(const struct member *members, size_t n, const json_t *object,
                                void *to)
{
    for (size_t i = 0; i < n; i++)
        if (read_member(&members[i], json_object_get(object, members[i].name),
                        (char *)to + members[i].offset))
            return members[i].fault;
    return NULL;
}

static const json_t *list_of(const json_t *object, const char *name, size_t most)
{
    const json_t *list = json_object_get(object, name);

    return json_is_array(list) && json_array_size(list) <= most ? list : NULL;
}

static const char *read_group(const json_t *object, int cut, struct rc_scaling_group *group)
{
    const char *fault = read_members(group_members, GROUP_MEMBERS, object, group);

    if (!fault &&
        (group->least > group->mean * (1 + 1e-9) || group->most < group->mean * (1 - 1e-9) ||
         (group->n == 1 && group->squares > 0) ||
         rc_scaling_mesh_block(&group->mesh, group->procs, cut, &group->block, NULL)))
        fault = GROUP_FAULT;
    return fault;
}

static const char *read_groups(const json_t *object, int cut, struct rc_scaling_samples *samples)
{
    const json_t *list = list_of(object, "groups", RC_SCALING_GROUPS_MAX);

    if (!list)
        return "invalid groups of runs";
    samples->cut = cut;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct rc_scaling_group group;

        if (read_group(json_array_get(list, i), cut, &group))
            return GROUP_FAULT;
        for (size_t j = 0; j < samples->n_groups; j++)
            if (samples->groups[j].procs == group.procs &&
                rc_scaling_mesh_equal(&samples->groups[j].mesh, &group.mesh))
                return "a group of runs appears twice";
        if (rc_array_room(&samples->groups, samples->n_groups + 1, &samples->room,
                          sizeof *samples->groups, NULL))
            return "out of memory for groups of runs";
        samples->groups[samples->n_groups++] = group;
    }
    rc_scaling_samples_sort(samples);
    return NULL;
}

static int read_work(const json_t *object, struct rc_scaling_work *work)
{
    const json_t *member = json_object_get(object, "work");

    *work = (struct rc_scaling_work){0};
    if (json_is_null(member))
        return 0;
    if (json_is_string(member))
        return strlen(json_string_value(member)) == json_string_length(member)
                   ? rc_scaling_work_parse(json_string_value(member), work, NULL)
                   : -1;
    work->kind = RC_WORK_POWER;
    work->exponent = json_is_number(member) ? json_number_value(member) : NAN;
    return work->exponent >= 0.01 && work->exponent <= 10 ? 0 : -1;
}

/* Reads and fits one; `error` has the fit's own, where there is one. */
static const char *read_model(const json_t *object, struct rc_scaling_models *models,
                              struct rc_error *error)
{
    struct rc_scaling_model stored = {0}, model = {0}; /* the setting and the options, and all */
    const char *fault = read_members(model_members, MODEL_MEMBERS, object, &stored);
    size_t before = models->n;

    if (!fault)
        fault = read_groups(object, stored.setting.cut, &stored.samples);
    if (!fault && read_work(object, &stored.work))
        fault = "invalid work";
    /* all answers of the model warn of nonlinear times */
    if (!fault && (rc_scaling_fit(&stored.samples, &stored.work, &stored.setting, &stored.options,
                                  &model, error) ||
                   rc_scaling_linearity_warnings(&model, error) ||
                   rc_scaling_models_put(models, &model, error)))
        fault = error->text;
    if (!fault && models->n == before)
        fault = "a model appears twice";
    rc_scaling_model_free(&model);
    rc_scaling_model_free(&stored);
    return fault;
}

static const char *read_link(const json_t *object, struct rc_scaling_models *models)
{
    struct rc_scaling_link link = {0};
    const char *fault = read_members(link_members, LINK_MEMBERS, object, &link);
    size_t before = models->n_links;

    if (fault)
        return fault;
    if (rc_scaling_models_put_link(models, &link, NULL))
        return "out of memory for links";
    return models->n_links == before ? "a link appears twice" : NULL;
}

static const char *read_all(const json_t *root, struct rc_scaling_models *models,
                            struct rc_error *error)
{
    const json_t *items = list_of(root, "models", RC_SCALING_MODELS_MAX),
                 *links = list_of(root, "links", RC_SCALING_LINKS_MAX);
    const char *fault = NULL;

    if (json_integer_value(json_object_get(root, "scaling")) != RC_SCALING_FORMAT)
        return "unknown format";
    if (!items || !links)
        return "no lists of models and links";
    for (size_t i = 0; i < json_array_size(items) && !fault; i++)
        fault = read_model(json_array_get(items, i), models, error);
    for (size_t i = 0; i < json_array_size(links) && !fault; i++)
        fault = read_link(json_array_get(links, i), models);
    return fault;
}

int rc_scaling_models_read(const char *text, size_t length, struct rc_scaling_models *models,
                           struct rc_error *error)
{
    struct rc_error own = {0};
    json_error_t where;
    const char *fault;
    json_t *root;

    *models = (struct rc_scaling_models){0};
    if (length > RC_SCALING_TEXT_MAX)
        return rc_error_set(error, "scaling models have at most %d bytes", RC_SCALING_TEXT_MAX);
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return rc_error_set(error, "invalid scaling models: line %d: %s", where.line, where.text);
    fault = read_all(root, models, &own);
    json_decref(root);
    if (!fault)
        return 0;
    rc_scaling_models_free(models);
    rc_error_set(error, "invalid scaling models: %s", fault);
    return rc_error_code(error, "scaling.fit-again", NULL);
}

/* ---- the database ---- */

#define METHOD "scaling"

/* 1, -1 or -2, as rc_scaling_models_load(). */
static int read_stored(const struct rc_stored_model *stored, const char *app,
                       struct rc_scaling_models *models, struct rc_error *error)
{
    if (stored->format > RC_SCALING_FORMAT) {
        rc_error_set(error,
                     "the scaling models of '%s' have format %d; this version of runcast reads "
                     "format %d",
                     app, stored->format, RC_SCALING_FORMAT);
        rc_error_hint(error, "use the newer version of runcast that made them");
        return -1;
    }
    if (stored->format < RC_SCALING_FORMAT) {
        rc_error_set(error, "the scaling models of '%s' have an unknown format, %d", app,
                     stored->format);
        rc_error_code(error, "scaling.fit-again", NULL);
        return -2;
    }
    errno = 0;
    if (rc_scaling_models_read(stored->body, strlen(stored->body), models, error) == 0)
        return 1;
    return errno == ENOMEM ? -1 : -2; /* a good text may need more memory than there is */
}

int rc_scaling_models_load(struct rc_db *db, const char *app, const char *platform,
                           struct rc_scaling_models *models, struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_db_model_find(db, app, platform, METHOD, &stored, error);

    *models = (struct rc_scaling_models){0};
    if (found <= 0)
        return found;
    found = read_stored(&stored, app, models, error);
    if (found > 0)
        models->made = stored.made;
    rc_db_stored_model_free(&stored);
    return found;
}

int rc_scaling_models_save(struct rc_db *db, const char *app, const char *platform,
                           const struct rc_scaling_models *models, int64_t *id,
                           struct rc_error *error)
{
    json_t *object = rc_scaling_models_json(models);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int status;

    json_decref(object);
    if (!text)
        return rc_error_no_memory(error);
    if (strlen(text) > RC_SCALING_TEXT_MAX)
        status = rc_error_set(error, "too many scaling models of '%s' to store", app);
    else
        status = rc_db_model_add(db, app, platform, METHOD, RC_SCALING_FORMAT, text, id, error);
    free(text);
    return status;
}
