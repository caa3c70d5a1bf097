/* Models against runs: errors, ranking, coverage, and which task to look at first. */
#include "structure_store.h"

#include "db/series.h"
#include "model/structural/accuracy.h"

/* ---- runs and comparisons ---- */

static int64_t add_run(struct rc_run run)
{
    struct rc_error error = {.text = ""};
    struct rc_run whole;
    int64_t id;

    rc_db_run_init(&whole);
    whole.app = "app";
    whole.n = run.n;
    whole.p = run.p ? run.p : 1;
    whole.seconds = run.seconds;
    whole.hosts = run.hosts ? run.hosts : "";
    whole.platform = run.platform ? run.platform : "";
    whole.start = run.start > 0 ? run.start : NAN;
    whole.status = run.status;
    whole.params = run.params;
    whole.n_params = run.n_params;
    whole.times = run.times;
    whole.n_times = run.n_times;
    if (rc_db_run_add(store, &whole, &id, &error))
        fail_msg("%s", error.text);
    return id;
}
#define RUN(...) add_run((struct rc_run){__VA_ARGS__})

/* The names of the tasks live in the model, which is kept until the next comparison. */
static struct rc_model *compared;

static struct rc_accuracy compare(const char *text, const struct asked *asked, bool hindsight)
{
    struct rc_value_rules rules;
    struct rc_accuracy_options options = {
        .as = -1, .level = 0.9, .tolerance = 0.1, .rules = &rules, .hindsight = hindsight};
    struct rc_run_filter filter;
    struct rc_accuracy accuracy;
    struct rc_error error = {.text = ""};

    rc_structural_model_destroy(compared);
    compared = parse_model(text);
    options.setting = setting_of(compared, asked);
    options.setting.db = store;
    rc_value_rules_init(&rules);
    rules.draws = 2000;
    rules.random = random_numbers;
    rc_db_run_filter_init(&filter);
    if (rc_structural_accuracy_find(compared, store, &filter, &options, NULL, &accuracy, &error))
        fail_msg("%s", error.text);
    return accuracy;
}

static const char *first_of(const struct rc_accuracy *accuracy)
{
    return accuracy->look_first < 0 ? "" : accuracy->tasks[accuracy->look_first].name;
}

static const struct rc_accuracy_task *task_of(const struct rc_accuracy *accuracy, const char *name)
{
    for (size_t i = 0; i < accuracy->n_tasks; i++)
        if (strcmp(accuracy->tasks[i].name, name) == 0)
            return &accuracy->tasks[i];
    fail_msg("no task %s", name);
    return NULL;
}

/* A of N/P and B of N^2/100 seconds: 11 s at N = 10, 24 s at N = 20, on one process. */
#define AB                                                                                         \
    "model app\ninput N from size\ninput P from processes\ncomponent A by w = N / P\n"             \
    "component B by w = N * N / 100\ntotal t = A + B\n"

/* ---- errors ---- */

static void errors_are_told_for_each_size(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 20, .seconds = 24);
    RUN(.n = 10, .seconds = 10);   /* 10 % */
    RUN(.n = 10, .seconds = 12.5); /* 12 % */
    accuracy = compare(AB, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 3);
    assert_int_equal(accuracy.n_skipped, 0);
    assert_int_equal(accuracy.n_sizes, 2);
    assert_same(accuracy.sizes[0].size, 10);
    assert_int_equal(accuracy.sizes[0].runs, 2);
    assert_near(accuracy.sizes[0].actual, 11.25, 1e-12);
    assert_near(accuracy.sizes[0].predicted, 11, 1e-12);
    assert_near(accuracy.sizes[0].error, 0.11, 1e-12);
    assert_near(accuracy.sizes[0].bias, (0.1 - 0.12) / 2, 1e-12);
    assert_false(accuracy.sizes[0].valid);
    assert_same(accuracy.sizes[1].size, 20);
    assert_near(accuracy.sizes[1].error, 0, 1e-12);
    assert_true(accuracy.sizes[1].valid);
    assert_near(accuracy.error, 0.22 / 3, 1e-12);
    assert_near(accuracy.worst, 0.12, 1e-12);
    assert_near(accuracy.root, sqrt((0.01 + 0.0144) / 3), 1e-12);
    assert_false(accuracy.has_spread);
    assert_near(task_of(&accuracy, "A")->share, (2 * 10 / 11.0 + 20 / 24.0) / 3, 1e-12);
    assert_near(task_of(&accuracy, "B")->share, (2 * 1 / 11.0 + 4 / 24.0) / 3, 1e-12);
    rc_structural_accuracy_free(&accuracy);
    rc_structural_accuracy_free(&accuracy);
}

