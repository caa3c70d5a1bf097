/* The Tuning Factor: Figures 5.2 and 5.3, and what a host is like over a window. */
#include "unit.h"

#include <stdbool.h>

#include "advise/split/tuning_factor.h"

/* What Figures 5.2 and 5.3 tell apart. */
enum { SLOW_STEADY, SLOW_VARYING, FAST_STEADY, FAST_VARYING, KINDS };
enum { HOSTS = 3 };

static double factor_of(const int *kinds, size_t n)
{
    struct rc_tuning_rules rules;
    struct rc_tuning_host hosts[HOSTS];

    rc_split_tuning_rules_init(&rules);
    rules.high_power = 1.5;
    for (size_t i = 0; i < n; i++)
        hosts[i] = (struct rc_tuning_host){kinds[i] >= FAST_STEADY ? 2 : 1, 0.6,
                                           kinds[i] % 2 ? 0.1 : 0.05};
    return rc_split_tuning_factor(&rules, hosts, n, NULL);
}

/* The partial order of Figure 5.2: a host that varies calls for more than one that does not, and of
 * hosts that vary (or do not) a powerful one for more than a slow one; a slow one that varies and a
 * powerful one that does not are not ordered. */
static bool below(int a, int b)
{
    return a != b && (a == SLOW_STEADY || b == FAST_VARYING);
}

static void partial_order_of_figure_5_2(void **state)
{
    (void)state;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++)
            for (int others = 0; others < KINDS * KINDS; others++) {
                int with_a[HOSTS] = {a, others % KINDS, others / KINDS};
                int with_b[HOSTS] = {b, others % KINDS, others / KINDS};

                if (below(a, b))
                    assert_true(factor_of(with_a, HOSTS) < factor_of(with_b, HOSTS));
            }
}

/* "Platforms with fewer varying machines" are to have a more optimistic schedule. */
static void fewer_varying_hosts_make_less_of_it(void **state)
{
    (void)state;
    for (int steady = SLOW_STEADY; steady <= FAST_STEADY; steady += 2) {
        int kinds[HOSTS] = {steady, steady, steady};
        double before = factor_of(kinds, HOSTS);

        for (int i = 0; i < HOSTS; i++) {
            double now;

            kinds[i]++;
            now = factor_of(kinds, HOSTS);
            assert_true(now > before);
            before = now;
        }
    }
}

static void values_of_figure_5_3(void **state)
{
    const struct rc_tuning_host hosts[] = {
        {1, 0.9, 0.01}, {1, 0.5, 0.2}, {3, 0.9, 0.07}, {3, 0.5, 0.0701}};
    struct rc_tuning_rules rules;
    double values[4];

    (void)state;
    rc_split_tuning_rules_init(&rules);
    assert_near(rc_split_tuning_factor(&rules, hosts, 4, values), 1, 1e-12);
    assert_same(values[0], 0);
    assert_same(values[1], 1);
    assert_same(values[2], 1); /* 0.07 is not above 0.07 */
    assert_same(values[3], 2);
    rules.high_power = 5;
    rules.least = -1;
    rules.middle = 0.5;
    assert_near(rc_split_tuning_factor(&rules, hosts, 4, values), (-1 + 0.5 - 1 + 0.5) / 4, 1e-12);
    rules.high_variability = 1;
    assert_near(rc_split_tuning_factor(&rules, hosts, 4, values), -1, 1e-12);
}

static void no_host_among_like_ones_is_powerful(void **state)
{
    struct rc_tuning_host hosts[HOSTS];
    struct rc_tuning_rules rules;

    (void)state;
    rc_split_tuning_rules_init(&rules);
    for (size_t i = 0; i < HOSTS; i++)
        hosts[i] = (struct rc_tuning_host){1 / 0.7, 0.5, 0.3};
    assert_same(rc_split_tuning_factor(&rules, hosts, HOSTS, NULL), 1);
}

static void times_of_units(void **state)
{
    const struct rc_tuning_host host = {1, 0.5, 0.1};

    (void)state;
    assert_same(rc_split_tuning_time(12, 1.8, 2), 15.6);
    assert_near(rc_split_tuning_unit(3, &host, 0), 6, 1e-12);
    assert_near(rc_split_tuning_unit(3, &host, 2), 6 * 1.4, 1e-12);
    assert_near(rc_split_tuning_unit(3, &host, -2), 6 * 0.6, 1e-12);
    assert_near(rc_split_tuning_unit(3, &host, -4), 3, 1e-12);
    assert_true(isfinite(rc_split_tuning_unit(3, &(struct rc_tuning_host){1, 0, 0}, 0)));
}

static void window_weighs_by_time(void **state)
{
    const struct rc_sample samples[] = {{0, 0.1}, {100, 0.4}, {290, 0.8}, {300, 1}};
    double mean, sd;

    (void)state;
    /* From 200 to 400: 0.4 for 90 s, 0.8 for 10 s, 1 for 100 s. */
    rc_split_tuning_window(samples, 4, 400, 200, &mean, &sd);
    assert_near(mean, (0.4 * 90 + 0.8 * 10 + 100) / 200, 1e-12);
    assert_near(sd, sqrt((0.16 * 90 + 0.64 * 10 + 100) / 200 - mean * mean), 1e-12);
    /* Longer than the past. */
    rc_split_tuning_window(samples, 4, 400, 1000, &mean, &sd);
    assert_near(mean, (0.1 * 100 + 0.4 * 190 + 0.8 * 10 + 100) / 400, 1e-12);
    /* The last one alone. */
    rc_split_tuning_window(samples, 4, 5000, 300, &mean, &sd);
    assert_same(mean, 1);
    assert_same(sd, 0);
    rc_split_tuning_window(samples, 4, 300, 0, &mean, &sd);
    assert_same(mean, 1);
    rc_split_tuning_window(samples, 1, 0, 300, &mean, &sd);
    assert_same(mean, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_order_of_figure_5_2),
        cmocka_unit_test(fewer_varying_hosts_make_less_of_it),
        cmocka_unit_test(values_of_figure_5_3),
        cmocka_unit_test(no_host_among_like_ones_is_powerful),
        cmocka_unit_test(times_of_units),
        cmocka_unit_test(window_weighs_by_time),
    };

    return RUN_TESTS(tests);
}
