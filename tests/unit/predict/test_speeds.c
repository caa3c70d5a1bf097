/* Hosts of several speeds: what runs had of them, models that learn from runs on all of them, and
 * what is foreseen of some. */
#include "own_store.h"

#include "base/random.h"
#include "predict/host_forecast.h"
#include "predict/regression_prediction.h"
#include "predict/regression_source.h"
#include "model/slowdown/calibration.h"

enum { FAST = 8, SLOW = 8, DRAWS = 200 };
static const double begin = 1.7e9;
static struct rc_random *chance;

/* f1 to f8 are twice as fast as s1 to s8. */
static struct rc_regression_speeds two_kinds(double slow)
{
    struct rc_regression_speeds speeds = {.firm = true};
    char name[8];

    for (int i = 0; i < FAST + SLOW; i++) {
        snprintf(name, sizeof name, "%c%d", i < FAST ? 'f' : 's', 1 + i % FAST);
        assert_int_equal(rc_regression_speeds_add(&speeds, name, i < FAST ? 2e9 : slow, NULL), 0);
    }
    rc_regression_speeds_close(&speeds);
    return speeds;
}

/* 2e-5 n^2 / (P cpu speed) + 30 n log2(P) / bw, the speed of f being 1. */
static struct rc_run run_of(char kind, char hosts[16])
{
    static const double sizes[] = {400, 600, 800, 1000, 1200, 1400, 1600};
    struct rc_run run;
    double cpu = 0.3 + 0.7 * rc_random_uniform(chance),
           bw = 5e3 + 1.5e4 * rc_random_uniform(chance);

    rc_db_run_init(&run);
    run.app = "md";
    run.platform = "plat";
    run.hosts = hosts;
    run.n = sizes[rc_random_below(chance, COUNT(sizes))];
    run.p = 1 << rc_random_below(chance, 4);
    run.cpu_minavg = run.cpu_avgmin = cpu;
    run.bw_minavg = run.bw_avgmin = bw;
    run.seconds = 2e-5 * run.n * run.n / ((double)run.p * cpu * (kind == 'f' ? 1 : 0.5)) +
                  30 * run.n * log2((double)run.p) / bw;
    run.seconds *= exp(rc_random_normal(chance, 0, 0.02));
    snprintf(hosts, 16, run.p == 1 ? "%c1" : "%c[1-%d]", kind, (int)run.p);
    return run;
}

static void add_runs(char kind, int n)
{
    char hosts[16];

    for (int i = 0; i < n; i++) {
        struct rc_run run = run_of(kind, hosts);

        run.start = begin + 1000 * i;
        assert_int_equal(rc_db_run_add(store, &run, NULL, NULL), 0);
    }
}

/* The mean error of the model on runs that it has not seen. */
static double error_of(const struct rc_predict_source *source, char kind)
{
    enum { TRIED = 60 };
    double sum = 0;
    char hosts[16];

    for (int i = 0; i < TRIED; i++) {
        struct rc_run run = run_of(kind, hosts);
        struct rc_regression_question asked;
        struct rc_predict_load load;
        struct rc_question question;

        rc_predict_question_init(&question, "md");
        question.size = run.n;
        question.procs = run.p;
        question.params = run.params;
        question.n_params = run.n_params;
        question.given =
            (struct rc_given_load){run.cpu_minavg, run.cpu_avgmin, run.bw_minavg, run.bw_avgmin};
        rc_predict_ask_model(source->model, &question, &asked, &load);
        rc_regression_speeds_scale(&source->hosts.speeds, NULL, &run, load.cpu);
        sum += fabs(
            rc_regression_seconds_at(source->model, &asked, load.cpu, load.bw) / run.seconds - 1);
    }
    return sum / TRIED;
}

static struct rc_predict_source open_with(const struct rc_regression_speeds *speeds)
{
    struct rc_predict_source source;
    struct rc_error error;

    if (rc_predict_source_open(store, "md", "plat", speeds, RC_REGRESSION_DEFAULT, &source, &error))
        fail_msg("%s", error.text);
    return source;
}

