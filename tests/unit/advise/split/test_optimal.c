/* Divided work along scenarios, and the division that ends earliest. */
#include "unit.h"

#include "advise/split/optimal_division.h"
#include "advise/split/split.h"
#include "base/random.h"
#include "split_trial.h"

static struct rc_paths *two_hosts(void)
{
    /* Each value holds for 10 s.  Beyond, they have the means of their second halves. */
    static const double first[] = {1, 0.5, 1, 1}, second[] = {0.5, 1, 1, 0.25};
    struct rc_paths *paths = rc_split_paths_create(1, 2, 4, 10, NULL);

    assert_non_null(paths);
    rc_split_paths_set(paths, 0, 0, first);
    rc_split_paths_set(paths, 0, 1, second);
    rc_split_paths_ready(paths);
    return paths;
}

static double time_of(const struct rc_paths *paths, enum rc_split_coupling coupling, double a,
                      double b, double fixed)
{
    double work[] = {a, b}, beside[] = {fixed, fixed};

    return rc_split_paths_time(paths, 0, coupling, &(struct rc_paths_work){work, beside}, NULL);
}

/* Steps at which nothing changes are passed over, and count all the same. */
static void loads_that_stay_are_followed(void **state)
{
    static const double first[] = {0.5, 0.5, 0.5, 1, 1, 1}, second[] = {1, 1, 1, 1, 1, 0.25};
    struct rc_paths *paths = rc_split_paths_create(1, 2, 6, 10, NULL);
    double slopes[4] = {0};

    (void)state;
    assert_non_null(paths);
    rc_split_paths_set(paths, 0, 0, first);
    rc_split_paths_set(paths, 0, 1, second);
    rc_split_paths_ready(paths);
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 10, 10, 0), 20, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 25, 25, 0), 40, 1e-12);
    /* 35 by 50 s, 2.5 by 60 s, then at the mean of 1, 1 and 0.25. */
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 45, 45, 0), 60 + 7.5 / 0.75, 1e-12);
    /* The first host is the slowest for 30 s, in which 15 of 25 are done; of equals it is also. */
    rc_split_paths_time(paths, 0, RC_COUPLING_TIGHT,
                        &(struct rc_paths_work){(double[]){25, 25}, (double[]){0, 0}}, slopes);
    assert_near(slopes[0], 40.0 / 25 - 15.0 / 25, 1e-12);
    rc_split_paths_destroy(paths);
}

static void the_slowest_of_each_instant_counts(void **state)
{
    struct rc_paths *paths = two_hosts();

    (void)state;
    /* The least is 0.5 for 20 s, 1 for 10 s, 0.25 for 10 s, then 0.625. */
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 16, 16, 0), 26, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 30, 30, 0), 40 + 7.5 / 0.625, 1e-12);
    /* Half the work on the second: 1 for 10 s, 0.5, 1, 0.5. */
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 16, 8, 0), 21, 1e-12);
    /* At 16 / 0.5 + 8 = 40 s for the run, half of it is done by 20 s; at 24 s, 10 / 24 more by
     * 30 s; the last twelfth at 72 s. */
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 16, 16, 8), 36, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 4, 4, 2), 10, 1e-12);
    /* Whoever has no work is not waited for. */
    assert_near(time_of(paths, RC_COUPLING_TIGHT, 12, 0, 0), 10 + 4, 1e-12);
    rc_split_paths_destroy(paths);
}

static void each_goes_at_its_own_pace(void **state)
{
    struct rc_paths *paths = two_hosts();

    (void)state;
    assert_near(time_of(paths, RC_COUPLING_LOOSE, 16, 4, 0), 21, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_LOOSE, 1, 16, 0), 21, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_LOOSE, 1, 30, 0), 40 + 2.5 / 0.625, 1e-12);
    assert_near(time_of(paths, RC_COUPLING_LOOSE, 16, 0, 3), 24, 1e-12);
    assert_near(rc_split_paths_mean(paths, 0, 15), (10 + 2.5) / 15, 1e-12);
    assert_near(rc_split_paths_mean(paths, 1, 60), (27.5 + 12.5) / 60, 1e-12);
    rc_split_paths_destroy(paths);
}

/* ---- random scenarios ---- */

enum { PATHS = 60, HOSTS = 3, VALUES = 40 };

static struct rc_paths *random_paths(struct rc_random *random)
{
    struct rc_paths *paths = rc_split_paths_create(PATHS, HOSTS, VALUES, 2, NULL);
    double values[VALUES];

    assert_non_null(paths);
    for (size_t path = 0; path < PATHS; path++)
        for (size_t h = 0; h < HOSTS; h++) {
            for (size_t j = 0; j < VALUES; j++)
                values[j] = j % 10 ? values[j - 1] : 0.1 + 0.9 * rc_random_uniform(random);
            rc_split_paths_set(paths, path, h, values);
        }
    rc_split_paths_ready(paths);
    return paths;
}

