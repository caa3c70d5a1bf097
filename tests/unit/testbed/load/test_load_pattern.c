/* Loads: drawn ones are one fixed sequence for each name, within their levels and stays; recorded
 * ones are what the table says. */
#include <stdbool.h>

#include "unit.h"

#include "testbed/load/load_pattern.h"

static struct rc_load_steps draw(enum rc_load_kind kind, enum rc_load_what what, uint64_t seed,
                                 const char *name, double from, double to)
{
    struct rc_load_steps steps = {0};
    struct rc_error error;

    if (rc_load_draw(kind, what, seed, name, from, to, &steps, &error))
        fail_msg("%s", error.text);
    return steps;
}

static void test_kinds(void **state)
{
    (void)state;
    for (int kind = 0; kind < RC_LOAD_KINDS; kind++) {
        assert_int_equal(rc_load_kind_find(rc_load_kind_name((enum rc_load_kind)kind)), kind);
        for (int what = RC_LOAD_CPU; what <= RC_LOAD_LINK && kind != RC_LOAD_REPLAY; what++)
            assert_int_equal(rc_load_shape_check(rc_load_shape_of((enum rc_load_kind)kind,
                                                                  (enum rc_load_what)what),
                                                 NULL),
                             0);
    }
    assert_int_equal(rc_load_kind_find("chaotic"), -1);
    assert_null(rc_load_shape_of(RC_LOAD_REPLAY, RC_LOAD_CPU));
}

/* The first numbers of a host, so that a change of what is drawn shows. */
static void test_pinned(void **state)
{
    static const struct rc_sample pinned[] = {{0, 1}, {261.01, .5}, {589.682, 1}, {1440.007, .5}};
    struct rc_load_steps steps = draw(RC_LOAD_RANDOM, RC_LOAD_CPU, 42, "a001", 0, 2000);

    (void)state;
    assert_true(steps.n >= COUNT(pinned));
    for (size_t i = 0; i < COUNT(pinned); i++) {
        assert_same(steps.items[i].t, pinned[i].t);
        assert_same(steps.items[i].value, pinned[i].value);
    }
    rc_load_steps_free(&steps);
}

/* Any part is the same as in the whole, down to the moment of each step. */
static void test_parts(void **state)
{
    static const double parts[][2] = {{0, 10}, {5000, 5000}, {12345.678, 20000}, {86399, 86400}};

    (void)state;
    for (int kind = RC_LOAD_NONE; kind < RC_LOAD_REPLAY; kind++) {
        struct rc_load_steps all = draw((enum rc_load_kind)kind, RC_LOAD_LINK, 7, "b", 0, 86400);

        for (size_t i = 0; i < COUNT(parts); i++) {
            struct rc_load_steps part =
                draw((enum rc_load_kind)kind, RC_LOAD_LINK, 7, "b", parts[i][0], parts[i][1]);

            assert_true(part.n >= 1 && part.items[0].t <= parts[i][0]);
            for (double t = parts[i][0]; t <= parts[i][1]; t += 0.5)
                assert_same(rc_load_at(&part, t), rc_load_at(&all, t));
            for (size_t j = 1; j < part.n; j++)
                assert_true(part.items[j].t > part.items[j - 1].t &&
                            part.items[j].t <= parts[i][1]);
            rc_load_steps_free(&part);
        }
        rc_load_steps_free(&all);
    }
}

static bool same(const struct rc_load_steps *a, const struct rc_load_steps *b)
{
    return a->n == b->n && memcmp(a->items, b->items, a->n * sizeof *a->items) == 0;
}

