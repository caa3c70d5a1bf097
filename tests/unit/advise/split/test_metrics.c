/* Window and Compare: the ten runs of Table 5.3. */
#include "unit.h"

#include "advise/split/policy_comparison.h"

enum { MEAN, VTF, TF95, POLICIES };

static const struct rc_metrics_run table_5_3[] = {
    {MEAN, 38.534076}, {VTF, 32.802351},  {TF95, 34.633066}, {MEAN, 33.985560}, {VTF, 33.982391},
    {TF95, 34.711265}, {MEAN, 38.724127}, {VTF, 33.523844},  {TF95, 33.553239}, {MEAN, 37.223270}};

static void every_window_is_vtfs(void **state)
{
    struct rc_metrics_policy policies[POLICIES];

    (void)state;
    assert_int_equal(rc_split_metrics_sum(table_5_3, COUNT(table_5_3), policies, POLICIES), 8);
    assert_int_equal(policies[MEAN].windows, 0);
    assert_int_equal(policies[VTF].windows, 8);
    assert_int_equal(policies[TF95].windows, 0);
}

/* The first three are spelt out in section 5.C.1. */
static void verdicts_of_table_5_3(void **state)
{
    static const enum rc_metrics_verdict verdicts[] = {RC_METRICS_BETTER, RC_METRICS_WORSE,
                                                       RC_METRICS_MIXED,  RC_METRICS_BETTER,
                                                       RC_METRICS_MIXED,  RC_METRICS_WORSE,
                                                       RC_METRICS_BETTER, RC_METRICS_MIXED};
    struct rc_metrics_policy policies[POLICIES];

    (void)state;
    for (size_t i = 0; i < COUNT(verdicts); i++)
        assert_int_equal(rc_split_metrics_compare(table_5_3[i].seconds, table_5_3[i + 1].seconds,
                                                  table_5_3[i + 2].seconds),
                         verdicts[i]);
    rc_split_metrics_sum(table_5_3, COUNT(table_5_3), policies, POLICIES);
    assert_int_equal(policies[VTF].verdicts[RC_METRICS_BETTER], 3);
    assert_int_equal(policies[MEAN].verdicts[RC_METRICS_MIXED], 1);
    assert_int_equal(policies[MEAN].verdicts[RC_METRICS_WORSE], 1);
    assert_int_equal(policies[TF95].verdicts[RC_METRICS_MIXED], 2);
    assert_int_equal(policies[TF95].verdicts[RC_METRICS_WORSE], 1);
    assert_int_equal(policies[TF95].verdicts[RC_METRICS_BETTER], 0);
}

static void means_and_sds(void **state)
{
    const struct rc_metrics_run runs[] = {{0, 10}, {1, 20}, {0, 14}};
    struct rc_metrics_policy policies[POLICIES];

    (void)state;
    assert_int_equal(rc_split_metrics_sum(runs, 3, policies, POLICIES), 1);
    assert_int_equal(policies[0].runs, 2);
    assert_same(policies[0].mean, 12);
    assert_near(policies[0].sd, sqrt(8), 1e-12);
    assert_same(policies[1].mean, 20);
    assert_same(policies[1].sd, NAN);
    assert_same(policies[2].mean, NAN);
    assert_int_equal(policies[1].verdicts[RC_METRICS_WORSE], 1);
}

static void equal_times(void **state)
{
    const struct rc_metrics_run runs[] = {{0, 10}, {1, 10}, {0, 10}};
    struct rc_metrics_policy policies[POLICIES];

    (void)state;
    assert_int_equal(rc_split_metrics_sum(runs, 3, policies, POLICIES), 1);
    assert_int_equal(policies[0].windows, 1);
    assert_int_equal(policies[1].windows, 1);
    assert_int_equal(policies[1].verdicts[RC_METRICS_MIXED], 1);
    assert_int_equal(rc_split_metrics_sum(runs, 2, policies, POLICIES), 0);
    assert_int_equal(policies[0].windows, 0);
}

/* Two policies with the same time are both the fastest. */
static void the_same_load_for_all(void **state)
{
    static const double a[] = {1, 5, 3, 4}, b[] = {2, 5, 2, 9}, c[] = {9, 9, 2, 5};
    const double *times[] = {a, b, c};
    double shares[3];

    (void)state;
    rc_split_metrics_fastest(times, 3, 4, shares);
    assert_near(shares[0], 0.75, 1e-12);
    assert_near(shares[1], 0.5, 1e-12);
    assert_near(shares[2], 0.25, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_window_is_vtfs),  cmocka_unit_test(verdicts_of_table_5_3),
        cmocka_unit_test(means_and_sds),         cmocka_unit_test(equal_times),
        cmocka_unit_test(the_same_load_for_all),
    };

    return RUN_TESTS(tests);
}
