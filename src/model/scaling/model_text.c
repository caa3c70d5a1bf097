// SPDX-License-Identifier: GPL-3.0-or-later
/* model_text.c - scaling models as JSON.
 *
 * What was measured and chosen is written; what follows from it is fitted again when it is read, so
 * that no text can hold a model that no runs would give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/scaling/book.h"
#include "model/scaling/straight.h"
#include "stats/value/expression.h"

static const char *const gamma_names[] = {"auto", "one", "each"};
enum { GAMMAS = sizeof gamma_names / sizeof *gamma_names };

/* ---- writing ---- */

static int write_group(json_t *list, const struct rc_scaling_group *group)
{
    json_t *object = json_object();

    rc_json_set(object, "procs", json_integer(group->procs));
    rc_json_set(object, "rows", json_integer(group->mesh.extent[RC_MESH_ROWS]));
    rc_json_set(object, "cols", json_integer(group->mesh.extent[RC_MESH_COLS]));
    rc_json_set(object, "layers", json_integer(group->mesh.extent[RC_MESH_LAYERS]));
    rc_json_set(object, "runs", json_integer((json_int_t)group->n));
    rc_json_set(object, "seconds", rc_json_number(group->mean));
    rc_json_set(object, "least", rc_json_number(group->least));
    rc_json_set(object, "most", rc_json_number(group->most));
    rc_json_set(object, "squares", rc_json_number(group->squares));
    rc_json_set(object, "memory", rc_json_number(group->memory));
    return json_array_append_new(list, object);
}

static json_t *write_work(const struct rc_scaling_work *work)
{
    if (work->kind == RC_WORK_EXPRESSION)
        return rc_json_text(rc_value_expression_text(work->expression));
    return work->kind == RC_WORK_POWER ? json_real(work->exponent) : json_null();
}

static int write_model(json_t *list, const struct rc_scaling_model *model)
{
    json_t *object = json_object(), *groups = json_array();
    const struct rc_scaling_setting *setting = &model->setting;
    const struct rc_scaling_options *options = &model->options;

    for (size_t i = 0; i < model->samples.n_groups; i++)
        if (write_group(groups, &model->samples.groups[i]))
            break;
    rc_json_set(object, "cluster", rc_json_text(setting->cluster));
    rc_json_set(object, "network", rc_json_text(setting->network));
    rc_json_set(object, "per_host", json_integer(setting->per_host));
    rc_json_set(object, "cut", json_integer(setting->cut));
    rc_json_set(object, "packed", json_boolean(setting->packed));
    rc_json_set(object, "alone", json_integer((json_int_t)setting->alone));
    rc_json_set(object, "unsaid", json_integer((json_int_t)setting->unsaid));
    rc_json_set(object, "gamma", json_string(gamma_names[options->gamma]));
    rc_json_set(object, "noise", rc_json_number(options->noise));
    rc_json_set(object, "bytes_per_cell", rc_json_number(options->bytes_per_cell));
    rc_json_set(object, "form_sd", rc_json_number(options->form_sd));
    rc_json_set(object, "model_error", rc_json_number(options->model_error));
    rc_json_set(object, "force", json_boolean(options->force));
    rc_json_set(object, "work", write_work(&model->work));
    rc_json_set(object, "groups", groups);
    return json_array_append_new(list, object);
}

static int write_link(json_t *list, const struct rc_scaling_link *link)
{
    json_t *object = json_object();

    rc_json_set(object, "from", rc_json_text(link->cluster[0]));
    rc_json_set(object, "to", rc_json_text(link->cluster[1]));
    rc_json_set(object, "network", rc_json_text(link->network));
    rc_json_set(object, "cols", json_integer(link->cols));
    rc_json_set(object, "seconds", rc_json_number(link->seconds));
    rc_json_set(object, "sd", rc_json_number(link->sd));
    rc_json_set(object, "runs", json_integer((json_int_t)link->runs));
    return json_array_append_new(list, object);
}

json_t *rc_scaling_book_json(const struct rc_book *book)
{
    json_t *root = json_object(), *models = json_array(), *links = json_array();
    int status = 0;

    for (size_t i = 0; i < book->n_models && !status; i++)
        status = write_model(models, &book->models[i]);
    for (size_t i = 0; i < book->n_links && !status; i++)
        status = write_link(links, &book->links[i]);
    if (rc_json_set(root, "scaling", json_integer(RC_BOOK_FORMAT)))
        status = -1;
    if (rc_json_set(root, "models", models))
        status = -1;
    if (rc_json_set(root, "links", links))
        status = -1;
    if (!status)
        return root;
    json_decref(root);
    return NULL;
}

/* ---- reading: -1 where what it reads is not as it must be ---- */

