// SPDX-License-Identifier: GPL-3.0-or-later
/* expression.c - copying and asking an expression that was read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/expression_code.h"

void rc_value_expression_destroy(struct rc_expression *expression)
{
    if (!expression)
        return;
    free(expression->file);
    free(expression->text);
    free(expression->code);
    free(expression->indices);
    free(expression->names);
    free(expression);
}

/* A copy of `n` bytes, and at least of one, which is never NULL but where memory runs out. */
static void *copy_bytes(const void *bytes, size_t n)
{
    void *copy = malloc(n + 1);

    if (copy && n)
        memcpy(copy, bytes, n);
    return copy;
}

struct rc_expression *rc_value_expression_copy(const struct rc_expression *expression)
{
    struct rc_expression *copy = calloc(1, sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *expression;
    copy->file = strdup(expression->file);
    copy->text = copy_bytes(expression->text, expression->length + 1);
    copy->code = copy_bytes(expression->code, expression->n_code * sizeof *copy->code);
    copy->code_capacity = copy->n_code;
    copy->indices = copy_bytes(expression->indices, expression->n_indices * sizeof *copy->indices);
    copy->index_capacity = copy->n_indices;
    copy->names = copy_bytes(expression->names, expression->n_names * sizeof *copy->names);
    if (copy->file && copy->text && copy->code && copy->indices && copy->names)
        return copy;
    rc_value_expression_destroy(copy);
    return NULL;
}

const char *rc_value_expression_text(const struct rc_expression *expression)
{
    return expression->text;
}

/* ---- places ---- */

/* The line and column of byte `at`, in the file. */
static void find_place(const struct rc_expression *expression, size_t at, unsigned *line,
                       unsigned *column)
{
    *line = expression->line;
    *column = expression->column;
    for (size_t i = 0; i < at && i < expression->length; i++)
        if (expression->text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)expression->text[i] & 0xc0) != 0x80) {
            ++*column;
        }
}

int rc_value_expression_place(const struct rc_expression *expression, size_t at,
                              struct rc_error *error)
{
    if (!error || error->file[0])
        return -1;
    snprintf(error->file, sizeof error->file, "%s", expression->file);
    find_place(expression, at, &error->line, &error->column);
    return -1;
}

/* ---- references ---- */

struct listing {
    const struct rc_expression *expression;
    void (*each)(void *data, const struct rc_reference *reference);
    void *data;
};

static void tell(const struct listing *listing, struct rc_stretch name, struct rc_reference found)
{
    char text[RC_EXPRESSION_NAME_MAX + 1];

    memcpy(text, listing->expression->text + name.start, name.length);
    text[name.length] = '\0';
    found.name = text;
    find_place(listing->expression, name.start, &found.line, &found.column);
    listing->each(listing->data, &found);
}

void rc_value_expression_references(const struct rc_expression *expression,
                                    void (*each)(void *data, const struct rc_reference *reference),
                                    void *data)
{
    const struct listing listing = {expression, each, data};

    for (size_t i = 0; i < expression->n_code; i++) {
        const struct rc_instruction *at = &expression->code[i];

        if (at->code != RC_CODE_LOOKUP && at->code != RC_CODE_FOLD && at->code != RC_CODE_FARM &&
            at->code != RC_CODE_COUNT)
            continue;
        tell(&listing, at->name,
             (struct rc_reference){.n_indices = at->n_indices,
                                   .is_set = at->code != RC_CODE_LOOKUP});
        for (uint32_t k = 0; k < at->n_indices; k++)
            if (expression->indices[at->first_index + k].kind == RC_INDEX_WORD)
                tell(&listing, expression->indices[at->first_index + k].word,
                     (struct rc_reference){.is_index = true});
    }
}
