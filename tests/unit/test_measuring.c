/* Which runs measure the inputs of a model, and what follows from runs that were made. */
#include "own_store.h"
#include "structure.h"

#include "structure/measuring.h"

#define HEAD "model m\nhosts a1, a2, a3\ninput N from size\ninput P from processes\n"
#define ADD "input add[h] \"one addition\"\n  measure operation real-add\n"
#define BW "input bw[x, y]\n  measure bandwidth 1000 * 8B\n"
#define START "input start[x]\n  measure startup\n"
#define POINT                                                                                      \
    "input points = 3\ninput point[h]\n  measure run\n  at 2000 /\n     P\n  per N * points\n"     \
    "  less 10 * start[h] + P\n  arguments \"--quick 1\"\n"
#define TOTAL "total t = N\n"

static const struct rc_measuring_options all = {.again = false};

static struct rc_measuring try_plan(const struct rc_model *model, const struct asked *asked,
                                    const struct rc_benchmarks *known,
                                    const struct rc_measuring_options *options,
                                    struct rc_error *error)
{
    static struct rc_model_setting setting; /* outlives the plan */
    struct rc_measuring plan;

    setting = setting_of(model, asked);
    if (rc_measuring_plan(model, &setting, known, options, &plan, error))
        assert_null(plan.jobs);
    return plan;
}

static struct rc_measuring plan_of(const struct rc_model *model, const struct rc_benchmarks *known,
                                   const struct rc_measuring_options *options)
{
    struct rc_error error = {.text = ""};
    struct rc_measuring plan = try_plan(model, NOTHING, known, options, &error);

    if (!plan.binding)
        fail_msg("%s (%s)", error.text, error.hint);
    return plan;
}

/* "a1 o", "a1,a2 b8000 s", "a1 667 point" */
static void assert_job(const struct rc_measuring *plan, size_t at, const char *wanted)
{
    const struct rc_measuring_job *job = &plan->jobs[at];
    char text[200] = "";
    size_t n;
    const struct rc_measuring_wanted *of = rc_measuring_of(plan, at, &n);

    for (size_t i = 0; i < job->n_hosts; i++)
        sprintf(text + strlen(text), "%s%s", i ? "," : "", job->hosts[i]);
    sprintf(text + strlen(text), " %g", job->processes);
    if (job->operations)
        strcat(text, " o");
    if (job->bandwidth)
        sprintf(text + strlen(text), " b%g", job->bytes);
    if (job->startup)
        strcat(text, " s");
    if (job->run)
        sprintf(text + strlen(text), " %g %s", job->size, job->arguments ? job->arguments : "-");
    sprintf(text + strlen(text), " (%zu)", n);
    assert_true(n > 0 && of->job == at);
    assert_string_equal(text, wanted);
}

/* ---- plans ---- */