static int number_in(const json_t *object, const char *name, double low, double high, double *value)
{
    const json_t *member = json_object_get(object, name);

    *value = json_is_number(member) ? json_number_value(member) : NAN;
    return *value >= low && *value <= high ? 0 : -1;
}

static int number_or_none(const json_t *object, const char *name, double low, double high,
                          double *value)
{
    if (!json_is_null(json_object_get(object, name)))
        return number_in(object, name, low, high, value);
    *value = NAN;
    return 0;
}

static int whole_in(const json_t *object, const char *name, int64_t low, int64_t high,
                    int64_t *value)
{
    const json_t *member = json_object_get(object, name);

    *value = json_is_integer(member) ? json_integer_value(member) : low - 1;
    return json_is_integer(member) && *value >= low && *value <= high ? 0 : -1;
}

static int truth_of(const json_t *object, const char *name, bool *value)
{
    const json_t *member = json_object_get(object, name);

    *value = json_is_true(member);
    return json_is_boolean(member) ? 0 : -1;
}

/* A number of runs; 0 where it is missing, as in texts of before it was counted. */
static int count_of(const json_t *object, const char *name, size_t *count)
{
    int64_t value = 0;

    if (json_object_get(object, name) && whole_in(object, name, 0, RC_SCALING_RUNS_MAX, &value))
        return -1;
    *count = (size_t)value;
    return 0;
}

static int name_of(const json_t *object, const char *name, char text[RC_NAME_MAX + 1])
{
    const json_t *member = json_object_get(object, name);
    const char *value = json_string_value(member);
    size_t length = json_string_length(member);

    if (!value || length > RC_NAME_MAX || !rc_text_is_printable(value, length))
        return -1;
    memcpy(text, value, length + 1);
    return 0;
}

static const json_t *list_of(const json_t *object, const char *name, size_t most)
{
    const json_t *list = json_object_get(object, name);

    return json_is_array(list) && json_array_size(list) <= most ? list : NULL;
}

static int read_group(const json_t *object, int cut, struct rc_scaling_group *group)
{
    int64_t extent[RC_MESH_DIRECTIONS], runs;

    if (whole_in(object, "procs", 1, RC_MESH_PROCS_MAX, &group->procs) ||
        whole_in(object, "rows", 1, RC_MESH_MAX, &extent[0]) ||
        whole_in(object, "cols", 1, RC_MESH_MAX, &extent[1]) ||
        whole_in(object, "layers", 1, RC_MESH_MAX, &extent[2]) ||
        whole_in(object, "runs", 1, RC_SCALING_RUNS_MAX, &runs) ||
        number_in(object, "seconds", 1e-12, 1e12, &group->mean) ||
        number_in(object, "least", 1e-12, group->mean * (1 + 1e-9), &group->least) ||
        number_in(object, "most", group->mean * (1 - 1e-9), 1e15, &group->most) ||
        number_in(object, "squares", 0, runs == 1 ? 0 : 1e18, &group->squares) ||
        number_or_none(object, "memory", 1e-9, 1e18, &group->memory))
        return -1;
    group->n = (size_t)runs;
    memcpy(group->mesh.extent, extent, sizeof extent);
    return rc_scaling_mesh_block(&group->mesh, group->procs, cut, &group->block, NULL);
}

static const char *read_groups(const json_t *object, int cut, struct rc_scaling_samples *samples)
{
    const json_t *list = list_of(object, "groups", RC_SCALING_GROUPS_MAX);

    if (!list)
        return "the groups of its runs";
    samples->cut = cut;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct rc_scaling_group group;

        if (read_group(json_array_get(list, i), cut, &group))
            return "one of the groups of its runs";
        for (size_t j = 0; j < samples->n_groups; j++)
            if (samples->groups[j].procs == group.procs &&
                rc_scaling_mesh_equal(&samples->groups[j].mesh, &group.mesh))
                return "a group of runs that comes twice";
        if (rc_array_room(&samples->groups, samples->n_groups + 1, &samples->room,
                          sizeof *samples->groups, NULL))
            return "its groups, for which there is no memory";
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
    return number_in(object, "work", 0.01, 10, &work->exponent);
}

static const char *read_setting(const json_t *object, struct rc_scaling_setting *setting,
                                struct rc_scaling_options *options)
{
    const char *gamma = json_string_value(json_object_get(object, "gamma"));
    int64_t per_host, cut, which = 0;