static void runs_bring_size_processes_and_hosts(void **state)
{
    const char text[] = AB "input x[h] = table\n  a1 100\n  a2 1000\n  b1 10000\n"
                           "total u = N + P / 10 + sum(h in hosts: x[h])\nuse total u\n";
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .p = 5, .hosts = "a[1-2]", .seconds = 1);
    accuracy = compare(text, NOTHING, false);
    assert_near(accuracy.runs[0].predicted, 1110.5, 1e-9);
    assert_same(accuracy.runs[0].processes, 5);
    assert_string_equal(accuracy.runs[0].hosts, "a[1-2]");
    rc_structural_accuracy_free(&accuracy);
    accuracy = compare(text, ASK(.hosts = {"b1"}), false); /* as if it had run there */
    assert_near(accuracy.runs[0].predicted, 10010.5, 1e-9);
    rc_structural_accuracy_free(&accuracy);
}

static void runs_that_cannot_be_told_are_counted(void **state)
{
    const char text[] = "model app\ninput N from size\ninput x[h] = table\n  a1 1\n"
                        "total t = N * max(h in hosts: x[h])\n";
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .hosts = "zz", .seconds = 10);
    RUN(.n = 10, .hosts = "a1", .seconds = 10);
    RUN(.n = 10, .hosts = "yy", .seconds = 10);
    RUN(.n = 10, .hosts = "no hosts[", .seconds = 10);
    RUN(.n = 10, .seconds = 10);
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 1);
    assert_int_equal(accuracy.n_skipped, 4);
    if (!strstr(accuracy.skipped.text, "zz") || !advises(&accuracy.skipped, "structural.set "))
        fail_msg("%s", accuracy.skipped.text);
    assert_near(accuracy.error, 0, 1e-12);
    rc_structural_accuracy_free(&accuracy);
    accuracy = compare("model app\ninput y\ntotal t = y\n", NOTHING, false);
    assert_int_equal(accuracy.n_runs, 0);
    assert_int_equal(accuracy.n_skipped, 5);
    assert_int_equal(accuracy.look_first, -1);
    rc_structural_accuracy_free(&accuracy);
}

static void failed_runs_are_left_out(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .seconds = 11);
    RUN(.n = 10, .seconds = 1, .status = RC_RUN_FAILED);
    RUN(.n = 10, .seconds = 2, .status = RC_RUN_INTERRUPTED);
    accuracy = compare(AB, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 1);
    assert_near(accuracy.error, 0, 1e-12);
    rc_structural_accuracy_free(&accuracy);
}

static void parameters_of_runs_are_inputs(void **state)
{
    static const struct rc_param params[] = {{"iterations", 5}, {"seed", 77}, {"d", 4}};
    const char text[] = "model app\ninput N from size\ninput iterations = 1\ndefine d = 3\n"
                        "total t = N * iterations * d\n";
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .seconds = 150, .params = params, .n_params = 3);
    accuracy = compare(text, NOTHING, false);
    assert_near(accuracy.runs[0].predicted, 150, 1e-9);
    rc_structural_accuracy_free(&accuracy);
    accuracy = compare(text, ASK(.set = {"iterations=2"}), false);
    assert_near(accuracy.runs[0].predicted, 60, 1e-9); /* what the user sets wins */
    rc_structural_accuracy_free(&accuracy);
}

static void runs_bring_their_platform(void **state)
{
    const char text[] = AB "input f = 1\ntotal u = f * N\nuse total u\n"
                           "on p\ninput f = 2\non q\ninput f = 3\n";
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .platform = "p", .seconds = 20);
    RUN(.n = 20, .platform = "q", .seconds = 60);
    RUN(.n = 30, .platform = "elsewhere", .seconds = 30);
    RUN(.n = 40, .seconds = 40);
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 4);
    assert_near(accuracy.error, 0, 1e-12);
    rc_structural_accuracy_free(&accuracy);
    accuracy = compare(text, ASK(.on = "q"), false); /* what the user chooses wins */
    assert_near(accuracy.runs[0].predicted, 30, 1e-12);
    assert_near(accuracy.runs[3].predicted, 120, 1e-12);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- series ---- */

