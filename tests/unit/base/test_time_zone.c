// SPDX-License-Identifier: GPL-3.0-or-later
/* test_time_zone.c - local times as points in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time_zone.h"
#include "base/time_zone_rule.h"
#include "base/timestamp.h"

/* ---- files made here ---- */

static void put(uint8_t **at, int64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--)
        *(*at)++ = (uint8_t)((uint64_t)value >> (8 * i));
}

static void put_header(uint8_t **at, int changes, int kinds, int characters)
{
    memcpy(*at, "TZif2", 5);
    memset(*at + 5, 0, 27);
    *at += 32;
    put(at, changes, 4);
    put(at, kinds, 4);
    put(at, characters, 4);
}

enum { CHANGE = 1000000000 }; /* 2001-09-09T01:46:40Z */

/* A zone that was one hour east of UTC before CHANGE and is two hours east from then on, with this
 * footer. Returns the length. */
static size_t make_file(uint8_t bytes[300], const char *footer)
{
    uint8_t *at = bytes;

    put_header(&at, 0, 1, 1); /* the block of times of 32 bits */
    put(&at, 0, 6);
    put(&at, 0, 1);
    put_header(&at, 1, 2, 4);
    put(&at, CHANGE, 8);
    put(&at, 1, 1);
    put(&at, 3600, 4);
    put(&at, 0, 2);
    put(&at, 7200, 4);
    put(&at, 0, 2);
    memcpy(at, "XXX", 4);
    at += 4;
    *at++ = '\n';
    memcpy(at, footer, strlen(footer));
    at += strlen(footer);
    *at++ = '\n';
    return (size_t)(at - bytes);
}

static void a_file_has_changes_and_a_rule_for_later_times(void **state)
{
    uint8_t bytes[300];
    size_t length = make_file(bytes, "");
    struct rc_time_zone *zone = rc_time_zone_read(bytes, length, "made", NULL);

    (void)state;
    assert_non_null(zone);
    assert_int_equal(rc_time_zone_offset(zone, CHANGE - 1), 3600);
    assert_int_equal(rc_time_zone_offset(zone, CHANGE), 7200);
    rc_time_zone_close(zone);
    length = make_file(bytes, "XXX-3:30");
    zone = rc_time_zone_read(bytes, length, "made", NULL);
    assert_int_equal(rc_time_zone_offset(zone, CHANGE - 1), 3600);
    assert_int_equal(rc_time_zone_offset(zone, CHANGE), 12600);
    rc_time_zone_close(zone);
}

static void damaged_files_are_refused(void **state)
{
    struct rc_error error = {0};
    uint8_t bytes[300];
    size_t length = make_file(bytes, "XXX-2");

    (void)state;
    for (size_t cut = 0; cut < length; cut++)
        assert_null(rc_time_zone_read(bytes, cut, "cut", &error));
    assert_string_equal(error.text, "the file of the time zone 'cut' is damaged, or of a kind that "
                                    "runcast does not read");
    length = make_file(bytes, "XXX-2YYY"); /* when does it change? */
    assert_null(rc_time_zone_read(bytes, length, "made", NULL));
    length = make_file(bytes, "");
    bytes[4] = 0; /* version 1 has no times of 64 bits */
    assert_null(rc_time_zone_read(bytes, length, "made", NULL));
    make_file(bytes, "");
    bytes[51 + 44 + 8] = 2; /* the change leads to no offset */
    assert_null(rc_time_zone_read(bytes, length, "made", NULL));
    make_file(bytes, "");
    bytes[51 + 31] = 1; /* a leap second */
    assert_null(rc_time_zone_read(bytes, length, "made", NULL));
}

/* ---- rules ---- */

static struct rc_time_zone_rule rule_of(const char *text)
{
    struct rc_time_zone_rule rule;

    assert_int_equal(rc_time_zone_rule_parse(text, strlen(text), &rule), 0);
    return rule;
}

static int32_t offset_at(const char *text, const char *utc)
{
    const struct rc_time_zone_rule rule = rule_of(text);
    double seconds;

    assert_int_equal(rc_timestamp_parse(utc, strlen(utc), &seconds, NULL), 0);
    return rc_time_zone_rule_offset(&rule, (int64_t)seconds);
}

static void rules_change_on_days_of_a_week_or_a_year(void **state)
{
    static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3";
    static const char sydney[] = "AEST-10AEDT,M10.1.0,M4.1.0/3";

    (void)state;
    assert_int_equal(offset_at(berlin, "2026-03-29T00:59:59Z"), 3600);
    assert_int_equal(offset_at(berlin, "2026-03-29T01:00:00Z"), 7200);
    assert_int_equal(offset_at(berlin, "2026-10-25T00:59:59Z"), 7200);
    assert_int_equal(offset_at(berlin, "2026-10-25T01:00:00Z"), 3600);
    assert_int_equal(offset_at(sydney, "2026-01-01T00:00:00Z"), 39600);
    assert_int_equal(offset_at(sydney, "2026-04-04T15:59:59Z"), 39600);
    assert_int_equal(offset_at(sydney, "2026-04-04T16:00:00Z"), 36000);
    assert_int_equal(offset_at(sydney, "2026-12-31T23:59:59Z"), 39600);
    /* 1 March is day 60 without 29 February, and day 60 from 0 in leap years. */
    assert_int_equal(offset_at("AAA1BBB1:30,J60/0,J300", "2024-03-01T01:00:00Z"), -5400);
    assert_int_equal(offset_at("AAA1BBB1:30,J60/0,J300", "2024-03-01T00:59:59Z"), -3600);
    assert_int_equal(offset_at("AAA1BBB1:30,60/0,300", "2024-03-01T00:59:59Z"), -3600);
    assert_int_equal(offset_at("AAA1BBB1:30,60/0,300", "2024-03-01T01:00:00Z"), -5400);
    assert_int_equal(offset_at("<+0330>-3:30", "2024-03-01"), 12600);
}