static void slopes_are_differences(void **state)
{
    struct rc_random *random = rc_random_create(11, 0);
    struct rc_paths *paths = random_paths(random);
    const double fixed[HOSTS] = {1, 0, 2}, step = 1e-6;

    (void)state;
    for (int coupling = RC_COUPLING_TIGHT; coupling <= RC_COUPLING_LOOSE; coupling++)
        for (size_t path = 0; path < PATHS; path++) {
            double work[HOSTS] = {20, 25, 15}, slopes[2 * HOSTS] = {0};
            struct rc_paths_work all = {work, fixed};
            double time =
                rc_split_paths_time(paths, path, (enum rc_split_coupling)coupling, &all, slopes);
            double more;

            for (size_t h = 0; h < HOSTS; h++) {
                work[h] += step;
                more =
                    rc_split_paths_time(paths, path, (enum rc_split_coupling)coupling, &all, NULL);
                assert_near((more - time) / step, slopes[h], 1e-4);
                work[h] -= step;
            }
        }
    rc_split_paths_destroy(paths);
    rc_random_destroy(random);
}

static double cost_of(const struct rc_optimal *optimal, const double *units)
{
    double times[PATHS];

    assert_int_equal(rc_split_optimal_times(optimal, units, times, NULL), 0);
    return rc_split_optimal_cost(optimal, times);
}

/* The least cost on a grid of divisions, a hundredth apart. */
static double least_of_grid(const struct rc_optimal *optimal)
{
    double best = INFINITY;

    for (int a = 1; a < 99; a++)
        for (int b = 1; a + b < 100; b++) {
            double units[HOSTS] = {a, b, 100 - a - b};

            if (units[0] <= optimal->hosts[0].most)
                best = fmin(best, cost_of(optimal, units));
        }
    return best;
}

static void no_division_of_a_grid_is_better(void **state)
{
    struct rc_random *random = rc_random_create(12, 0);
    struct rc_balance_host hosts[HOSTS] = {{0.5, 0, INFINITY},
                                           {1, 1, INFINITY},
                                           {0.8, 0, INFINITY}};
    static const double starts[2 * HOSTS] = {90, 5, 5, 100.0 / 3, 100.0 / 3, 100.0 / 3};

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct rc_paths *paths = random_paths(random);
        struct rc_optimal optimal = {.paths = paths,
                                     .hosts = hosts,
                                     .total = 100,
                                     .coupling = round % 2 ? RC_COUPLING_LOOSE : RC_COUPLING_TIGHT,
                                     .quantile = round % 3 ? (double)NAN : 0.9};
        double units[HOSTS], cost;

        hosts[0].most = round >= 8 ? 20 : (double)INFINITY;
        assert_int_equal(rc_split_optimal_find(&optimal, starts, 2, units, NULL), 0);
        cost = cost_of(&optimal, units);
        assert_near(units[0] + units[1] + units[2], 100, 1e-6);
        assert_true(units[0] <= hosts[0].most + 1e-9);
        /* A quantile of few scenarios has many small hollows. */
        assert_true(cost <= (isnan(optimal.quantile) ? 1.0001 : 1.01) * least_of_grid(&optimal));
        if (isinf(hosts[0].most))
            assert_true(cost <= cost_of(&optimal, starts) &&
                        cost <= cost_of(&optimal, starts + HOSTS));
        rc_split_paths_destroy(paths);
    }
    rc_random_destroy(random);
}

/* ---- all policies ---- */

static void under_a_load_that_stays_all_policies_agree(void **state)
{
    static struct rc_sample samples[2][500];
    struct rc_split_host hosts[] = {
        {.unit = 2, .most = INFINITY, .samples = samples[0], .n_samples = 500},
        {.unit = 1, .most = INFINITY, .samples = samples[1], .n_samples = 500},
        {.unit = 1, .most = INFINITY}};
    struct rc_split_question question = {.hosts = hosts,
                                         .n_hosts = 3,
                                         .at = 4990,
                                         .units = 70,
                                         .quantile = 0.95,
                                         .factor = -2,
                                         .scenarios = 50,
                                         .seed = 1};
    struct rc_split split = {0};

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        samples[0][i] = (struct rc_sample){10.0 * (double)i, 1};
        samples[1][i] = (struct rc_sample){10.0 * (double)i, 0.25};
    }
    rc_split_tuning_rules_init(&question.tuning);
    assert_int_equal(rc_split_make(&question, &split, NULL, NULL), 0);
    for (int policy = 0; policy < RC_POLICY_CURRENT; policy++) {
        const struct rc_split_plan *plan = &split.plans[policy];

        assert_true(plan->there);
        assert_int_equal(plan->units[0], 20);
        assert_int_equal(plan->units[1], 10);
        assert_int_equal(plan->units[2], 40);
        assert_near(rc_value_mean(plan->time), 40, 1e-9);
        assert_near(plan->alone[1], 40, 1e-9);
    }
    assert_false(split.plans[RC_POLICY_CURRENT].there);
    assert_false(split.facts[2].known);
    assert_same(split.facts[1].forecast, 0.25);
    rc_split_free(&split);
}