static void runs_on_fast_and_slow_hosts_are_learnt_together(void **state)
{
    struct rc_regression_speeds speeds = two_kinds(1e9);
    struct rc_predict_source source;

    (void)state;
    add_runs('f', 40);
    source = open_with(NULL);
    assert_true(error_of(&source, 'f') < 0.04);
    assert_null(source.hosts.apart.host);
    rc_predict_source_free(&source);
    add_runs('s', 45);
    source = open_with(NULL);
    assert_true(error_of(&source, 'f') > 0.15);
    assert_non_null(source.hosts.apart.host);
    assert_true(strchr("fs", source.hosts.apart.host[0]) != NULL);
    assert_true(source.hosts.apart.host[0] == 'f' ? source.hosts.apart.ratio < 0.8
                                                  : source.hosts.apart.ratio > 1.25);
    rc_predict_source_free(&source);
    source = open_with(&speeds);
    assert_true(source.fitted);
    assert_int_equal(source.hosts.speeds.from, RC_WEIGHTS_RUNS);
    assert_true(error_of(&source, 'f') < 0.04);
    assert_true(error_of(&source, 's') < 0.04);
    assert_null(source.hosts.apart.host);
    rc_predict_source_free(&source);
    rc_regression_speeds_free(&speeds);
}

static void keep(struct rc_predict_source *source)
{
    assert_int_equal(
        rc_predict_model_keep(store, "md", "plat", source->model, &source->hosts, NULL, NULL), 0);
    rc_predict_source_free(source);
}

/* What runs are compared by stays with the model, until somebody says something else. */
static void speeds_stay_with_the_model(void **state)
{
    struct rc_regression_speeds speeds = two_kinds(1e9), others = two_kinds(1.5e9),
                                none = {.firm = true}, kept;
    struct rc_predict_source source;

    (void)state;
    add_runs('f', 30);
    add_runs('s', 20);
    source = open_with(&speeds);
    keep(&source);
    source = open_with(NULL);
    assert_false(source.fitted);
    assert_true(rc_regression_speeds_same(&source.hosts.speeds, &speeds));
    assert_near(rc_regression_speeds_weight(&source.hosts.speeds, "f3"), 1, 1e-12); /* most runs' */
    assert_near(rc_regression_speeds_weight(&source.hosts.speeds, "s3"), 0.5, 1e-12);
    assert_same(rc_regression_speeds_weight(&source.hosts.speeds, "elsewhere"), 1);
    rc_predict_source_free(&source);
    add_runs('s', 40); /* now most runs are on slow ones; the model refers to what it did */
    source = open_with(&speeds);
    assert_false(source.fitted);
    assert_int_equal(source.learnt, 40);
    assert_near(rc_regression_speeds_weight(&source.hosts.speeds, "s3"), 0.5, 1e-12);
    assert_true(error_of(&source, 's') < 0.04);
    keep(&source);
    assert_int_equal(rc_predict_speeds_kept(store, "md", "plat", &kept, NULL), 0);
    assert_true(rc_regression_speeds_same(&kept, &speeds));
    rc_regression_speeds_free(&kept);
    source = open_with(&others);
    assert_true(source.fitted);
    rc_predict_source_free(&source);
    source = open_with(&none);
    assert_true(source.fitted);
    assert_int_equal(source.hosts.speeds.n, 0);
    rc_predict_source_free(&source);
    rc_regression_speeds_free(&speeds);
    rc_regression_speeds_free(&others);
}

/* Without a word of load, speeds tell why runs differ. */
static void speeds_alone_tell_where_no_load_is_known(void **state)
{
    struct rc_regression_speeds speeds = two_kinds(1e9);
    struct rc_predict_source source;
    struct rc_regression_question question = {.n = 1000, .p = 4, .bytes = NAN};

    (void)state;
    for (int i = 0; i < 60; i++) {
        char hosts[16];
        struct rc_run run = run_of(i % 2 ? 'f' : 's', hosts);

        run.seconds = 2e-5 * run.n * run.n / ((double)run.p * (i % 2 ? 1 : 0.5));
        run.cpu_minavg = run.cpu_avgmin = run.bw_minavg = run.bw_avgmin = NAN;
        assert_int_equal(rc_db_run_add(store, &run, NULL, NULL), 0);
    }
    source = open_with(&speeds);
    question.pace = rc_regression_speeds_weight(&source.hosts.speeds, "f1");
    assert_near(rc_regression_seconds(source.model, &question, 1, NAN), 5, 0.25);
    question.pace = rc_regression_speeds_weight(&source.hosts.speeds, "s1");
    assert_near(rc_regression_seconds(source.model, &question, 1, NAN), 10, 0.5);
    rc_predict_source_free(&source);
    rc_regression_speeds_free(&speeds);
}

