// SPDX-License-Identifier: BSD-2-Clause
/* field.c - an answer as a table of fields. */
#include "report/field.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "report/cell.h"

enum { COLUMNS_MOST = 32, TEXT_SIZE = 1024, DIGITS = 6, PERCENT_DIGITS = 2 };

/* ---- members of the struct ---- */

static const void *member(const struct rc_field *field, const void *record)
{
    return (const char *)record + field->offset;
}

static double number_of(const struct rc_field *field, const void *record)
{
    assert(field->size == sizeof(double));
    return *(const double *)member(field, record);
}

/* Counts beyond 2^63 do not occur, but must not become negative. */
static int64_t integer_of(const struct rc_field *field, const void *record)
{
    const void *at = member(field, record);

    if (field->kind == RC_AS_INT || field->kind == RC_AS_UINT32) {
        assert(field->size == 4);
        return field->kind == RC_AS_INT ? *(const int *)at : (int64_t) * (const uint32_t *)at;
    }
    assert(field->size == 8);
    if (field->kind == RC_AS_INT64)
        return *(const int64_t *)at;
    return *(const uint64_t *)at > INT64_MAX ? INT64_MAX : (int64_t) * (const uint64_t *)at;
}

static const char *text_of(const struct rc_field *field, const void *record)
{
    const char *text = member(field, record);

    assert(field->kind == RC_AS_CHARS || field->size == sizeof text);
    if (field->kind == RC_AS_TEXT)
        text = *(const char *const *)member(field, record);
    return text && !*text && field->zero_is_null ? NULL : text;
}

static bool bool_of(const struct rc_field *field, const void *record)
{
    assert(field->size == sizeof(bool));
    return *(const bool *)member(field, record);
}

static const void *pointer_of(const struct rc_field *field, const void *record)
{
    assert(field->size == sizeof(void *));
    return *(const void *const *)member(field, record);
}

/* ---- JSON ---- */

static size_t count_of(const struct rc_field *field, const void *record)
{
    return *(const size_t *)((const char *)record + field->count_offset);
}

static json_t *numbers_json(const struct rc_field *field, const void *record)
{
    const int64_t *numbers = member(field, record);
    json_t *list = json_array();

    for (size_t i = 0; i < field->size / sizeof *numbers; i++)
        json_array_append_new(list, json_integer(numbers[i]));
    return list;
}

static json_t *texts_json(const struct rc_field *field, const void *record)
{
    const char *texts = pointer_of(field, record);
    json_t *list = json_array();

    for (size_t i = 0; i < count_of(field, record); i++)
        json_array_append_new(list, rc_json_text(texts + i * field->element_size));
    return list;
}

static json_t *value_json(const struct rc_field *field, const void *record)
{
    const char *text;
    int64_t integer;
    char made[TEXT_SIZE] = "";

    switch (field->kind) {
    case RC_AS_TEXT:
    case RC_AS_CHARS:
        text = text_of(field, record);
        return text ? rc_json_text(text) : json_null();
    case RC_AS_NUMBER:
    case RC_AS_SECONDS:
    case RC_AS_BYTES:
    case RC_AS_RATE:
    case RC_AS_PERCENT:
    case RC_AS_FIXED:
        return rc_json_number(number_of(field, record));
    case RC_AS_TIME:
        return rc_json_time(number_of(field, record));
    case RC_AS_INT:
    case RC_AS_INT64:
    case RC_AS_UINT32:
    case RC_AS_UINT64:
    case RC_AS_SIZE:
        integer = integer_of(field, record);
        return integer == 0 && field->zero_is_null ? json_null() : json_integer(integer);
    case RC_AS_BOOL:
        return json_boolean(bool_of(field, record));
    case RC_AS_OBJECT:
        return rc_field_json(field->fields, member(field, record));
    case RC_AS_POINTER:
        return pointer_of(field, record) ? rc_field_json(field->fields, pointer_of(field, record))
                                         : json_null();
    case RC_AS_LIST:
        return rc_field_json_list(field->fields, pointer_of(field, record), count_of(field, record),
                                  field->element_size);
    case RC_AS_ARRAY:
        return rc_field_json_list(field->fields, member(field, record), count_of(field, record),
                                  field->element_size);
    case RC_AS_INT64S:
        return numbers_json(field, record);
    case RC_AS_TEXTS:
        return texts_json(field, record);
    case RC_AS_JSON:
        return pointer_of(field, record) ? json_incref(*(json_t *const *)member(field, record))
                                         : json_null();
    default:
        assert(field->kind == RC_AS_COMPUTED && field->text);
        field->text(record, made, sizeof made);
        return rc_json_text(made);
    }
}

json_t *rc_field_value(const struct rc_field *field, const void *record)
{
    return field->json ? field->json(record) : value_json(field, record);
}

