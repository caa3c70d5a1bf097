/* Quantities with suffixes, ranges, and points in time. */
#include "unit.h"

#include "base/timestamp.h"
#include "base/unit.h"

static void suffixes_are_read(void **state)
{
    static const struct {
        const char *text;
        enum rc_dimension dimension;
        double value;
    } cases[] = {
        {"64KiB", RC_BYTES, 65536},
        {"64kB", RC_BYTES, 64000},
        {"512", RC_BYTES, 512},
        {"2 GiB", RC_BYTES, 2147483648},
        {"100Mbit", RC_RATE, 12.5e6},
        {"100Mbit/s", RC_RATE, 12.5e6},
        {"100Mbitps", RC_RATE, 12.5e6},
        {"12.5MB/s", RC_RATE, 12.5e6},
        {"1Gbit", RC_RATE, 125e6},
        {"2.2Gf", RC_FLOPS, 2.2e9},
        {"2.2Gflop/s", RC_FLOPS, 2.2e9},
        {"2.2Gflops", RC_FLOPS, 2.2e9},
        {"50us", RC_SECONDS, 50e-6},
        {"50\xc2\xb5s", RC_SECONDS, 50e-6},
        {"1.5h", RC_SECONDS, 5400},
        {"1h30min", RC_SECONDS, 5400},
        {"2d12h", RC_SECONDS, 216000},
        {"90", RC_SECONDS, 90},
        {"01:30:00", RC_SECONDS, 5400},
        {"2-00:00:01.5", RC_SECONDS, 172801.5},
        {"100Mbps", RC_RATE, 12.5e6},
        {"10m", RC_SECONDS, 600},
        {"40%", RC_FRACTION, 0.4},
        {"0.4", RC_FRACTION, 0.4},
        {"2M", RC_COUNT, 2e6},
        {"64Ki", RC_COUNT, 65536},
        {"-3", RC_COUNT, -3},
    };
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_error error = {.text = ""};

        if (rc_unit_parse(cases[i].text, strlen(cases[i].text), cases[i].dimension, &value, &error))
            fail_msg("'%s': %s", cases[i].text, error.text);
        assert_true(fabs(value - cases[i].value) <= 1e-12 * fabs(cases[i].value));
    }
}

static void other_texts_are_refused_with_what_was_expected(void **state)
{
    static const struct {
        const char *text;
        enum rc_dimension dimension;
        const char *in_text, *in_hint;
    } cases[] = {
        {"64K", RC_BYTES, "a size such as", "64KiB (powers of 1024) or 64kB"},
        {"10Mb", RC_RATE, "a rate such as", "10Mbit (bits) or 10MB (bytes)"},
        {"10Mb/s", RC_RATE, "a rate such as", "10Mbit (bits) or 10MB (bytes)"},
        {"10Mbit", RC_BYTES, "a size such as", ""},
        {"1:2", RC_SECONDS, "a time such as", ""},
        {"1:2:3:4", RC_SECONDS, "a time such as", ""},
        {"00:61:00", RC_SECONDS, "a time such as", ""},
        {"1:2:", RC_SECONDS, "a time such as", ""},
        {"-1:02:03", RC_SECONDS, "a time such as", ""},
        {"", RC_SECONDS, "a time such as", ""},
        {"fast", RC_FLOPS, "a speed such as", ""},
        {"30min1h", RC_SECONDS, "a time such as", ""},
        {"1h-30min", RC_SECONDS, "a time such as", ""},
        {"1KiB2B", RC_BYTES, "a size such as", ""},
        {"5 ", RC_COUNT, "a number such as", ""},
        {"nan", RC_COUNT, "a number such as", ""},
        {"1e308TiB", RC_BYTES, "a size such as", ""},
    };
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_error error = {.text = ""};

        if (rc_unit_parse(cases[i].text, strlen(cases[i].text), cases[i].dimension, &value,
                          &error) == 0)
            fail_msg("'%s' was taken", cases[i].text);
        assert_non_null(strstr(error.text, cases[i].in_text));
        assert_non_null(strstr(error.hint, cases[i].in_hint));
    }
}