/* ---- what a run had ---- */

static void sample(const char *host, double from, size_t n, double first, double second)
{
    const struct rc_series_key key = {host, "", "cpu"};
    struct rc_sample *samples = calloc(n, sizeof *samples);

    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = (struct rc_sample){from + 10 * (double)i, i < n / 2 ? first : second};
    assert_int_equal(rc_db_series_add(store, &key, samples, n, 0, NULL, NULL), 0);
    free(samples);
}

/* The fast host has 0.4 of its core, then all of it; the slow one 0.9 of its own all the time,
 * which is 0.45 of a fast core: on average that is least, and at each instant 0.4, then 0.45. */
static void the_least_of_speed_times_cpu_counts(void **state)
{
    struct rc_regression_speeds speeds = two_kinds(1e9);
    struct rc_regression_sampled *sampled;
    struct rc_run run;
    double cpu[RC_REGRESSION_STATS];

    (void)state;
    speeds.reference = 2e9;
    sample("f1", begin, 10, 0.4, 1);
    sample("s1", begin, 10, 0.9, 0.9);
    sampled = rc_regression_sampled_create(store, NULL);
    assert_non_null(sampled);
    rc_db_run_init(&run);
    run.hosts = "f1,s1";
    run.start = begin;
    run.seconds = 100;
    run.cpu_minavg = 0.7;
    run.cpu_avgmin = 0.65;
    cpu[RC_REGRESSION_MINAVG] = 0.7, cpu[RC_REGRESSION_AVGMIN] = 0.65;
    assert_true(rc_regression_speeds_scale(&speeds, sampled, &run, cpu));
    assert_near(cpu[RC_REGRESSION_MINAVG], 0.45, 1e-9);
    assert_near(cpu[RC_REGRESSION_AVGMIN], 0.425, 1e-9);
    /* without samples, as though it were one host */
    cpu[RC_REGRESSION_MINAVG] = 0.7, cpu[RC_REGRESSION_AVGMIN] = 0.65;
    assert_true(rc_regression_speeds_scale(&speeds, NULL, &run, cpu));
    assert_near(cpu[RC_REGRESSION_MINAVG], 0.35, 1e-9);
    /* samples that are not those of this run */
    run.cpu_minavg = run.cpu_avgmin = 0.2;
    cpu[RC_REGRESSION_MINAVG] = cpu[RC_REGRESSION_AVGMIN] = 0.2;
    assert_true(rc_regression_speeds_scale(&speeds, sampled, &run, cpu));
    assert_near(cpu[RC_REGRESSION_AVGMIN], 0.1, 1e-9);
    run.hosts = "f1,elsewhere";
    assert_false(rc_regression_speeds_scale(&speeds, sampled, &run, cpu));
    run.hosts = "";
    assert_false(rc_regression_speeds_scale(&speeds, sampled, &run, cpu));
    assert_near(cpu[RC_REGRESSION_AVGMIN], 0.1, 1e-9);
    rc_regression_sampled_destroy(sampled);
    rc_regression_speeds_free(&speeds);
}

/* Samples count where they are there for all of the run, and not before it or for half of it. */
static void samples_are_to_be_of_the_run(void **state)
{
    static const struct {
        double after, seconds, had;
    } cases[] = {{0, 95, 0.4},   {5, 95, 0.4},    {5, 8, 0.4},     {95, 100, 0.2},
                 {50, 100, 0.2}, {-50, 100, 0.2}, {1000, 100, 0.2}};
    struct rc_regression_speeds speeds = two_kinds(1e9);
    struct rc_regression_sampled *sampled;
    struct rc_run run;

    (void)state;
    speeds.reference = 2e9;
    sample("f1", begin, 10, 0.4, 0.4);
    sample("s1", begin, 10, 0.9, 0.9);
    sampled = rc_regression_sampled_create(store, NULL);
    assert_non_null(sampled);
    rc_db_run_init(&run);
    run.hosts = "f1,s1";
    run.cpu_minavg = run.cpu_avgmin = 0.4;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double cpu[RC_REGRESSION_STATS] = {0.4, 0.4};

        run.start = begin + cases[i].after;
        run.seconds = cases[i].seconds;
        assert_true(rc_regression_speeds_scale(&speeds, sampled, &run, cpu));
        assert_near(cpu[RC_REGRESSION_MINAVG], cases[i].had, 1e-9);
        assert_near(cpu[RC_REGRESSION_AVGMIN], cases[i].had, 1e-9);
    }
    rc_regression_sampled_destroy(sampled);
    rc_regression_speeds_free(&speeds);
}