static void other_texts_are_no_rules(void **state)
{
    static const char *const texts[] = {"",
                                        "CET",
                                        "C1",
                                        "CET-25",
                                        "CET-1CEST",
                                        "CET-1CEST,M3.5.0",
                                        "CET-1CEST,M13.5.0,M10.5.0",
                                        "CET-1CEST,M3.6.0,M10.5.0",
                                        "CET-1CEST,M3.5.7,M10.5.0",
                                        "CET-1CEST,J0,J366",
                                        "CET-1CEST,M3.5.0/168,M10.5.0",
                                        "<+03-3",
                                        "CET-1 "};
    struct rc_time_zone_rule rule;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(rc_time_zone_rule_parse(texts[i], strlen(texts[i]), &rule), -1);
}

/* ---- local times ---- */

static void assert_time(const struct rc_time_zone *zone, const char *local, const char *utc,
                        enum rc_local_time expected)
{
    enum rc_local_time occurs;
    char text[RC_TIME_SIZE];
    double seconds;

    assert_int_equal(rc_time_zone_parse(zone, local, strlen(local), &seconds, &occurs, NULL), 0);
    rc_timestamp_format(seconds, text);
    assert_string_equal(text, utc);
    assert_int_equal(occurs, expected);
}

static void local_times_at_changes_are_read_as_documented(void **state)
{
    uint8_t bytes[300];
    size_t length = make_file(bytes, "CET-1CEST,M3.5.0,M10.5.0/3");
    struct rc_time_zone *zone = rc_time_zone_read(bytes, length, "made", NULL);

    (void)state;
    assert_time(zone, "2026-07-01", "2026-06-30T22:00:00Z", RC_LOCAL_ONCE);
    assert_time(zone, "2026-03-29 01:59:59", "2026-03-29T00:59:59Z", RC_LOCAL_ONCE);
    assert_time(zone, "2026-03-29 02:30", "2026-03-29T01:30:00Z", RC_LOCAL_NEVER);
    assert_time(zone, "2026-03-29 03:00", "2026-03-29T01:00:00Z", RC_LOCAL_ONCE);
    assert_time(zone, "2026-10-25 01:59:59", "2026-10-24T23:59:59Z", RC_LOCAL_ONCE);
    assert_time(zone, "2026-10-25 02:30:00.5", "2026-10-25T00:30:00.5Z", RC_LOCAL_TWICE);
    assert_time(zone, "2026-10-25 03:00", "2026-10-25T02:00:00Z", RC_LOCAL_ONCE);
    /* An offset in the text counts. */
    assert_time(zone, "2026-10-25 02:30+01:00", "2026-10-25T01:30:00Z", RC_LOCAL_ONCE);
    assert_time(zone, "2026-10-25T02:30Z", "2026-10-25T02:30:00Z", RC_LOCAL_ONCE);
    assert_time(zone, "1792895400", "2026-10-25T02:30:00Z", RC_LOCAL_ONCE);
    rc_time_zone_close(zone);
}

static void zones_have_names_or_offsets(void **state)
{
    static const struct {
        const char *name;
        int32_t offset;
    } cases[] = {{"UTC", 0},        {"Z", 0},     {"+02:00", 7200},
                 {"-0330", -12600}, {"+2", 7200}, {"-11", -39600}};
    static const char *const wrong[] = {
        "Europe/Nowhere", "../../../etc/passwd", "/etc/localtime", "", "+24:00", "+1:60", "Europe"};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_time_zone *zone = rc_time_zone_open(cases[i].name, NULL);

        assert_non_null(zone);
        assert_int_equal(rc_time_zone_offset(zone, 0), cases[i].offset);
        rc_time_zone_close(zone);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(rc_time_zone_open(wrong[i], NULL));
}

/* The C library reads the same files. */
static void offsets_are_those_of_the_c_library(void **state)
{
    static const char *const names[] = {"Europe/Berlin",     "America/New_York",
                                        "America/St_Johns",  "Australia/Lord_Howe",
                                        "Africa/Casablanca", "Asia/Kathmandu",
                                        "Pacific/Apia",      "Europe/Dublin",
                                        "Etc/GMT+5"};

    (void)state;
    if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rc_time_zone *zone = rc_time_zone_open(names[i], NULL);

        assert_non_null(zone);
        assert_int_equal(setenv("TZ", names[i], 1), 0);
        tzset();
        for (int64_t t = -2000000000; t < 5000000000; t += 40000 * 86 + 7) {
            const time_t moment = (time_t)t;
            struct tm parts;

            assert_non_null(localtime_r(&moment, &parts));
            assert_int_equal(rc_time_zone_offset(zone, t), parts.tm_gmtoff);
        }
        rc_time_zone_close(zone);
    }
    unsetenv("TZ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_changes_and_a_rule_for_later_times),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(rules_change_on_days_of_a_week_or_a_year),
        cmocka_unit_test(other_texts_are_no_rules),
        cmocka_unit_test(local_times_at_changes_are_read_as_documented),
        cmocka_unit_test(zones_have_names_or_offsets),
        cmocka_unit_test(offsets_are_those_of_the_c_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
