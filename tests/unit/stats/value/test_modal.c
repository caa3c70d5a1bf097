// SPDX-License-Identifier: GPL-3.0-or-later
/* Modal values: section 4.B.3 of the dissertation, and arithmetic for each combination of modes. */
#include "unit.h"

#include <math.h>

#include "base/random.h"
#include "stats/value/value.h"

/* The CPU available on a workstation, by the dissertation's Figure 4.5: modes at 0.94, 0.49, 0.33. */
static const struct rc_mode cpu[] = {{0.94, 0.02, 0.5}, {0.49, 0.03, 0.3}, {0.33, 0.01, 0.2}};

static struct rc_value *modal(const struct rc_mode *modes, size_t n)
{
    struct rc_value *value = rc_value_modal(modes, n, NULL);

    assert_non_null(value);
    return value;
}

static struct rc_value *converted(const struct rc_value *value, enum rc_value_kind kind,
                                  const struct rc_value_rules *rules)
{
    struct rc_value *other = rc_value_convert(value, kind, rules, NULL);

    assert_non_null(other);
    assert_int_equal(rc_value_kind(other), kind);
    return other;
}

static void modes_make_a_mixture(void **state)
{
    struct rc_value *value = modal(cpu, 3);
    double mean = 0.5 * 0.94 + 0.3 * 0.49 + 0.2 * 0.33;
    double variance = 0.5 * (0.0004 + pow(0.94 - mean, 2)) + 0.3 * (0.0009 + pow(0.49 - mean, 2)) +
                      0.2 * (0.0001 + pow(0.33 - mean, 2));
    size_t n;
    const struct rc_mode *modes = rc_value_modes(value, &n);

    (void)state;
    assert_int_equal(n, 3);
    assert_near(modes[0].mean, 0.33, 0);
    assert_near(rc_value_mean(value), mean, 1e-15);
    assert_near(rc_value_sd(value), sqrt(variance), 1e-15);
    assert_near(rc_value_cdf(value, 0.41), 0.2 + 0.3 * 0.00383, 1e-5); /* 8/3 sd below 0.49 */
    assert_near(rc_value_exceeds(value, 0.94), 0.25, 1e-12);
    assert_near(rc_value_quantile(value, 0.75), 0.94, 1e-9);
    assert_near(rc_value_quantile(value, 0.1), 0.33, 1e-8); /* with 5e-8 of the next mode */
    assert_true(rc_value_low(value) == -INFINITY && rc_value_high(value) == INFINITY);
    rc_value_drop(value);
}

/* Eq. 4.10 and 4.11 by the rules of the dissertation; the sd of the whole otherwise. */
static void a_normal_is_the_aggregate(void **state)
{
    struct rc_value *value = modal(cpu, 3), *normal;
    struct rc_value_rules rules;

    (void)state;
    rc_value_rules_init(&rules);
    normal = converted(value, RC_NORMAL, &rules);
    assert_near(rc_value_sd(normal), rc_value_sd(value), 1e-15);
    rc_value_drop(normal);
    rules.dissertation = true;
    normal = converted(value, RC_NORMAL, &rules);
    assert_near(rc_value_mean(normal), 0.683, 1e-12);
    assert_near(rc_value_sd(normal), 0.5 * 0.02 + 0.3 * 0.03 + 0.2 * 0.01, 1e-15);
    rc_value_drop(normal);
    rc_value_drop(value);
}

static void other_kinds_keep_the_modes(void **state)
{
    struct rc_value *value = modal(cpu, 3), *other;
    struct rc_value_rules rules;

    (void)state;
    rc_value_rules_init(&rules);
    rules.random = rc_random_create(3, 0);
    other = converted(value, RC_INTERVAL, &rules);
    assert_near(rc_value_low(other), 0.31, 1e-12);
    assert_near(rc_value_high(other), 0.98, 1e-12);
    rc_value_drop(other);
    for (int kind = RC_HISTOGRAM; kind <= RC_SAMPLE; kind++) {
        other = converted(value, (enum rc_value_kind)kind, &rules);
        assert_near(rc_value_mean(other), rc_value_mean(value), 0.01);
        assert_near(rc_value_sd(other), rc_value_sd(value), 0.01);
        for (double x = 0.3; x < 1; x += 0.02)
            assert_near(rc_value_cdf(other, x), rc_value_cdf(value, x), 0.02);
        assert_near(rc_value_cdf(other, 0.8) - rc_value_cdf(other, 0.6), 0, 0.001);
        rc_value_drop(other);
    }
    rc_random_destroy(rules.random);
    rc_value_drop(value);
}

