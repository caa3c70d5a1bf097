// SPDX-License-Identifier: GPL-3.0-or-later
/* test_field.c - answers as tables of fields: JSON and text from one description. */
#include "unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/field.h"

struct part {
    const char *name;
    double share;
};

struct record {
    const char *text;
    char chars[8];
    double number, seconds, bytes, rate, percent, fixed, start;
    int small;
    int64_t id;
    uint32_t few;
    uint64_t many;
    size_t n_parts;
    bool flag;
    struct part *parts, first, *other;
};

static const struct rc_field part_fields[] = {
    {RC_FIELD(struct part, TEXT, name), .key = "name", .title = "part"},
    {RC_FIELD(struct part, PERCENT, share), .key = "share", .title = "share"},
    RC_FIELDS_END};

static bool has_flag(const void *record)
{
    return ((const struct record *)record)->flag;
}

static json_t *double_json(const void *record)
{
    return json_integer(2 * ((const struct record *)record)->small);
}

static void double_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "twice %d", ((const struct record *)record)->small);
}

#define RECORD(kind, member) RC_FIELD(struct record, kind, member)
static const struct rc_field fields[] = {
    {RECORD(TEXT, text), .key = "text", .title = "text"},
    {RECORD(CHARS, chars), .key = "chars", .title = "chars"},
    {RECORD(NUMBER, number), .key = "number", .title = "number", .digits = 3},
    {RECORD(SECONDS, seconds), .key = "time_s", .title = "time"},
    {RECORD(BYTES, bytes), .key = "bytes", .title = "memory"},
    {RECORD(RATE, rate), .key = "rate", .title = "rate"},
    {RECORD(FIXED, fixed), .key = "fixed", .title = "error", .digits = 1, .scale = 100,
     .unit = " %"},
    {RECORD(TIME, start), .key = "start", .title = "start"},
    {RECORD(INT, small), .key = "small", .title = "small"},
    {RECORD(INT64, id), .key = "id", .title = "id", .zero_is_null = true},
    {RECORD(UINT32, few), .key = "few"},
    {RECORD(UINT64, many), .key = "many"},
    {RECORD(SIZE, n_parts), .key = "n"},
    {RECORD(BOOL, flag), .key = "flag", .title = "flag"},
    {RECORD(INT, small), .key = "only", .when = has_flag},
    {RC_FIELD_LIST_OF(struct record, parts, n_parts), .key = "parts", .fields = part_fields},
    {RECORD(OBJECT, first), .key = "first", .fields = part_fields},
    {RECORD(POINTER, other), .key = "other", .fields = part_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "double",
     .title = "double",
     .json = double_json,
     .text = double_text},
    {RECORD(INLINE, first), .fields = part_fields},
    RC_FIELDS_END};

static void same_json(const struct record *record, const char *expected)
{
    json_t *object = rc_field_json(fields, record);
    char *text = json_dumps(object, JSON_COMPACT);

    assert_string_equal(text, expected);
    free(text);
    json_decref(object);
}

static struct record make(struct part *parts)
{
    parts[0] = (struct part){"a", 0.25};
    parts[1] = (struct part){"b", NAN};
    return (struct record){.text = "hello",
                           .chars = "abc",
                           .number = 1.5,
                           .seconds = 90,
                           .bytes = 2048,
                           .rate = 1e6,
                           .percent = 0.5,
                           .fixed = 0.1234,
                           .start = 86400.5,
                           .small = -3,
                           .id = 7,
                           .few = 4,
                           .many = UINT64_MAX,
                           .n_parts = 2,
                           .flag = true,
                           .parts = parts,
                           .first = {"f", 1},
                           .other = &parts[0]};
}

static void every_kind_is_in_the_json(void **state)
{
    struct part parts[2];
    struct record record = make(parts);

    (void)state;
    same_json(&record,
              "{\"text\":\"hello\",\"chars\":\"abc\",\"number\":1.5,\"time_s\":90,\"bytes\":2048,"
              "\"rate\":1000000,\"fixed\":0.1234,\"start\":\"1970-01-02T00:00:00.5Z\",\"small\":-3,"
              "\"id\":7,\"few\":4,"
              "\"many\":9223372036854775807,\"n\":2,\"flag\":true,\"only\":-3,"
              "\"parts\":[{\"name\":\"a\",\"share\":0.25},{\"name\":\"b\",\"share\":null}],"
              "\"first\":{\"name\":\"f\",\"share\":1},\"other\":{\"name\":\"a\",\"share\":0.25},"
              "\"double\":-6,\"name\":\"f\",\"share\":1}");
}

static void what_is_unknown_is_null(void **state)
{
    struct record record = {.number = NAN,
                            .seconds = NAN,
                            .bytes = INFINITY,
                            .rate = NAN,
                            .fixed = NAN,
                            .start = NAN,
                            .first = {NULL, NAN}};

    (void)state;
    same_json(&record,
              "{\"text\":null,\"chars\":\"\",\"number\":null,\"time_s\":null,"
              "\"bytes\":null,\"rate\":null,\"fixed\":null,\"start\":null,\"small\":0,\"id\":null,"
              "\"few\":0,\"many\":0,\"n\":0,\"flag\":false,\"parts\":[],"
              "\"first\":{\"name\":null,\"share\":null},\"other\":null,\"double\":0,"
              "\"name\":null,\"share\":null}");
}

static char *table_of(const struct rc_field *of, const void *records, size_t n, size_t size)
{
    static char text[8192];
    FILE *out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    assert_int_equal(rc_field_table(out, of, records, n, size, 0, NULL), 0);
    assert_true(ftell(out) < (long)sizeof text);
    fclose(out);
    return text;
}

static void a_table_has_the_fields_with_a_title(void **state)
{
    struct part parts[2];
    struct record records[2] = {make(parts),
                                {.number = NAN,
                                 .seconds = NAN,
                                 .bytes = NAN,
                                 .rate = NAN,
                                 .fixed = NAN,
                                 .start = NAN,
                                 .first = {NULL, NAN}}};
    char *text = table_of(fields, records, 2, sizeof *records);
    const char *second = strchr(strchr(text, '\n') + 1, '\n') + 1;

    (void)state;
    assert_non_null(strstr(text, "12.3 %"));
    assert_non_null(strstr(text, "2 KiB"));
    assert_non_null(strstr(text, "twice -3"));
    assert_non_null(strstr(text, "100 %"));
    assert_non_null(strstr(text, "1970-01-02T00:00:00.5Z"));
    assert_null(strstr(text, "time_s"));
    assert_null(strstr(text, "few"));
    assert_non_null(strstr(second, "-"));
    assert_non_null(strstr(second, "no"));
    assert_null(strstr(second, "nan"));
}

static void no_records_are_an_empty_list(void **state)
{
    json_t *list = rc_field_json_list(part_fields, NULL, 0, sizeof(struct part));
    char *text = table_of(part_fields, NULL, 0, sizeof(struct part));

    (void)state;
    assert_int_equal(json_array_size(list), 0);
    assert_non_null(strstr(text, "share"));
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_in_the_json),
        cmocka_unit_test(what_is_unknown_is_null),
        cmocka_unit_test(a_table_has_the_fields_with_a_title),
        cmocka_unit_test(no_records_are_an_empty_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
