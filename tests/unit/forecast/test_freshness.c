/* How old the newest samples of hosts are. */
#include "own_store.h"

#include "forecast/freshness.h"

static const double now = 1e9;

/* Samples of a host's CPU every `step` seconds, for `n` of them, up to `age` before now. */
static void add(const char *host, const char *metric, double step, int n, double age)
{
    const struct rc_series_key key = {host, "", metric};
    struct rc_error error;

    for (int i = 0; i < n; i++) {
        const struct rc_sample sample = {now - age - step * i, 0.5};

        if (rc_db_series_add(store, &key, &sample, 1, 0, NULL, &error))
            fail_msg("%s", error.text);
    }
}

static struct rc_freshness find(const char *const *hosts, size_t n, double at)
{
    struct rc_freshness freshness;
    struct rc_error error;

    if (rc_forecast_freshness_find(store, hosts, n, at, &freshness, &error))
        fail_msg("%s", error.text);
    return freshness;
}

static void old_samples_are_found(void **state)
{
    static const char *const hosts[] = {"new", "old", "older", "gone", "never"};
    struct rc_freshness freshness;

    (void)state;
    add("new", "cpu", 10, 50, 299);
    add("old", "cpu", 10, 50, 301);
    add("older", "cpu", 10, 50, 7200);
    add("older", "memory", 10, 5, 1);
    add("gone", "cpu", 10, 5, 90000);
    add("other", "cpu", 10, 5, 80000);
    freshness = find(hosts, COUNT(hosts), now);
    assert_int_equal(freshness.n_hosts, 3);
    assert_int_equal(freshness.n_old, 2);
    assert_int_equal(freshness.oldest, 2);
    assert_near(freshness.age, 7200, 1e-6);
    assert_int_equal(find(hosts, 1, now).n_old, 0);
    assert_true(isnan(find(hosts, 1, now).age));
    /* Of an earlier start, later samples do not count. */
    assert_int_equal(find(hosts, 3, now - 7100).n_old, 0);
}

/* Hourly samples may be two hours old, and are not after four. */
static void seldom_samples_may_be_older(void **state)
{
    static const char *const hosts[] = {"hourly", "single"};

    (void)state;
    add("hourly", "cpu", 3600, 10, 0);
    add("single", "cpu", 1, 1, 0);
    assert_int_equal(find(hosts, 1, now + 7200).n_old, 0);
    assert_int_equal(find(hosts, 1, now + 14400).n_old, 1);
    assert_int_equal(find(hosts + 1, 1, now + 301).n_old, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(old_samples_are_found, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(seldom_samples_may_be_older, open_own_store,
                                        remove_own_store),
    };

    return RUN_TESTS(tests);
}
