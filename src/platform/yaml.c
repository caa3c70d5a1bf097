// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml.c - the one reader of YAML files. */
#include "platform/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "platform/yaml_check.h"
#include "platform/yaml_scan.h"

enum { MESSAGE_SIZE = 512, VALUE_SHOWN = 64 /* columns of a wrong value in an error */ };

const struct cyaml_schema_value rc_platform_yaml_text = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

/* ---- opening ---- */

/* The first message is the cause; those that follow it trace the way to the place. */
struct capture {
    char text[256];
};

RC_PRINTF(3, 0)
static void keep_first(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct capture *capture = context;

    (void)level;
    if (capture->text[0])
        return;
    vsnprintf(capture->text, sizeof capture->text, format, arguments);
    capture->text[strcspn(capture->text, "\n")] = '\0';
}

static struct cyaml_config configure(struct capture *capture)
{
    return (struct cyaml_config){
        .log_fn = keep_first,
        .log_ctx = capture,
        .log_level = CYAML_LOG_ERROR,
        .mem_fn = cyaml_mem,
        .flags = CYAML_CFG_NO_ALIAS,
    };
}

/* Makes the structs, once the document has passed the check. */
static int load(struct rc_yaml *yaml)
{
    struct capture capture = {""};
    struct cyaml_config config = configure(&capture);
    enum cyaml_err status = cyaml_load_data((const uint8_t *)yaml->text, yaml->length, &config,
                                            yaml->schema, &yaml->content, NULL);

    if (status == CYAML_ERR_OOM)
        return rc_error_no_memory(yaml->error);
    if (status != CYAML_OK || !yaml->content)
        return rc_error_at(yaml->error, yaml->name, 0, 0, "%s%s%s", cyaml_strerror(status),
                           capture.text[0] ? ": " : "", capture.text);
    return 0;
}

static int parse_document(struct rc_yaml *yaml)
{
    yaml_parser_t parser;
    int status = 0;

    yaml->document = calloc(1, sizeof *yaml->document);
    if (!yaml->document || !yaml_parser_initialize(&parser))
        return rc_error_no_memory(yaml->error);
    yaml_parser_set_input_string(&parser, (const unsigned char *)yaml->text, yaml->length);
    /* Where this fails, it deletes what it had begun. */
    if (!yaml_parser_load(&parser, yaml->document))
        status = rc_platform_yaml_parser_fail(&parser, yaml->text, yaml->length, yaml->name,
                                              yaml->error);
    yaml_parser_delete(&parser);
    return status;
}

int rc_platform_yaml_open(struct rc_yaml *yaml, const char *text, size_t length, const char *name,
                          const struct cyaml_schema_value *schema,
                          const struct rc_yaml_expected *expected, struct rc_error *error)
{
    *yaml = (struct rc_yaml){.name = name,
                             .text = text,
                             .length = length,
                             .schema = schema,
                             .error = error,
                             .file = RC_BUFFER_INIT(RC_YAML_SIZE_MAX + 1)};
    if (!text) {
        if (rc_buffer_read_file(&yaml->file, name, error))
            return -1;
        yaml->text = yaml->file.data ? yaml->file.data : "";
        yaml->length = yaml->file.length;
    }
    return rc_platform_yaml_scan(yaml->text, yaml->length, name, error) || parse_document(yaml) ||
                   rc_platform_yaml_check(yaml, expected) || load(yaml)
               ? -1
               : 0;
}

void rc_platform_yaml_close(struct rc_yaml *yaml)
{
    struct capture capture = {""};
    struct cyaml_config config = configure(&capture);

    if (yaml->content)
        cyaml_free(&config, yaml->schema, yaml->content, 0);
    if (yaml->document)
        yaml_document_delete(yaml->document);
    free(yaml->document);
    rc_buffer_free(&yaml->file);
    *yaml = (struct rc_yaml){.name = ""};
}

/* ---- places ---- */

/* The value of the key that `*path` starts with; moves on behind it. */
static const yaml_node_t *step_key(const struct rc_yaml *yaml, const yaml_node_t *node,
                                   const char **path)
{
    size_t length = strcspn(*path, ".[");
    const char *key = *path;

    *path += length;
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(yaml->document, pair->key);

        if (name->type == YAML_SCALAR_NODE && name->data.scalar.length == length &&
            memcmp(name->data.scalar.value, key, length) == 0)
            return yaml_document_get_node(yaml->document, pair->value);
    }
    return NULL;
}

