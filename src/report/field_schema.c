// SPDX-License-Identifier: BSD-2-Clause
/* field_schema.c - JSON Schemas from tables of fields. */
#include "report/field_schema.h"

#include <string.h>

#include "base/json.h"

/* {"type": NAME}, or {"type": [NAME, "null"]}. */
static json_t *type_schema(const char *name, bool or_null)
{
    json_t *schema = json_object();

    if (or_null) {
        json_t *types = json_array();

        json_array_append_new(types, json_string(name));
        json_array_append_new(types, json_string("null"));
        rc_json_set(schema, "type", types);
    } else {
        rc_json_set(schema, "type", json_string(name));
    }
    return schema;
}

static json_t *list_schema(json_t *items)
{
    json_t *schema = type_schema("array", false);

    rc_json_set(schema, "items", items);
    return schema;
}

static json_t *either_schema(json_t *one, json_t *other)
{
    json_t *schema = json_object(), *list = json_array();

    json_array_append_new(list, one);
    json_array_append_new(list, other);
    rc_json_set(schema, "anyOf", list);
    return schema;
}

static json_t *time_schema(void)
{
    json_t *schema = type_schema("string", true);

    rc_json_set(schema, "format", json_string("date-time"));
    return schema;
}

/* `type` of a field: a JSON type, "time", "list" (of any values), or one of these types and an "s":
 * a list of them, or null if that stands for "none". */
static json_t *named_schema(const struct rc_field *field)
{
    static const char *const types[] = {"string", "number", "integer", "boolean", "object"};
    const char *name = field->type;

    if (field->fields) {
        json_t *object = rc_field_schema(field->fields);

        return name && strcmp(name, "list") == 0
                   ? list_schema(object)
                   : either_schema(object, type_schema("null", false));
    }
    if (!name)
        return json_object();
    if (strcmp(name, "list") == 0)
        return type_schema("array", false);
    if (strcmp(name, "time") == 0)
        return time_schema();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i]);

        if (strncmp(name, types[i], length) != 0)
            continue;
        if (name[length] == 's') {
            json_t *list = list_schema(type_schema(types[i], strcmp(types[i], "number") == 0));

            return field->zero_is_null ? either_schema(list, type_schema("null", false)) : list;
        }
        return type_schema(types[i], true);
    }
    return json_object();
}

static json_t *value_schema(const struct rc_field *field)
{
    if (field->type || (field->json && field->kind != RC_AS_COMPUTED))
        return named_schema(field);
    switch (field->kind) {
    case RC_AS_TEXT:
        return type_schema("string", true);
    case RC_AS_CHARS:
        return type_schema("string", field->zero_is_null);
    case RC_AS_NUMBER:
    case RC_AS_SECONDS:
    case RC_AS_BYTES:
    case RC_AS_RATE:
    case RC_AS_PERCENT:
    case RC_AS_FIXED:
        return type_schema("number", true);
    case RC_AS_TIME:
        return time_schema();
    case RC_AS_INT:
    case RC_AS_INT64:
    case RC_AS_UINT32:
    case RC_AS_UINT64:
    case RC_AS_SIZE:
        return type_schema("integer", field->zero_is_null);
    case RC_AS_BOOL:
        return type_schema("boolean", false);
    case RC_AS_OBJECT:
        return rc_field_schema(field->fields);
    case RC_AS_POINTER:
        return either_schema(rc_field_schema(field->fields), type_schema("null", false));
    case RC_AS_LIST:
    case RC_AS_ARRAY:
        return list_schema(rc_field_schema(field->fields));
    case RC_AS_INT64S:
        return list_schema(type_schema("integer", false));
    case RC_AS_TEXTS:
        return list_schema(type_schema("string", false));
    default:
        return field->json || field->kind == RC_AS_JSON ? named_schema(field)
                                                        : type_schema("string", false);
    }
}

/* The members of a schema of an object that depend on its fields. */
struct members {
    json_t *properties, *patterns, *required;
};

static void add_pattern(const struct rc_field *field, json_t *patterns)
{
    json_t *schema = value_schema(field);

    rc_json_set(schema, "title", json_string(field->key));
    rc_json_set(patterns, field->pattern, schema);
}

/* `always`: whether the record always has these fields. */
static void add_fields(const struct rc_field *fields, bool always, const struct members *members)
{
    for (const struct rc_field *field = fields; field->kind != RC_AS_END; field++) {
        bool there = always && !field->when && !field->optional;

        if (field->kind == RC_AS_INLINE) {
            add_fields(field->fields, there, members);
        } else if (field->pattern) {
            add_pattern(field, members->patterns);
        } else if (field->key) {
            rc_json_set(members->properties, field->key, value_schema(field));
            if (there)
                json_array_append_new(members->required, json_string(field->key));
        }
    }
}

json_t *rc_field_schema(const struct rc_field *fields)
{
    json_t *schema = type_schema("object", false);
    const struct members members = {json_object(), json_object(), json_array()};

    add_fields(fields, true, &members);
    rc_json_set(schema, "properties", members.properties);
    if (json_object_size(members.patterns))
        json_object_set(schema, "patternProperties", members.patterns);
    json_decref(members.patterns);
    rc_json_set(schema, "required", members.required);
    return schema;
}