#define START 2000000.0

/* The host is idle until the run starts, then half busy for a minute, and idle again. */
static void series_are_from_before_the_run_unless_in_hindsight(void **state)
{
    const struct rc_series_key key = {"a1", "", "cpu"};
    const char text[] = "model app\ninput N from size\ninput cpu[h] from series cpu last 1min\n"
                        "total t = max(h in hosts: N / cpu[h])\n";
    struct rc_sample samples[60];
    struct rc_accuracy accuracy;

    (void)state;
    for (int i = 0; i < 60; i++) {
        samples[i].t = START - 149 + 5 * i;
        samples[i].value = i >= 30 && i < 42 ? 0.5 : 1; /* i = 30 is one second after the start */
    }
    assert_int_equal(rc_db_series_add(store, &key, samples, 60, 0, NULL, NULL), 0);
    RUN(.n = 20, .hosts = "a1", .start = START, .seconds = 40);
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 1);
    assert_near(accuracy.runs[0].predicted, 20, 1e-9);
    assert_true(accuracy.has_spread);
    rc_structural_accuracy_free(&accuracy);
    accuracy = compare(text, NOTHING, true);
    assert_near(accuracy.runs[0].predicted, 40, 1); /* but for the first second */
    assert_near(accuracy.error, 0, 0.03);
    rc_structural_accuracy_free(&accuracy);
}

/* Of a run whose start is not known, nor is the load that it met. */
static void runs_without_a_start_meet_no_series(void **state)
{
    static const struct rc_sample samples[] = {{999990, 0.25}, {1000000, 0.25}};
    const struct rc_series_key key = {"a1", "", "cpu"};
    struct rc_accuracy accuracy;

    (void)state;
    assert_int_equal(rc_db_series_add(store, &key, samples, 2, 0, NULL, NULL), 0);
    RUN(.n = 20, .hosts = "a1", .seconds = 20);
    accuracy = compare("model app\ninput N from size\ninput cpu[h] from series cpu\n"
                       "total t = max(h in hosts: N / cpu[h])\n",
                       ASK(.now = 1000000), false);
    assert_int_equal(accuracy.n_runs, 0);
    assert_int_equal(accuracy.n_skipped, 1);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- coverage ---- */

static void coverage_counts_runs_inside_their_interval(void **state)
{
    const char text[] = "model app\ninput N from size\ninput c = normal(1, 0.1)\ntotal t = N * c\n";
    struct rc_accuracy accuracy;

    (void)state;
    /* 90 % of a normal are within 1.645 sd: 8.355 to 11.645 at N = 10, 83.55 to 116.45 at 100 */
    RUN(.n = 10, .seconds = 11.64);
    RUN(.n = 10, .seconds = 11.65);
    RUN(.n = 10, .seconds = 8.36);
    RUN(.n = 100, .seconds = 83.5);
    accuracy = compare(text, NOTHING, false);
    assert_true(accuracy.has_spread);
    assert_int_equal(accuracy.covered, 2);
    assert_int_equal(accuracy.sizes[0].covered, 2);
    assert_int_equal(accuracy.sizes[1].covered, 0);
    assert_near(accuracy.runs[0].low, 10 - 1.6448536, 1e-6);
    assert_near(accuracy.runs[0].high, 10 + 1.6448536, 1e-6);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- ranking ---- */

static const char ranking[] = "model app\ninput N from size\ninput x[h] = table\n  a1 1\n  a2 2\n"
                              "  a3 3\n  a4 3\ntotal t = N * max(h in hosts: x[h])\n";

static void choices_are_ranked_within_a_size(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .hosts = "a1", .seconds = 10);
    RUN(.n = 10, .hosts = "a2", .seconds = 40); /* 35 on average: slower than a3 */
    RUN(.n = 10, .hosts = "a2", .seconds = 30);
    RUN(.n = 10, .hosts = "a3", .seconds = 30);
    RUN(.n = 20, .hosts = "a1", .seconds = 1);
    accuracy = compare(ranking, NOTHING, false);
    assert_int_equal(accuracy.pairs, 3); /* a1-a2, a1-a3, a2-a3 */
    assert_int_equal(accuracy.ranked, 2);
    assert_false(accuracy.over_sizes);
    rc_structural_accuracy_free(&accuracy);
}

static void equal_predictions_rank_nothing(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .hosts = "a3", .seconds = 30);
    RUN(.n = 10, .hosts = "a4", .seconds = 31);
    RUN(.n = 20, .hosts = "a3", .seconds = 61);
    RUN(.n = 20, .hosts = "a4", .seconds = 60);
    RUN(.n = 30, .hosts = "a3", .seconds = 90);
    RUN(.n = 30, .hosts = "a4", .seconds = 90); /* nor do equal runs */
    accuracy = compare(ranking, NOTHING, false);
    assert_int_equal(accuracy.pairs, 2);
    assert_int_equal(accuracy.ranked, 0);
    rc_structural_accuracy_free(&accuracy);
}

