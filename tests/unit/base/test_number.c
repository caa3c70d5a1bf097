/* Numbers as text: exact both ways, in every locale. */
#include "unit.h"

#include <locale.h>

#include "base/number.h"
#include "base/random.h"

static double parsed(const char *text)
{
    double value = NAN;

    assert_int_equal(rc_number_parse(text, strlen(text), &value), 0);
    return value;
}

static void reads_what_strtod_reads(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "+1",
        "12.5",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "1e+22",
        "1e23",
        "1e-23",
        "123456789012345",
        "1234567890123456",
        "0.1",
        "0.30000000000000004",
        "2.2250738585072014e-308",
        "4.9e-324",
        "1.7976931348623157e308",
        "9007199254740993",
        "0.000000000000000000000000000001",
        "00000000000000000000000012.50",
        "123456789.123456789",
        "8.41e21",
        "9.5367431640625e-7",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same(parsed(texts[i]), strtod(texts[i], NULL));
}

static void refuses_what_is_no_number(void **state)
{
    static const char *const texts[] = {"",    "-",   "+",    ".",     "e5", "1e999",
                                        "nan", "inf", "0x10", "1 ",    " 1", "1,5",
                                        "1e",  "1e+", "--1",  "1.2.3", "12a"};
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(rc_number_parse(texts[i], strlen(texts[i]), &value), -1);
}

static void random_numbers_survive_the_round_trip(void **state)
{
    struct rc_random *random = rc_random_create(1, 0);
    char text[RC_NUMBER_SIZE];

    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = rc_random_below(random, UINT64_MAX);
        double value;
        size_t length;

        if (i % 2)
            memcpy(&value, &bits, sizeof value); /* any double */
        else
            value = round(rc_random_uniform(random) * 1e7) / 1e4; /* such as are measured */
        if (!isfinite(value))
            continue;
        length = rc_number_format(value, text);
        assert_int_equal(length, strlen(text));
        assert_same(parsed(text), value);
        assert_same(strtod(text, NULL), value);
    }
    rc_random_destroy(random);
}

static void shortest_text_is_found(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {12.5, "12.5"},
                 {-47.23, "-47.23"},
                 {1e15, "1e+15"},
                 {0, "0"},
                 {800, "800"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e-7, "1e-07"},
                 {NAN, "nan"},
                 {INFINITY, "inf"},
                 {123456.789012, "123456.789012"}};
    char text[RC_NUMBER_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rc_number_format(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void short_text_rounds(void **state)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{12.3456789, 6, "12.3457"},
                 {0.000123456789, 4, "0.0001235"},
                 {99.99999, 4, "100"},
                 {-0.5, 3, "-0.5"},
                 {1234567.8, 4, "1234568"},
                 {1048576, 3, "1048576"},
                 {2.5e19, 4, "2.5e+19"},
                 {0.00001, 3, "1e-05"},
                 {0.1, 15, "0.1"}};
    char text[RC_NUMBER_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rc_number_format_short(cases[i].value, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void integers_are_whole_and_fit(void **state)
{
    int64_t value;

    (void)state;
    assert_int_equal(rc_number_parse_integer("-9223372036854775808", 20, &value), 0);
    assert_true(value == INT64_MIN);
    assert_int_equal(rc_number_parse_integer("9223372036854775807", 19, &value), 0);
    assert_true(value == INT64_MAX);
    assert_int_equal(rc_number_parse_integer("9223372036854775808", 19, &value), -1);
    assert_int_equal(rc_number_parse_integer("1.5", 3, &value), -1);
    assert_int_equal(rc_number_parse_integer("", 0, &value), -1);
    assert_int_equal(rc_number_parse_integer("-", 1, &value), -1);
}

/* Makes a locale that writes 0,5, in a directory of its own. */
static void use_locale_with_commas(char directory[])
{
    char command[200];

    assert_non_null(mkdtemp(directory));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2> /dev/null",
             directory);
    assert_int_equal(system(command), 0);
    setenv("LOCPATH", directory, 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    char text[RC_NUMBER_SIZE], directory[] = "/tmp/runcast-locale-XXXXXX", command[100];

    (void)state;
    use_locale_with_commas(directory);
    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0,5"); /* the locale is in force */
    rc_number_format(1.0 / 3, text);
    assert_string_equal(text, "0.3333333333333333");
    assert_same(parsed("0.33333333333333331"), 1.0 / 3);
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_strtod_reads),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(random_numbers_survive_the_round_trip),
        cmocka_unit_test(shortest_text_is_found),
        cmocka_unit_test(short_text_rounds),
        cmocka_unit_test(integers_are_whole_and_fit),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };

    return RUN_TESTS(tests);
}
