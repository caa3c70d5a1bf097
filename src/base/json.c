// SPDX-License-Identifier: BSD-2-Clause
/* json.c - JSON through jansson.
 *
 * jansson stores values and checks strings. Writing is done here, because jansson writes 0.1 as
 * 0.10000000000000001 or loses digits. */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/timestamp.h"

/* Trees that are written are made by this program, and shallow. */
enum { DEPTH_MAX = 64 };

json_t *rc_json_number(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    return json_real(value);
}

json_t *rc_json_time(double seconds)
{
    char text[RC_TIME_SIZE];

    if (isnan(seconds))
        return json_null();
    rc_timestamp_format(seconds, text);
    return json_string(text);
}

int rc_json_set(json_t *object, const char *name, json_t *value)
{
    return object && value ? json_object_set_new(object, name, value) : (json_decref(value), -1);
}

json_t *rc_json_text(const char *text)
{
    json_t *result = json_string(text);
    char *copy;

    if (result)
        return result;
    copy = strdup(text);
    if (!copy)
        return NULL;
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    result = json_string(copy);
    free(copy);
    return result;
}

static void write_string(FILE *out, const char *text, size_t length)
{
    size_t plain = 0; /* start of the bytes that are written unchanged */

    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c >= 0x20 && c != 0x7f && c != '"' && c != '\\')
            continue;
        fwrite(text + plain, 1, i - plain, out);
        plain = i + 1;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else
            fprintf(out, "\\u%04x", c);
    }
    fwrite(text + plain, 1, length - plain, out);
    fputc('"', out);
}

static void new_line(FILE *out, bool indent, int depth)
{
    if (indent)
        fprintf(out, "\n%*s", depth * 2, "");
}

static void write_value(FILE *out, const json_t *value, bool indent, int depth);

static void write_object(FILE *out, const json_t *value, bool indent, int depth)
{
    const char *key;
    json_t *member;
    size_t count = 0;

    fputc('{', out);
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        if (count++)
            fputs(indent ? "," : ", ", out);
        new_line(out, indent, depth + 1);
        write_string(out, key, strlen(key));
        fputs(": ", out);
        write_value(out, member, indent, depth + 1);
    }
    if (count)
        new_line(out, indent, depth);
    fputc('}', out);
}

static void write_array(FILE *out, const json_t *value, bool indent, int depth)
{
    size_t count = json_array_size(value);

    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputs(indent ? "," : ", ", out);
        new_line(out, indent, depth + 1);
        write_value(out, json_array_get(value, i), indent, depth + 1);
    }
    if (count)
        new_line(out, indent, depth);
    fputc(']', out);
}

static void write_value(FILE *out, const json_t *value, bool indent, int depth)
{
    char number[RC_NUMBER_SIZE];

    if (depth > DEPTH_MAX) {
        fputs("null", out);
        return;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(out, value, indent, depth);
        break;
    case JSON_ARRAY:
        write_array(out, value, indent, depth);
        break;
    case JSON_STRING:
        write_string(out, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        rc_number_format(json_real_value(value), number);
        fputs(number, out);
        break;
    default:
        fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null", out);
    }
}

void rc_json_write(FILE *out, const json_t *value, bool indent)
{
    write_value(out, value, indent, 0);
    if (indent)
        fputc('\n', out);
}

void rc_json_stream_begin(struct rc_json_stream *stream, FILE *out, const char *schema,
                          const char *name)
{
    stream->out = out;
    stream->count = 0;
    fputs("{\"schema\": ", out);
    write_string(out, schema, strlen(schema));
    fputs(", ", out);
    write_string(out, name, strlen(name));
    fputs(": [", out);
}

int rc_json_stream_add(struct rc_json_stream *stream, json_t *element)
{
    if (!element)
        return -1;
    fputs(stream->count++ ? ",\n" : "\n", stream->out);
    rc_json_write(stream->out, element, false);
    json_decref(element);
    return 0;
}

void rc_json_stream_end(struct rc_json_stream *stream)
{
    fputs(stream->count ? "\n]}\n" : "]}\n", stream->out);
}
