// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration_document.c - a calibration as the JSON document that users read and write: other keys
 * than the text in the database, with units, and a date. */
#include <string.h>

#include "base/json.h"
#include "base/timestamp.h"
#include "model/slowdown/calibration.h"

#define MADE "made"
#define CREATED "created"

static const struct key {
    const char *stored, *shown;
} keys[] = {
    {"calibration", "format"},
    {MADE, CREATED},
    {"lacking", "missing"},
    {"seconds", "benchmark_s"},
    {"weight", "relative_speed"},
    {"spread", "spread_fraction"},
    {"memory", "memory_slowdowns"},
    {"points", "delay_points"},
    {"bytes", "message_bytes"},
    {"rate", "rate_bytes_per_s"},
    {"bandwidth", "bandwidth_bytes_per_s"},
    {"at", "break_bytes_per_s"},
    {"slope", "slope_s_per_byte"},
    {"low", "low_bytes_per_s"},
    {"high", "high_bytes_per_s"},
    {"byte_seconds", "byte_cost_s"},
};

/* The key in the other form, or the same one. */
static const char *translate(const char *name, bool shown)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(shown ? keys[i].stored : keys[i].shown, name) == 0)
            return shown ? keys[i].shown : keys[i].stored;
    return name;
}

/* A date as text, or as seconds; null if it is neither. */
static json_t *convert_date(const json_t *value, bool shown)
{
    char text[RC_TIME_SIZE];
    double seconds;

    if (shown) {
        rc_timestamp_format(json_number_value(value), text);
        return json_string(text);
    }
    if (!json_is_string(value) ||
        rc_timestamp_parse(json_string_value(value), json_string_length(value), &seconds, NULL))
        return json_null();
    return rc_json_number(seconds);
}

static json_t *convert(json_t *value, bool shown)
{
    json_t *result, *item;
    const char *name;
    size_t i;

    if (json_is_array(value)) {
        result = json_array();
        json_array_foreach(value, i, item) json_array_append_new(result, convert(item, shown));
        return result;
    }
    if (!json_is_object(value))
        return json_incref(value);
    result = json_object();
    json_object_foreach(value, name, item)
        rc_json_set(result, translate(name, shown),
                    strcmp(name, shown ? MADE : CREATED) == 0 ? convert_date(item, shown)
                                                              : convert(item, shown));
    return result;
}

json_t *rc_slowdown_calibration_document(json_t *stored)
{
    json_t *document = stored ? convert(stored, true) : NULL;

    json_decref(stored);
    return document;
}

json_t *rc_slowdown_calibration_of_document(json_t *document)
{
    json_t *stored = convert(document, false);

    json_decref(document);
    return stored;
}