static void without_choices_sizes_are_ranked(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .hosts = "a1", .seconds = 10);
    RUN(.n = 20, .hosts = "a1", .seconds = 30);
    RUN(.n = 30, .hosts = "a1", .seconds = 20);
    accuracy = compare(ranking, NOTHING, false);
    assert_true(accuracy.over_sizes);
    assert_int_equal(accuracy.pairs, 3);
    assert_int_equal(accuracy.ranked, 2);
    rc_structural_accuracy_free(&accuracy);
}

/* Runs without hosts on two platforms are two choices. */
static void platforms_are_choices(void **state)
{
    const char text[] = "model app\ninput N from size\ninput f = 1\ntotal t = f * N\n"
                        "on p\ninput f = 2\non q\ninput f = 3\n";
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .platform = "p", .seconds = 20);
    RUN(.n = 10, .platform = "q", .seconds = 30);
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.pairs, 1);
    assert_int_equal(accuracy.ranked, 1);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- which task to look at first ---- */

/* Runs in which A and B take so many times what the model says. */
static void add_slow_runs(double a, double b)
{
    for (int i = 1; i <= 12; i++) {
        int p = 1 << i % 3;
        double n = 10 * i;

        RUN(.n = n, .p = p, .seconds = a * n / p + b * n * n / 100);
    }
}

static void assert_first(const char *name, double factor, double remaining)
{
    struct rc_accuracy accuracy = compare(AB, NOTHING, false);

    assert_string_equal(first_of(&accuracy), name);
    assert_near(task_of(&accuracy, name)->factor, factor, 1e-9);
    assert_near(task_of(&accuracy, name)->remaining, remaining, 1e-9);
    rc_structural_accuracy_free(&accuracy);
}

static void the_task_that_is_slower_is_found(void **state)
{
    (void)state;
    add_slow_runs(3, 1);
    assert_first("A", 3, 0);
}

static void the_task_that_is_faster_is_found(void **state)
{
    (void)state;
    add_slow_runs(1, 0.25);
    assert_first("B", 0.25, 0);
}

static void a_task_that_takes_no_time_is_found(void **state)
{
    (void)state;
    add_slow_runs(0, 1);
    assert_first("A", 0, 0);
}

static void a_task_among_others_and_noise_is_found(void **state)
{
    const char text[] = "model app\ninput N from size\ninput P from processes\ninput x[h] = table\n"
                        "  a1 1\n  a2 2\ncomponent Comp[h] by w = N * N / P * x[h] / 10\n"
                        "component Comm[h] by w = N\ncomponent Setup by w = 20\n"
                        "total t = Setup + max(h in hosts: Comp[h] + Comm[h])\n";
    struct rc_accuracy accuracy;

    (void)state;
    for (int i = 1; i <= 30; i++) {
        double n = 5 * i, noise = i % 2 ? 1.01 : 0.99, slowest = i % 3 ? 2 : 1;

        RUN(.n = n, .p = 2, .hosts = i % 3 ? "a[1-2]" : "a1",
            .seconds = noise * (20 + n * n / 2 * slowest / 10 + 4 * n));
    }
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.n_tasks, 3);
    assert_string_equal(first_of(&accuracy), "Comm");
    assert_near(task_of(&accuracy, "Comm")->factor, 4, 0.1);
    assert_near(task_of(&accuracy, "Comm")->remaining, 0.01, 0.001);
    assert_true(task_of(&accuracy, "Setup")->remaining > 0.1);
    rc_structural_accuracy_free(&accuracy);
}