/* Runs without samples had as much more than the least that they can have had as those with
 * samples, and no more than all of the slowest host. */
static void runs_without_samples_had_as_much_as_others_there(void **state)
{
    struct rc_regression_speeds speeds = two_kinds(1e9);
    const struct rc_regression_wanted wanted = {.app = "md", .process = -1, .speeds = &speeds};
    static const double least[] = {0.4, 0.2, 0.9}, had[] = {0.4, 0.2, 0.5};
    struct rc_regression_table table = {0};
    struct rc_run run;

    (void)state;
    speeds.reference = 2e9;
    sample("f1", begin, 10, 0.4, 0.4);
    sample("s1", begin, 10, 0.9, 0.9);
    rc_db_run_init(&run);
    run.app = "md";
    run.hosts = "f1,s1";
    run.n = 100;
    run.p = 2;
    run.seconds = 90;
    for (size_t i = 0; i < COUNT(least); i++) {
        run.start = begin + 1e6 * (double)i;
        run.cpu_minavg = run.cpu_avgmin = least[i];
        assert_int_equal(rc_db_run_add(store, &run, NULL, NULL), 0);
    }
    assert_int_equal(rc_regression_table_load(&table, store, &wanted, NULL), 0);
    assert_int_equal(table.n_runs, COUNT(least));
    for (size_t i = 0; i < COUNT(least); i++)
        assert_near(table.runs[i].cpu[RC_REGRESSION_AVGMIN], had[i], 1e-9);
    rc_regression_table_free(&table);
    rc_regression_speeds_free(&speeds);
}

/* ---- what is foreseen ---- */

static double foreseen(struct rc_run_model *run_model, const char *const *hosts, size_t n)
{
    struct rc_predict_summary summary;
    double draws[DRAWS];
    struct rc_error error;
    struct rc_question question;

    rc_predict_question_init(&question, "md");
    question.size = 1000;
    question.procs = 2;
    question.hosts = hosts;
    question.n_hosts = n;
    question.start = begin + 10000;
    if (rc_predict_run_model_ask(run_model, &question, chance, draws, DRAWS, &summary, &error))
        fail_msg("%s", error.text);
    assert_true(summary.cpu <= 1 + 1e-9);
    return summary.predicted;
}

/* 10 / (cpu speed) and some communication: a fast host with 0.4 of its core is slower than a slow
 * one that is idle, and neither is as slow as a slow one with 0.4 of its core. */
static void a_busy_fast_host_and_an_idle_slow_one_are_no_busy_slow_one(void **state)
{
    static const char *const both[] = {"f1", "s1"}, *const fast[] = {"f1", "f2"},
                             *const slow[] = {"s1", "s2"}, *const unseen[] = {"f2", "s5"};
    struct rc_regression_speeds speeds = two_kinds(1e9);
    struct rc_predict_source source = {0};
    struct rc_run_model run_model;
    struct rc_error error;
    double busy_fast, idle_slow;

    (void)state;
    add_runs('f', 40);
    add_runs('s', 40);
    sample("f1", begin + 7000, 301, 0.4, 0.4);
    sample("f2", begin + 7000, 301, 1, 1);
    sample("s1", begin + 7000, 301, 1, 1);
    sample("s2", begin + 7000, 301, 1, 1);
    if (rc_predict_source_near(store, "md", NULL, &speeds, RC_REGRESSION_DEFAULT, false, &source,
                               &error))
        fail_msg("%s", error.text);
    rc_predict_run_model_init(&run_model, store, &source);
    busy_fast = foreseen(&run_model, fast, 2);
    idle_slow = foreseen(&run_model, slow, 2);
    assert_true(busy_fast > 1.1 * idle_slow);
    assert_near(foreseen(&run_model, both, 2), busy_fast, 0.03 * busy_fast);
    /* of s5 there are no samples: it is idle, and slow all the same */
    assert_near(foreseen(&run_model, unseen, 2), idle_slow, 0.03 * idle_slow);
    rc_predict_run_model_free(&run_model);
    rc_predict_source_free(&source);
    rc_regression_speeds_free(&speeds);
}

