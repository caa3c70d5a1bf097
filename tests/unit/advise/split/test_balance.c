/* Time balancing: the dissertation's tables, limits, and units that cannot be divided. */
#include "unit.h"

#include "advise/split/time_balancing.h"
#include "advise/split/tuning_factor.h"
#include "base/random.h"

enum { HOSTS_MOST = 6 };

/* When the last host ends; hosts without work do not count. */
static double balance_end(const struct rc_balance_host *hosts, size_t n, const double *work)
{
    double end = 0;

    for (size_t i = 0; i < n; i++)
        if (work[i] > 0)
            end = fmax(end, hosts[i].fixed + work[i] * hosts[i].unit);
    return end;
}

static void split_two(double a, double b, int64_t total, int64_t units[2])
{
    struct rc_balance_host hosts[] = {{a, 0, INFINITY}, {b, 0, INFINITY}};

    assert_int_equal(rc_split_balance_units(hosts, 2, total, units, NULL), 0);
}

static double end_of_two(double a, double b, const int64_t units[2])
{
    struct rc_balance_host hosts[] = {{a, 0, INFINITY}, {b, 0, INFINITY}};

    return balance_end(hosts, 2, (double[]){(double)units[0], (double)units[1]});
}

/* Table 1.1: what a wrong guess of the paces costs. */
static void table_1_1(void **state)
{
    int64_t guessed[2], known[2];

    (void)state;
    split_two(6, 9, 30, guessed);
    assert_int_equal(guessed[0], 18);
    assert_int_equal(guessed[1], 12);
    assert_near(end_of_two(6, 9, guessed), 108, 1e-9);
    assert_near(end_of_two(10, 5, guessed), 180, 1e-9);
    split_two(10, 5, 30, known);
    assert_int_equal(known[0], 10);
    assert_int_equal(known[1], 20);
    assert_near(end_of_two(10, 5, known), 100, 1e-9);
}

/* Tables 1.2 and 5.1. */
static void table_1_2(void **state)
{
    int64_t alone[2], shared[2];

    (void)state;
    split_two(10, 5, 30, alone);
    assert_int_equal(alone[0], 10);
    split_two(12, 12, 30, shared);
    assert_int_equal(shared[0], 15);
    assert_int_equal(shared[1], 15);
}

/* Tables 1.3 and 5.2: 12 +- 0.3 and 12 +- 1.8 s a unit, where each host may be as fast as two
 * standard deviations below its mean, or as slow as two above.
 *
 * The dissertation slips in both best times.  The run ends with the host that ends last: with 17
 * units A takes 17 x 11.4 = 193.8 s at best (B 13 x 8.4 = 109.2 s), and not 148.2, which is 13 x
 * 11.4: what A takes at best under the other split.  There, 13 and 17 units, B has 17 x 8.4 =
 * 142.8 s, so that 148.2 s is the best time, and not 152.1, which is 13 x 11.7: one standard
 * deviation in place of two.  The worst times are right. */
static void table_1_3(void **state)
{
    const double low[2] = {rc_split_tuning_time(12, 0.3, -2), rc_split_tuning_time(12, 1.8, -2)};
    const double high[2] = {rc_split_tuning_time(12, 0.3, 2), rc_split_tuning_time(12, 1.8, 2)};
    struct rc_balance_host fine[] = {{high[0], 0, INFINITY}, {high[1], 0, INFINITY}};
    int64_t conservative[2], optimistic[2];
    double work[2];

    (void)state;
    assert_int_equal(rc_split_balance(fine, 2, 30, work, NULL), 0);
    assert_near(work[0], 16.59, 0.01); /* "rounded up from" it */
    split_two(high[0], high[1], 30, conservative);
    assert_int_equal(conservative[0], 17);
    assert_int_equal(conservative[1], 13);
    assert_near(end_of_two(low[0], low[1], conservative), 193.8, 1e-9);
    assert_near(end_of_two(high[0], high[1], conservative), 214.2, 1e-9);
    split_two(low[0], low[1], 30, optimistic);
    assert_int_equal(optimistic[0], 13);
    assert_int_equal(optimistic[1], 17);
    assert_near(end_of_two(low[0], low[1], optimistic), 148.2, 1e-9);
    assert_near(end_of_two(high[0], high[1], optimistic), 265.2, 1e-9);
}

/* Eq. (5.2): D_i u_i + C_i is the same for all. */
static void all_end_together(void **state)
{
    struct rc_balance_host hosts[] = {{2, 5, INFINITY}, {3, 0, INFINITY}, {1, 12, INFINITY}};
    double work[3], sum = 0;

    (void)state;
    assert_int_equal(rc_split_balance(hosts, 3, 40, work, NULL), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_near(work[i] * hosts[i].unit + hosts[i].fixed, balance_end(hosts, 3, work), 1e-9);
        sum += work[i];
    }
    assert_near(sum, 40, 1e-9);
    /* A host that would begin after the others have ended gets nothing. */
    hosts[2].fixed = 1000;
    assert_int_equal(rc_split_balance(hosts, 3, 40, work, NULL), 0);
    assert_same(work[2], 0);
    assert_near(2 * work[0] + 5, 3 * work[1], 1e-9);
}