    if (name_of(object, "cluster", setting->cluster) ||
        name_of(object, "network", setting->network))
        return "the name of its cluster or network";
    if (whole_in(object, "per_host", 0, RC_PER_HOST_MAX, &per_host) ||
        whole_in(object, "cut", 1, RC_MESH_DIRECTIONS, &cut) ||
        truth_of(object, "packed", &setting->packed) ||
        count_of(object, "alone", &setting->alone) || count_of(object, "unsaid", &setting->unsaid))
        return "how its processes are placed";
    setting->per_host = (int)per_host;
    setting->cut = (int)cut;
    while (gamma && which < GAMMAS && strcmp(gamma_names[which], gamma) != 0)
        which++;
    if (!gamma || which == GAMMAS || number_or_none(object, "noise", 0, 1, &options->noise) ||
        number_or_none(object, "bytes_per_cell", 1e-9, 1e12, &options->bytes_per_cell) ||
        number_in(object, "form_sd", 0, 1, &options->form_sd) ||
        number_in(object, "model_error", 0, 1, &options->model_error) ||
        truth_of(object, "force", &options->force))
        return "the options that it was fitted with";
    options->gamma = (enum rc_scaling_gamma)which;
    return NULL;
}

/* What is bent is told with all answers. */
static int note_lines(struct rc_scaling_model *model, struct rc_error *error)
{
    int status = rc_scaling_straight_doubts(model, error);

    if (status)
        rc_scaling_model_free(model);
    return status;
}

/* Reads and fits one; `error` has the fit's own, where there is one. */
static const char *read_model(const json_t *object, struct rc_book *book, struct rc_error *error)
{
    struct rc_scaling_setting setting = {0};
    struct rc_scaling_options options = {0};
    struct rc_scaling_samples samples = {0};
    struct rc_scaling_work work = {0};
    struct rc_scaling_model model;
    size_t before = book->n_models;
    const char *fault = read_setting(object, &setting, &options);

    if (!fault)
        fault = read_groups(object, setting.cut, &samples);
    if (!fault && read_work(object, &work))
        fault = "what it takes for work";
    if (!fault && (rc_scaling_fit(&samples, &work, &setting, &options, &model, error) ||
                   note_lines(&model, error) || rc_scaling_book_put(book, &model, error)))
        fault = error->text;
    if (!fault && book->n_models == before)
        fault = "a model that comes twice";
    rc_scaling_samples_free(&samples);
    rc_scaling_work_free(&work);
    return fault;
}

static const char *read_link(const json_t *object, struct rc_book *book)
{
    struct rc_scaling_link link = {0};
    size_t before = book->n_links;
    int64_t runs;

    if (name_of(object, "from", link.cluster[0]) || name_of(object, "to", link.cluster[1]) ||
        name_of(object, "network", link.network) ||
        whole_in(object, "cols", 1, RC_MESH_MAX, &link.cols) ||
        number_in(object, "seconds", 0, 1e12, &link.seconds) ||
        number_in(object, "sd", 0, 1e12, &link.sd) ||
        whole_in(object, "runs", 1, RC_SCALING_RUNS_MAX, &runs))
        return "one of its links";
    link.runs = (size_t)runs;
    if (rc_scaling_book_put_link(book, &link, NULL))
        return "its links, for which there is no memory";
    return book->n_links == before ? "a link that comes twice" : NULL;
}

static const char *read_all(const json_t *root, struct rc_book *book, struct rc_error *error)
{
    const json_t *models = list_of(root, "models", RC_BOOK_MODELS_MAX),
                 *links = list_of(root, "links", RC_BOOK_LINKS_MAX);
    const char *fault = NULL;
    int64_t format;

    if (whole_in(root, "scaling", RC_BOOK_FORMAT, RC_BOOK_FORMAT, &format))
        return "the format that it says it is of";
    if (!models || !links)
        return "its lists of models and links";
    for (size_t i = 0; i < json_array_size(models) && !fault; i++)
        fault = read_model(json_array_get(models, i), book, error);
    for (size_t i = 0; i < json_array_size(links) && !fault; i++)
        fault = read_link(json_array_get(links, i), book);
    return fault;
}

int rc_scaling_book_read(const char *text, size_t length, struct rc_book *book,
                         struct rc_error *error)
{
    struct rc_error own = {0};
    json_error_t where;
    const char *fault;
    json_t *root;

    *book = (struct rc_book){0};
    if (length > RC_BOOK_TEXT_MAX)
        return rc_error_set(error, "scaling models have at most %d bytes", RC_BOOK_TEXT_MAX);
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return rc_error_set(error, "these are no scaling models: line %d: %s", where.line,
                            where.text);
    fault = read_all(root, book, &own);
    json_decref(root);
    if (!fault)
        return 0;
    rc_scaling_book_free(book);
    rc_error_set(error, "these scaling models cannot be used: %s", fault);
    return rc_error_hint(error, "fit them again with 'runcast scale fit'");
}