/* The entry that the "[3]" at the start of `*path` names; moves on behind it. */
static const yaml_node_t *step_index(const struct rc_yaml *yaml, const yaml_node_t *node,
                                     const char **path)
{
    char *end;
    unsigned long index = strtoul(*path + 1, &end, 10);

    *path = *end == ']' ? end + 1 : end;
    if (node->type != YAML_SEQUENCE_NODE ||
        index >= (size_t)(node->data.sequence.items.top - node->data.sequence.items.start))
        return NULL;
    return yaml_document_get_node(yaml->document, node->data.sequence.items.start[index]);
}

static const yaml_node_t *find_node(const struct rc_yaml *yaml, const char *path)
{
    const yaml_node_t *node = yaml_document_get_node(yaml->document, 1), *next = node;

    while (next && *path) {
        path += *path == '.';
        next = *path == '[' ? step_index(yaml, node, &path) : step_key(yaml, node, &path);
        if (next)
            node = next;
    }
    return node;
}

/* How far from the start of `node` the character at `offset` of its text is: only known where the
 * value takes as many columns as it has characters, quotes apart. */
static size_t distance_inside(const yaml_node_t *node, size_t offset)
{
    size_t columns = node->end_mark.column - node->start_mark.column, characters = 0;

    if (node->type != YAML_SCALAR_NODE || node->start_mark.line != node->end_mark.line)
        return 0;
    for (size_t i = 0; i < node->data.scalar.length; i++)
        characters += (node->data.scalar.value[i] & 0xc0) != 0x80;
    if (offset > characters)
        offset = characters;
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        return columns == characters ? offset : 0;
    return columns == characters + 2 ? offset + 1 : 0;
}

void rc_platform_yaml_locate(const struct rc_yaml *yaml, const char *path, size_t offset,
                             unsigned *line, unsigned *column)
{
    const yaml_node_t *node = find_node(yaml, path);

    *line = (unsigned)node->start_mark.line + 1;
    *column =
        (unsigned)(node->start_mark.column + (offset ? distance_inside(node, offset) : 0)) + 1;
}

/* ---- values ---- */

static int fail_at(const struct rc_yaml *yaml, const char *path, const char *key, size_t offset,
                   const char *message)
{
    char whole[RC_YAML_PATH_SIZE];
    unsigned line, column;

    snprintf(whole, sizeof whole, "%s%s%s", path, *path && *key ? "." : "", key);
    rc_platform_yaml_locate(yaml, whole, offset, &line, &column);
    return rc_error_at(yaml->error, yaml->name, line, column, "%s%s%s", whole, *whole ? ": " : "",
                       message);
}

int rc_platform_yaml_fail(const struct rc_yaml *yaml, const char *path, const char *key,
                          const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail_at(yaml, path, key, 0, message);
}

int rc_platform_yaml_fail_with(const struct rc_yaml *yaml, const char *path, const char *key,
                               const struct rc_error *why)
{
    fail_at(yaml, path, key, why->column ? why->column - 1 : 0, why->text);
    return rc_error_hint_of(yaml->error, why);
}

int rc_platform_yaml_shown(const char *text)
{
    return (int)rc_text_prefix(text, strlen(text), VALUE_SHOWN);
}

int rc_platform_yaml_copy(const struct rc_yaml *yaml, const char *text, char **copy)
{
    *copy = text ? strdup(text) : NULL;
    return text && !*copy ? rc_error_no_memory(yaml->error) : 0;
}

int rc_platform_yaml_number(const struct rc_yaml *yaml, const char *path, const char *key,
                            const char *text, enum rc_dimension dimension, double low, double high,
                            double *value)
{
    struct rc_error why = {0};
    double number;

    if (!text)
        return 0;
    if (rc_unit_parse(text, strlen(text), dimension, &number, &why))
        return rc_platform_yaml_fail_with(yaml, path, key, &why);
    if (!(number >= low && number <= high))
        return rc_platform_yaml_fail(yaml, path, key, "'%.100s' is not from %g to %g", text, low,
                                     high);
    *value = number;
    return 0;
}

int rc_platform_yaml_whole(const struct rc_yaml *yaml, const char *path, const char *key,
                           const char *text, int64_t least, int64_t most, int64_t *value)
{
    int64_t number;

    if (!text)
        return 0;
    if (rc_number_parse_integer(text, strlen(text), &number) || number < least || number > most)
        return rc_platform_yaml_fail(yaml, path, key,
                                     "'%.*s' is not a whole number from %lld to %lld",
                                     rc_platform_yaml_shown(text), text, (long long)least,
                                     (long long)most);
    *value = number;
    return 0;
}

int rc_platform_yaml_hosts(const struct rc_yaml *yaml, const char *path, const char *key,
                           const char *text, struct rc_hostlist *list)
{
    struct rc_error why = {0};

    return rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, list, &why)
               ? rc_platform_yaml_fail_with(yaml, path, key, &why)
               : 0;
}
