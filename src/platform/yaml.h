// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml.h - the one reader of YAML files: from a text to structs, and errors with their place.
 *
 * libcyaml fills structs by schema tables, but of a fault it reports neither the line nor what was
 * expected.  So a text is first checked against the same tables.  Numbers are read as text; the
 * functions below give them their meaning, with the path of the value in each error. */
#ifndef RC_PLATFORM_YAML_H
#define RC_PLATFORM_YAML_H

#include <stddef.h>
#include <stdint.h>

#include <cyaml/cyaml.h>
#include <yaml.h>

#include "base/buffer.h"
#include "base/unit.h"
#include "platform/hostlist.h"
#include "runcast.h"

enum {
    RC_YAML_SIZE_MAX = 1 << 20, /* bytes of a text */
    RC_YAML_DEPTH_MAX = 16,     /* lists and mappings inside one another */
    RC_YAML_NODES_MAX = 100000, /* values and keys */
    RC_YAML_PATH_SIZE = 128     /* bytes of a path such as clusters[1].networks[0].bandwidth */
};

/* ---- schema tables ---- */

#define RC_YAML_REQUIRED CYAML_FLAG_DEFAULT
#define RC_YAML_OPTIONAL CYAML_FLAG_OPTIONAL

/* A text that may not be empty. */
#define RC_YAML_TEXT(key, flags, structure, member)                                                \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)
/* A list; its length goes to the member `member`_count. */
#define RC_YAML_LIST(key, flags, structure, member, entry, least, most)                            \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), structure, member, entry, least, most)
/* A list of 1 to `most` such texts. */
#define RC_YAML_TEXTS(key, flags, structure, member, most)                                         \
    RC_YAML_LIST(key, flags, structure, member, &rc_platform_yaml_text, 1, most)
/* One of the words of a table of struct cyaml_strval. */
#define RC_YAML_CHOICE(key, flags, structure, member, table)                                       \
    CYAML_FIELD_ENUM(key, CYAML_FLAG_STRICT | (flags), structure, member, table,                   \
                     sizeof(table) / sizeof *(table))

extern const struct cyaml_schema_value rc_platform_yaml_text;

/* What the value of a key is to be, for errors: "a size such as 2GiB".  A NULL key ends a table. */
struct rc_yaml_expected {
    const char *key;
    const char *expected;
};

/* ---- the reader ---- */

/* A text that follows its schema. */
struct rc_yaml {
    const char *name; /* stands for the text in errors */
    const char *text;
    size_t length;
    void *content;          /* what the schema describes */
    struct rc_error *error; /* is set by all functions below that fail; may be NULL */
    yaml_document_t *document;
    const struct cyaml_schema_value *schema;
    struct rc_buffer file; /* the text, where it came from a file */
};

/* Reads `text`, or the file `name` where it is NULL.  It must be YAML within the limits, one
 * document without anchors, aliases and tags, and match `schema`: no unknown, repeated or missing
 * key, and every value of the right kind, length and number of entries.  Of kinds of value, the
 * mapping, the sequence, the string and the strict enum are supported; strings may not hold control
 * characters.
 *
 * -1 where it is not so, with the place of the first fault in `error`.  Close in any case; `name`,
 * `text` and `error` must live until then. */
int rc_platform_yaml_open(struct rc_yaml *yaml, const char *text, size_t length, const char *name,
                          const struct cyaml_schema_value *schema,
                          const struct rc_yaml_expected *expected, struct rc_error *error);
void rc_platform_yaml_close(struct rc_yaml *yaml);

/* Where the value at `path` starts; or the nearest one around it, where there is none.  `offset` is
 * counted on from there, in characters, where the value was written as it is. */
void rc_platform_yaml_locate(const struct rc_yaml *yaml, const char *path, size_t offset,
                             unsigned *line, unsigned *column);

/* ---- values ---- */

/* In all of these the value is that of `key` in the mapping at `path`; either may be "".  They
 * return 0, or -1 with yaml->error set. */

/* Sets an error with that place and path; returns -1. */
int rc_platform_yaml_fail(const struct rc_yaml *yaml, const char *path, const char *key,
                          const char *format, ...) RC_PRINTF(4, 5);
/* The same with the text and hint of `why`, whose column counts from the start of the value. */
int rc_platform_yaml_fail_with(const struct rc_yaml *yaml, const char *path, const char *key,
                               const struct rc_error *why);

/* A copy of `text` (or of NULL) in `*copy`, to be freed by the caller. */
int rc_platform_yaml_copy(const struct rc_yaml *yaml, const char *text, char **copy);

/* Where `text` is NULL, the next two leave `*value` as it is. */

/* A quantity from `low` to `high`. */
int rc_platform_yaml_number(const struct rc_yaml *yaml, const char *path, const char *key,
                            const char *text, enum rc_dimension dimension, double low, double high,
                            double *value);
/* A whole number from `least` to `most`. */
int rc_platform_yaml_whole(const struct rc_yaml *yaml, const char *path, const char *key,
                           const char *text, int64_t least, int64_t most, int64_t *value);

/* The names that a host list expression stands for; `list` is to be freed by the caller. */
int rc_platform_yaml_hosts(const struct rc_yaml *yaml, const char *path, const char *key,
                           const char *text, struct rc_hostlist *list);

/* How many bytes of a wrong value an error quotes: for "%.*s". */
int rc_platform_yaml_shown(const char *text);

#endif
