// SPDX-License-Identifier: GPL-3.0-or-later
/* benchmarks.c - measured values of inputs: in memory, in the store, and as part of a model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "store/model.h"
#include "structure/benchmarks_internal.h"

#define FAMILY "measured"

/* ---- freeing ---- */

static void free_cell(struct rc_benchmark_cell *cell)
{
    free(cell->row);
    free(cell->column);
}

static void forget_cells(struct rc_benchmark_input *input)
{
    for (size_t i = 0; i < input->n_cells; i++)
        free_cell(&input->cells[i]);
    input->n_cells = 0;
}

static void free_about(struct rc_benchmark_input *input)
{
    free(input->description);
    free(input->clauses);
    for (size_t i = 0; i < input->n_parameters; i++)
        free(input->parameters[i]);
    input->description = input->clauses = NULL;
    input->n_parameters = 0;
}

static void free_input(struct rc_benchmark_input *input)
{
    forget_cells(input);
    free_about(input);
    free(input->cells);
    free(input->name);
    free(input->source);
}

void rc_benchmarks_free(struct rc_benchmarks *measured)
{
    for (size_t i = 0; i < measured->n_inputs; i++)
        free_input(&measured->inputs[i]);
    free(measured->inputs);
    *measured = (struct rc_benchmarks){0};
}

/* ---- finding ---- */

static struct rc_benchmark_input *find_input(const struct rc_benchmarks *measured, const char *name)
{
    for (size_t i = 0; i < measured->n_inputs; i++)
        if (strcmp(measured->inputs[i].name, name) == 0)
            return &measured->inputs[i];
    return NULL;
}

bool rc_benchmarks_fits(const struct rc_benchmark_input *input, const struct rc_item *item)
{
    struct rc_buffer clauses = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    bool fits = item->kind == RC_ITEM_INPUT && item->n_parameters == input->n_parameters &&
                item->measure.kind != RC_MEASURE_NOTHING &&
                rc_benchmarks_clauses(item, &clauses) == 0 &&
                strcmp(clauses.data, input->clauses) == 0;

    rc_buffer_free(&clauses);
    return fits;
}

/* Where the cell of that row and column is, or belongs. */
static size_t find_place(const struct rc_benchmark_input *input, const char *row,
                         const char *column, bool *there)
{
    size_t low = 0, high = input->n_cells;

    *there = false;
    while (low < high && !*there) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(row, input->cells[middle].row);

        if (order == 0)
            order = strcmp(column, input->cells[middle].column);
        *there = order == 0;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return high < low ? low : high;
}

const struct rc_benchmark_value *rc_benchmarks_find(const struct rc_benchmarks *measured,
                                                 const struct rc_item *item, const char *row,
                                                 const char *column)
{
    const struct rc_benchmark_input *input = find_input(measured, item->name);
    bool there = false;
    size_t at = input ? find_place(input, row, column, &there) : 0;

    return there && rc_benchmarks_fits(input, item) ? &input->cells[at].value : NULL;
}

/* ---- adding ---- */

static int describe(struct rc_benchmark_input *input, const struct rc_item *item)
{
    struct rc_buffer clauses = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);

    free_about(input);
    input->lifetime = item->meta.lifetime;
    if (rc_benchmarks_clauses(item, &clauses)) {
        rc_buffer_free(&clauses);
        return -1;
    }
    input->clauses = clauses.data;
    if (item->description && !(input->description = strdup(item->description)))
        return -1;
    for (; input->n_parameters < item->n_parameters; input->n_parameters++) {
        input->parameters[input->n_parameters] = strdup(item->parameters[input->n_parameters]);
        if (!input->parameters[input->n_parameters])
            return -1;
    }
    return 0;
}

/* The input of that item, without the values of another way of measuring. */
static struct rc_benchmark_input *add_input(struct rc_benchmarks *measured,
                                           const struct rc_item *item, struct rc_error *error)
{
    struct rc_benchmark_input *input = find_input(measured, item->name);

    if (!input) {
        if (rc_array_room(&measured->inputs, measured->n_inputs + 1, &measured->room,
                          sizeof *measured->inputs, error))
            return NULL;
        input = &measured->inputs[measured->n_inputs];
        *input = (struct rc_benchmark_input){.name = strdup(item->name)};
        if (input->name)
            measured->n_inputs++;
    }
    if (input->name && input->clauses && !rc_benchmarks_fits(input, item))
        forget_cells(input);
    if (!input->name || describe(input, item)) {
        rc_error_no_memory(error);
        return NULL;
    }
    return input;
}

static int put_cell(struct rc_benchmark_input *input, const char *row, const char *column,
                    const struct rc_benchmark_value *value, struct rc_error *error)
{
    struct rc_benchmark_cell cell = {.value = *value};
    bool there;
    size_t at = find_place(input, row, column, &there);

    if (rc_array_room(&input->cells, input->n_cells + 1, &input->room, sizeof *input->cells,
                      error))
        return -1;
    cell.row = strdup(row);
    cell.column = strdup(column);
    if (!cell.row || !cell.column) {
        free_cell(&cell);
        return rc_error_no_memory(error);
    }
    if (there)
        free_cell(&input->cells[at]);
    else
        memmove(&input->cells[at + 1], &input->cells[at],
                (input->n_cells++ - at) * sizeof *input->cells);
    input->cells[at] = cell;
    return 0;
}

int rc_benchmarks_put(struct rc_benchmarks *measured, const struct rc_item *item, const char *row,
                    const char *column, const struct rc_benchmark_value *value, const char *source,
                    struct rc_error *error)
{
    struct rc_benchmark_input *input = add_input(measured, item, error);
    char *copy;