/* Two modes and two modes make four, each by Table 4.1. */
static void operations_combine_modes(void **state)
{
    static const struct rc_mode a[] = {{1, 0.3, 0.4}, {10, 0.4, 0.6}},
                                b[] = {{100, 0.4, 0.5}, {200, 0.3, 0.5}};
    struct rc_value *x = modal(a, 2), *y = modal(b, 2), *sum, *ten, *negative, *least;
    const struct rc_value *both[2] = {x, y};
    const struct rc_mode *modes;
    struct rc_value_rules rules;
    size_t n;

    (void)state;
    rc_value_rules_init(&rules);
    sum = rc_value_binary(RC_ADD, x, y, &rules, NULL);
    modes = rc_value_modes(sum, &n);
    assert_int_equal(n, 4);
    assert_near(modes[0].mean, 101, 1e-12);
    assert_near(modes[0].sd, 0.5, 1e-12);
    assert_near(modes[0].p, 0.2, 1e-12);
    assert_near(modes[3].mean, 210, 1e-12);
    assert_near(modes[3].p, 0.3, 1e-12);
    ten = rc_value_point(10, NULL);
    least = rc_value_binary(RC_MULTIPLY, x, ten, &rules, NULL);
    modes = rc_value_modes(least, &n);
    assert_int_equal(n, 2);
    assert_near(modes[1].mean, 100, 1e-12);
    assert_near(modes[1].sd, 4, 1e-12);
    rc_value_drop(least);
    negative = rc_value_unary(RC_NEGATE, x, &rules, NULL);
    assert_near(rc_value_modes(negative, &n)[0].mean, -10, 1e-12);
    least = rc_value_min(both, 2, &rules, NULL); /* a alone: far below b */
    assert_near(rc_value_mean(least), rc_value_mean(x), 1e-9);
    assert_near(rc_value_sd(least), rc_value_sd(x), 1e-9);
    rc_value_drop(least);
    rc_value_drop(negative);
    rc_value_drop(ten);
    rc_value_drop(sum);
    rc_value_drop(x);
    rc_value_drop(y);
}

/* Mean and variance of sums of independent values stay exact where modes are merged. */
static void many_modes_are_merged(void **state)
{
    struct rc_value *value = modal(cpu, 3), *sum = modal(cpu, 3);
    struct rc_value_rules rules;
    size_t n;

    (void)state;
    rc_value_rules_init(&rules);
    for (int i = 2; i <= 8; i++) {
        struct rc_value *next = rc_value_binary(RC_ADD, sum, value, &rules, NULL);

        rc_value_drop(sum);
        sum = next;
        rc_value_modes(sum, &n);
        assert_true(n <= RC_VALUE_MODES_MAX);
        assert_near(rc_value_mean(sum), i * rc_value_mean(value), 1e-9);
        assert_near(rc_value_sd(sum), sqrt(i) * rc_value_sd(value), 1e-9);
    }
    rc_value_drop(sum);
    rc_value_drop(value);
}

static void kinds_meet(void **state)
{
    struct rc_value *value = modal(cpu, 3), *normal = rc_value_normal(1, 0.1, 0, NULL),
                    *interval = rc_value_interval(1, 2, NULL), *sum;
    struct rc_value_rules rules;

    (void)state;
    rc_value_rules_init(&rules);
    sum = rc_value_binary(RC_ADD, value, normal, &rules, NULL);
    assert_int_equal(rc_value_kind(sum), RC_MODAL);
    rc_value_drop(sum);
    sum = rc_value_binary(RC_ADD, interval, value, &rules, NULL);
    assert_int_equal(rc_value_kind(sum), RC_HISTOGRAM);
    rc_value_drop(sum);
    rc_value_drop(interval);
    rc_value_drop(normal);
    rc_value_drop(value);
}

static void bad_modes_are_refused(void **state)
{
    static const struct rc_mode bad[][2] = {{{1, 1, 0.5}, {2, 1, 0.4}},
                                            {{1, -1, 0.5}, {2, 1, 0.5}},
                                            {{NAN, 1, 0.5}, {2, 1, 0.5}},
                                            {{1, 1, 1.5}, {2, 1, -0.5}}};
    struct rc_mode many[RC_VALUE_MODES_MAX + 1];
    struct rc_value *zero;
    struct rc_value_rules rules;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(rc_value_modal(bad[i], 2, NULL));
    assert_null(rc_value_modal(many, 0, NULL));
    assert_null(rc_value_modal(many, RC_VALUE_MODES_MAX + 1, NULL));
    rc_value_rules_init(&rules);
    zero = modal((struct rc_mode[]){{0, 1, 0.5}, {9, 1, 0.5}}, 2);
    assert_null(rc_value_binary(RC_DIVIDE, zero, zero, &rules, NULL));
    assert_null(rc_value_unary(RC_LOG, zero, &rules, NULL));
    rc_value_drop(zero);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_make_a_mixture),       cmocka_unit_test(a_normal_is_the_aggregate),
        cmocka_unit_test(other_kinds_keep_the_modes), cmocka_unit_test(operations_combine_modes),
        cmocka_unit_test(many_modes_are_merged),      cmocka_unit_test(kinds_meet),
        cmocka_unit_test(bad_modes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