static void one_run_tells_all_of_a_host_or_a_pair(void **state)
{
    static const char *const wanted[] = {
        "a1 1 o b8000 (2)",      "a2 1 o b8000 (2)",      "a3 1 o b8000 (2)",
        "a1,a2 2 b8000 s (3)",   "a1,a3 2 b8000 s (3)",   "a2,a3 2 b8000 s (3)",
        "a1 1 667 --quick 1 (1)", "a2 1 667 --quick 1 (1)", "a3 1 667 --quick 1 (1)"};
    struct rc_model *model = parse_model(HEAD POINT ADD BW START TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    assert_int_equal(plan.n_inputs, 4);
    assert_int_equal(plan.n_known, 0);
    assert_int_equal(plan.n_jobs, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_job(&plan, i, wanted[i]);
    rc_measuring_free(&plan);
    rc_model_destroy(model);
}

static void like_runs_are_made_once(void **state)
{
    struct rc_model *model = parse_model(
        HEAD "input red[h]\n  measure run\n  at 100\n  per 2\n"
             "input black[h]\n  measure run\n  at 10 * 10\n  per 3\n"
             "input other[h]\n  measure run\n  at 100\n  arguments \"-o\"\n"
             "input whole\n  measure together\n  at 100\n"
             "input each[h]\n  measure together\n  at 100\n" TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    assert_int_equal(plan.n_jobs, 7);
    assert_job(&plan, 0, "a1 1 100 - (2)");
    assert_job(&plan, 3, "a1 1 100 -o (1)");
    assert_job(&plan, 6, "a1,a2,a3 3 100 - (4)");
    rc_measuring_free(&plan);
    rc_model_destroy(model);
}

/* What others rest on comes first, also over definitions and components. */
static void runs_wait_for_what_they_need(void **state)
{
    struct rc_model *model = parse_model(
        HEAD "input a[h]\n  measure run\n  at 10\n  less D\n"
             "define D = sum(h in hosts: T[h])\ncomponent T[h] by w = 2 * b[h]\n"
             "input c[h]\n  measure run\n  at 30\n"
             "input b[h]\n  measure run\n  at 20\n  per c[h]\n" TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    assert_int_equal(plan.n_jobs, 9);
    assert_job(&plan, 0, "a1 1 30 - (1)");
    assert_job(&plan, 3, "a1 1 20 - (1)");
    assert_job(&plan, 6, "a1 1 10 - (1)");
    rc_measuring_free(&plan);
    rc_model_destroy(model);
}

static void what_cannot_be_planned_is_told(void **state)
{
    static const struct {
        const char *text, *only, *says;
    } faults[] = {
        {HEAD "input x[h]\n  measure run\n  at N / P\n" TOTAL, NULL, "N, the problem size"},
        {HEAD "input x[h]\n  measure run\n  at 0.2\n" TOTAL, NULL, "a problem size of 0"},
        {HEAD BW TOTAL, "point", "no input 'point'"},
        {HEAD BW TOTAL, "N", "'N' does not say how it is measured"},
        {"model m\ninput N from size\n" ADD TOTAL, NULL, "no hosts"},
        {"model m\nhosts a1, at\ninput N from size\n" ADD TOTAL, NULL, "'at'"},
    };
    struct rc_benchmarks none = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++) {
        struct rc_model *model = parse_model(faults[i].text);
        struct rc_error error = {.text = ""};
        struct rc_measuring_options options = {.only = &faults[i].only,
                                               .n_only = faults[i].only ? 1 : 0};

        assert_null(try_plan(model, NOTHING, &none, &options, &error).binding);
        if (!strstr(error.text, faults[i].says))
            fail_msg("%s, not: %s", error.text, faults[i].says);
        rc_model_destroy(model);
    }
}

/* ---- results ---- */

/* Two processes: 20 MB/s from the first to the second, 30 MB/s back. */
#define FIGURE(name, mean, sd) "\"" name "\": {\"mean\": " #mean ", \"sd\": " #sd "}"
#define PAIR(x, y) "{\"from\": " #x ", \"to\": " #y ", "
static const char report_text[] =
    "{\"yardstick\": 1, \"repeats\": 25, \"count\": 1000000, \"bytes\": 8000, "
    "\"messages\": 100, \"processes\": [{\"host\": \"%s\", \"operations\": {"
    FIGURE("real-add", 1e-9, 1e-11) "}}, {\"host\": \"%s\"}], \"pairs\": ["
    PAIR(0, 0) FIGURE("bandwidth", 5e9, 0) "}, "
    PAIR(0, 1) FIGURE("bandwidth", 2e7, 1e6) ", " FIGURE("a", 1e-3, 5e-5) ", "
    FIGURE("b", 0, 0) "}, "
    PAIR(1, 0) FIGURE("bandwidth", 3e7, 3e6) ", " FIGURE("a", 2e-3, 0) ", "
    FIGURE("b", 1e-9, 0) "}]}";

static json_t *report_of(const char *first, const char *second)
{
    char text[2000];
    json_t *report;

    snprintf(text, sizeof text, report_text, first, second);
    report = json_loads(text, 0, NULL);
    assert_non_null(report);
    return report;
}

static void take_report(const struct rc_measuring *plan, size_t job, const char *first,
                        const char *second, double when, struct rc_benchmarks *measured)
{
    struct rc_error error = {.text = ""};
    json_t *report = report_of(first, second);

    if (rc_measuring_take_report(plan, job, report, when, measured, &error))
        fail_msg("%s", error.text);
    json_decref(report);
}

static double mean_of(const struct rc_model *model, const struct rc_benchmarks *measured,
                      const char *name, const char *row, const char *column)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (strcmp(model->items[i].name, name) == 0) {
            const struct rc_benchmark_value *value =
                rc_benchmarks_find(measured, &model->items[i], row, column);

            return value ? value->mean : NAN;
        }
    return NAN;
}

static void reports_become_values(void **state)
{
    struct rc_model *model = parse_model(HEAD ADD BW START "input pack[x, y]\n  measure packing\n"
                                         TOTAL);
    struct rc_benchmarks measured = {0};
    struct rc_measuring plan = plan_of(model, &measured, &all);
    struct rc_error error = {.text = ""};
    json_t *nothing = json_object();

    (void)state;
    assert_job(&plan, 3, "a1,a2 2 b8000 s (5)");
    take_report(&plan, 3, "a1", "a2", 1000, &measured);
    assert_same(mean_of(model, &measured, "bw", "a1", "a2"), 2e7);
    assert_same(mean_of(model, &measured, "bw", "a2", "a1"), 3e7);
    assert_same(mean_of(model, &measured, "bw", "a1", "a3"), NAN);
    assert_same(mean_of(model, &measured, "start", "a1", ""), 1e-3);
    assert_same(mean_of(model, &measured, "start", "a2", ""), NAN); /* to the next one, a3 */
    assert_same(mean_of(model, &measured, "pack", "a1", "a2"), 0);
    /* Launchers may put processes in another order; a name may have a domain. */
    take_report(&plan, 3, "a2.there.org", "a1.there.org", 1000, &measured);
    assert_same(mean_of(model, &measured, "bw", "a1", "a2"), 3e7);
    take_report(&plan, 3, "vm", "vm", 1000, &measured);
    assert_same(mean_of(model, &measured, "bw", "a1", "a2"), 2e7);
    assert_int_equal(rc_measuring_take_report(&plan, 3, nothing, 0, &measured, &error), -1);
    assert_non_null(strstr(error.text, "does not tell"));
    json_decref(nothing);
    rc_measuring_free(&plan);
    rc_benchmarks_free(&measured);
    rc_model_destroy(model);
}

static const double seconds[] = {7, 8, 9, 8};

static void seconds_become_values(void **state)
{
    struct rc_model *model = parse_model(HEAD POINT START TOTAL);
    struct rc_benchmarks measured = {0};
    struct rc_measuring plan = plan_of(model, &measured, &all);
    const struct rc_benchmark_value *value;
    struct rc_error error = {.text = ""};
    double number;

    (void)state;
    assert_job(&plan, 3, "a1 1 667 --quick 1 (1)");
    /* 'less' needs what is not measured yet */
    assert_int_equal(rc_measuring_prepare(&plan, 3, &measured, NULL, &error), -1);
    assert_non_null(strstr(error.text, "start"));
    take_report(&plan, 0, "a1", "a2", 1000, &measured);
    assert_int_equal(rc_measuring_prepare(&plan, 3, &measured, NULL, &error), 0);
    assert_int_equal(rc_measuring_input(&plan, "points", &number, &error), 0);
    assert_same(number, 3);
    assert_int_equal(rc_measuring_input(&plan, "N", &number, &error), 0);
    assert_same(number, 667);
    assert_int_equal(rc_measuring_input(&plan, "start", &number, &error), -1);
    assert_int_equal(rc_measuring_take_run(&plan, 3, seconds, 4, 5000, &measured, &error), 0);
    value = rc_benchmarks_find(&measured, plan.wanted[plan.n_wanted - 1].item, "a1", "");
    assert_non_null(value);
    assert_near(value->mean, (8 - 0.01 - 1) / (667 * 3.0), 1e-15);
    assert_near(value->spread, sqrt(2 / 3.0) / (8 - 1.01), 1e-12);
    assert_near(value->accuracy, value->spread, 1e-12); /* twice, over the root of 4 */
    assert_same(value->when, 5000);
    /* a run that is shorter than what is taken off */
    assert_int_equal(rc_measuring_take_run(&plan, 3, (double[]){1, 0.5}, 2, 0, &measured, &error),
                     -1);
    assert_non_null(strstr(error.text, "'less' of 'point' is 1.01 s"));
    rc_measuring_free(&plan);
    rc_benchmarks_free(&measured);
    rc_model_destroy(model);
}

/* The number of processes that is set is the whole run's, not that of the run by itself. */
static void the_size_of_the_run_goes_before_what_is_set(void **state)
{
    struct rc_model *model = parse_model(HEAD "input x[h]\n  measure run\n  at N / P\n  per N * P\n"
                                         TOTAL);
    struct rc_benchmarks measured = {0};
    struct rc_error error = {.text = ""};
    struct rc_measuring plan =
        try_plan(model, ASK(.set = {"N=400", "P = 4"}), &measured, &all, &error);

    (void)state;
    if (!plan.binding)
        fail_msg("%s", error.text);
    assert_job(&plan, 0, "a1 1 100 - (1)");
    assert_int_equal(rc_measuring_prepare(&plan, 0, &measured, NULL, &error), 0);
    assert_same(plan.wanted[0].per, 100);
    rc_measuring_free(&plan);
    rc_model_destroy(model);
}

/* ---- texts ---- */

static void texts_are_read_back(void **state)
{
    struct rc_model *model = parse_model(HEAD ADD BW START POINT "input once\n  lifetime 2h\n"
                                         "  measure together\n  at 9\n" TOTAL);
    struct rc_benchmarks measured = {0}, back = {0};
    struct rc_measuring plan = plan_of(model, &measured, &all);
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX), again = text;
    struct rc_error error = {.text = ""};
    size_t last = plan.n_jobs - 1;

    (void)state;
    take_report(&plan, 0, "a1", "a1", 1e9, &measured);
    take_report(&plan, 4, "a1", "a2", 1e9 + 60, &measured);
    assert_int_equal(rc_measuring_prepare(&plan, last, &measured, NULL, &error), 0);
    assert_int_equal(rc_measuring_take_run(&plan, last, (double[]){0.25}, 1, 1e9, &measured,
                                           &error), 0);
    assert_int_equal(rc_benchmarks_write(&measured, "c-1", &text, &error), 0);
    assert_non_null(strstr(text.data, "on c-1\n\ninput add"));
    assert_non_null(strstr(text.data, "input add[h] \"one addition\" = table\n    a1  1e-09\n"
                                      "    accuracy 0.4%\n    measured 2001-09-09T01:46:40Z\n"
                                      "    source \"25 runs of 1000000 operations\"\n"
                                      "    note \"standard deviation of single measurements: at "
                                      "most 1 %\"\n    measure operation real-add\n"));
    assert_non_null(strstr(text.data, "input once = 0.25\n    measured 2001-09-09T01:46:40Z\n"
                                      "    lifetime 7200s\n    source \"1 run of problem size 9, "
                                      "3 processes on 3 hosts\"\n    measure together\n"
                                      "    at 9\n"));
    if (rc_benchmarks_read(text.data, text.length, &back, &error))
        fail_msg("%s:%u: %s\n%s", error.file, error.line, error.text, text.data);
    assert_same(mean_of(model, &back, "bw", "a1", "a3"), 2e7);
    assert_same(mean_of(model, &back, "bw", "a1", "a1"), 5e9);
    assert_same(mean_of(model, &back, "bw", "a2", "a3"), NAN);
    assert_same(mean_of(model, &back, "once", "", ""), 0.25);
    assert_int_equal(rc_benchmarks_write(&back, "c-1", &again, &error), 0);
    assert_string_equal(text.data, again.data);
    rc_buffer_free(&text);
    rc_buffer_free(&again);
    rc_benchmarks_free(&back);
    rc_measuring_free(&plan);
    rc_benchmarks_free(&measured);
    rc_model_destroy(model);
}

static void damaged_texts_are_refused(void **state)
{
    static const char *const texts[] = {"input x[h] = table\n", "input x = y\n", "input x\n",
                                        "define x = 3\n", "nothing\n", "input x = 1/0\n"};
    struct rc_benchmarks measured;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(rc_benchmarks_read(texts[i], strlen(texts[i]), &measured, &error), -1);
        assert_null(measured.inputs);
    }
}

