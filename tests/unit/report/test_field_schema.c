// SPDX-License-Identifier: GPL-3.0-or-later
/* test_field_schema.c - JSON Schemas of answers. */
#include "unit.h"

#include <stdlib.h>

#include "report/field_schema.h"

struct part {
    double share;
};

struct answer {
    const char *text;
    char chars[4];
    double number, start;
    int few;
    int64_t many;
    bool flag;
    size_t n;
    struct part first, *parts, *other;
    json_t *any;
};

static const struct rc_field part_fields[] = {
    {RC_FIELD(struct part, PERCENT, share), .key = "share_fraction"}, RC_FIELDS_END};

static bool never(const void *record)
{
    (void)record;
    return false;
}

static json_t *make_list(const void *record)
{
    (void)record;
    return json_array();
}

#define ANSWER(kind, member) RC_FIELD(struct answer, kind, member)

/* The properties and the required keys of the schema of these fields. */
static void check(const struct rc_field *fields, const char *wanted_properties,
                  const char *wanted_required)
{
    json_t *schema = rc_field_schema(fields);
    char *properties = json_dumps(json_object_get(schema, "properties"), JSON_COMPACT);
    char *required = json_dumps(json_object_get(schema, "required"), JSON_COMPACT);

    assert_string_equal(json_string_value(json_object_get(schema, "type")), "object");
    assert_null(json_object_get(schema, "additionalProperties")); /* later versions may have more */
    assert_string_equal(properties, wanted_properties);
    assert_string_equal(required, wanted_required);
    free(properties);
    free(required);
    json_decref(schema);
}

static void types_of_members(void **state)
{
    static const struct rc_field fields[] = {{ANSWER(TEXT, text), .key = "text"},
                                             {ANSWER(CHARS, chars), .key = "chars"},
                                             {ANSWER(SECONDS, number), .key = "time_s",
                                              .title = "time"},
                                             {ANSWER(INT, few), .key = "few", .zero_is_null = true},
                                             {ANSWER(INT64, many), .key = "many"},
                                             {ANSWER(TIME, start), .key = "start"},
                                             {ANSWER(BOOL, flag), .key = "flag"},
                                             {ANSWER(NUMBER, start), .title = "only in tables"},
                                             RC_FIELDS_END};

    (void)state;
    check(fields,
          "{\"text\":{\"type\":[\"string\",\"null\"]},\"chars\":{\"type\":\"string\"},"
          "\"time_s\":{\"type\":[\"number\",\"null\"]},\"few\":{\"type\":[\"integer\",\"null\"]},"
          "\"many\":{\"type\":\"integer\"},"
          "\"start\":{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"},"
          "\"flag\":{\"type\":\"boolean\"}}",
          "[\"text\",\"chars\",\"time_s\",\"few\",\"many\",\"start\",\"flag\"]");
}

#define PART                                                                                       \
    "{\"type\":\"object\",\"properties\":{\"share_fraction\":{\"type\":[\"number\",\"null\"]}},"   \
    "\"required\":[\"share_fraction\"]}"

static void objects_and_lists(void **state)
{
    static const struct rc_field fields[] = {
        {ANSWER(OBJECT, first), .key = "first", .fields = part_fields},
        {RC_FIELD_LIST_OF(struct answer, parts, n), .key = "parts", .fields = part_fields},
        {ANSWER(POINTER, other), .key = "other", .fields = part_fields},
        RC_FIELDS_END};
    static const struct rc_field inlined[] = {{ANSWER(INLINE, first), .fields = part_fields},
                                              RC_FIELDS_END};

    (void)state;
    check(fields,
          "{\"first\":" PART ",\"parts\":{\"type\":\"array\",\"items\":" PART "},"
          "\"other\":{\"anyOf\":[" PART ",{\"type\":\"null\"}]}}",
          "[\"first\",\"parts\",\"other\"]");
    check(inlined, "{\"share_fraction\":{\"type\":[\"number\",\"null\"]}}", "[\"share_fraction\"]");
}