/* ---- where speeds are known from ---- */

static void measured_weights_stand_in_for_a_file(void **state)
{
    struct rc_calibration calibration = {0};
    struct rc_slowdown_calibration_host *host;
    struct rc_regression_speeds speeds;

    (void)state;
    for (int i = 0; i < 2; i++) {
        host = rc_slowdown_calibration_add_host(&calibration, i ? "b" : "a", NULL);
        assert_non_null(host);
        host->cores = 1;
        host->seconds = i ? 1 : 3;
    }
    assert_int_equal(rc_slowdown_calibration_weigh(&calibration, NULL), 0);
    assert_int_equal(rc_slowdown_calibration_save(store, "plat", &calibration, NULL), 0);
    assert_int_equal(rc_predict_speeds(store, NULL, "plat", &speeds, NULL), 0);
    assert_int_equal(speeds.n, 2);
    assert_false(speeds.firm);
    assert_near(rc_regression_speeds_weight(&speeds, "b"), 3, 1e-12);
    rc_regression_speeds_free(&speeds);
    assert_int_equal(rc_predict_speeds(store, NULL, "other", &speeds, NULL), 0);
    assert_int_equal(speeds.n, 0);
    host = rc_slowdown_calibration_add_host(&calibration, "b", NULL);
    host->seconds = 2.95; /* as measured times of like hosts may be */
    assert_int_equal(rc_slowdown_calibration_weigh(&calibration, NULL), 0);
    assert_int_equal(rc_slowdown_calibration_save(store, "plat", &calibration, NULL), 0);
    assert_int_equal(rc_predict_speeds(store, NULL, "plat", &speeds, NULL), 0);
    assert_int_equal(speeds.n, 0);
    rc_slowdown_calibration_free(&calibration);
}

/* Nothing of a stored text is believed. */
static void damaged_speeds_are_refused(void **state)
{
    static const char *const bad[] = {
        "{\"from\": \"runs\", \"reference\": 1, \"hosts\": {\"a\": 1, \"b\": -2}}",
        "{\"from\": \"runs\", \"reference\": 0, \"hosts\": {\"a\": 1, \"b\": 2}}",
        "{\"from\": \"runs\", \"reference\": 1, \"hosts\": {\"a\": \"x\", \"b\": 2}}",
        "{\"reference\": 1, \"hosts\": {\"a\": 1, \"b\": 2}}", "[]"};
    struct rc_regression_speeds speeds;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        json_t *object = json_loads(bad[i], 0, NULL);

        assert_non_null(object);
        assert_int_equal(rc_regression_speeds_from_json(object, &speeds, &error), -1);
        assert_string_equal(error.text, "the stored model is damaged");
        json_decref(object);
    }
    assert_int_equal(rc_regression_speeds_from_json(NULL, &speeds, &error), 0);
    assert_int_equal(speeds.n, 0);
}

static int begin_one(void **state)
{
    chance = rc_random_create(7, 0);
    return open_own_store(state);
}

static int end_one(void **state)
{
    rc_random_destroy(chance);
    return remove_own_store(state);
}

#define ONE(test) cmocka_unit_test_setup_teardown(test, begin_one, end_one)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ONE(runs_on_fast_and_slow_hosts_are_learnt_together),
        ONE(speeds_stay_with_the_model),
        ONE(speeds_alone_tell_where_no_load_is_known),
        ONE(the_least_of_speed_times_cpu_counts),
        ONE(samples_are_to_be_of_the_run),
        ONE(runs_without_samples_had_as_much_as_others_there),
        ONE(a_busy_fast_host_and_an_idle_slow_one_are_no_busy_slow_one),
        ONE(measured_weights_stand_in_for_a_file),
        ONE(damaged_speeds_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