static void paces_alone_have_no_times(void **state)
{
    const struct rc_split_host hosts[] = {{.unit = 1, .most = INFINITY}, {.unit = 3, .most = 5}};
    const double current[] = {1, 1};
    struct rc_split_question question = {.hosts = hosts,
                                         .n_hosts = 2,
                                         .at = 0,
                                         .units = 40,
                                         .paces_only = true,
                                         .quantile = NAN,
                                         .factor = NAN,
                                         .current = current,
                                         .scenarios = 50,
                                         .seed = 1};
    struct rc_split split = {0};

    (void)state;
    rc_split_tuning_rules_init(&question.tuning);
    assert_int_equal(rc_split_make(&question, &split, NULL, NULL), 0);
    assert_int_equal(split.plans[RC_POLICY_MEAN].units[1], 5);
    assert_null(split.plans[RC_POLICY_MEAN].time);
    assert_true(split.plans[RC_POLICY_CURRENT].there);
    assert_false(split.plans[RC_POLICY_OPTIMAL].there);
    assert_false(split.plans[RC_POLICY_TUNED].there);
    rc_split_free(&split);
}

/* ---- under loads that are drawn ---- */

enum { TRIALS = 80 };

/* Trials take many minutes where every access is checked, and the code is that of the tests
 * above. */
static bool is_sanitized(void)
{
    const char *sanitized = getenv("RUNCAST_SANITIZED");

    return sanitized && strcmp(sanitized, "1") == 0;
}

/* Mean times of runs that take about a minute, as the dissertation's did. */
static void try_levels(double shortest, double longest, double *means)
{
    struct rc_trial_world world = {.n_hosts = 4,
                                   .shortest = shortest,
                                   .longest = longest,
                                   .seconds = 30,
                                   .step = 5,
                                   .past = 86400,
                                   .coupling = RC_COUPLING_TIGHT,
                                   .quantile = NAN,
                                   .random = rc_random_create(3, 0)};

    for (int policy = 0; policy <= RC_POLICIES; policy++)
        means[policy] = 0;
    for (int i = 0; i < TRIALS; i++) {
        double took[RC_POLICIES + 1] = {0};

        rc_trial_run(&world, took);
        for (int policy = 0; policy <= RC_POLICIES; policy++)
            means[policy] += took[policy] / TRIALS;
    }
    rc_random_destroy(world.random);
}

/* How much of the gap between `mean` and hindsight is closed. */
static double closed(const double *means)
{
    return (means[RC_POLICY_MEAN] - means[RC_POLICY_OPTIMAL]) /
           (means[RC_POLICY_MEAN] - means[RC_POLICIES]);
}

static double best_of_the_others(const double *means)
{
    static const enum rc_policy others[] = {RC_POLICY_MEAN, RC_POLICY_LAST, RC_POLICY_FORECAST,
                                            RC_POLICY_95TF, RC_POLICY_VTF};
    double best = INFINITY;

    for (size_t i = 0; i < COUNT(others); i++)
        best = fmin(best, means[others[i]]);
    return best;
}

static void levels_of_30_to_300_s(void **state)
{
    double means[RC_POLICIES + 1];

    (void)state;
    try_levels(30, 300, means);
    print_message("# closes %.3f; against the best of the others %.4f\n", closed(means),
                  means[RC_POLICY_OPTIMAL] / best_of_the_others(means));
    assert_true(closed(means) >= 0.6);
    assert_true(means[RC_POLICY_OPTIMAL] <= 1.01 * best_of_the_others(means));
}

static void levels_of_10_to_60_s(void **state)
{
    double means[RC_POLICIES + 1];

    (void)state;
    try_levels(10, 60, means);
    print_message("# closes %.3f; against the best of the others %.4f\n", closed(means),
                  means[RC_POLICY_OPTIMAL] / best_of_the_others(means));
    assert_true(closed(means) >= 0.2);
    assert_true(means[RC_POLICY_OPTIMAL] <= 1.01 * best_of_the_others(means));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_that_stay_are_followed),
        cmocka_unit_test(the_slowest_of_each_instant_counts),
        cmocka_unit_test(each_goes_at_its_own_pace),
        cmocka_unit_test(slopes_are_differences),
        cmocka_unit_test(no_division_of_a_grid_is_better),
        cmocka_unit_test(under_a_load_that_stays_all_policies_agree),
        cmocka_unit_test(paces_alone_have_no_times),
    };
    const struct CMUnitTest trials[] = {
        cmocka_unit_test(levels_of_30_to_300_s),
        cmocka_unit_test(levels_of_10_to_60_s),
    };
    struct CMUnitTest all[COUNT(tests) + COUNT(trials)];

    memcpy(all, tests, sizeof tests);
    memcpy(all + COUNT(tests), trials, sizeof trials);
    return is_sanitized() ? RUN_TESTS(tests) : RUN_TESTS(all);
}
