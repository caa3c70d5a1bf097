// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs_model.c - measured values as part of a model. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/measured_inputs_internal.h"

bool rc_structural_benchmarks_is(const struct rc_model *model, const struct rc_item *item)
{
    return strcmp(model->files[item->file].name, RC_BENCHMARKS_FILE) == 0;
}

/* The input that holds in a section (-1: in none). */
static const struct rc_item *in_force(const struct rc_model *model, int section, const char *name)
{
    const struct rc_item *found = NULL;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (strcmp(item->name, name) == 0 && rc_structural_model_holds(item->section, section) &&
            (!found || item->section > found->section))
            found = item;
    }
    return found;
}

/* Whether an input of that name is measured in the way that the item says. */
static bool is_measured_so(const struct rc_benchmarks *measured, const struct rc_item *item)
{
    const struct rc_benchmark_input *input = rc_structural_benchmarks_input(measured, item);

    return input && input->n_cells > 0;
}

/* Writes what holds in the model; returns how much, or -1. */
static int write_part(const struct rc_model *model, const struct rc_benchmark_part *part,
                      struct rc_buffer *text, size_t *n_left)
{
    int section = part->section ? rc_structural_model_find_section(model, part->section) : -1;
    int taken = 0;

    if (rc_structural_benchmarks_write_platform(part->section, text))
        return -1;
    for (size_t i = 0; i < part->measured->n_inputs; i++) {
        const struct rc_benchmark_input *input = &part->measured->inputs[i];
        const struct rc_item *item = in_force(model, section, input->name);

        if (!item || item->kind != RC_ITEM_INPUT || item->measure.kind == RC_MEASURE_NOTHING ||
            item->file > 0 || /* a further file wins */
            input->n_cells == 0)
            continue;
        if (!rc_structural_benchmarks_fits(input, item)) {
            *n_left += !is_measured_so(part->measured, item);
            continue;
        }
        if (rc_structural_benchmarks_write_input(part->measured, input, item, text))
            return -1;
        taken++;
    }
    return taken;
}

/* The files of the model with the measured one behind the first. */
static struct rc_model *parse_with(const struct rc_model *model, const struct rc_buffer *text,
                                   struct rc_error *error)
{
    struct rc_model_text texts[RC_MODEL_FILES_MAX + 1];
    size_t n = 0;

    for (size_t i = 0; i < model->n_files; i++) {
        const struct rc_model_file *file = &model->files[i];

        texts[n++] = (struct rc_model_text){file->name, file->text, strlen(file->text)};
        if (i == 0)
            texts[n++] = (struct rc_model_text){RC_BENCHMARKS_FILE, text->data, text->length};
    }
    return rc_structural_model_parse_all(texts, n, error);
}

int rc_structural_benchmarks_join(struct rc_model **model, const struct rc_benchmark_part *parts,
                                  size_t n_parts, size_t *n_left, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_model *joined = NULL;
    int taken = 0;

    *n_left = 0;
    for (size_t i = 0; i < n_parts && taken >= 0; i++) {
        int more = write_part(*model, &parts[i], &text, n_left);

        taken =
            more < 0 ? rc_error_set(error, "too many measured inputs for a model") : taken + more;
    }
    if (taken > 0) {
        joined = parse_with(*model, &text, error);
        taken = joined ? taken : -1;
    }
    rc_buffer_free(&text);
    if (joined) {
        rc_structural_model_destroy(*model);
        *model = joined;
    }
    return taken;
}

/* ---- from the database ---- */

/* "tiny, large" */
static char *list_platforms(struct rc_db *db, const char *app, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(400);
    char **names = rc_structural_benchmarks_platforms(db, app, error);

    for (size_t i = 0; names && names[i]; i++) {
        if (rc_buffer_printf(&text, "%s%s", i ? ", " : "", names[i]) && text.length)
            rc_buffer_add_text(&text, ", ...");
        free(names[i]);
    }
    free(names);
    return text.data;
}

/* Loads, and joins what there is under a section of that name. */
static int add_named(struct rc_db *db, const char *platform, const char *name,
                     struct rc_model **model, struct rc_model_measured *measured,
                     struct rc_error *error)
{
    const struct rc_benchmark_part part = {&measured->values, name};
    int found =
        rc_structural_benchmarks_load(db, (*model)->app, platform, &measured->values, error);

    return found > 0 ? rc_structural_benchmarks_join(model, &part, 1, &measured->n_left, error)
                     : found;
}

int rc_structural_benchmarks_add(struct rc_db *db, const char *platform, struct rc_model **model,
                                 int *section, struct rc_error *error)
{
    /* A copy: the model will be another one. */
    const char *shown = *section >= 0 ? (*model)->sections[*section].name : platform;
    char *name = shown ? strdup(shown) : NULL;
    struct rc_model_measured *measured = calloc(1, sizeof *measured);
    int taken = 0;

    if (!measured || (shown && !name))
        taken = rc_error_no_memory(error);
    else if (platform)
        taken = add_named(db, platform, name, model, measured, error);
    else
        measured->elsewhere = list_platforms(db, (*model)->app, NULL);
    if (taken > 0)
        *section = rc_structural_model_find_section(*model, name);
    if (taken >= 0) {
        rc_structural_model_measured_destroy((*model)->measured);
        (*model)->measured = measured;
    } else {
        rc_structural_model_measured_destroy(measured);
    }
    free(name);
    return taken;
}

/* Loads what was measured on each platform that a model can name. */
static int load_all(struct rc_db *db, const char *app, char **names, struct rc_benchmarks *items,
                    struct rc_benchmark_part *parts, size_t *n, struct rc_error *error)
{
    for (size_t i = 0; names[i]; i++) {
        int found = rc_structural_benchmarks_can_name(names[i])
                        ? rc_structural_benchmarks_load(db, app, names[i], &items[*n], error)
                        : 0;

        if (found < 0)
            return -1;
        if (found > 0) {
            parts[*n] = (struct rc_benchmark_part){&items[*n], names[i]};
            ++*n;
        }
    }
    return 0;
}

int rc_structural_benchmarks_add_all(struct rc_db *db, struct rc_model **model, size_t *n_left,
                                     struct rc_error *error)
{
    char **names = rc_structural_benchmarks_platforms(db, (*model)->app, error);
    struct rc_benchmarks *items = NULL;
    struct rc_benchmark_part *parts = NULL;
    size_t n_names = 0, n = 0;
    int taken = -1;

    if (!names)
        return -1;
    while (names[n_names])
        n_names++;
    items = calloc(n_names + 1, sizeof *items);
    parts = calloc(n_names + 1, sizeof *parts);
    if (!items || !parts)
        rc_error_no_memory(error);
    else if (load_all(db, (*model)->app, names, items, parts, &n, error) == 0)
        taken = rc_structural_benchmarks_join(model, parts, n, n_left, error);
    for (size_t i = 0; i < n; i++)
        rc_structural_benchmarks_free(&items[i]);
    for (size_t i = 0; i < n_names; i++)
        free(names[i]);
    free(items);
    free(parts);
    free(names);
    return taken;
}