static void named_types(void **state)
{
    static const struct rc_field fields[] = {
        {ANSWER(NUMBER, start), .key = "start", .json = make_list, .type = "time"},
        {.kind = RC_AS_COMPUTED, .key = "hosts", .json = make_list, .type = "strings"},
        {ANSWER(TEXT, text), .key = "names", .json = make_list, .type = "strings",
         .zero_is_null = true},
        {.kind = RC_AS_COMPUTED, .key = "times_s", .json = make_list, .type = "numbers"},
        {.kind = RC_AS_COMPUTED, .key = "count", .json = make_list, .type = "integer"},
        {.kind = RC_AS_COMPUTED,
         .key = "parts",
         .json = make_list,
         .type = "list",
         .fields = part_fields},
        {ANSWER(JSON, any), .key = "any"},
        {ANSWER(JSON, any), .key = "objects", .type = "objects"},
        RC_FIELDS_END};

    (void)state;
    check(fields,
          "{\"start\":{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"},"
          "\"hosts\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
          "\"names\":{\"anyOf\":[{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
          "{\"type\":\"null\"}]},"
          "\"times_s\":{\"type\":\"array\",\"items\":{\"type\":[\"number\",\"null\"]}},"
          "\"count\":{\"type\":[\"integer\",\"null\"]},"
          "\"parts\":{\"type\":\"array\",\"items\":" PART "},\"any\":{},"
          "\"objects\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}}",
          "[\"start\",\"hosts\",\"names\",\"times_s\",\"count\",\"parts\",\"any\",\"objects\"]");
}

static void keys_that_can_be_missing(void **state)
{
    static const struct rc_field fields[] = {{ANSWER(TEXT, text), .key = "text", .when = never},
                                             {ANSWER(POINTER, other), .key = "other",
                                              .fields = part_fields, .optional = true},
                                             {ANSWER(BOOL, flag), .key = "flag"},
                                             RC_FIELDS_END};

    (void)state;
    check(fields,
          "{\"text\":{\"type\":[\"string\",\"null\"]},"
          "\"other\":{\"anyOf\":[" PART ",{\"type\":\"null\"}]},\"flag\":{\"type\":\"boolean\"}}",
          "[\"flag\"]");
}

static void inlined_fields_that_can_be_missing(void **state)
{
    static const struct rc_field fields[] = {{ANSWER(BOOL, flag), .key = "flag"},
                                             {ANSWER(INLINE, first), .fields = part_fields,
                                              .when = never},
                                             RC_FIELDS_END};
    const struct answer answer = {.flag = true};
    json_t *object = rc_field_json(fields, &answer);

    (void)state;
    check(fields,
          "{\"flag\":{\"type\":\"boolean\"},"
          "\"share_fraction\":{\"type\":[\"number\",\"null\"]}}",
          "[\"flag\"]");
    assert_int_equal(json_object_size(object), 1);
    json_decref(object);
}

static json_t *make_quantiles(const void *record)
{
    (void)record;
    return json_pack("{s:f, s:f}", "p05_s", 1.0, "p999_s", 2.0);
}

static void patterns_of_keys(void **state)
{
    static const struct rc_field fields[] = {{ANSWER(BOOL, flag), .key = "flag"},
                                             {.kind = RC_AS_COMPUTED,
                                              .key = "pNN_s",
                                              .pattern = "^p[0-9]+_s$",
                                              .json = make_quantiles,
                                              .type = "number"},
                                             RC_FIELDS_END};
    const struct answer answer = {.flag = true};
    json_t *schema = rc_field_schema(fields), *object = rc_field_json(fields, &answer);
    char *patterns = json_dumps(json_object_get(schema, "patternProperties"), JSON_COMPACT);

    (void)state;
    check(fields, "{\"flag\":{\"type\":\"boolean\"}}", "[\"flag\"]");
    assert_string_equal(patterns,
                        "{\"^p[0-9]+_s$\":{\"type\":[\"number\",\"null\"],\"title\":\"pNN_s\"}}");
    assert_int_equal(json_object_size(object), 3);
    assert_true(json_object_get(object, "p999_s") != NULL);
    free(patterns);
    json_decref(schema);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_members),
        cmocka_unit_test(objects_and_lists),
        cmocka_unit_test(named_types),
        cmocka_unit_test(keys_that_can_be_missing),
        cmocka_unit_test(inlined_fields_that_can_be_missing),
        cmocka_unit_test(patterns_of_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
