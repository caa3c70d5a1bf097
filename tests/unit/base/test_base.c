/* The small parts: errors, buffers, texts, digests, clocks, random numbers, the
 * normal distribution. */
#include "manual_clock.h"
#include "unit.h"

#include <locale.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/nearest_word.h"
#include "base/normal.h"
#include "base/random.h"
#include "base/text.h"

static void errors_say_where_and_what_to_do(void **state)
{
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_error_at(&error, "runs.csv", 3, 7, "'%s' is bad", "x"), -1);
    rc_error_hint(&error, "write y");
    assert_string_equal(error.text, "'x' is bad");
    assert_string_equal(error.file, "runs.csv");
    assert_string_equal(error.hint, "write y");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 7);
    assert_int_equal(rc_error_set(&error, "again"), -1);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.hint, "");
    assert_int_equal(rc_error_set(NULL, "nobody listens"), -1);
}

static void a_long_error_is_cut_between_characters(void **state)
{
    char text[1000];
    struct rc_error error;

    (void)state;
    for (int shift = 0; shift < 3; shift++) {
        memset(text, 'x', sizeof text);
        for (size_t i = (size_t)shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xe2\x82\xac", 3);
        text[sizeof text - 1] = '\0';
        rc_error_set(&error, "%s", text);
        assert_true(strlen(error.text) >= sizeof error.text - 4);
        assert_true(rc_text_is_printable(error.text, strlen(error.text)));
    }
}

static void buffers_grow_up_to_their_maximum(void **state)
{
    struct rc_buffer buffer = RC_BUFFER_INIT(10);

    (void)state;
    assert_int_equal(rc_buffer_add_text(&buffer, "12345"), 0);
    assert_int_equal(rc_buffer_printf(&buffer, "%d", 678), 0);
    assert_int_equal(rc_buffer_add_text(&buffer, "901"), -1);
    assert_string_equal(buffer.data, "12345678");
    assert_int_equal(rc_buffer_add_text(&buffer, "90"), 0);
    assert_int_equal(buffer.length, 10);
    rc_buffer_clear(&buffer);
    assert_int_equal(rc_buffer_add(&buffer, "\0x", 2), 0);
    assert_int_equal(buffer.length, 2);
    assert_null(rc_buffer_reserve(&buffer, SIZE_MAX));
    rc_buffer_free(&buffer);
}

static void text_is_utf8_without_controls(void **state)
{
    (void)state;
    assert_true(rc_text_is_printable("a\xc3\xa4\xe2\x82\xac", 6));
    assert_false(rc_text_is_printable("a\tb", 3));
    assert_false(rc_text_is_printable("\x1b[2J", 4));
    assert_false(rc_text_is_printable("\xc0\x80", 2));         /* overlong */
    assert_false(rc_text_is_printable("\xed\xa0\x80", 3));     /* a surrogate */
    assert_false(rc_text_is_printable("\xf4\x90\x80\x80", 4)); /* beyond U+10FFFF */
    assert_false(rc_text_is_printable("\xe2\x82", 2));         /* cut short */
    assert_false(rc_text_is_printable("\xc2\x85", 2));         /* a C1 control */
    assert_false(rc_text_is_printable("\xe2\x80\xae", 3));     /* right-to-left override */
    assert_true(rc_text_is_printable("", 0));
}

static void widths_count_characters(void **state)
{
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    assert_int_equal(rc_text_width("abc", 3), 3);
    assert_int_equal(rc_text_width("\xc3\xa4", 2), 1);
    assert_int_equal(rc_text_width("\xe6\xbc\xa2", 3), 2); /* a wide character */
    assert_int_equal(rc_text_width("\xff", 1), 1);
    assert_int_equal(rc_text_prefix("\xc3\xa4\xc3\xa4x", 5, 2), 4);
    assert_int_equal(rc_text_prefix("a\xe6\xbc\xa2", 4, 2), 1);
    setlocale(LC_CTYPE, "C");
}

static void mistyped_words_are_recognised(void **state)
{
    static const char *const verbs[] = {"runs", "series", "platform", "doctor"};

    (void)state;
    assert_int_equal(rc_nearest_distance("rnus", "runs"), 1);
    assert_int_equal(rc_nearest_distance("kitten", "sitting"), 3);
    assert_string_equal(rc_nearest_word("rnus", verbs, 4, sizeof *verbs), "runs");
    assert_string_equal(rc_nearest_word("platfrom", verbs, 4, sizeof *verbs), "platform");
    assert_string_equal(rc_nearest_word("plat", verbs, 4, sizeof *verbs), "platform");
    assert_null(rc_nearest_word("xyzzy", verbs, 4, sizeof *verbs));
    assert_null(rc_nearest_word("q", verbs, 4, sizeof *verbs));
}

static void digest_of(const char *text, size_t repeats, char out[RC_DIGEST_TEXT_SIZE])
{
    struct rc_digest digest;

    rc_digest_begin(&digest);
    for (size_t i = 0; i < repeats; i++)
        rc_digest_add(&digest, text, strlen(text));
    rc_digest_end(&digest, out);
}

/* The examples that NIST publishes for SHA-256, and the million a's. */
static void digests_are_those_of_the_standard(void **state)
{
    char text[RC_DIGEST_TEXT_SIZE];

    (void)state;
    digest_of("", 1, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_of("abc", 1, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, text);
    assert_string_equal(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    digest_of("a", 1000000, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void digests_do_not_depend_on_the_pieces(void **state)
{
    char data[300], whole[RC_DIGEST_TEXT_SIZE], pieces[RC_DIGEST_TEXT_SIZE];
    struct rc_digest digest;

    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7);
    for (size_t length = 0; length <= sizeof data; length++) {
        rc_digest_begin(&digest);
        rc_digest_add(&digest, data, length);
        rc_digest_end(&digest, whole);
        rc_digest_begin(&digest);
        for (size_t at = 0, step = 1; at < length; at += step, step = step % 70 + 3)
            rc_digest_add(&digest, data + at, length - at < step ? length - at : step);
        rc_digest_end(&digest, pieces);
        assert_string_equal(whole, pieces);
    }
}

static void a_manual_clock_moves_when_told(void **state)
{
    struct manual_clock manual;
    struct rc_clock *clock = &manual.clock;

    (void)state;
    manual_clock_init(&manual, 1e9);
    assert_same(clock->wall(clock), 1e9);
    clock->sleep(clock, 2.5);
    manual_clock_advance(&manual, 1);
    assert_same(clock->wall(clock), 1e9 + 3.5);
    assert_same(clock->monotonic(clock), 3.5);
}

static void the_system_clock_goes_forward(void **state)
{
    struct rc_clock *clock = rc_clock_system();
    double before = clock->monotonic(clock);

    (void)state;
    clock->sleep(clock, 0.002);
    assert_true(clock->monotonic(clock) >= before + 0.001);
    assert_true(clock->wall(clock) > 1.7e9);
}

static void random_numbers_follow_from_the_seed(void **state)
{
    struct rc_random *a = rc_random_create(42, 0), *b = rc_random_create(42, 0);
    struct rc_random *c = rc_random_create(42, 1);
    double sum = 0, sum_c = 0, square = 0, normal;
    size_t seen[6] = {0};

    (void)state;
    for (int i = 0; i < 100000; i++) {
        double x = rc_random_uniform(a);

        assert_same(x, rc_random_uniform(b));
        assert_true(x > 0 && x < 1);
        sum += x;
        sum_c += x * rc_random_uniform(c);
        normal = rc_random_normal(a, 5, 2);
        rc_random_normal(b, 5, 2);
        square += (normal - 5) * (normal - 5);
        seen[rc_random_below(a, 6)]++;
        rc_random_below(b, 6);
    }
    /* Four standard errors of each estimate. */
    assert_true(fabs(sum / 100000 - 0.5) < 4 * 0.2887 / sqrt(100000));
    assert_true(fabs(sum_c / 100000 - 0.25) < 4 * 0.2205 / sqrt(100000)); /* independent streams */
    assert_true(fabs(square / 100000 - 4) < 4 * 4 * sqrt(2.0 / 100000));
    for (int i = 0; i < 6; i++)
        assert_true(fabs((double)seen[i] - 100000.0 / 6) < 4 * sqrt(100000.0 * 5 / 36));
    assert_int_equal(rc_random_below(a, 1), 0);
    rc_random_destroy(a);
    rc_random_destroy(b);
    rc_random_destroy(c);
}

static void values_above_a_bound(void **state)
{
    (void)state;
    assert_near(rc_normal_above(-40, 0.5), 0, 1e-6); /* the bound says nothing */
    assert_near(rc_normal_above(0, 0.5), 0.6744897502, 1e-6);
    assert_true(rc_normal_above(2, 1e-9) < 2 + 1e-6);
    assert_near(rc_normal_above(50, 0.5), 50 + log(2) / 50, 1e-9);
    assert_near(rc_normal_mean_above(-400), 0, 1e-12);
    assert_near(rc_normal_mean_above(0), sqrt(2 / M_PI), 1e-9);
    assert_near(rc_normal_mean_above(29.99), rc_normal_mean_above(30.01), 0.03);
    assert_near(rc_normal_log_below(0), log(0.5), 1e-12);
    assert_near(rc_normal_log_below(-100), -5005.524, 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_say_where_and_what_to_do),
        cmocka_unit_test(a_long_error_is_cut_between_characters),
        cmocka_unit_test(buffers_grow_up_to_their_maximum),
        cmocka_unit_test(text_is_utf8_without_controls),
        cmocka_unit_test(widths_count_characters),
        cmocka_unit_test(mistyped_words_are_recognised),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(digests_do_not_depend_on_the_pieces),
        cmocka_unit_test(a_manual_clock_moves_when_told),
        cmocka_unit_test(the_system_clock_goes_forward),
        cmocka_unit_test(random_numbers_follow_from_the_seed),
        cmocka_unit_test(values_above_a_bound),
    };

    return RUN_TESTS(tests);
}