/* ---- going on ---- */

static void what_is_known_is_not_measured_again(void **state)
{
    const char *only[] = {"add"};
    struct rc_model *model = parse_model(HEAD ADD BW TOTAL);
    struct rc_model *other = parse_model(HEAD "input add[h]\n  measure operation real-multiply\n"
                                         BW TOTAL);
    struct rc_benchmarks known = {0};
    struct rc_measuring plan = plan_of(model, &known, &all);

    (void)state;
    assert_int_equal(plan.n_wanted, 12);
    take_report(&plan, 0, "a1", "a1", 1000, &known);
    rc_measuring_free(&plan);
    plan = plan_of(model, &known, &all);
    assert_int_equal(plan.n_known, 2);
    assert_int_equal(plan.n_wanted, 10);
    assert_int_equal(plan.n_jobs, 5);
    rc_measuring_free(&plan);
    plan = plan_of(model, &known, &(struct rc_measuring_options){.again = true});
    assert_int_equal(plan.n_wanted, 12);
    rc_measuring_free(&plan);
    plan = plan_of(model, &known, &(struct rc_measuring_options){.only = only, .n_only = 1});
    assert_int_equal(plan.n_wanted, 2);
    rc_measuring_free(&plan);
    plan = plan_of(other, &known, &all); /* measured in another way */
    assert_int_equal(plan.n_known, 1);
    assert_int_equal(plan.n_wanted, 11);
    rc_measuring_free(&plan);
    rc_benchmarks_free(&known);
    rc_model_destroy(model);
    rc_model_destroy(other);
}

