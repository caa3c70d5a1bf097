/* Predictions: a run followed along scenarios that were made by hand, the one number, and the load
 * to come from the store. */
#include "regress.h"

#include "forecast/analog_scenarios.h"
#include "predict/run_time_distribution.h"

static double scratch[8];

static struct rc_predict_lane lane(const double *values, size_t n_series, size_t n, double step)
{
    return (struct rc_predict_lane){values, n_series, n, step, NAN, scratch};
}

static double end_of(const struct rc_regression_work *work, double factor,
                     const struct rc_predict_future *future)
{
    struct rc_predict_end end;

    rc_predict_follow(work, factor, future, &end);
    return end.seconds;
}

/* ---- progress ---- */

/* Two hosts; the least of both is 0.5, 0.5, 1, 0.25, each for 10 s. */
static const double two_hosts[] = {1, 0.5, 1, 1, 0.5, 1, 1, 0.25};

static void test_least_of_each_instant(void **state)
{
    struct rc_regression_work work = {.cpu = 16, .stat = RC_REGRESSION_AVGMIN};
    struct rc_predict_future future = {.cpu = lane(two_hosts, 2, 4, 10), .bw = {.constant = 1}};
    struct rc_predict_end end;

    (void)state;
    /* 5 + 5 by 20 s, and the other 6 with a whole core. */
    rc_predict_follow(&work, 1, &future, &end);
    assert_near(end.seconds, 26, 1e-12);
    assert_near(end.cpu, 16.0 / 26, 1e-12);
    /* Twice 8 is the same. */
    work.cpu = 8;
    assert_near(end_of(&work, 2, &future), 26, 1e-12);
    /* 22.5 by 40 s, and 7.5 at (1 + 0.25) / 2. */
    work.cpu = 30;
    rc_predict_follow(&work, 1, &future, &end);
    assert_near(end.seconds, 52, 1e-12);
    assert_near(end.cpu, 30.0 / 52, 1e-12);
    /* What does not depend on the load takes its time. */
    work = (struct rc_regression_work){.width = {7}, .stat = RC_REGRESSION_AVGMIN};
    assert_near(end_of(&work, 1, &future), 7, 1e-12);
}

static void test_own_pace(void **state)
{
    struct rc_regression_work work = {.cpu = 16, .stat = RC_REGRESSION_MINAVG};
    struct rc_predict_future future = {.cpu = lane(two_hosts, 2, 4, 10), .bw = {.constant = 1}};
    struct rc_predict_end end;

    (void)state;
    /* Both have 15 by 20 s. */
    assert_near(end_of(&work, 1, &future), 21, 1e-9);
    /* The first has 26 by 31 s; the second 25 by 30 s, and then a quarter of a core. */
    work.cpu = 26;
    rc_predict_follow(&work, 1, &future, &end);
    assert_near(end.seconds, 34, 1e-9);
    assert_near(end.cpu, 26.0 / 34, 1e-9);
    /* The second has 27.5 by 40 s, and then (1 + 0.25) / 2. */
    work.cpu = 30;
    assert_near(end_of(&work, 1, &future), 44, 1e-9);
}

static void test_cpu_and_bandwidth(void **state)
{
    static const double cpu[] = {0.5, 1}, bw[] = {10, 20};
    struct rc_regression_work work = {.cpu = 10, .stat = RC_REGRESSION_AVGMIN};
    struct rc_predict_future future = {.cpu = lane(cpu, 1, 2, 15), .bw = {.constant = 10}};
    double more[2];

    (void)state;
    work.width[function_named("bw", rc_regression_width_name, RC_REGRESSION_WIDTHS)] = 100;
    /* 15 s of 20 + 10, then half of 10 + 10; beyond 30 s nothing is left. */
    assert_near(end_of(&work, 1, &future), 25, 1e-12);
    /* With twice the bandwidth from 20 s on: a quarter of 10 + 5 is left then. */
    future.bw = lane(bw, 1, 2, 20);
    assert_near(end_of(&work, 1, &future), 23.75, 1e-12);
    /* T = 10 T / (T - 7.5) + 100 T / (20 T - 200), so T^2 - 32.5 T + 212.5 = 0. */
    future.cpu.scratch = more;
    work.stat = RC_REGRESSION_MINAVG;
    assert_near(end_of(&work, 1, &future), (32.5 + sqrt(206.25)) / 2, 1e-9);
}

