// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs.c - measured values of inputs in memory, and what they were measured with. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "model/structural/measured_inputs_internal.h"

/* ---- freeing ---- */

static void free_cell(struct rc_benchmark_cell *cell)
{
    free(cell->row);
    free(cell->column);
}

static void free_about(struct rc_benchmark_input *input)
{
    free(input->description);
    for (size_t i = 0; i < input->n_parameters; i++)
        free(input->parameters[i]);
    input->description = NULL;
    input->n_parameters = 0;
}

static void free_input(struct rc_benchmark_input *input)
{
    for (size_t i = 0; i < input->n_cells; i++)
        free_cell(&input->cells[i]);
    free_about(input);
    free(input->cells);
    free(input->clauses);
    free(input->name);
}

void rc_structural_benchmarks_free(struct rc_benchmarks *measured)
{
    for (size_t i = 0; i < measured->n_inputs; i++)
        free_input(&measured->inputs[i]);
    for (size_t i = 0; i < measured->n_hows; i++)
        free(measured->hows[i].own);
    free(measured->inputs);
    free(measured->hows);
    *measured = (struct rc_benchmarks){0};
}

void rc_structural_model_measured_destroy(struct rc_model_measured *measured)
{
    if (!measured)
        return;
    rc_structural_benchmarks_free(&measured->values);
    free(measured->elsewhere);
    free(measured);
}

/* ---- how it is measured ---- */

/* A formula in one line, as formulas that differ in blanks alone are one. */
static int put_formula(struct rc_buffer *text, const char *word,
                       const struct rc_expression *formula)
{
    const char *from = formula ? rc_value_expression_text(formula) : "";
    int status = formula ? rc_buffer_printf(text, "    %s", word) : 0;

    while (*from && status == 0) {
        size_t blanks = strspn(from, " \t\n"), length = strcspn(from + blanks, " \t\n");

        if (length)
            status = rc_buffer_printf(text, " %.*s", (int)length, from + blanks);
        from += blanks + length;
    }
    return status || !formula ? status : rc_buffer_add_text(text, "\n");
}

/* Adds how an input is measured, as the lines of a model; equal texts are equal ways. */
static int put_clauses(const struct rc_item *item, struct rc_buffer *text)
{
    const struct rc_measure *measure = &item->measure;
    int status = 0;

    if (measure->kind == RC_MEASURE_OPERATION)
        status = rc_buffer_printf(text, "    measure operation %s\n",
                                  rc_structural_operation_names[measure->operation]);
    else if (measure->bytes)
        status = put_formula(text,
                             measure->kind == RC_MEASURE_MESSAGE ? "measure message"
                                                                 : "measure bandwidth",
                             measure->bytes);
    else
        status = rc_buffer_printf(text, "    measure %s\n",
                                  rc_structural_measure_kind_names[measure->kind]);
    if (status || put_formula(text, "at", measure->size) ||
        put_formula(text, "per", measure->per) || put_formula(text, "less", measure->less))
        return -1;
    return measure->arguments ? rc_buffer_printf(text, "    arguments \"%s\"\n", measure->arguments)
                              : 0;
}

/* ---- finding ---- */

bool rc_structural_benchmarks_fits(const struct rc_benchmark_input *input,
                                   const struct rc_item *item)
{
    struct rc_buffer clauses = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    bool fits = strcmp(input->name, item->name) == 0 && item->kind == RC_ITEM_INPUT &&
                item->n_parameters == input->n_parameters &&
                item->measure.kind != RC_MEASURE_NOTHING && put_clauses(item, &clauses) == 0 &&
                strcmp(clauses.data, input->clauses) == 0;

    rc_buffer_free(&clauses);
    return fits;
}

