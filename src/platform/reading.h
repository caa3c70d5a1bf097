// SPDX-License-Identifier: GPL-3.0-or-later
/* reading.h - single values of a platform file: from text to what it means, or an error with the
 * place in the file. */
#ifndef RC_PLATFORM_READING_H
#define RC_PLATFORM_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/unit.h"
#include "platform/hostlist.h"
#include "platform/yaml_check.h"
#include "runcast.h"

enum { RC_READING_PATH = 128 }; /* bytes of a path */

/* A file on its way into a platform. */
struct rc_reading {
    const struct rc_yaml *yaml;
    struct rc_platform *platform;
    size_t n_hosts; /* over all clusters so far */
    struct rc_error *error;
};

/* Writes the path of `key` in the mapping at `path`. */
void rc_platform_reading_path(char whole[RC_READING_PATH], const char *path, const char *key);

/* In all of these, `text` is the value of `key` in the mapping at `path`.  They return 0, or -1
 * with reading->error set.  Where `text` is NULL, those that take a number leave `*value` as it
 * is. */

/* A copy of the text in `*name`, to be freed. */
int rc_platform_reading_name(const struct rc_reading *reading, const char *path, const char *key,
                             const char *text, char **name);

/* A quantity above 0, or 0 as well. */
int rc_platform_reading_quantity(const struct rc_reading *reading, const char *path,
                                 const char *key, const char *text, enum rc_dimension dimension,
                                 bool may_be_zero, double *value);

/* The number under "price", 0 or more. */
int rc_platform_reading_price(const struct rc_reading *reading, const char *path, const char *text,
                              double *price);

/* A whole number from 1 to `most`. */
int rc_platform_reading_count(const struct rc_reading *reading, const char *path, const char *key,
                              const char *text, int most, int *value);

/* The expression under "hosts". */
int rc_platform_reading_hosts(const struct rc_reading *reading, const char *path, const char *text,
                              struct rc_hostlist *list);

#endif
