// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_check.h - checks a YAML text against a libcyaml schema, and says where a fault is.
 *
 * libcyaml loads what is right, but of what is wrong it tells neither the line nor what was
 * expected.  So a text is checked first, against the same tables. */
#ifndef RC_PLATFORM_YAML_CHECK_H
#define RC_PLATFORM_YAML_CHECK_H

#include <stddef.h>

#include <cyaml/cyaml.h>

#include "runcast.h"

enum {
    RC_YAML_SIZE_MAX = 1 << 20, /* bytes of a text */
    RC_YAML_DEPTH_MAX = 16,     /* lists and mappings inside one another */
    RC_YAML_NODES_MAX = 100000  /* values and keys */
};

/* What the value of a key is to be, for errors: "a size such as 2GiB".  A NULL key ends a table. */
struct rc_yaml_note {
    const char *key;
    const char *expected;
};

/* A text that has passed; it remembers where everything was. */
struct rc_yaml;

/* Checks that `text` is YAML within the limits, one document without anchors, aliases and tags,
 * and is what `schema` says: no unknown, repeated or missing key, and every value of the right
 * kind, length and number of entries.  Of kinds of value, the mapping, the sequence, the string
 * and the strict enum are supported; strings may not hold control characters.
 *
 * `name` stands for the text in errors; it and `text` must outlive what is returned.  Destroy with
 * rc_platform_yaml_destroy(). */
struct rc_yaml *rc_platform_yaml_check(const char *text, size_t length, const char *name,
                                       const struct cyaml_schema_value *schema,
                                       const struct rc_yaml_note *notes, struct rc_error *error);
void rc_platform_yaml_destroy(struct rc_yaml *yaml);

/* Where the value at `path`, such as clusters[1].networks[0].bandwidth, starts; or the nearest one
 * around it, where there is none.  `offset` is counted on from there, in characters, where the
 * value was written as it is. */
void rc_platform_yaml_locate(const struct rc_yaml *yaml, const char *path, size_t offset,
                             unsigned *line, unsigned *column);

/* Sets an error that names that place and that path; returns -1. */
int rc_platform_yaml_fail(const struct rc_yaml *yaml, const char *path, size_t offset,
                          struct rc_error *error, const char *format, ...) RC_PRINTF(5, 6);

/* Makes what `schema` describes from a text that has passed rc_platform_yaml_check().  Free it with
 * rc_platform_yaml_unload(), which takes NULL as well. */
void *rc_platform_yaml_load(const char *text, size_t length, const char *name,
                            const struct cyaml_schema_value *schema, struct rc_error *error);
void rc_platform_yaml_unload(const struct cyaml_schema_value *schema, void *raw);

#endif
