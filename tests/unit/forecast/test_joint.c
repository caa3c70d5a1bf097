/* Several hosts: their series side by side, and their scenarios together. */
#include "unit.h"

#include "base/random.h"
#include "forecast/joint_scenarios.h"

static double avgmin_of(const struct rc_sample *a, const struct rc_sample *b, size_t n,
                        enum rc_joint_stat stat)
{
    struct rc_series_track tracks[2] = {{a, n}, {b, n}};
    struct rc_forecast_set set;
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_joint *joint;
    struct rc_value *value;
    double mean;

    assert_int_equal(rc_forecast_set_lay(tracks, 2, NAN, 16, &set, NULL), 0);
    joint = rc_forecast_joint_create(&set, NULL, NULL);
    assert_non_null(joint);
    assert_int_equal(rc_forecast_joint_horizon(joint), 16);
    value = rc_forecast_joint_value(joint, stat, 500, random, NULL);
    assert_non_null(value);
    mean = rc_value_mean(value);
    rc_value_drop(value);
    rc_forecast_joint_destroy(joint);
    rc_forecast_set_free(&set);
    rc_random_destroy(random);
    return mean;
}

static void joint_scenarios_keep_what_hosts_share(void **state)
{
    enum { N = 600 };
    static struct rc_sample a[N], b[N];
    struct rc_random *random = rc_random_create(5, 0);

    (void)state;
    for (size_t i = 0; i < N; i++) {
        a[i] = (struct rc_sample){(double)i, rc_random_uniform(random)};
        b[i] = (struct rc_sample){(double)i, 1 - a[i].value};
    }
    /* Uniform in 0..1: E min(x, x) = 1/2, E min(x, 1 - x) = 1/4. */
    assert_near(avgmin_of(a, a, N, RC_JOINT_AVGMIN), 0.5, 0.05);
    assert_near(avgmin_of(a, b, N, RC_JOINT_AVGMIN), 0.25, 0.04);
    assert_near(avgmin_of(a, a, N, RC_JOINT_MINAVG), 0.5, 0.05);
    assert_near(avgmin_of(a, b, N, RC_JOINT_MINAVG), 0.5 - 0.0577, 0.05);
    rc_random_destroy(random);
}

/* Whether the interval of 90 % for the mean over the horizon of a series of its own held. */
static bool held_after_a_short_past(struct rc_random *random)
{
    enum { PAST = 70, AHEAD = 40 };
    double values[PAST], came = 0, x = rc_random_normal(random, 0, 3), low, high;
    struct rc_forecast_set set = {
        .values = values, .n_series = 1, .n = PAST, .step = 1, .at = PAST, .horizon = AHEAD};
    struct rc_joint *joint;
    struct rc_value *value;

    for (size_t i = 0; i < PAST + AHEAD; i++) {
        x = 0.95 * x + rc_random_normal(random, 0, 1);
        if (i < PAST)
            values[i] = x;
        else
            came += x / AHEAD;
    }
    joint = rc_forecast_joint_create(&set, NULL, NULL);
    assert_non_null(joint);
    value = rc_forecast_joint_value(joint, RC_JOINT_AVGMIN, 200, random, NULL);
    assert_non_null(value);
    rc_value_span(value, 0.9, &low, &high);
    rc_value_drop(value);
    rc_forecast_joint_destroy(joint);
    return came >= low && came <= high;
}

/* The windows of so short a past are nearly the same one, and yet the future is not known. */
static void a_short_past_gives_wide_intervals(void **state)
{
    enum { SERIES = 100 };
    struct rc_random *random = rc_random_create(11, 0);
    int held = 0;

    (void)state;
    for (int i = 0; i < SERIES; i++)
        held += held_after_a_short_past(random);
    assert_true(held >= SERIES * 3 / 4);
    rc_random_destroy(random);
}

static int always(void *data)
{
    (void)data;
    return 1;
}

static void joint_scenarios_can_be_stopped(void **state)
{
    static double values[200];
    const struct rc_monitor stop = {.cancelled = always};
    struct rc_forecast_set set = {
        .values = values, .n_series = 2, .n = 100, .step = 1, .at = 100, .horizon = 5};
    struct rc_error error;

    (void)state;
    assert_null(rc_forecast_joint_create(&set, &stop, &error));
    assert_non_null(strstr(error.text, "interrupted"));
}

static void series_are_laid_side_by_side(void **state)
{
    static const struct rc_sample a[] = {{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}};
    static const struct rc_sample b[] = {{15, 7}, {25, 8}, {35, 9}};
    struct rc_series_track tracks[2] = {{a, 5}, {b, 3}}, none = {a, 0};
    struct rc_forecast_set set;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_forecast_set_lay(tracks, 2, NAN, 20, &set, NULL), 0);
    assert_int_equal(set.n, 3); /* 20, 30, 40 */
    assert_same(set.at, 40);
    assert_same(set.horizon, 2);
    assert_same(set.values[0], 3);
    assert_same(set.values[2], 5);
    assert_same(set.values[3], 7);
    assert_same(set.values[5], 9);
    rc_forecast_set_free(&set);
    assert_int_equal(rc_forecast_set_lay(tracks, 1, 100, 20, &set, NULL), 0);
    assert_true(isnan(set.values[set.n - 1])); /* nothing is known of the last minute */
    assert_int_equal(set.n, 11);
    assert_same(set.seen, 40);
    rc_forecast_set_free(&set);
    assert_int_equal(rc_forecast_set_lay(tracks, 1, 25, 20, &set, NULL), 0);
    assert_int_equal(set.n, 3); /* 5, 15, 25 */
    assert_same(set.values[2], 3);
    assert_null(rc_forecast_joint_create(&set, NULL, &error));
    assert_non_null(strstr(error.text, "at the same time"));
    rc_forecast_set_free(&set);
    assert_int_equal(rc_forecast_set_lay(tracks, 2, NAN, 20, &set, NULL), 0);
    assert_same(set.seen, 35); /* the other one goes on */
    rc_forecast_set_free(&set);
    assert_int_equal(rc_forecast_set_lay(tracks, 1, 1e9, 20, &set, &error), -1);
    assert_non_null(strstr(error.text, "almost no samples"));
    assert_int_equal(rc_forecast_set_lay(&none, 1, NAN, 20, &set, &error), -1);
    assert_int_equal(rc_forecast_set_lay(tracks, 1, 0, 20, &set, &error), -1);
    assert_int_equal(rc_forecast_set_lay(tracks, 1, -5, 20, &set, &error), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_scenarios_keep_what_hosts_share),
        cmocka_unit_test(a_short_past_gives_wide_intervals),
        cmocka_unit_test(joint_scenarios_can_be_stopped),
        cmocka_unit_test(series_are_laid_side_by_side),
    };

    return RUN_TESTS(tests);
}
