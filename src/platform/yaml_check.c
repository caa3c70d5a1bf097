// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_check.c - checks a YAML document against its schema.
 *
 * The walk goes through the document in its own order, so that of several faults the first in the
 * file is reported.  It descends only where the schema does, which bounds its depth. */
#include "platform/yaml_check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"

enum {
    PATH_SIZE = 256,
    MESSAGE_SIZE = 512,
    KEYS_MAX = 64,  /* of one mapping in a schema */
    WORD_SHOWN = 40 /* columns of a mistyped word that an error quotes */
};

struct walk {
    const struct rc_yaml *yaml;
    const struct rc_yaml_expected *expected;
    char path[PATH_SIZE];
    size_t path_length;
};

static int walk_value(struct walk *walk, const yaml_node_t *node,
                      const struct cyaml_schema_value *schema, const char *key);

static const yaml_node_t *node_at(const struct rc_yaml *yaml, int index)
{
    return yaml_document_get_node(yaml->document, index);
}

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

/* ---- errors ---- */

/* A fault at `node`, which is at the path where the walk is. */
RC_PRINTF(3, 4)
static int fail(const struct walk *walk, const yaml_node_t *node, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return rc_error_at(walk->yaml->error, walk->yaml->name, (unsigned)node->start_mark.line + 1,
                       (unsigned)node->start_mark.column + 1, "%s%s%s", walk->path,
                       walk->path[0] ? ": " : "", message);
}

static const char *found(const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE)
        return "a mapping (key: value)";
    if (node->type == YAML_SEQUENCE_NODE)
        return "a list";
    return node->data.scalar.length ? "text" : "nothing";
}

/* What the value of `key` (NULL for an entry of a list) is to be. */
static const char *expected(const struct walk *walk, const struct cyaml_schema_value *schema,
                            const char *key)
{
    for (const struct rc_yaml_expected *one = walk->expected; key && one->key; one++)
        if (strcmp(one->key, key) == 0)
            return one->expected;
    return schema->type == CYAML_MAPPING    ? "a mapping (key: value)"
           : schema->type == CYAML_SEQUENCE ? "a list"
                                            : "text";
}

static int wrong_kind(const struct walk *walk, const yaml_node_t *node,
                      const struct cyaml_schema_value *schema, const char *key)
{
    return fail(walk, node, "expected %s, found %s", expected(walk, schema, key), found(node));
}

/* Writes "a, b, c". */
static void list_words(const char *const *words, size_t count, struct rc_buffer *list)
{
    for (size_t i = 0; i < count; i++)
        rc_buffer_printf(list, "%s%s", i ? ", " : "", words[i]);
}

/* A word that is none of `words`. */
static int wrong_word(const struct walk *walk, const yaml_node_t *node, const char *what,
                      const char *const *words, size_t count)
{
    struct rc_buffer list = RC_BUFFER_INIT(MESSAGE_SIZE);
    const char *word = scalar(node), *nearest = rc_nearest_word(word, words, count, sizeof *words);
    int shown = (int)rc_text_prefix(word, node->data.scalar.length, WORD_SHOWN);

    list_words(words, count, &list);
    fail(walk, node, "%s '%.*s'; expected one of %s", what, shown, word,
         list.data ? list.data : "those in the documentation");
    rc_buffer_free(&list);
    if (nearest)
        rc_error_hint(walk->yaml->error, "did you mean '%s'?", nearest);
    return -1;
}

/* ---- the walk ---- */

RC_PRINTF(2, 3)
static size_t enter(struct walk *walk, const char *format, ...)
{
    size_t before = walk->path_length, room = sizeof walk->path - before;
    va_list arguments;
    int more;

    va_start(arguments, format);
    more = vsnprintf(walk->path + before, room, format, arguments);
    va_end(arguments);
    if (more > 0)
        walk->path_length += (size_t)more < room ? (size_t)more : room - 1;
    return before;
}

static void leave(struct walk *walk, size_t before)
{
    walk->path_length = before;
    walk->path[before] = '\0';
}

static int check_text(const struct walk *walk, const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE)
        return fail(walk, node, "a key must be text, not %s", found(node));
    if (!rc_text_is_printable(scalar(node), node->data.scalar.length))
        return fail(walk, node, "expected one line of text without control characters");
    return 0;
}

static int walk_string(struct walk *walk, const yaml_node_t *node,
                       const struct cyaml_schema_value *schema, const char *key)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0)
        return wrong_kind(walk, node, schema, key);
    if (node->data.scalar.length < schema->string.min ||
        node->data.scalar.length > schema->string.max)
        return fail(walk, node, "expected a text of %u to %u bytes", schema->string.min,
                    schema->string.max);
    return check_text(walk, node);
}