/* ---- in models ---- */

#define FIRST "model m\nhosts a1\ninput v[h] = table\n  a1 5\n  measure run\n  at 7\n"             \
              "total t = v[a1]\n"

static double joined_total(const char *with, const char *section, const char *on, int taken,
                           size_t left)
{
    struct rc_model_text texts[] = {{"first", FIRST, strlen(FIRST)},
                                    {"with", with, with ? strlen(with) : 0}};
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_model_parse_all(texts, with ? 2 : 1, &error);
    struct rc_model *source = parse_model(FIRST);
    struct rc_benchmarks measured = {0};
    const struct rc_benchmark_part part = {&measured, section};
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_binding *binding;
    struct rc_value *value;
    size_t n_left;
    double mean;

    assert_non_null(model);
    assert_int_equal(rc_benchmarks_put(&measured, &source->items[0], "a1", "",
                                     &(struct rc_benchmark_value){30, 0.01, 0.02, 1000}, "here",
                                     &error), 0);
    assert_int_equal(rc_benchmarks_join(&model, &part, 1, &n_left, &error), taken);
    assert_int_equal(n_left, left);
    binding = bind_model(model, ASK(.on = on));
    rc_value_rules_init(&rules);
    evaluation = rc_binding_evaluation(binding, -1, &rules, &error);
    value = rc_binding_total(binding, evaluation, &error);
    mean = rc_value_mean(value);
    assert_int_equal(rc_benchmarks_is(model, rc_binding_find_item(binding, "v")), mean == 30);
    rc_value_drop(value);
    rc_evaluation_destroy(evaluation);
    rc_binding_destroy(binding);
    rc_benchmarks_free(&measured);
    rc_model_destroy(source);
    rc_model_destroy(model);
    return mean;
}