/* A phase begins where the one before it ended. */
static void test_later_begin(void **state)
{
    struct rc_regression_work work = {.cpu = 6, .stat = RC_REGRESSION_AVGMIN};
    struct rc_predict_future future = {.cpu = lane(two_hosts, 2, 4, 10),
                                       .bw = {.constant = 1},
                                       .begin = 15};
    struct rc_predict_end end;

    (void)state;
    /* 5 s of a half, and the other 3.5 with a whole core. */
    rc_predict_follow(&work, 1, &future, &end);
    assert_near(end.seconds, 8.5, 1e-12);
    assert_near(end.cpu, 6 / 8.5, 1e-12);
    /* The second has 2.5 by 20 s, and is the slower one. */
    work.stat = RC_REGRESSION_MINAVG;
    future.cpu.values = (const double[]){1, 1, 1, 1, 0.5, 0.5, 1, 0.25};
    rc_predict_follow(&work, 1, &future, &end);
    assert_near(end.seconds, 8.5, 1e-9);
    assert_near(end.cpu, 6 / 8.5, 1e-9);
    /* At the very end of a step, and beyond the last one: (1 + 0.25) / 2 from then on. */
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        work = (struct rc_regression_work){.cpu = 5, .stat = (enum rc_regression_stat)stat};
        future.begin = 20;
        assert_near(end_of(&work, 1, &future), 5, 1e-9);
        future.begin = 40;
        assert_near(end_of(&work, 1, &future), 8, 1e-9);
        future.begin = 1000;
        assert_near(end_of(&work, 1, &future), 8, 1e-9);
    }
}

static void test_load_that_stays(void **state)
{
    struct rc_regression_work work = {.cpu = 3e7, .stat = RC_REGRESSION_MINAVG};
    struct rc_predict_future future = {.cpu = {.constant = 0.5}, .bw = {.constant = 1}};

    (void)state;
    assert_near(end_of(&work, 1, &future), 6e7, 1e-3);
    future.cpu.constant = 0; /* as little as there is */
    assert_near(end_of(&work, 1, &future), 3e10, 1);
}

static void test_never(void **state)
{
    static const double none[] = {5, 0, 0, 0};
    struct rc_regression_work work = {.cpu = 1};
    struct rc_predict_future future = {.cpu = {.constant = 1}, .bw = lane(none, 1, 4, 1)};

    (void)state;
    work.width[function_named("bw", rc_regression_width_name, RC_REGRESSION_WIDTHS)] = 100;
    for (work.stat = 0; work.stat < RC_REGRESSION_STATS; work.stat++) {
        struct rc_predict_end end;

        rc_predict_follow(&work, 1, &future, &end);
        /* By averages, 5 in 1 s are never 100. */
        assert_true(isinf(end.seconds) && isnan(end.cpu));
    }
}

/* ---- summaries ---- */

static void test_summary(void **state)
{
    enum { N = 501 };
    struct rc_random *random = rc_random_create(5, 0);
    struct rc_predict_summary summary;
    double draws[N], few[] = {4, 1, 3, 2}, one = 7;

    (void)state;
    rc_predict_summarise(few, 4, &summary);
    assert_same(summary.predicted, 2); /* half of the draws do not exceed it */
    assert_same(summary.mean, 2.5);
    rc_predict_summarise(&one, 1, &summary);
    assert_same(summary.predicted, 7);
    for (size_t i = 0; i < N; i++)
        draws[i] = exp(rc_random_normal(random, 3, 0.8));
    rc_predict_summarise(draws, N, &summary);
    assert_same(summary.predicted, draws[250]);
    assert_near(log(summary.predicted), 3, 0.1);
    assert_near(log(summary.mean), 3 + 0.32, 0.1);
    assert_same(summary.lo90, draws[25]); /* 26 of 501 are 5.2 %, 25 are 4.99 % */
    assert_same(summary.hi90, draws[475]);
    rc_random_destroy(random);
}

