// SPDX-License-Identifier: GPL-3.0-or-later
/* parse.c - model files into statements, and those into a model.
 *
 * A statement is a line that is not indented with the indented lines below it; its first word says
 * which function reads it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

static int read_statements(struct rc_model_parser *parser)
{
    const struct rc_source *source = &parser->source;
    size_t last;

    for (size_t first = 0; first < source->n_lines; first = last) {
        for (last = first + 1; last < source->n_lines && source->lines[last].indented;)
            last++;
        if (rc_structural_statement_read(parser, first, last))
            return -1;
    }
    if (parser->model_line > 0)
        return 0;
    rc_structural_fail(parser, 0, "the file has no statements");
    return rc_error_hint(parser->error, "begin the model with: model NAME \"text\"");
}

/* Keeps the text, so that whoever shows an error need not read the file again. */
static int add_file(struct rc_model *model, const char *text, size_t length, const char *name,
                    struct rc_error *error)
{
    struct rc_model_file *file;

    if (rc_structural_model_push(&model->files, &model->n_files, &(struct rc_model_file){0},
                                 sizeof *file, error))
        return -1;
    file = &model->files[model->n_files - 1];
    *file = (struct rc_model_file){.name = strdup(name), .text = malloc(length + 1)};
    if (file->text) {
        memcpy(file->text, text, length);
        file->text[length] = '\0';
    }
    return file->name && file->text ? 0 : rc_error_no_memory(error);
}

int rc_structural_model_parser_begin(struct rc_model_parser *parser)
{
    parser->guess = rc_structural_clause_guess;
    parser->model = calloc(1, sizeof *parser->model);
    if (!parser->model)
        return rc_error_no_memory(parser->error);
    rc_structural_meta_init(&parser->model->meta);
    return 0;
}

int rc_structural_model_parser_add(struct rc_model_parser *parser, const char *text, size_t length,
                                   const char *name)
{
    struct rc_model *model = parser->model;
    int status;

    if (length > RC_MODEL_BYTES_MAX)
        return rc_error_at(parser->error, name, 0, 0, "the file has more than %d bytes",
                           RC_MODEL_BYTES_MAX);
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (add_file(model, text, length, name, parser->error))
        return -1;
    parser->file = (unsigned)(model->n_files - 1);
    parser->section = -1;
    status = rc_structural_source_open(&parser->source, text, length,
                                       model->files[parser->file].name, parser->error);
    if (status == 0)
        status = read_statements(parser);
    rc_structural_source_close(&parser->source);
    return status;
}

int rc_structural_model_parser_finish(struct rc_model_parser *parser)
{
    return rc_structural_model_settle(parser);
}

static int check_files(size_t n, struct rc_error *error)
{
    return n > 0 && n <= RC_MODEL_FILES_MAX
               ? 0
               : rc_error_set(error, "expected 1 to %d files of a model, not %zu",
                              RC_MODEL_FILES_MAX, n);
}

struct rc_model *rc_structural_model_parse_all(const struct rc_model_text *texts, size_t n_texts,
                                               struct rc_error *error)
{
    struct rc_model_parser parser = {.error = error};
    int status = check_files(n_texts, error);

    if (status == 0)
        status = rc_structural_model_parser_begin(&parser);
    for (size_t i = 0; i < n_texts && status == 0; i++)
        status =
            rc_structural_model_parser_add(&parser, texts[i].text, texts[i].length, texts[i].name);
    if (status == 0)
        status = rc_structural_model_parser_finish(&parser);
    if (status == 0)
        return parser.model;
    rc_structural_model_destroy(parser.model);
    return NULL;
}

struct rc_model *rc_structural_model_parse(const char *text, size_t length, const char *name,
                                           struct rc_error *error)
{
    return rc_structural_model_parse_all(&(struct rc_model_text){name, text, length}, 1, error);
}

/* Reads and parses one file of several. */
static int load_file(struct rc_model_parser *parser, const char *path)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX + 1);
    int status = rc_buffer_read_file(&text, path, parser->error);

    parser->file = (unsigned)parser->model->n_files; /* which has no text yet */
    if (status == 0)
        status = rc_structural_model_parser_add(parser, text.data, text.length, path);
    rc_buffer_free(&text);
    return status;
}

struct rc_model *rc_structural_model_load(const char *const *paths, size_t n_paths, char **text,
                                          struct rc_error *error)
{
    struct rc_model_parser parser = {.error = error};
    int status;

    if (text)
        *text = NULL;
    if (check_files(n_paths, error))
        return NULL;
    status = rc_structural_model_parser_begin(&parser);
    for (size_t i = 0; i < n_paths && status == 0; i++)
        status = load_file(&parser, paths[i]);
    if (status == 0)
        status = rc_structural_model_parser_finish(&parser);
    if (status == 0)
        return parser.model;
    if (text && parser.model && parser.file < parser.model->n_files &&
        parser.model->files[parser.file].text)
        *text = strdup(parser.model->files[parser.file].text);
    rc_structural_model_destroy(parser.model);
    return NULL;
}