static int walk_enum(struct walk *walk, const yaml_node_t *node,
                     const struct cyaml_schema_value *schema)
{
    const char *words[KEYS_MAX];
    size_t count = schema->enumeration.count < KEYS_MAX ? schema->enumeration.count : KEYS_MAX;
    struct rc_buffer list = RC_BUFFER_INIT(MESSAGE_SIZE);

    for (size_t i = 0; i < count; i++)
        words[i] = schema->enumeration.strings[i].str;
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0) {
        list_words(words, count, &list);
        fail(walk, node, "expected one of %s, found %s", list.data ? list.data : "the words for it",
             found(node));
        rc_buffer_free(&list);
        return -1;
    }
    if (check_text(walk, node))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], scalar(node)) == 0)
            return 0;
    return wrong_word(walk, node, "unknown word", words, count);
}

static int walk_sequence(struct walk *walk, const yaml_node_t *node,
                         const struct cyaml_schema_value *schema, const char *key)
{
    uint32_t least = schema->sequence.min, most = schema->sequence.max;
    size_t count, before;
    int status = 0;

    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_kind(walk, node, schema, key);
    count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (count < least || count > most)
        return fail(walk, node, "expected %s, found a list of %zu; there must be %s %u",
                    expected(walk, schema, key), count,
                    least == most   ? "exactly"
                    : count < least ? "at least"
                                    : "at most",
                    count < least ? least : most);
    for (size_t i = 0; i < count && status == 0; i++) {
        before = enter(walk, "[%zu]", i);
        status = walk_value(walk, node_at(walk->yaml, node->data.sequence.items.start[i]),
                            schema->sequence.entry, NULL);
        leave(walk, before);
    }
    return status;
}

/* Which of `fields` a key names; -1 with an error where none, or one that was `seen` before. */
static int find_field(const struct walk *walk, const yaml_node_t *key,
                      const struct cyaml_schema_field *fields, uint64_t seen)
{
    const char *words[KEYS_MAX];
    size_t count = 0;

    if (check_text(walk, key))
        return -1;
    for (; fields[count].key && count < KEYS_MAX; count++) {
        words[count] = fields[count].key;
        if (strcmp(words[count], scalar(key)) != 0)
            continue;
        if (seen & UINT64_C(1) << count)
            return fail(walk, key, "duplicate key '%s'", words[count]);
        return (int)count;
    }
    return wrong_word(walk, key, "unknown key", words, count);
}

static int check_missing(const struct walk *walk, const yaml_node_t *node,
                         const struct cyaml_schema_field *fields, uint64_t seen)
{
    for (size_t i = 0; fields[i].key && i < KEYS_MAX; i++)
        if (!(seen & UINT64_C(1) << i) && !(fields[i].value.flags & CYAML_FLAG_OPTIONAL))
            return fail(walk, node, "missing key '%s'; expected %s", fields[i].key,
                        expected(walk, &fields[i].value, fields[i].key));
    return 0;
}

static int walk_mapping(struct walk *walk, const yaml_node_t *node,
                        const struct cyaml_schema_value *schema, const char *key)
{
    const struct cyaml_schema_field *fields = schema->mapping.fields;
    uint64_t seen = 0;
    size_t before;
    int field, status;

    if (node->type != YAML_MAPPING_NODE)
        return wrong_kind(walk, node, schema, key);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        field = find_field(walk, node_at(walk->yaml, pair->key), fields, seen);
        if (field < 0)
            return -1;
        seen |= UINT64_C(1) << field;
        before = enter(walk, "%s%s", walk->path_length ? "." : "", fields[field].key);
        status = walk_value(walk, node_at(walk->yaml, pair->value), &fields[field].value,
                            fields[field].key);
        leave(walk, before);
        if (status)
            return -1;
    }
    return check_missing(walk, node, fields, seen);
}

static int walk_value(struct walk *walk, const yaml_node_t *node,
                      const struct cyaml_schema_value *schema, const char *key)
{
    switch (schema->type) {
    case CYAML_MAPPING:
        return walk_mapping(walk, node, schema, key);
    case CYAML_SEQUENCE:
        return walk_sequence(walk, node, schema, key);
    case CYAML_STRING:
        return walk_string(walk, node, schema, key);
    case CYAML_ENUM:
        return walk_enum(walk, node, schema);
    default:
        return fail(walk, node, "unsupported kind of value");
    }
}

int rc_platform_yaml_check(const struct rc_yaml *yaml, const struct rc_yaml_expected *expected)
{
    struct walk walk = {.yaml = yaml, .expected = expected};

    return walk_value(&walk, node_at(yaml, 1), yaml->schema, NULL);
}