/* ---- under a load that is known ---- */

static void test_at_load(void **state)
{
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_AVGMIN, 0);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_predict_load load = {.cpu = {0.9, 0.5}, .bw = {NAN, NAN}};
    struct rc_predict_summary summary;
    double draws[20];

    (void)state;
    rc_predict_load_complete(model, &load);
    assert_same(load.bw[RC_REGRESSION_AVGMIN], 1e4);
    rc_predict_at_load(model, &hand_made_question, &load, random, draws, 20, &summary);
    /* 2e-6 * 2000^2 / (4 * 0.5) + 30 * 2000 * 2 / 1e4 = 4 + 12 */
    assert_near(summary.predicted, 16, 1e-12);
    assert_near(summary.lo90, 16, 1e-12);
    assert_near(summary.hi90, 16, 1e-12);
    assert_same(summary.cpu, 0.5);
    load = (struct rc_predict_load){.cpu = {0.25, NAN}, .bw = {NAN, 2e4}};
    rc_predict_load_complete(model, &load);
    assert_same(load.cpu[RC_REGRESSION_AVGMIN], 0.25);
    assert_same(load.bw[RC_REGRESSION_MINAVG], 2e4);
    load = (struct rc_predict_load){.cpu = {NAN, NAN}, .bw = {NAN, NAN}};
    rc_predict_load_complete(model, &load);
    rc_predict_at_load(model, &hand_made_question, &load, random, draws, 20, &summary);
    assert_near(summary.predicted, 2 + 12, 1e-12);
    rc_random_destroy(random);
    rc_regression_model_destroy(model);
}

static void test_spread(void **state)
{
    enum { N = 4000 };
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_AVGMIN, 0.1);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_regression_question far = hand_made_question;
    struct rc_predict_load load = {.cpu = {1, 1}, .bw = {1e4, 1e4}};
    struct rc_predict_summary near_by, far_off;
    double draws[N];

    (void)state;
    rc_predict_at_load(model, &hand_made_question, &load, random, draws, N, &near_by);
    /* exp(+-1.645 * 0.1) about 14 */
    assert_near(near_by.lo90, 14 * exp(-0.1645), 0.2);
    assert_near(near_by.hi90, 14 * exp(0.1645), 0.25);
    far.p = 64;
    rc_predict_at_load(model, &far, &load, random, draws, N, &far_off);
    assert_true(far_off.hi90 / far_off.lo90 > 1.2 * near_by.hi90 / near_by.lo90);
    /* By the paper the one number is what the formula gives. */
    model->criterion = RC_REGRESSION_PAPER;
    rc_predict_at_load(model, &hand_made_question, &load, random, draws, N, &near_by);
    assert_near(near_by.predicted, 14, 1e-12);
    rc_random_destroy(random);
    rc_regression_model_destroy(model);
}

/* ---- under the load to come ---- */

static char directory[] = "/tmp/runcast-predict-XXXXXX";
static char path[100];
static struct rc_db *store;
static const double now = 1.8e9;

static int make_store(void **state)
{
    struct rc_error error;

    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/store.db", directory);
    store = rc_db_open(path, RC_DB_CREATE, NULL, &error);
    return store ? 0 : -1;
}

static int remove_store(void **state)
{
    char command[100];

    (void)state;
    rc_db_close(store);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

/* Samples every 10 s up to `until`: `low` and `high`, each for so many samples. */
static void measure(const char *host, const char *peer, const char *metric, size_t n, double until,
                    double low, double high, size_t each)
{
    struct rc_series_key key = {host, peer, metric};
    struct rc_sample *samples = calloc(n, sizeof *samples);
    struct rc_error error;
    uint64_t added;

    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] =
            (struct rc_sample){until - 10 * (double)(n - 1 - i), i / each % 2 ? high : low};
    if (rc_db_series_add(store, &key, samples, n, 0, &added, &error))
        fail_msg("%s", error.text);
    free(samples);
}