static void where_no_task_helps_none_is_named(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    add_slow_runs(1, 1);
    accuracy = compare(AB, NOTHING, false); /* all is well */
    assert_string_equal(first_of(&accuracy), "");
    rc_structural_accuracy_free(&accuracy);
    for (int i = 1; i <= 12; i++) /* too slow and too fast in turn */
        RUN(.n = 10 * i, .seconds = (i % 2 ? 2 : 0.5) * (10 * i + i * i));
    accuracy = compare(AB, NOTHING, false);
    assert_true(accuracy.root > 0.3);
    assert_string_equal(first_of(&accuracy), "");
    rc_structural_accuracy_free(&accuracy);
}

static void tasks_that_are_left_out_are_not_judged(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .seconds = 10);
    accuracy = compare(AB "profile\n  B 1%\nomit below 2%\n", NOTHING, false);
    assert_int_equal(accuracy.n_tasks, 1);
    assert_string_equal(accuracy.tasks[0].name, "A");
    assert_near(accuracy.error, 0, 1e-12);
    rc_structural_accuracy_free(&accuracy);
}

/* A task counts also where the first of the runs was on a platform that does not know it. */
static void tasks_of_later_platforms_are_judged(void **state)
{
    const char text[] = "model app\ninput N from size\ninput y\ncomponent A by w = N\n"
                        "component B by w = y * N\ntotal t = A\non p\non q\ninput y = 1\n"
                        "total t = A + B\n";
    struct rc_accuracy accuracy;

    (void)state;
    for (int i = 1; i <= 8; i++) {
        RUN(.n = i, .platform = "p", .seconds = i);
        RUN(.n = i, .platform = "q", .seconds = i + 5 * i);
    }
    accuracy = compare(text, NOTHING, false);
    assert_int_equal(accuracy.n_runs, 16);
    assert_string_equal(first_of(&accuracy), "B");
    assert_near(task_of(&accuracy, "B")->factor, 5, 1e-9);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- phases ---- */

static void phases_are_compared_with_tasks(void **state)
{
    /* the slowest process counts, and no phase of another name */
    static const struct rc_run_time first[] = {{"A", 0, 12}, {"A", 1, 30}, {"C", 0, 1}};
    static const struct rc_run_time second[] = {{"A", -1, 20}, {"", 0, 5}};
    struct rc_accuracy accuracy;

    (void)state;
    RUN(.n = 10, .seconds = 31, .times = first, .n_times = 3);
    RUN(.n = 20, .seconds = 24, .times = second, .n_times = 2);
    RUN(.n = 20, .seconds = 24);
    accuracy = compare(AB, NOTHING, false);
    assert_near(task_of(&accuracy, "A")->measured, (3 + 1) / 2.0, 1e-12);
    assert_true(isnan(task_of(&accuracy, "B")->measured));
    assert_string_equal(first_of(&accuracy), "A");
    rc_structural_accuracy_free(&accuracy);
}

/* What was measured goes before what the errors look like. */
static void measured_phases_go_before_fits(void **state)
{
    struct rc_accuracy accuracy;

    (void)state;
    for (int i = 1; i <= 6; i++) {
        double n = 10 * i;
        struct rc_run_time times[] = {{"A", 0, n}, {"B", 0, 3 * n * n / 100}};

        RUN(.n = n, .seconds = 3 * n + n * n / 100, .times = times, .n_times = 2);
    }
    accuracy = compare(AB, NOTHING, false);
    assert_near(task_of(&accuracy, "A")->measured, 1, 1e-12);
    assert_near(task_of(&accuracy, "B")->measured, 3, 1e-12);
    assert_near(task_of(&accuracy, "A")->factor, 3, 1e-9);
    assert_string_equal(first_of(&accuracy), "B");
    rc_structural_accuracy_free(&accuracy);
}

/* The larger task is 10 % off, the smaller one a factor of 2. */
static void the_order_of_tasks_does_not_matter(void **state)
{
    static const char large[] = "component Large by w = 9 * N\n";
    static const char small[] = "component Small by w = N\n";
    struct rc_accuracy accuracy;
    char text[200], first[20];

    (void)state;
    for (int i = 1; i <= 6; i++) {
        struct rc_run_time times[] = {{"Large", 0, 9.9 * i}, {"Small", 0, 2 * i}};

        RUN(.n = i, .seconds = 11.9 * i, .times = times, .n_times = 2);
    }
    snprintf(text, sizeof text, "model app\ninput N from size\n%s%stotal t = Large + Small\n",
             large, small);
    accuracy = compare(text, NOTHING, false);
    snprintf(first, sizeof first, "%s", first_of(&accuracy));
    rc_structural_accuracy_free(&accuracy);
    snprintf(text, sizeof text, "model app\ninput N from size\n%s%stotal t = Large + Small\n",
             small, large);
    accuracy = compare(text, NOTHING, false);
    assert_string_equal(first_of(&accuracy), first);
    rc_structural_accuracy_free(&accuracy);
}

/* ---- stopping ---- */

static int stop_after(void *data)
{
    return --*(int *)data <= 0;
}

static void count_done(void *data, uint64_t done, uint64_t total)
{
    (void)data;
    assert_true(done <= total);
    assert_int_equal(total, 12);
}

static void a_comparison_can_be_stopped(void **state)
{
    int left = 3;
    const struct rc_monitor monitor = {.advance = count_done,
                                       .cancelled = stop_after,
                                       .data = &left};
    struct rc_value_rules rules;
    struct rc_accuracy_options options = {
        .as = -1, .level = 0.9, .tolerance = 0.1, .rules = &rules};
    struct rc_run_filter filter;
    struct rc_accuracy accuracy;
    struct rc_error error = {.text = ""};
    struct rc_model *model = parse_model(AB);

    (void)state;
    add_slow_runs(1, 1);
    rc_structural_model_setting_init(&options.setting);
    rc_value_rules_init(&rules);
    rc_db_run_filter_init(&filter);
    assert_int_equal(rc_structural_accuracy_find(model, store, &filter, &options, &monitor,
                                                 &accuracy, &error),
                     -1);
    assert_non_null(strstr(error.text, "interrupted"));
    assert_int_equal(left, 0);
    rc_structural_accuracy_free(&accuracy);
    left = 100;
    assert_int_equal(rc_structural_accuracy_find(model, store, &filter, &options, &monitor,
                                                 &accuracy, &error),
                     0);
    assert_int_equal(accuracy.n_runs, 12);
    rc_structural_accuracy_free(&accuracy);
    rc_structural_model_destroy(model);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_store, remove_store)
    const struct CMUnitTest tests[] = {
        TEST(errors_are_told_for_each_size),
        TEST(runs_bring_size_processes_and_hosts),
        TEST(runs_that_cannot_be_told_are_counted),
        TEST(failed_runs_are_left_out),
        TEST(parameters_of_runs_are_inputs),
        TEST(runs_bring_their_platform),
        TEST(series_are_from_before_the_run_unless_in_hindsight),
        TEST(runs_without_a_start_meet_no_series),
        TEST(coverage_counts_runs_inside_their_interval),
        TEST(choices_are_ranked_within_a_size),
        TEST(equal_predictions_rank_nothing),
        TEST(without_choices_sizes_are_ranked),
        TEST(platforms_are_choices),
        TEST(the_task_that_is_slower_is_found),
        TEST(the_task_that_is_faster_is_found),
        TEST(a_task_that_takes_no_time_is_found),
        TEST(a_task_among_others_and_noise_is_found),
        TEST(where_no_task_helps_none_is_named),
        TEST(tasks_that_are_left_out_are_not_judged),
        TEST(tasks_of_later_platforms_are_judged),
        TEST(phases_are_compared_with_tasks),
        TEST(measured_phases_go_before_fits),
        TEST(the_order_of_tasks_does_not_matter),
        TEST(a_comparison_can_be_stopped),
    };
    int status = RUN_TESTS(tests);

    rc_structural_model_destroy(compared);
    return status;
}
