/* Killed small runs, whose times are lower bounds. */
#include "own_store.h"

#include "base/random.h"
#include "model/scaling/killed_small_runs.h"
#include "model/scaling/usable_runs.h"
#include "platform/platform.h"

enum { RUNS = 2000 };

static struct rc_scaling_run run_of(int64_t columns, double seconds)
{
    struct rc_scaling_run run = {.procs = 1, .seconds = seconds, .memory = NAN};

    assert_int_equal(rc_scaling_mesh_init(&run.mesh, columns, columns, 1, NULL), 0);
    return run;
}

static double mean_of(const struct rc_scaling_run *runs, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += runs[i].seconds;
    return sum / (double)n;
}

/* Normal times of 100 s with 5 %; those above `limit` are killed there.  The completed runs come
 * first.  Returns how many there are. */
static size_t make_runs(double limit, struct rc_scaling_run *runs)
{
    struct rc_random *random = rc_random_create(3, 0);
    size_t first = 0, last = RUNS;

    while (first < last) {
        double seconds = rc_random_normal(random, 100, 5);

        if (seconds > limit)
            runs[--last] = run_of(64, limit);
        else
            runs[first++] = run_of(64, seconds);
    }
    rc_random_destroy(random);
    return first;
}

static void the_mean_is_that_of_all_runs(void **state)
{
    static struct rc_scaling_run runs[RUNS];
    size_t n = make_runs(102, runs);
    struct rc_scaling_samples samples;
    double completed = mean_of(runs, n);

    (void)state;
    assert_in_range(n, RUNS / 2, RUNS * 3 / 4); /* 65 % of a normal distribution */
    assert_int_equal(rc_scaling_samples_make(runs, n, 1, &samples, NULL), 0);
    assert_int_equal(rc_scaling_killed_estimate(&samples, runs + n, RUNS - n), RUNS - n);
    rc_scaling_samples_free(&samples);
    assert_true(completed < 98);
    for (size_t i = n; i < RUNS; i++)
        assert_true(runs[i].seconds > 102);
    /* the completed runs alone look less noisy than all, which the estimate cannot know */
    assert_near(mean_of(runs, RUNS), 100, 0.8);
}

static void only_runs_with_equal_completed_ones(void **state)
{
    struct rc_scaling_run runs[] = {run_of(64, 10), run_of(64, 10.2)};
    struct rc_scaling_run killed[] = {run_of(128, 50), run_of(64, 12), run_of(64, 1)};
    struct rc_scaling_samples samples;

    (void)state;
    killed[0].killed = killed[1].killed = killed[2].killed = true;
    assert_int_equal(rc_scaling_samples_make(runs, 2, 1, &samples, NULL), 0);
    assert_int_equal(rc_scaling_killed_estimate(&samples, killed, 3), 2);
    rc_scaling_samples_free(&samples);
    assert_true(killed[0].seconds > 12);
    assert_true(killed[0].killed);
    assert_in_range((int64_t)killed[1].seconds, 10, 11); /* its bound says nothing */
}

static void killed_runs_of_the_database(void **state)
{
    char name[] = "p";
    struct rc_platform platform = {.name = name};
    struct rc_hostlist none = {0};
    struct rc_scaling_runs runs, killed;
    enum rc_run_status status[] = {RC_RUN_OK, RC_RUN_INTERRUPTED, RC_RUN_FAILED};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct rc_run run;

        rc_db_run_init(&run);
        run.app = "a";
        run.n = 64;
        run.p = 1;
        run.seconds = 10 + i;
        run.status = status[i];
        assert_int_equal(rc_db_run_add(store, &run, NULL, NULL), 0);
    }
    assert_int_equal(rc_scaling_runs_read(store, "a", &platform, &none, &runs, &killed, NULL), 0);
    assert_int_equal(runs.n, 1);
    assert_false(runs.items[0].killed);
    assert_int_equal(killed.n, 1);
    assert_true(killed.items[0].killed);
    assert_near(killed.items[0].seconds, 11, 1e-9);
    rc_scaling_runs_free(&runs);
    rc_scaling_runs_free(&killed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_all_runs),
        cmocka_unit_test(only_runs_with_equal_completed_ones),
        cmocka_unit_test_setup_teardown(killed_runs_of_the_database, open_own_store,
                                        remove_own_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