static void ask(const struct rc_regression_model *model, const char *const *hosts, size_t n_hosts,
                struct rc_predict_host_forecast_facts *facts, struct rc_predict_summary *summary)
{
    enum { N = 200 };
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_predict_load otherwise = {.cpu = {NAN, NAN}, .bw = {NAN, NAN}};
    struct rc_error error;
    struct rc_host_forecast *forecast =
        rc_predict_host_forecast_create(store, hosts, n_hosts, now, &error);
    double draws[N];

    assert_non_null(forecast);
    rc_predict_load_complete(model, &otherwise);
    if (rc_predict_ahead(model, &hand_made_question, forecast, &otherwise, random, draws, N,
                         summary, &error))
        fail_msg("%s", error.text);
    rc_predict_host_forecast_facts(forecast, facts);
    rc_predict_host_forecast_destroy(forecast);
    rc_random_destroy(random);
}

static void test_host_forecast(void **state)
{
    const char *const hosts[] = {"a1", "a2"}, *const other[] = {"a1", "b1"}, *const few[] = {"c1"};
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_AVGMIN, 0);
    struct rc_predict_summary summary;
    struct rc_predict_host_forecast_facts facts;

    (void)state;
    measure("a1", "", "cpu", 300, now - 5, 0.5, 0.5, 1);
    measure("a2", "", "cpu", 300, now - 5, 0.25, 0.25, 1);
    measure("a1", "a2", "bandwidth", 300, now, 2e4, 2e4, 1);
    measure("a1", "b1", "bandwidth", 300, now, 1, 1, 1); /* not between these two */
    measure("a1", "", "memory", 300, now, 1, 1, 1);
    ask(model, hosts, 2, &facts, &summary);
    assert_int_equal(facts.cpu_series, 2);
    assert_int_equal(facts.bw_series, 1);
    assert_null(facts.missing);
    assert_same(facts.newest, now - 5);
    /* 2 / 0.25 + 120000 / 20000 */
    assert_near(summary.predicted, 14, 1e-6);
    assert_near(summary.lo90, 14, 1e-6);
    assert_near(summary.cpu, 0.25, 1e-9);
    assert_near(summary.bw, 2e4, 1e-3);
    /* A host that nobody watched, or not lately. */
    measure("b1", "", "cpu", 300, now - 1e6, 0.1, 0.1, 1);
    ask(model, other, 2, &facts, &summary);
    assert_int_equal(facts.cpu_series, 1);
    assert_int_equal(facts.n_missing, 1);
    assert_near(summary.cpu, 0.5, 1e-9); /* it is taken for idle */
    /* Three samples tell what is, but not what may come. */
    measure("c1", "", "cpu", 3, now, 0.5, 0.5, 1);
    ask(model, few, 1, &facts, &summary);
    assert_true(facts.steady);
    assert_near(summary.predicted, 4 + 12, 1e-9); /* of the bandwidth, nothing is known */
    rc_regression_model_destroy(model);
}

/* ---- scenarios ---- */

enum { PAST = 2000, AHEAD = 30 };

/* Levels of 0.2 and 1 for 20 values each; or, where `wavers`, a wave. */
static void make_past(double *values, size_t phase, bool wavers)
{
    for (size_t i = 0; i < PAST; i++)
        values[i] = wavers                 ? 0.6 + 0.3 * sin((double)(i + phase) * 0.1)
                    : (i + phase) / 20 % 2 ? 1
                                           : 0.2;
}

static struct rc_forecast_set past_set(double *values, size_t n_series)
{
    return (struct rc_forecast_set){
        .values = values, .n_series = n_series, .n = PAST, .step = 10, .horizon = AHEAD};
}