const struct rc_benchmark_input *
rc_structural_benchmarks_input(const struct rc_benchmarks *measured, const struct rc_item *item)
{
    for (size_t i = 0; i < measured->n_inputs; i++)
        if (rc_structural_benchmarks_fits(&measured->inputs[i], item))
            return &measured->inputs[i];
    return NULL;
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

const struct rc_benchmark_value *rc_structural_benchmarks_find(const struct rc_benchmarks *measured,
                                                               const struct rc_item *item,
                                                               const char *row, const char *column)
{
    const struct rc_benchmark_input *input = rc_structural_benchmarks_input(measured, item);
    bool there = false;
    size_t at = input ? find_place(input, row, column, &there) : 0;

    return there ? &input->cells[at].value : NULL;
}

/* ---- what they were measured with ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_like(const struct rc_benchmark_how *a, const struct rc_benchmark_how *b)
{
    return same_number(a->size, b->size) && same_number(a->bytes, b->bytes) &&
           same_number(a->processes, b->processes) && same_number(a->repeats, b->repeats) &&
           a->timed == b->timed && same_text(a->hosts, b->hosts) &&
           same_text(a->inputs, b->inputs) && same_text(a->command, b->command) &&
           same_text(a->machine, b->machine) && same_text(a->source, b->source);
}

/* Copies the texts, one after the other, into one piece of memory. */
static int own_texts(struct rc_benchmark_how *how)
{
    const char **texts[] = {&how->hosts, &how->inputs, &how->command, &how->machine, &how->source};
    const size_t n = sizeof texts / sizeof *texts;
    size_t length = 1;
    char *at;

    for (size_t i = 0; i < n; i++)
        length += *texts[i] ? strlen(*texts[i]) + 1 : 0;
    how->own = at = malloc(length);
    for (size_t i = 0; at && i < n; i++)
        if (*texts[i]) {
            length = strlen(*texts[i]) + 1;
            *texts[i] = memcpy(at, *texts[i], length);
            at += length;
        }
    return how->own ? 0 : -1;
}

int rc_structural_benchmarks_how(struct rc_benchmarks *measured, const struct rc_benchmark_how *how,
                                 size_t *index, struct rc_error *error)
{
    struct rc_benchmark_how copy = *how;

    for (*index = measured->n_hows; *index > 0; --*index) /* the last ones are the most probable */
        if (is_like(&measured->hows[*index - 1], how)) {
            --*index;
            return 0;
        }
    if (rc_array_room(&measured->hows, measured->n_hows + 1, &measured->hows_room,
                      sizeof *measured->hows, error))
        return -1;
    if (own_texts(&copy))
        return rc_error_no_memory(error);
    *index = measured->n_hows;
    measured->hows[measured->n_hows++] = copy;
    return 0;
}

/* "problem size 50, now 100" */
static bool numbers_differ(const char *what, double was, double now, char *text)
{
    if (isnan(was) || isnan(now) || was == now)
        return false;
    snprintf(text, RC_BENCHMARKS_TEXT, "%s %.15g, now %.15g", what, was, now);
    return true;
}

static bool texts_differ(const char *what, const char *was, const char *now, char *text)
{
    if (!was || !now || strcmp(was, now) == 0)
        return false;
    snprintf(text, RC_BENCHMARKS_TEXT, "%s%.80s, now %.80s", what, *was ? was : "nothing",
             *now ? now : "nothing");
    rc_text_mend_cut(text, RC_BENCHMARKS_TEXT);
    return true;
}

bool rc_structural_benchmarks_differ(const struct rc_benchmark_how *was,
                                     const struct rc_benchmark_how *now,
                                     char text[RC_BENCHMARKS_TEXT])
{
    text[0] = '\0';
    if (numbers_differ("problem size", was->size, now->size, text) ||
        numbers_differ("message bytes", was->bytes, now->bytes, text) ||
        numbers_differ("processes", was->processes, now->processes, text) ||
        texts_differ("hosts ", was->hosts, now->hosts, text) ||
        texts_differ("", was->inputs, now->inputs, text) ||
        texts_differ("", was->machine, now->machine, text))
        return true;
    if (was->command && now->command && strcmp(was->command, now->command) != 0)
        snprintf(text, RC_BENCHMARKS_TEXT, "different command");
    else if (was->command && now->command && was->timed != now->timed)
        snprintf(text, RC_BENCHMARKS_TEXT, "time of the %s, now of the %s",
                 was->timed ? "command" : "program", now->timed ? "command" : "program");
    else if (was->repeats < now->repeats) /* fewer are wanted: what is there is better */
        numbers_differ("repetitions", was->repeats, now->repeats, text);
    return text[0] != '\0';
}

/* ---- adding ---- */

static int describe(struct rc_benchmark_input *input, const struct rc_benchmark_about *like)
{
    free_about(input);
    input->lifetime = like->lifetime;
    if (like->description && !(input->description = strdup(like->description)))
        return -1;
    for (; input->n_parameters < like->n_parameters; input->n_parameters++) {
        input->parameters[input->n_parameters] = strdup(like->parameters[input->n_parameters]);
        if (!input->parameters[input->n_parameters])
            return -1;
    }
    return 0;
}

static struct rc_benchmark_input *find_like(const struct rc_benchmarks *measured,
                                            const struct rc_benchmark_about *like)
{
    for (size_t i = 0; i < measured->n_inputs; i++) {
        struct rc_benchmark_input *input = &measured->inputs[i];

        if (strcmp(input->name, like->name) == 0 && input->n_parameters == like->n_parameters &&
            strcmp(input->clauses, like->clauses) == 0)
            return input;
    }
    return NULL;
}

struct rc_benchmark_input *rc_structural_benchmarks_place(struct rc_benchmarks *measured,
                                                          const struct rc_benchmark_about *like,
                                                          struct rc_error *error)
{
    struct rc_benchmark_input *input = find_like(measured, like);
    struct rc_benchmark_input fresh = {.lifetime = NAN};

    if (input && describe(input, like) == 0)
        return input;
    if (!input) {
        if (rc_array_room(&measured->inputs, measured->n_inputs + 1, &measured->room,
                          sizeof *measured->inputs, error))
            return NULL;
        fresh.name = strdup(like->name);
        fresh.clauses = strdup(like->clauses);
        if (fresh.name && fresh.clauses && describe(&fresh, like) == 0) {
            measured->inputs[measured->n_inputs] = fresh;
            return &measured->inputs[measured->n_inputs++];
        }
        free_input(&fresh);
    }
    rc_error_no_memory(error);
    return NULL;
}

int rc_structural_benchmarks_put_cell(struct rc_benchmark_input *input, const char *row,
                                      const char *column, const struct rc_benchmark_value *value,
                                      struct rc_error *error)
{
    struct rc_benchmark_cell cell = {.value = *value};
    bool there;
    size_t at = find_place(input, row, column, &there);

    assert(at == 0 || strcmp(input->cells[at - 1].row, row) <= 0);
    assert(at == input->n_cells || strcmp(row, input->cells[at].row) <= 0);
    if (there) {
        input->cells[at].value = *value;
        return 0;
    }
    if (rc_array_room(&input->cells, input->n_cells + 1, &input->room, sizeof *input->cells, error))
        return -1;
    cell.row = strdup(row);
    cell.column = strdup(column);
    if (!cell.row || !cell.column) {
        free_cell(&cell);
        return rc_error_no_memory(error);
    }
    memmove(&input->cells[at + 1], &input->cells[at],
            (input->n_cells++ - at) * sizeof *input->cells);
    input->cells[at] = cell;
    return 0;
}

int rc_structural_benchmarks_put(struct rc_benchmarks *measured, const struct rc_item *item,
                                 const char *row, const char *column,
                                 const struct rc_benchmark_value *value,
                                 const struct rc_benchmark_how *how, struct rc_error *error)
{
    struct rc_buffer clauses = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_benchmark_about like = {.name = item->name,
                                      .description = item->description,
                                      .n_parameters = item->n_parameters,
                                      .lifetime = item->meta.lifetime};
    struct rc_benchmark_value copy = *value;
    struct rc_benchmark_input *input = NULL;

    for (size_t i = 0; i < item->n_parameters; i++)
        like.parameters[i] = item->parameters[i];
    if (put_clauses(item, &clauses))
        rc_error_no_memory(error);
    else if (rc_structural_benchmarks_how(measured, how, &copy.how, error) == 0) {
        like.clauses = clauses.data;
        input = rc_structural_benchmarks_place(measured, &like, error);
    }
    rc_buffer_free(&clauses);
    return input ? rc_structural_benchmarks_put_cell(input, row, column, &copy, error) : -1;
}

static struct rc_benchmark_about about(const struct rc_benchmark_input *input)
{
    struct rc_benchmark_about about = {.name = input->name,
                                       .description = input->description,
                                       .clauses = input->clauses,
                                       .n_parameters = input->n_parameters,
                                       .lifetime = input->lifetime};

    for (size_t i = 0; i < input->n_parameters; i++)
        about.parameters[i] = input->parameters[i];
    return about;
}

int rc_structural_benchmarks_merge(struct rc_benchmarks *into, const struct rc_benchmarks *from,
                                   struct rc_error *error)
{
    for (size_t i = 0; i < from->n_inputs; i++) {
        const struct rc_benchmark_input *input = &from->inputs[i];
        const struct rc_benchmark_about like = about(input);
        struct rc_benchmark_input *place = rc_structural_benchmarks_place(into, &like, error);

        for (size_t k = 0; place && k < input->n_cells; k++) {
            struct rc_benchmark_value value = input->cells[k].value;

            if (rc_structural_benchmarks_how(into, &from->hows[value.how], &value.how, error) ||
                rc_structural_benchmarks_put_cell(place, input->cells[k].row,
                                                  input->cells[k].column, &value, error))
                return -1;
        }
        if (!place)
            return -1;
    }
    return 0;
}

/* ---- removing ---- */

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return n == 0;
}

size_t rc_structural_benchmarks_drop(struct rc_benchmark_input *input, const char *const *hosts,
                                     size_t n_hosts)
{
    size_t kept = 0, before = input->n_cells;

    for (size_t i = 0; i < before; i++) {
        struct rc_benchmark_cell *cell = &input->cells[i];

        if (is_among(cell->row, hosts, n_hosts) || is_among(cell->column, hosts, n_hosts))
            free_cell(cell);
        else
            input->cells[kept++] = *cell;
    }
    input->n_cells = kept;
    return before - kept;
}