static void measured_inputs_win_over_the_first_file_alone(void **state)
{
    (void)state;
    assert_same(joined_total(NULL, NULL, NULL, 1, 0), 30);
    assert_same(joined_total(NULL, "c", "c", 1, 0), 30);
    assert_same(joined_total(NULL, "c", NULL, 1, 0), 5); /* elsewhere */
    assert_same(joined_total("input v[h] = 8\n", "c", "c", 0, 0), 8);
    assert_same(joined_total("on c\ninput v[h] = 8\n", "c", "c", 0, 0), 8);
    assert_same(joined_total("input w = 8\n", "c", "c", 1, 0), 30);
}

static void inputs_that_changed_are_left_out(void **state)
{
    struct rc_model *source = parse_model(FIRST);
    static const struct {
        const char *text;
        size_t left;
    } models[] = {
        {"model m\nhosts a1\ninput v[h] = 5\n  measure run\n  at 8\ntotal t = v[a1]\n", 1},
        {"model m\nhosts a1\ninput v\n  measure together\n  at 7\ntotal t = v\n", 1},
        {"model m\nhosts a1\ninput v[h] = 5\ntotal t = v[a1]\n", 0}, /* measured no more */
        {"model m\nhosts a1\ndefine v[h] = 5\ntotal t = v[a1]\n", 0},
        {"model m\nhosts a1\ntotal t = 5\n", 0}};
    struct rc_benchmarks measured = {0};
    const struct rc_benchmark_part part = {&measured, "c"};
    struct rc_error error = {.text = ""};
    size_t n_left;

    (void)state;
    assert_int_equal(rc_benchmarks_put(&measured, &source->items[0], "a1", "",
                                     &(struct rc_benchmark_value){30, 0.01, 0.02, 1000}, "here",
                                     &error), 0);
    for (size_t i = 0; i < COUNT(models); i++) {
        struct rc_model *model = parse_model(models[i].text), *before = model;

        assert_int_equal(rc_benchmarks_join(&model, &part, 1, &n_left, &error), 0);
        assert_int_equal(n_left, models[i].left);
        assert_ptr_equal(model, before);
        rc_model_destroy(model);
    }
    rc_benchmarks_free(&measured);
    rc_model_destroy(source);
}

