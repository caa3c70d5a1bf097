// SPDX-License-Identifier: GPL-3.0-or-later
/* What a model errs by, and what comes of times with it. */
#include "unit.h"

#include "advise/split/split_error.h"

static double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static void samples_become_steps_about_1(void **state)
{
    double samples[200];
    struct rc_split_error found = {0};

    (void)state;
    /* 60 to 140 s, evenly: a standard deviation of 80 / sqrt(12), of 100 s. */
    for (size_t i = 0; i < 200; i++)
        samples[i] = 60 + 80 * ((double)((i * 77) % 200) + 0.5) / 200;
    rc_split_error_of_samples(samples, 200, &found);
    assert_true(found.known);
    assert_near(found.sd, 0.8 / sqrt(12), 1e-5);
    assert_near(mean_of(found.steps, RC_SPLIT_ERROR_STEPS), 1, 1e-12);
    /* A hundred parts of 0.8 s, each at its middle. */
    for (size_t k = 0; k < RC_SPLIT_ERROR_STEPS; k++)
        assert_near(found.steps[k], 0.604 + 0.008 * (double)k, 1e-9);
}

static void few_samples_are_enough(void **state)
{
    double samples[] = {12, 8, 10};
    struct rc_split_error found = {0};

    (void)state;
    rc_split_error_of_samples(samples, 3, &found);
    assert_near(mean_of(found.steps, RC_SPLIT_ERROR_STEPS), 1, 1e-12);
    assert_true(found.steps[0] < 0.82 && found.steps[RC_SPLIT_ERROR_STEPS - 1] > 1.18);
}

static void a_standard_deviation_is_that_of_a_lognormal(void **state)
{
    struct rc_split_error found = {0};
    double middle;

    (void)state;
    rc_split_error_of_sd(0.2, &found);
    assert_same(found.sd, 0.2);
    assert_near(mean_of(found.steps, RC_SPLIT_ERROR_STEPS), 1, 1e-12);
    /* Its median is exp(-variance / 2), and its logarithm is symmetric. */
    middle = sqrt(found.steps[49] * found.steps[50]);
    assert_near(middle, 1 / sqrt(1.04), 2e-3);
    for (size_t k = 5; k < 50; k++)
        assert_near(sqrt(found.steps[k] * found.steps[99 - k]), middle, 2e-3);
    rc_split_error_of_sd(0, &found);
    for (size_t k = 0; k < RC_SPLIT_ERROR_STEPS; k++)
        assert_near(found.steps[k], 1, 1e-12);
}

static void times_spread_and_keep_their_mean(void **state)
{
    const double times[] = {40, 60, 110};
    struct rc_split_error none = {0}, found = {0};
    struct rc_value *plain = rc_split_error_spread(&none, times, 3, NULL), *spread;

    (void)state;
    rc_split_error_of_sd(0.1, &found);
    spread = rc_split_error_spread(&found, times, 3, NULL);
    assert_non_null(plain);
    assert_non_null(spread);
    assert_near(rc_value_mean(plain), 70, 1e-9);
    assert_near(rc_value_mean(spread), 70, 1e-9);
    assert_near(rc_value_low(plain), 40, 1e-9);
    assert_near(rc_value_low(spread), 40 * found.steps[0], 1e-9);
    assert_near(rc_value_high(spread), 110 * found.steps[99], 1e-9);
    rc_value_drop(plain);
    rc_value_drop(spread);
}

static void very_many_times_keep_their_mean_too(void **state)
{
    enum { MANY = 60000 };
    double *times = calloc(MANY, sizeof *times);
    struct rc_split_error found = {0};
    struct rc_value *spread;

    (void)state;
    assert_non_null(times);
    for (size_t i = 0; i < MANY; i++)
        times[i] = 10;
    rc_split_error_of_sd(0.1, &found);
    spread = rc_split_error_spread(&found, times, MANY, NULL);
    assert_non_null(spread);
    assert_near(rc_value_mean(spread), 10, 1e-9);
    /* Ten steps are one. */
    assert_near(rc_value_low(spread), 10 * mean_of(found.steps, 10), 1e-9);
    rc_value_drop(spread);
    free(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_become_steps_about_1),
        cmocka_unit_test(few_samples_are_enough),
        cmocka_unit_test(a_standard_deviation_is_that_of_a_lognormal),
        cmocka_unit_test(times_spread_and_keep_their_mean),
        cmocka_unit_test(very_many_times_keep_their_mean_too),
    };

    return RUN_TESTS(tests);
}