static void quantities_are_written_for_people(void **state)
{
    static const struct {
        double value;
        enum rc_dimension dimension;
        const char *text;
    } cases[] = {
        {65536, RC_BYTES, "64 KiB"},
        {12.5e6, RC_RATE, "100 Mbit/s"},
        {2.2e9, RC_FLOPS, "2.2 Gflop/s"},
        {5400, RC_SECONDS, "01:30:00"},
        {50e-6, RC_SECONDS, "50 us"},
        {0, RC_SECONDS, "0 s"},
        {47.2312, RC_SECONDS, "47.2 s"},
        {0.4, RC_FRACTION, "40%"},
        {NAN, RC_BYTES, "-"},
        {0, RC_BYTES, "0 B"},
        {59.9999, RC_SECONDS, "00:01:00"},
        {59.94, RC_SECONDS, "59.9 s"},
        {59.96, RC_SECONDS, "00:01:00"},
        {0.2327, RC_SECONDS, "233 ms"},
        {0.99972, RC_SECONDS, "1 s"},
        {3599.6, RC_SECONDS, "01:00:00"},
        {-5400, RC_SECONDS, "-01:30:00"},
        {93784, RC_SECONDS, "1-02:03:04"},
        {1e12, RC_SECONDS, "31700 years"},
    };
    char text[RC_UNIT_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rc_unit_format(cases[i].value, cases[i].dimension, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void values_side_by_side_are_told_apart(void **state)
{
    static const struct {
        double a, b;
        const char *a_text, *b_text;
    } cases[] = {
        {0x1p31, 0x1p31, "2 GiB", "2 GiB"},
        {0x1p31 + 1000, 0x1p31, "2.000001 GiB", "2 GiB"},
        {0x1p31, 0x1p32, "2 GiB", "4 GiB"},
        {NAN, NAN, "-", "-"},
        {NAN, 0x1p20, "-", "1 MiB"},
        {0x1p31, 0x1p31 * (1 + 0x1p-52), "2 GiB", "2 GiB"}, /* there are only so many digits */
    };
    char a[RC_UNIT_SIZE], b[RC_UNIT_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rc_unit_format_apart(cases[i].a, cases[i].b, RC_BYTES, a, b);
        assert_string_equal(a, cases[i].a_text);
        assert_string_equal(b, cases[i].b_text);
    }
}

static void ranges_have_both_their_ends(void **state)
{
    struct rc_range range;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_unit_parse_range("8", RC_COUNT, &range, &error), 0);
    assert_true(range.low == 8 && range.high == 8);
    assert_int_equal(rc_unit_parse_range("4..16", RC_COUNT, &range, &error), 0);
    assert_true(range.low == 4 && range.high == 16);
    assert_int_equal(rc_unit_parse_range("..1Ki", RC_COUNT, &range, &error), 0);
    assert_true(isinf(range.low) && range.high == 1024);
    assert_int_equal(rc_unit_parse_range("1.5..", RC_COUNT, &range, &error), 0);
    assert_true(range.low == 1.5 && isinf(range.high));
    assert_int_equal(rc_unit_parse_range("..", RC_COUNT, &range, &error), -1);
    assert_int_equal(rc_unit_parse_range("16..4", RC_COUNT, &range, &error), -1);
    assert_int_equal(rc_unit_parse_range("a..4", RC_COUNT, &range, &error), -1);
}

static void dates_are_read_as_utc(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"0", 0},
        {"1763174841.5", 1763174841.5},
        {"1970-01-01", 0},
        {"2000-02-29", 951782400},
        {"2026-11-15T02:47:21Z", 1794710841},
        {"2026-11-15 02:47:21", 1794710841},
        {"2026-11-15T03:47:21.25+01:00", 1794710841.25},
        {"2026-11-14T21:47-0500", 1794710820},
        {"1900-03-01", -2203891200},
    };
    double seconds;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(rc_timestamp_parse(cases[i].text, strlen(cases[i].text), &seconds, NULL),
                         0);
        assert_same(seconds, cases[i].seconds);
    }
}

static void impossible_dates_are_refused(void **state)
{
    static const char *const texts[] = {"2026-02-29",
                                        "1900-02-29",
                                        "2026-13-01",
                                        "2026-00-01",
                                        "2026-11-15T25:00",
                                        "2026-11-15T",
                                        "2026-11-15X",
                                        "yesterday",
                                        "2026-11-15T02:47:21+99:00",
                                        "26-11-15",
                                        ""};
    double seconds;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(rc_timestamp_parse(texts[i], strlen(texts[i]), &seconds, NULL), -1);
}

static void every_day_survives_the_round_trip(void **state)
{
    char text[RC_TIME_SIZE];
    double back;

    (void)state;
    for (double day = -719162; day < 2932896; day += 97) {
        rc_timestamp_format(day * 86400 + 12345.25, text);
        assert_int_equal(rc_timestamp_parse(text, strlen(text), &back, NULL), 0);
        assert_same(back, day * 86400 + 12345.25);
    }
    rc_timestamp_format(1794710841, text);
    assert_string_equal(text, "2026-11-15T02:47:21Z");
    rc_timestamp_format(1794710841.5, text);
    assert_string_equal(text, "2026-11-15T02:47:21.5Z");
    rc_timestamp_format(NAN, text);
    assert_string_equal(text, "-");
    rc_timestamp_format(1e300, text);
    assert_string_equal(text, "1e+300");
}

static void a_length_of_time_is_counted_from_now(void **state)
{
    double seconds;

    (void)state;
    assert_int_equal(rc_timestamp_parse_since("7d", 1e9, &seconds, NULL), 0);
    assert_same(seconds, 1e9 - 7 * 86400);
    assert_int_equal(rc_timestamp_parse_since("2026-11-15", 1e9, &seconds, NULL), 0);
    assert_same(seconds, 1794700800);
    assert_int_equal(rc_timestamp_parse_since("soon", 1e9, &seconds, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suffixes_are_read),
        cmocka_unit_test(other_texts_are_refused_with_what_was_expected),
        cmocka_unit_test(quantities_are_written_for_people),
        cmocka_unit_test(values_side_by_side_are_told_apart),
        cmocka_unit_test(ranges_have_both_their_ends),
        cmocka_unit_test(dates_are_read_as_utc),
        cmocka_unit_test(impossible_dates_are_refused),
        cmocka_unit_test(every_day_survives_the_round_trip),
        cmocka_unit_test(a_length_of_time_is_counted_from_now),
    };

    return RUN_TESTS(tests);
}