static void add_members(json_t *object, json_t *more)
{
    json_object_update(object, more);
    json_decref(more);
}

void rc_field_add(json_t *object, const struct rc_field *fields, const void *record)
{
    for (const struct rc_field *field = fields; field->kind != RC_AS_END; field++)
        if (field->when && !field->when(record))
            continue;
        else if (field->kind == RC_AS_INLINE)
            rc_field_add(object, field->fields, member(field, record));
        else if (field->pattern)
            add_members(object, field->json(record));
        else if (field->key && (!field->optional || pointer_of(field, record)))
            rc_json_set(object, field->key, rc_field_value(field, record));
}

json_t *rc_field_json(const struct rc_field *fields, const void *record)
{
    json_t *object = json_object();

    rc_field_add(object, fields, record);
    return object;
}

json_t *rc_field_json_list(const struct rc_field *fields, const void *records, size_t n,
                           size_t size)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, rc_field_json(fields, (const char *)records + i * size));
    return list;
}

/* ---- text ---- */

static void put_fixed(struct rc_table *table, const struct rc_field *field, double value)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof text, isnan(value) ? "-" : "%.*f%s", field->digits,
             field->scale != 0 ? field->scale * value : value, field->unit ? field->unit : "");
    rc_table_text(table, text);
}

static void put_time(struct rc_table *table, double value)
{
    char text[RC_TIME_SIZE];

    rc_timestamp_format(value, text);
    rc_table_text(table, text);
}

static void put_double(struct rc_table *table, const struct rc_field *field, double value)
{
    static const enum rc_dimension dimensions[] = {
        [RC_AS_SECONDS] = RC_SECONDS, [RC_AS_BYTES] = RC_BYTES, [RC_AS_RATE] = RC_RATE};

    if (field->kind >= RC_AS_SECONDS && field->kind <= RC_AS_RATE)
        rc_cell_quantity(table, value, dimensions[field->kind]);
    else if (field->kind == RC_AS_PERCENT)
        rc_cell_percent(table, value, field->digits ? field->digits : PERCENT_DIGITS);
    else if (field->kind == RC_AS_FIXED)
        put_fixed(table, field, value);
    else if (field->kind == RC_AS_TIME)
        put_time(table, value);
    else
        rc_cell_short(table, value, field->digits ? field->digits : DIGITS);
}

void rc_field_cell(struct rc_table *table, const struct rc_field *field, const void *record)
{
    char text[TEXT_SIZE] = "";

    if (field->text) {
        field->text(record, text, sizeof text);
        rc_table_text(table, text);
    } else if (field->kind == RC_AS_TEXT || field->kind == RC_AS_CHARS)
        rc_table_text(table, text_of(field, record) ? text_of(field, record) : "-");
    else if (field->kind == RC_AS_BOOL)
        rc_table_text(table, bool_of(field, record) ? "yes" : "no");
    else if (field->kind < RC_AS_INT || field->kind > RC_AS_SIZE)
        put_double(table, field, number_of(field, record));
    else if (field->zero_is_null && integer_of(field, record) == 0)
        rc_table_text(table, "-");
    else
        rc_table_integer(table, integer_of(field, record));
}

static bool is_text(const struct rc_field *field)
{
    return field->kind == RC_AS_TEXT || field->kind == RC_AS_CHARS || field->kind == RC_AS_TIME ||
           field->kind == RC_AS_COMPUTED || field->kind == RC_AS_BOOL ||
           field->kind == RC_AS_INT64S;
}

size_t rc_field_columns(const struct rc_field *fields, struct rc_column *columns, size_t most)
{
    size_t n = 0;

    for (const struct rc_field *field = fields; field->kind != RC_AS_END; field++)
        if (field->kind == RC_AS_INLINE)
            n += rc_field_columns(field->fields, columns + n, most - n);
        else if (field->title) {
            assert(n < most);
            columns[n++] = (struct rc_column){.title = field->title,
                                              .right = !is_text(field),
                                              .wrap = field->wrap};
        }
    return n;
}

void rc_field_row(struct rc_table *table, const struct rc_field *fields, const void *record)
{
    for (const struct rc_field *field = fields; field->kind != RC_AS_END; field++)
        if (field->kind == RC_AS_INLINE)
            rc_field_row(table, field->fields, member(field, record));
        else if (field->title)
            rc_field_cell(table, field, record);
}

int rc_field_table(FILE *out, const struct rc_field *fields, const void *records, size_t n,
                   size_t size, size_t width, struct rc_error *error)
{
    struct rc_column columns[COLUMNS_MOST];
    size_t n_columns = rc_field_columns(fields, columns, COLUMNS_MOST);
    struct rc_table *table = rc_table_create(out, columns, n_columns, width);

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        rc_field_row(table, fields, (const char *)records + i * size);
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}
