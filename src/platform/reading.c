// SPDX-License-Identifier: GPL-3.0-or-later
/* reading.c - single values of a platform file. */
#include "platform/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "platform/platform.h"
#include "platform/yaml_check.h"

enum { QUANTITY_MAX = 64 }; /* bytes of a quantity */

void rc_platform_reading_path(char whole[RC_READING_PATH], const char *path, const char *key)
{
    snprintf(whole, RC_READING_PATH, "%s%s%s", path, path[0] ? "." : "", key);
}

/* How much of a text an error quotes. */
static int shown(const char *text)
{
    return (int)rc_text_prefix(text, strlen(text), QUANTITY_MAX);
}

/* The same error, once its place is known; `why` may have a hint. */
static int fail_with(const struct rc_reading *reading, const char *path, size_t offset,
                     const struct rc_error *why)
{
    rc_platform_yaml_fail(reading->yaml, path, offset, reading->error, "%s", why->text);
    if (why->hint[0])
        rc_error_hint(reading->error, "%s", why->hint);
    return -1;
}

int rc_platform_reading_name(const struct rc_reading *reading, const char *path, const char *key,
                             const char *text, char **name)
{
    char whole[RC_READING_PATH];
    size_t length = strlen(text);

    rc_platform_reading_path(whole, path, key);
    if (length > RC_NAME_MAX)
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "expected a name of at most %d bytes, found %zu", RC_NAME_MAX,
                                     length);
    if (text[0] == ' ' || text[length - 1] == ' ')
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "a name may not begin or end with a blank");
    *name = strdup(text);
    return *name ? 0 : rc_error_no_memory(reading->error);
}

int rc_platform_reading_quantity(const struct rc_reading *reading, const char *path,
                                 const char *key, const char *text, enum rc_dimension dimension,
                                 bool may_be_zero, double *value)
{
    struct rc_error why = {.text = "a blank is too many"};
    char whole[RC_READING_PATH];
    double number;

    if (!text)
        return 0;
    rc_platform_reading_path(whole, path, key);
    if (strlen(text) > QUANTITY_MAX)
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "expected a quantity, found a text of more than %d bytes",
                                     QUANTITY_MAX);
    if (rc_unit_parse(text, strlen(text), dimension, &number, &why))
        return fail_with(reading, whole, 0, &why);
    if (!(number > 0) && !(number == 0 && may_be_zero))
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error, "'%s' is not %s",
                                     text, may_be_zero ? "0 or more" : "more than 0");
    *value = number;
    return 0;
}

int rc_platform_reading_price(const struct rc_reading *reading, const char *path, const char *text,
                              double *price)
{
    char whole[RC_READING_PATH];

    if (!text)
        return 0;
    rc_platform_reading_path(whole, path, "price");
    if (rc_number_parse(text, strlen(text), price))
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "'%.*s' is not a number such as 0.05", shown(text), text);
    if (!(*price >= 0))
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "'%.*s' is not 0 or more", shown(text), text);
    return 0;
}

int rc_platform_reading_count(const struct rc_reading *reading, const char *path, const char *key,
                              const char *text, int most, int *value)
{
    char whole[RC_READING_PATH];
    int64_t number;

    if (!text)
        return 0;
    rc_platform_reading_path(whole, path, key);
    if (rc_number_parse_integer(text, strlen(text), &number) || number < 1 || number > most)
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "'%.*s' is not a whole number from 1 to %d", shown(text), text,
                                     most);
    *value = (int)number;
    return 0;
}

int rc_platform_reading_hosts(const struct rc_reading *reading, const char *path, const char *text,
                              struct rc_hostlist *list)
{
    struct rc_error why = {0};
    char whole[RC_READING_PATH];

    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, list, &why) == 0)
        return 0;
    rc_platform_reading_path(whole, path, "hosts");
    return fail_with(reading, whole, why.column ? why.column - 1 : 0, &why);
}