    if (!input)
        return -1;
    copy = source ? strdup(source) : NULL;
    if (source && !copy)
        return rc_error_no_memory(error);
    free(input->source);
    input->source = copy;
    return put_cell(input, row, column, value, error);
}

/* ---- as part of a model ---- */

bool rc_benchmarks_is(const struct rc_model *model, const struct rc_item *item)
{
    return strcmp(model->files[item->file].name, RC_BENCHMARKS_FILE) == 0;
}

/* The input that holds in a section (-1: in none). */
static const struct rc_item *in_force(const struct rc_model *model, int section, const char *name)
{
    const struct rc_item *found = NULL;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (strcmp(item->name, name) == 0 && (item->section < 0 || item->section == section) &&
            (!found || item->section > found->section))
            found = item;
    }
    return found;
}

/* Writes what holds in the model; returns how much, or -1. */
static int write_part(const struct rc_model *model, const struct rc_benchmark_part *part,
                      struct rc_buffer *text, size_t *n_left)
{
    int section = part->section ? rc_model_find_section(model, part->section) : -1;
    int taken = 0;

    if (rc_benchmarks_write_platform(part->section, text))
        return -1;
    for (size_t i = 0; i < part->measured->n_inputs; i++) {
        const struct rc_benchmark_input *input = &part->measured->inputs[i];
        const struct rc_item *item = in_force(model, section, input->name);

        if (!item || item->kind != RC_ITEM_INPUT || item->measure.kind == RC_MEASURE_NOTHING ||
            item->file > 0) /* a further file wins */
            continue;
        if (!rc_benchmarks_fits(input, item)) {
            ++*n_left;
            continue;
        }
        if (rc_benchmarks_write_input(input, item, text))
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
    return rc_model_parse_all(texts, n, error);
}

int rc_benchmarks_join(struct rc_model **model, const struct rc_benchmark_part *parts,
                       size_t n_parts, size_t *n_left, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_model *joined = NULL;
    int taken = 0;

    *n_left = 0;
    for (size_t i = 0; i < n_parts && taken >= 0; i++) {
        int more = write_part(*model, &parts[i], &text, n_left);

        taken = more < 0 ? rc_error_set(error, "the measured inputs are too many for a model")
                         : taken + more;
    }
    if (taken > 0) {
        joined = parse_with(*model, &text, error);
        taken = joined ? taken : -1;
    }
    rc_buffer_free(&text);
    if (joined) {
        rc_model_destroy(*model);
        *model = joined;
    }
    return taken;
}

/* ---- in the store ---- */

int rc_benchmarks_load(struct rc_store *store, const char *app, const char *platform,
                     struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_model_find(store, app, platform, FAMILY, &stored, error);

    *measured = (struct rc_benchmarks){0};
    if (found <= 0)
        return found;
    if (stored.format != RC_BENCHMARKS_FORMAT) {
        found = rc_error_set(error, "the measured inputs of '%s' are of format %d, and this "
                                    "program reads format %d", app, stored.format,
                             RC_BENCHMARKS_FORMAT);
        rc_error_hint(error, "a newer runcast made them, and can read them");
    } else if (rc_benchmarks_read(stored.body, strlen(stored.body), measured, error)) {
        found = -1;
    }
    rc_stored_model_free(&stored);
    return found;
}

int rc_benchmarks_save(struct rc_store *store, const char *app, const char *platform,
                     const struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    int status = rc_benchmarks_write(measured, platform, &text, error);

    if (status == 0)
        status = rc_model_add(store, app, platform, FAMILY, RC_BENCHMARKS_FORMAT, text.data, NULL,
                              error);
    rc_buffer_free(&text);
    return status;
}

int rc_benchmarks_add(struct rc_store *store, const char *platform, struct rc_model **model,
                      int *section, size_t *n_left, struct rc_error *error)
{
    /* A copy: the model will be another one. */
    char *name = strdup(*section >= 0 ? (*model)->sections[*section].name : platform);
    struct rc_benchmarks measured = {0};
    const struct rc_benchmark_part part = {&measured, name};
    int taken = name ? rc_benchmarks_load(store, (*model)->app, platform, &measured, error)
                     : rc_error_no_memory(error);

    *n_left = 0;
    if (taken > 0)
        taken = rc_benchmarks_join(model, &part, 1, n_left, error);
    if (taken > 0)
        *section = rc_model_find_section(*model, name);
    rc_benchmarks_free(&measured);
    free(name);
    return taken;
}

/* Names up to a NULL. */
struct names {
    char **items;
    size_t n, room;
    struct rc_error *error;
};

static int add_platform(void *data, const struct rc_model_row *row)
{
    struct names *names = data;

    if (rc_array_room(&names->items, names->n + 2, &names->room, sizeof *names->items,
                      names->error))
        return -1;
    names->items[names->n] = strdup(row->platform);
    if (!names->items[names->n])
        return rc_error_no_memory(names->error);
    names->items[++names->n] = NULL;
    return 0;
}

char **rc_benchmarks_platforms(struct rc_store *store, const char *app, struct rc_error *error)
{
    struct names names = {.items = calloc(1, sizeof *names.items), .room = 1, .error = error};
    int status = names.items ? rc_model_list(store, app, FAMILY, add_platform, &names, error)
                             : rc_error_no_memory(error);

    if (status == 0)
        return names.items;
    for (size_t i = 0; i < names.n; i++)
        free(names.items[i]);
    free(names.items);
    return NULL;
}
