// SPDX-License-Identifier: BSD-2-Clause
/* json.h - JSON through jansson, with short numbers. */
#ifndef RC_BASE_JSON_H
#define RC_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "runcast.h"

/* Numbers that are whole become integers; NAN and the infinities become null. */
json_t *rc_json_number(double value);

/* A point in time as ISO 8601 in UTC; NAN becomes null. */
json_t *rc_json_time(double seconds);

/* Adds a member and takes over `value`, also on failure; -1 if memory ran out (`value` may then be
 * NULL, so that calls can be nested). */
int rc_json_set(json_t *object, const char *name, json_t *value);

/* Text that is not UTF-8 is stored with its bad bytes replaced. */
json_t *rc_json_text(const char *text);

/* Writes `value` in one line, or indented. Doubles have the fewest digits that read back to the
 * same number. Check the stream for write errors. */
void rc_json_write(FILE *out, const json_t *value, bool indent);

/* An array inside an object that is written as it is made, one element on a line, so that it may
 * be of any length: {"schema": "SCHEMA", "NAME": [ … ]}. */
struct rc_json_stream {
    FILE *out;
    size_t count;
};
void rc_json_stream_begin(struct rc_json_stream *stream, FILE *out, const char *schema,
                          const char *name);
/* Writes and frees `element`; -1 if it is NULL (memory ran out). */
int rc_json_stream_add(struct rc_json_stream *stream, json_t *element);
void rc_json_stream_end(struct rc_json_stream *stream);

#endif