static void limits_of_hosts_are_met(void **state)
{
    struct rc_balance_host hosts[] = {{1, 0, 10}, {1, 0, INFINITY}, {2, 0, 4.5}};
    struct rc_error error;
    double work[3];
    int64_t units[3];

    (void)state;
    assert_int_equal(rc_split_balance(hosts, 3, 60, work, NULL), 0);
    assert_near(work[0], 10, 1e-9);
    assert_near(work[1], 45.5, 1e-9);
    assert_near(work[2], 4.5, 1e-9);
    assert_int_equal(rc_split_balance_units(hosts, 3, 60, units, NULL), 0);
    assert_int_equal(units[0], 10);
    assert_int_equal(units[1], 46);
    assert_int_equal(units[2], 4);
    hosts[1].most = 45.5;
    assert_int_equal(rc_split_balance(hosts, 3, 60, work, NULL), 0);
    assert_int_equal(rc_split_balance_units(hosts, 3, 60, units, &error), -1);
    assert_string_equal(error.text, "the hosts can take only 59 of 60 units");
    assert_int_equal(rc_split_balance(hosts, 3, 61, work, &error), -1);
    assert_non_null(strstr(error.hint, "more memory"));
}

static void nonsense_is_refused(void **state)
{
    struct rc_balance_host hosts[] = {{1, 0, INFINITY}, {1, 0, INFINITY}};
    double work[2];

    (void)state;
    assert_int_equal(rc_split_balance(hosts, 2, 0, work, NULL), -1);
    assert_int_equal(rc_split_balance(hosts, 2, NAN, work, NULL), -1);
    assert_int_equal(rc_split_balance(hosts, 0, 1, work, NULL), -1);
    hosts[1].unit = 0;
    assert_int_equal(rc_split_balance(hosts, 2, 1, work, NULL), -1);
    hosts[1].unit = INFINITY;
    assert_int_equal(rc_split_balance(hosts, 2, 1, work, NULL), -1);
    hosts[1] = (struct rc_balance_host){1, -1, INFINITY};
    assert_int_equal(rc_split_balance(hosts, 2, 1, work, NULL), -1);
}

/* The earliest end of all divisions of `left` units over hosts i and later ones. */
static double best_end(const struct rc_balance_host *hosts, size_t i, size_t n, int64_t left)
{
    double best = INFINITY;

    if (i == n)
        return left == 0 ? 0 : (double)INFINITY;
    for (int64_t own = 0; own <= left && (double)own <= hosts[i].most; own++) {
        double end = own > 0 ? hosts[i].fixed + (double)own * hosts[i].unit : 0;

        best = fmin(best, fmax(end, best_end(hosts, i + 1, n, left - own)));
    }
    return best;
}

static void no_other_units_end_earlier(void **state)
{
    struct rc_random *random = rc_random_create(3, 0);

    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + rc_random_below(random, 4);
        struct rc_balance_host hosts[HOSTS_MOST];
        int64_t total = 1 + (int64_t)rc_random_below(random, 14), units[HOSTS_MOST], sum = 0;
        double work[HOSTS_MOST], best;

        for (size_t i = 0; i < n; i++)
            hosts[i] = (struct rc_balance_host){0.2 + rc_random_uniform(random),
                                                rc_random_below(random, 2) * 1.5,
                                                rc_random_below(random, 3) ? 1e9 : 3.5};
        best = best_end(hosts, 0, n, total);
        assert_int_equal(rc_split_balance_units(hosts, n, total, units, NULL),
                         isinf(best) ? -1 : 0);
        if (isinf(best))
            continue;
        for (size_t i = 0; i < n; i++) {
            work[i] = (double)units[i];
            assert_true(units[i] >= 0 && work[i] <= hosts[i].most);
            sum += units[i];
        }
        assert_int_equal(sum, total);
        assert_near(balance_end(hosts, n, work), best, 1e-12);
    }
    rc_random_destroy(random);
}

static void many_units_are_all_given(void **state)
{
    struct rc_balance_host hosts[] = {{0.3, 0, INFINITY}, {0.7, 1, INFINITY}, {1.1, 0, 12345.5}};
    const int64_t total = 9007199254740000;
    int64_t units[3];

    (void)state;
    assert_int_equal(rc_split_balance_units(hosts, 3, total, units, NULL), 0);
    assert_true(units[0] + units[1] + units[2] == total);
    assert_int_equal(units[2], 12345);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_1),
        cmocka_unit_test(table_1_2),
        cmocka_unit_test(table_1_3),
        cmocka_unit_test(all_end_together),
        cmocka_unit_test(limits_of_hosts_are_met),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(no_other_units_end_earlier),
        cmocka_unit_test(many_units_are_all_given),
    };

    return RUN_TESTS(tests);
}
