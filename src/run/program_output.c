// SPDX-License-Identifier: GPL-3.0-or-later
/* program_output.c - reads JSON objects from what a program wrote to its standard output. */
#include "run/program_output.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

/* Reports of simulated runs have units in the keys; programs may have them, too. */
static void add_short_keys(json_t *object)
{
    static const struct {
        const char *key, *short_key;
    } keys[] = {{"time_s", "seconds"}, {"memory_bytes", "memory"}, {"procs", "p"}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(object, keys[i].key);

        if (value && !json_object_get(object, keys[i].short_key))
            json_object_set(object, keys[i].short_key, value);
    }
}

/* The last object whose `member` fits, to be released. */
static json_t *last_object(const char *text, size_t length, const char *member,
                           bool (*fits)(const json_t *value))
{
    const char *at = text, *end = text + length;
    json_t *found = NULL;

    while ((at = memchr(at, '{', (size_t)(end - at)))) {
        json_error_t where;
        json_t *object = json_loadb(at, (size_t)(end - at), JSON_DISABLE_EOF_CHECK, &where);

        at += object && where.position > 0 ? where.position : 1;
        add_short_keys(object);
        if (fits(json_object_get(object, member))) {
            json_decref(found);
            found = object;
        } else {
            json_decref(object);
        }
    }
    return found;
}

static bool is_there(const json_t *value)
{
    return value != NULL;
}

static bool is_number(const json_t *value)
{
    return json_is_number(value);
}

static bool is_positive(const json_t *value)
{
    return json_number_value(value) > 0;
}

json_t *rc_run_output_object(const char *text, size_t length, const char *member)
{
    return last_object(text, length, member, is_there);
}

int rc_run_output_seconds(const char *text, size_t length, double *seconds, double *memory,
                          struct rc_error *error)
{
    const char *name = "seconds";
    json_t *object = last_object(text, length, name, is_positive);
    const json_t *bytes;

    if (!object) /* simulated runs report it so */
        object = last_object(text, length, name = "time_s", is_positive);
    bytes = json_object_get(object, "memory");
    if (!bytes)
        bytes = json_object_get(object, "memory_bytes");
    if (object) {
        *seconds = json_number_value(json_object_get(object, name));
        *memory = is_positive(bytes) ? json_number_value(bytes) : NAN;
        json_decref(object);
        return 0;
    }
    object = last_object(text, length, "seconds", is_number);
    if (object) {
        rc_error_set(error, "invalid run time in the output of the program: %g seconds",
                     json_number_value(json_object_get(object, "seconds")));
        json_decref(object);
        return -1;
    }
    rc_error_set(error, "no run time in the output of the program");
    return rc_error_hint(error, "it must print a JSON object with a member \"seconds\" to "
                                "standard output");
}