static void test_independent(void **state)
{
    struct rc_load_steps a = draw(RC_LOAD_RANDOM, RC_LOAD_CPU, 1, "a", 0, 1e5);
    struct rc_load_steps again = draw(RC_LOAD_RANDOM, RC_LOAD_CPU, 1, "a", 0, 1e5);
    struct rc_load_steps others[] = {draw(RC_LOAD_RANDOM, RC_LOAD_CPU, 2, "a", 0, 1e5),
                                     draw(RC_LOAD_RANDOM, RC_LOAD_CPU, 1, "b", 0, 1e5),
                                     draw(RC_LOAD_RANDOM, RC_LOAD_LINK, 1, "a", 0, 1e5)};

    (void)state;
    assert_true(same(&a, &again));
    for (size_t i = 0; i < COUNT(others); i++) {
        double agree = 0;

        assert_false(same(&a, &others[i]));
        /* of seven levels of which three and two are alike, 15 of 49 pairs agree; 33 % of 35 pairs
         * of a host's and a link's */
        for (double t = 0; t < 1e5; t++)
            agree += rc_load_at(&a, t) == rc_load_at(&others[i], t);
        assert_near(agree / 1e5, 0.31, 0.08);
        rc_load_steps_free(&others[i]);
    }
    rc_load_steps_free(&a);
    rc_load_steps_free(&again);
}

/* Over a long time each level has its share, and stays are as long as they should be. */
static void test_random_is_as_described(void **state)
{
    struct rc_load_shape shape = *rc_load_shape_of(RC_LOAD_RANDOM, RC_LOAD_CPU);
    struct rc_load_steps steps;
    double mean = 0, shortest = INFINITY, longest = 0, least = 1, sum = 0;

    (void)state;
    for (size_t i = 0; i < shape.n_levels; i++)
        sum += shape.levels[i];
    assert_near(sum, 1 + 1 + 1 + .5 + .5 + .33 + .25, 1e-12);
    /* levels that all differ, so that every stay is a step of its own */
    for (size_t i = 0; i < shape.n_levels; i++)
        shape.levels[i] = (double)(i + 1) / 10;
    shape.spread = 0.04;
    assert_int_equal(rc_load_shape_draw(&shape, RC_LOAD_CPU, 3, "x", 0, 3e6, &steps, NULL), 0);
    for (size_t i = 0; i + 1 < steps.n; i++) {
        double stay = steps.items[i + 1].t - steps.items[i].t;

        shortest = fmin(shortest, stay);
        longest = stay <= 600 ? fmax(longest, stay) : longest; /* now and then two are alike */
        least = fmin(least, steps.items[i].value);
        mean += stay * steps.items[i].value;
    }
    mean /= steps.items[steps.n - 1].t;
    assert_true(shortest >= 60 && shortest < 61 && longest > 599);
    assert_near(steps.items[steps.n - 1].t / (double)(steps.n - 1), 330, 8);
    assert_near(mean, 0.4, 0.01);
    assert_near(least, 0.06, 0.001);
    rc_load_steps_free(&steps);
}

static void test_bursty_rests_and_modal_returns(void **state)
{
    struct rc_load_steps bursty = draw(RC_LOAD_BURSTY, RC_LOAD_CPU, 1, "a", 0, 1e6);
    struct rc_load_steps modal = draw(RC_LOAD_MODAL, RC_LOAD_CPU, 1, "a", 0, 1e6);
    double free_time = 0;
    size_t kept = 0;

    (void)state;
    assert_same(bursty.items[0].value, 1);
    for (size_t i = 0; i + 1 < bursty.n; i++) {
        double stay = bursty.items[i + 1].t - bursty.items[i].t;

        assert_true((i % 2 == 0) == (bursty.items[i].value == 1));
        assert_true(i % 2 ? stay >= 5 && stay <= 30 : stay >= 20 && stay <= 120);
        free_time += i % 2 ? 0 : stay;
    }
    assert_near(free_time / 1e6, 70 / 87.5, 0.02);
    for (size_t i = 1; i < modal.n; i++)
        kept += fabs(modal.items[i].value - modal.items[i - 1].value) <= 0.08;
    /* kept with .7, or drawn alike: .3 (9 + 4 + 1) / 36 */
    assert_near((double)kept / (double)modal.n, 0.7 + 0.3 * 14 / 36, 0.02);
    rc_load_steps_free(&bursty);
    rc_load_steps_free(&modal);
}