/* A level that always lasts for 20 values: when it ends is known. */
static void test_steps(void **state)
{
    static double values[2 * PAST], paths[2 * AHEAD];
    struct rc_forecast_set set = past_set(values, 2);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_error error;
    struct rc_scenarios *scenarios;

    (void)state;
    make_past(values, 5, false);         /* ends with the 5th value of a level ... */
    make_past(values + PAST, 12, false); /* ... and this one with the 12th */
    scenarios = rc_forecast_scenarios_create(&set, &error);
    assert_non_null(scenarios);
    assert_int_equal(rc_forecast_scenarios_horizon(scenarios), AHEAD);
    for (int draw = 0; draw < 20; draw++) {
        rc_forecast_scenarios_draw(scenarios, random, paths);
        for (size_t j = 0; j < AHEAD; j++) {
            assert_same(paths[j], (PAST + 5 + j) / 20 % 2 ? 1 : 0.2);
            assert_same(paths[AHEAD + j], (PAST + 12 + j) / 20 % 2 ? 1 : 0.2);
        }
    }
    rc_forecast_scenarios_destroy(scenarios);
    rc_random_destroy(random);
}

/* What wavers goes on as it did; what wavers together is drawn together. */
static void test_waves(void **state)
{
    static double values[2 * PAST], paths[2 * AHEAD];
    struct rc_forecast_set set = past_set(values, 2);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_error error;
    struct rc_scenarios *scenarios;

    (void)state;
    make_past(values, 0, true);
    make_past(values + PAST, 0, true);
    scenarios = rc_forecast_scenarios_create(&set, &error);
    assert_non_null(scenarios);
    assert_true(rc_forecast_scenarios_together(scenarios));
    for (int draw = 0; draw < 20; draw++) {
        rc_forecast_scenarios_draw(scenarios, random, paths);
        for (size_t j = 0; j < AHEAD; j++) {
            assert_near(paths[j], 0.6 + 0.3 * sin((double)(PAST + j) * 0.1), 0.1);
            assert_same(paths[j], paths[AHEAD + j]);
        }
    }
    rc_forecast_scenarios_destroy(scenarios);
    make_past(values + PAST, 16, true); /* a quarter of a wave later */
    scenarios = rc_forecast_scenarios_create(&set, &error);
    assert_non_null(scenarios);
    assert_false(rc_forecast_scenarios_together(scenarios));
    rc_forecast_scenarios_destroy(scenarios);
    rc_random_destroy(random);
}

static void test_short_past(void **state)
{
    static double values[PAST];
    struct rc_forecast_set set = past_set(values, 1);
    struct rc_error error;
    struct rc_scenarios *scenarios;

    (void)state;
    make_past(values, 0, true);
    set.n = AHEAD + 15;
    assert_null(rc_forecast_scenarios_create(&set, &error));
    set.n = AHEAD;
    assert_null(rc_forecast_scenarios_create(&set, &error));
    set.n = AHEAD + 16;
    scenarios = rc_forecast_scenarios_create(&set, &error);
    assert_non_null(scenarios);
    rc_forecast_scenarios_destroy(scenarios);
    set.n = PAST; /* gaps, so that no moment has all that comes after it */
    for (size_t i = 0; i < PAST; i += 10)
        values[i] = NAN;
    assert_null(rc_forecast_scenarios_create(&set, &error));
}

/* The run is longer than a mode of the load: what is done in one is not done again in the next. */
static void test_horizon(void **state)
{
    const char *const host[] = {"d1"};
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_AVGMIN, 0);
    struct rc_predict_summary summary;
    struct rc_predict_host_forecast_facts facts;

    (void)state;
    measure("d1", "", "cpu", 3000, now, 0.2, 1, 5);
    model->members[0].coefficients[0] = 2e-3; /* 2000 s with a whole core */
    model->members[0].coefficients[1] = 0;
    ask(model, host, 1, &facts, &summary);
    assert_true(facts.seconds >= 2000 / 0.6);
    assert_near(summary.predicted, 2000 / 0.6, 0.05 * 2000 / 0.6);
    assert_true(summary.hi90 < 1.15 * summary.lo90);
    rc_regression_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_of_each_instant),
        cmocka_unit_test(test_own_pace),
        cmocka_unit_test(test_cpu_and_bandwidth),
        cmocka_unit_test(test_later_begin),
        cmocka_unit_test(test_load_that_stays),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_at_load),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_short_past),
        cmocka_unit_test(test_host_forecast),
        cmocka_unit_test(test_horizon),
    };

    return cmocka_run_group_tests(tests, make_store, remove_store);
}