/* ---- in the store ---- */

static void the_store_has_one_for_each_platform(void **state)
{
    struct rc_model *model = parse_model(FIRST);
    struct rc_benchmarks measured = {0}, back;
    struct rc_error error = {.text = ""};
    char **names;

    (void)state;
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 0);
    names = rc_benchmarks_platforms(store, "m", &error);
    assert_non_null(names);
    assert_null(names[0]);
    free(names);
    for (int i = 0; i < 3; i++) {
        struct rc_benchmark_value value = {i, 0.01, 0.02, 1000};

        assert_int_equal(rc_benchmarks_put(&measured, &model->items[0], "a1", "", &value, "here",
                                         &error), 0);
        assert_int_equal(rc_benchmarks_save(store, "m", i == 1 ? "two words" : "c", &measured,
                                          &error), 0);
    }
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 2);
    rc_benchmarks_free(&back);
    assert_int_equal(rc_benchmarks_load(store, "m", "two words", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 1);
    rc_benchmarks_free(&back);
    names = rc_benchmarks_platforms(store, "m", &error);
    assert_string_equal(names[0], "c");
    assert_string_equal(names[1], "two words");
    assert_null(names[2]);
    free(names[0]);
    free(names[1]);
    free(names);
    rc_benchmarks_free(&measured);
    rc_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_tells_all_of_a_host_or_a_pair),
        cmocka_unit_test(like_runs_are_made_once),
        cmocka_unit_test(runs_wait_for_what_they_need),
        cmocka_unit_test(what_cannot_be_planned_is_told),
        cmocka_unit_test(reports_become_values),
        cmocka_unit_test(seconds_become_values),
        cmocka_unit_test(the_size_of_the_run_goes_before_what_is_set),
        cmocka_unit_test(texts_are_read_back),
        cmocka_unit_test(damaged_texts_are_refused),
        cmocka_unit_test(what_is_known_is_not_measured_again),
        cmocka_unit_test(measured_inputs_win_over_the_first_file_alone),
        cmocka_unit_test(inputs_that_changed_are_left_out),
        cmocka_unit_test_setup_teardown(the_store_has_one_for_each_platform, open_own_store,
                                        remove_own_store),
    };

    return RUN_TESTS(tests);
}