static void test_refused(void **state)
{
    static const struct rc_load_shape good = {{1, .5}, 2, {1, 2}, {0, 0}, 0, 0};
    struct rc_load_shape bad[8];
    struct rc_load_steps steps;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        bad[i] = good;
    bad[0].n_levels = 0;
    bad[1].levels[1] = 0; /* nothing would ever end */
    bad[2].levels[1] = 1.5;
    bad[3].dwell = (struct rc_range){0, 1};
    bad[4].dwell = (struct rc_range){2, 1};
    bad[5].dwell.high = NAN;
    bad[6].again = -1;
    bad[7].rest = (struct rc_range){0, 5};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(rc_load_shape_draw(&bad[i], RC_LOAD_CPU, 1, "a", 0, 10, &steps, &error),
                         -1);
        assert_true(error.text[0] && steps.n == 0);
    }
    assert_int_equal(rc_load_shape_draw(&good, RC_LOAD_CPU, 1, "a", -1, 10, &steps, &error), -1);
    assert_int_equal(rc_load_shape_draw(&good, RC_LOAD_CPU, 1, "a", 10, 1, &steps, &error), -1);
    assert_int_equal(rc_load_shape_draw(&good, RC_LOAD_CPU, 1, "a", 0, 1e12, &steps, &error), -1);
    assert_int_equal(rc_load_draw(RC_LOAD_REPLAY, RC_LOAD_CPU, 1, "a", 0, 1, &steps, &error), -1);
}

static const char *table(const char *text)
{
    static char path[] = "/tmp/runcast-load-XXXXXX";
    static bool made;
    FILE *file;

    if (!made) {
        int descriptor = mkstemp(path);

        assert_true(descriptor >= 0);
        close(descriptor);
        made = true;
    }
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void test_read(void **state)
{
    static const char usage[] = "t,used\n0,0\n10,85\n20,100\n";
    struct rc_load_table as = {.column = "used", .means = RC_LOAD_USED, .full = 100, .least = .05};
    struct rc_load_steps steps;
    struct rc_error error;

    (void)state;
    assert_int_equal(
        rc_load_read(table("t,value\n5,1\n7.5,0.25\n2000-01-01,0\n"), NULL, &steps, &error), 0);
    assert_int_equal(steps.n, 3);
    assert_same(rc_load_at(&steps, 0), 1);
    assert_same(rc_load_at(&steps, 7.4999), 1);
    assert_same(rc_load_at(&steps, 7.5), .25);
    assert_same(steps.items[2].t, 946684800);
    rc_load_steps_free(&steps);
    assert_int_equal(rc_load_read_table(table(usage), &as, &steps, &error), 0);
    assert_same(rc_load_at(&steps, 0), 1);
    assert_same(rc_load_at(&steps, 10), 1 - 85. / 100);
    assert_same(rc_load_at(&steps, 1e9), .05);
    rc_load_steps_free(&steps);
    as = (struct rc_load_table){.column = "used", .means = RC_LOAD_QUEUE};
    assert_int_equal(rc_load_read_table(table(usage), &as, &steps, &error), 0);
    assert_same(rc_load_at(&steps, 20), 1. / 101);
    rc_load_steps_free(&steps);
}

static void test_read_faults(void **state)
{
    static const struct {
        const char *text, *complaint;
        unsigned line;
    } cases[] = {
        {"t,value\n0,1\n1,1.5\n", "1.5 is not an availability", 3},
        {"t,value\n0,1\n0,0.5\n", "times must increase", 3},
        {"t,value\n0,one\n", "'one' is not a number", 2},
        {"t,load\n0,1\n", "missing column 'value'", 1},
        {"t,value\n", "no row", 0},
        {"", "empty", 1},
    };
    struct rc_load_steps steps;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_load_read(table(cases[i].text), NULL, &steps, &error), -1);
        if (!strstr(error.text, cases[i].complaint) || error.line != cases[i].line)
            fail_msg("%zu: line %u: %s", i, error.line, error.text);
        assert_true(steps.n == 0 && !steps.items);
    }
    assert_int_equal(rc_load_read("/nowhere/at.csv", NULL, &steps, &error), -1);
    unlink(table(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_random_is_as_described),
        cmocka_unit_test(test_bursty_rests_and_modal_returns),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_faults),
    };

    return RUN_TESTS(tests);
}
