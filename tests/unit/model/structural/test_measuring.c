/* Which runs measure the inputs of a model, and what follows from runs that were made. */
#include "measuring.h"

static const struct rc_measuring_options all = {.again = false};

static struct rc_measuring try_plan(const struct rc_model *model, const struct asked *asked,
                                    const struct rc_benchmarks *known,
                                    const struct rc_measuring_options *options,
                                    struct rc_error *error)
{
    static struct rc_model_setting setting; /* outlives the plan */
    struct rc_measuring plan;

    setting = setting_of(model, asked);
    if (rc_structural_measuring_plan(model, &setting, known, options, &plan, error))
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
    const struct rc_measuring_wanted *of = rc_structural_measuring_of(plan, at, &n);

    for (size_t i = 0; i < job->n_hosts; i++)
        sprintf(text + strlen(text), "%s%s", i ? "," : "", job->hosts[i]);
    sprintf(text + strlen(text), " %g", job->processes);
    if (job->operations)
        strcat(text, " o");
    if (job->bandwidth)
        sprintf(text + strlen(text), " b%g", job->bytes);
    if (job->message)
        sprintf(text + strlen(text), " m%g", job->bytes);
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
    static const char *const wanted[] = {"a1 1 o b8000 (2)",       "a2 1 o b8000 (2)",
                                         "a3 1 o b8000 (2)",       "a1,a2 2 b8000 s (3)",
                                         "a1,a3 2 b8000 s (3)",    "a2,a3 2 b8000 s (3)",
                                         "a1 1 667 --quick 1 (1)", "a2 1 667 --quick 1 (1)",
                                         "a3 1 667 --quick 1 (1)"};
    struct rc_model *model = parse_model(HEAD POINT ADD BW START TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    assert_int_equal(plan.n_inputs, 4);
    assert_int_equal(plan.n_known, 0);
    assert_int_equal(plan.n_jobs, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++)
        assert_job(&plan, i, wanted[i]);
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
}

/* A single message goes with others of its length, and needs a length. */
static void messages_go_with_their_like(void **state)
{
    struct rc_model *model =
        parse_model("model m\nhosts a1, a2\n" BW "input one[x, y]\n  measure message 8000B\n"
                    "input two[x, y]\n  measure message 100B\n" START TOTAL "input N from size\n");
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);
    static const char bare[] = "model m\ninput x[a, b]\n  measure message\n" TOTAL;
    struct rc_error error;

    (void)state;
    assert_int_equal(plan.n_jobs, 6);
    assert_job(&plan, 0, "a1 1 b8000 m8000 (2)");
    assert_job(&plan, 4, "a1,a2 2 b8000 m8000 s (6)");
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
    assert_null(rc_structural_model_parse(bare, strlen(bare), "test.rcm", &error));
}

static void like_runs_are_made_once(void **state)
{
    struct rc_model *model =
        parse_model(HEAD "input red[h]\n  measure run\n  at 100\n  per 2\n"
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
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
}

/* What others rest on comes first, also over definitions and components. */
static void runs_wait_for_what_they_need(void **state)
{
    struct rc_model *model =
        parse_model(HEAD "input a[h]\n  measure run\n  at 10\n  less D\n"
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
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
}

static void what_cannot_be_planned_is_told(void **state)
{
    static const struct {
        const char *text, *only, *says;
    } faults[] = {
        {HEAD "input x[h]\n  measure run\n  at N / P\n" TOTAL, NULL, "N, the problem size"},
        {HEAD "input x[h]\n  measure run\n  at 0.2\n" TOTAL, NULL, "a problem size of 0"},
        {HEAD BW TOTAL, "point", "no input 'point'"},
        {HEAD BW TOTAL, "N", "'N' has no 'measure' clause"},
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
        rc_structural_model_destroy(model);
    }
}

/* ---- results ---- */

/* Two processes: 20 MB/s from the first to the second, 30 MB/s back. */
#define FIGURE(name, mean, sd) "\"" name "\": {\"mean\": " #mean ", \"sd\": " #sd "}"
#define PAIR(x, y) "{\"from\": " #x ", \"to\": " #y ", "
static const char report_text[] =
    "{\"microbenchmark\": 1, \"repeats\": 25, \"count\": 1000000, \"bytes\": 8000, "
    "\"messages\": 100, \"processes\": [{\"host\": \"%s\", \"operations\": {" FIGURE(
        "real-add", 1e-9, 1e-11) "}}, {\"host\": \"%s\"}], \"pairs\": [" PAIR(0, 0)
        FIGURE("bandwidth", 5e9, 0) "}, " PAIR(0, 1) FIGURE("bandwidth", 2e7, 1e6) ", " FIGURE(
            "a", 1e-3, 5e-5) ", " FIGURE("b", 0, 0) "}, " PAIR(1, 0)
            FIGURE("bandwidth", 3e7, 3e6) ", " FIGURE("a", 2e-3, 0) ", " FIGURE("b", 1e-9, 0) "}]}";

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

    if (rc_structural_measuring_take_report(plan, job, report, when, measured, &error))
        fail_msg("%s", error.text);
    json_decref(report);
}

static void reports_become_values(void **state)
{
    struct rc_model *model =
        parse_model(HEAD ADD BW START "input pack[x, y]\n  measure packing\n" TOTAL);
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
    take_report(&plan, 3, "vm-1", "vm-2", 1000, &measured);
    assert_same(mean_of(model, &measured, "bw", "a1", "a2"), 2e7);
    assert_int_equal(rc_structural_measuring_take_report(&plan, 3, nothing, 0, &measured, &error),
                     -1);
    assert_non_null(strstr(error.text, "has no value of"));
    json_decref(nothing);
    rc_structural_measuring_free(&plan);
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(model);
}

static void reports_of_something_else_are_refused(void **state)
{
    static const struct {
        size_t job;
        const char *first, *second, *member;
        double number;
        const char *says;
    } faults[] = {
        {3, "vm", "vm", NULL, 0, "both processes of the microbenchmark ran on 'vm' instead of"},
        {3, "a1", "a3", NULL, 0, "ran on a3 instead of a2"},
        {0, "a2.there.org", "", NULL, 0, "ran on a2.there.org instead of a1"},
        {3, "a1", "a2", "p", 1, "with 1 process instead of 2"},
        {3, "a1", "a2", "bytes", 64, "messages of 64 bytes instead of 8000"},
    };
    struct rc_model *model = parse_model(HEAD ADD BW TOTAL);
    struct rc_benchmarks measured = {0};
    struct rc_measuring plan = plan_of(model, &measured, &all);

    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++) {
        json_t *report = report_of(faults[i].first, faults[i].second);
        struct rc_error error = {.text = ""};

        if (faults[i].member)
            json_object_set_new(report, faults[i].member, json_real(faults[i].number));
        assert_int_equal(rc_structural_measuring_take_report(&plan, faults[i].job, report, 0,
                                                             &measured, &error),
                         -1);
        if (!strstr(error.text, faults[i].says))
            fail_msg("%s, not: %s", error.text, faults[i].says);
        assert_null(measured.inputs);
        json_decref(report);
    }
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
}

static void what_a_program_says_of_its_run_must_fit(void **state)
{
    static const struct {
        const char *told, *says;
    } cases[] = {
        {"{}", NULL},
        {"{\"n\": 667, \"p\": 1, \"points\": 3, \"check\": \"ok\", \"other\": 7}", NULL},
        {"{\"size\": 667, \"n\": 444889, \"check\": \"charged\"}", NULL},
        {"{\"n\": 7}", "reports \"n\": 7 instead of 667"},
        {"{\"size\": 7}", "reports \"size\": 7"},
        {"{\"p\": 3}", "reports \"p\": 3 instead of 1"},
        {"{\"points\": 50}", "reports \"points\": 50 instead of 3"},
        {"{\"check\": \"wrong\"}", "a wrong result"},
        {"{\"check\": false}", "a wrong result"},
    };
    struct rc_model *model = parse_model(HEAD POINT START TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *told = json_loads(cases[i].told, 0, NULL);
        struct rc_error error = {.text = ""};

        assert_non_null(told);
        assert_int_equal(rc_structural_measuring_check_report(&plan, 3, told, &error),
                         cases[i].says ? -1 : 0);
        if (cases[i].says && !strstr(error.text, cases[i].says))
            fail_msg("%s, not: %s", error.text, cases[i].says);
        json_decref(told);
    }
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
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
    assert_int_equal(rc_structural_measuring_prepare(&plan, 3, &measured, NULL, &error), -1);
    assert_non_null(strstr(error.text, "start"));
    take_report(&plan, 0, "a1", "a2", 1000, &measured);
    assert_int_equal(rc_structural_measuring_prepare(&plan, 3, &measured, NULL, &error), 0);
    assert_int_equal(rc_structural_measuring_input(&plan, "points", &number, &error), 0);
    assert_same(number, 3);
    assert_int_equal(rc_structural_measuring_input(&plan, "N", &number, &error), 0);
    assert_same(number, 667);
    assert_int_equal(rc_structural_measuring_input(&plan, "start", &number, &error), -1);
    assert_int_equal(
        rc_structural_measuring_take_run(&plan, 3, seconds, 4, 5000, &measured, &error), 0);
    value = rc_structural_benchmarks_find(&measured, plan.wanted[plan.n_wanted - 1].item, "a1", "");
    assert_non_null(value);
    assert_near(value->mean, (8 - 0.01 - 1) / (667 * 3.0), 1e-15);
    assert_near(value->spread, sqrt(2 / 3.0) / (8 - 1.01), 1e-12);
    assert_near(value->accuracy, value->spread, 1e-12); /* twice, over the root of 4 */
    assert_same(value->when, 5000);
    /* a run that is shorter than what is taken off */
    assert_int_equal(rc_structural_measuring_take_run(&plan, 3, (double[]){1, 0.5}, 2, 0, &measured,
                                                      &error),
                     -1);
    assert_non_null(strstr(error.text, "'less' of 'point' is 1.01 s"));
    rc_structural_measuring_free(&plan);
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(model);
}

/* The number of processes that is set is the whole run's, not that of the run by itself. */
static void the_size_of_the_run_goes_before_what_is_set(void **state)
{
    struct rc_model *model =
        parse_model(HEAD "input x[h]\n  measure run\n  at N / P\n  per N * P\n" TOTAL);
    struct rc_benchmarks measured = {0};
    struct rc_error error = {.text = ""};
    struct rc_measuring plan =
        try_plan(model, ASK(.set = {"N=400", "P = 4"}), &measured, &all, &error);

    (void)state;
    if (!plan.binding)
        fail_msg("%s", error.text);
    assert_job(&plan, 0, "a1 1 100 - (1)");
    assert_int_equal(rc_structural_measuring_prepare(&plan, 0, &measured, NULL, &error), 0);
    assert_same(plan.wanted[0].per, 100);
    rc_structural_measuring_free(&plan);
    rc_structural_model_destroy(model);
}

/* ---- texts ---- */

static void texts_are_read_back(void **state)
{
    struct rc_model *model =
        parse_model(HEAD ADD BW START POINT "input once\n  lifetime 2h\n"
                                            "  measure together\n  at 9\n" TOTAL);
    struct rc_benchmarks measured = {0}, back = {0};
    struct rc_measuring plan = plan_of(model, &measured, &all);
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX), again = text;
    struct rc_error error = {.text = ""};
    size_t last = plan.n_jobs - 1;

    (void)state;
    take_report(&plan, 0, "a1", "a1", 1e9, &measured);
    take_report(&plan, 4, "a1", "a3", 1e9 + 60, &measured);
    assert_int_equal(rc_structural_measuring_prepare(&plan, last, &measured, NULL, &error), 0);
    assert_int_equal(rc_structural_measuring_take_run(&plan, last, (double[]){0.25}, 1, 1e9,
                                                      &measured, &error),
                     0);
    assert_int_equal(rc_structural_benchmarks_write(&measured, NULL, "c-1", &text, &error), 0);
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
    if (rc_structural_benchmarks_read(text.data, text.length, &back, &error))
        fail_msg("%s:%u: %s\n%s", error.file, error.line, error.text, text.data);
    assert_same(mean_of(model, &back, "bw", "a1", "a3"), 2e7);
    assert_same(mean_of(model, &back, "bw", "a1", "a1"), 5e9);
    assert_same(mean_of(model, &back, "bw", "a2", "a3"), NAN);
    assert_same(mean_of(model, &back, "once", "", ""), 0.25);
    assert_int_equal(rc_structural_benchmarks_write(&back, NULL, "c-1", &again, &error), 0);
    assert_string_equal(text.data, again.data);
    rc_buffer_free(&text);
    rc_buffer_free(&again);
    rc_structural_benchmarks_free(&back);
    rc_structural_measuring_free(&plan);
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(model);
}

static void damaged_texts_are_refused(void **state)
{
    static const char *const texts[] = {"input x[h] = table\n", "input x = y\n", "input x\n",
                                        "define x = 3\n",       "nothing\n",     "input x = 1/0\n"};
    struct rc_benchmarks measured;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(
            rc_structural_benchmarks_read(texts[i], strlen(texts[i]), &measured, &error), -1);
        assert_null(measured.inputs);
    }
}

/* ---- going on ---- */

static void what_is_known_is_not_measured_again(void **state)
{
    const char *only[] = {"add"};
    struct rc_model *model = parse_model(HEAD ADD BW TOTAL);
    struct rc_model *other =
        parse_model(HEAD "input add[h]\n  measure operation real-multiply\n" BW TOTAL);
    struct rc_benchmarks known = {0};
    struct rc_measuring plan = plan_of(model, &known, &all);

    (void)state;
    assert_int_equal(plan.n_wanted, 12);
    take_report(&plan, 0, "a1", "a1", 1000, &known);
    rc_structural_measuring_free(&plan);
    plan = plan_of(model, &known, &all);
    assert_int_equal(plan.n_known, 2);
    assert_int_equal(plan.n_wanted, 10);
    assert_int_equal(plan.n_jobs, 5);
    rc_structural_measuring_free(&plan);
    plan = plan_of(model, &known, &(struct rc_measuring_options){.again = true});
    assert_int_equal(plan.n_wanted, 12);
    rc_structural_measuring_free(&plan);
    plan = plan_of(model, &known, &(struct rc_measuring_options){.only = only, .n_only = 1});
    assert_int_equal(plan.n_wanted, 2);
    rc_structural_measuring_free(&plan);
    plan = plan_of(other, &known, &all); /* measured in another way */
    assert_int_equal(plan.n_known, 1);
    assert_int_equal(plan.n_wanted, 11);
    rc_structural_measuring_free(&plan);
    rc_structural_benchmarks_free(&known);
    rc_structural_model_destroy(model);
    rc_structural_model_destroy(other);
}

/* Measures `x` of all three hosts with one way of asking, and tells why it would be measured again
 * with another; "" where it would not. */
struct way {
    const char *text; /* of the model */
    struct asked asked;
    struct rc_measuring_options options;
};
static void assert_again(const struct way *was, const struct way *now, const char *why)
{
    struct rc_model *before = parse_model(was->text), *after = parse_model(now->text);
    struct rc_benchmarks known = {0};
    struct rc_error error = {.text = ""};
    struct rc_measuring plan = try_plan(before, &was->asked, &known, &was->options, &error);

    if (!plan.binding)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < plan.n_jobs; i++) {
        assert_int_equal(rc_structural_measuring_prepare(&plan, i, &known, NULL, &error), 0);
        assert_int_equal(rc_structural_measuring_take_run(&plan, i, (double[]){1, 1}, 2, 1000,
                                                          &known, &error),
                         0);
    }
    rc_structural_measuring_free(&plan);
    plan = try_plan(after, &now->asked, &known, &now->options, &error);
    if (!plan.binding)
        fail_msg("%s", error.text);
    assert_int_equal(plan.n_again, *why ? 1 : 0);
    if (plan.n_again && !strstr(plan.again[0].why, why))
        fail_msg("%s, not: %s", plan.again[0].why, why);
    assert_int_equal(plan.n_known + plan.n_wanted, 3);
    assert_int_equal(plan.n_wanted, *why ? 3 : 0);
    rc_structural_measuring_free(&plan);
    rc_structural_benchmarks_free(&known);
    rc_structural_model_destroy(before);
    rc_structural_model_destroy(after);
}

#define BY_RUN(more) HEAD "input points = 3\ninput x[h]\n  measure run\n" more TOTAL
#define SIZED .text = BY_RUN("  at N / P\n")
#define PER .text = BY_RUN("  at 90\n  per points\n")
#define PLAIN .text = BY_RUN("  at 90\n")
#define OLD .text = BY_RUN("  at 90\n  lifetime 60s\n")
#define TOGETHER .text = HEAD "input x[h]\n  measure together\n  at 90\n" TOTAL
#define SET(what) .asked = {.set = {what}}
#define IN_COMMAND .options = {.places = places, .n_places = 1}
#define BY(...) .options = {__VA_ARGS__}

static const char *const places[] = {"points"};

static void what_is_measured_otherwise_now_is_measured_again(void **state)
{
    static const struct {
        struct way was, now;
        const char *why;
    } cases[] = {
        {{SIZED, SET("N=300")}, {SIZED, SET("N=300")}, ""},
        {{SIZED, SET("N=300")}, {SIZED, SET("N=600")}, "problem size 100, now 200"},
        {{SIZED, SET("N=300")}, {SIZED}, ""}, /* nobody can tell */
        {{PER}, {PER, SET("points=4")}, "points=3, now points=4"},
        {{PLAIN}, {PLAIN, SET("points=4")}, ""}, /* which do not count */
        {{PLAIN, IN_COMMAND}, {PLAIN, SET("points=4"), IN_COMMAND}, "points=3, now points=4"},
        {{PLAIN, BY(.command = "a")},
         {PLAIN, BY(.command = "b", .new_command = true)},
         "different command"},
        {{PLAIN, BY(.command = "a")}, {PLAIN, BY(.command = "b")}, ""},
        {{PLAIN, BY(.command = "a")},
         {PLAIN, BY(.command = "a", .timed = true, .new_command = true)},
         "now of the command"},
        {{PLAIN}, {PLAIN, BY(.repeats = 3, .new_repeats = true)}, "repetitions 2, now 3"},
        {{PLAIN}, {PLAIN, BY(.repeats = 1, .new_repeats = true)}, ""},
        {{OLD}, {OLD, .asked = {.now = 1059}}, ""},
        {{OLD}, {OLD, .asked = {.now = 1061}}, "older than its lifetime of 00:01:00"},
        {{TOGETHER}, {TOGETHER}, ""},
        {{TOGETHER}, {TOGETHER, SET("P=6")}, "processes 3, now 6"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_again(&cases[i].was, &cases[i].now, cases[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_tells_all_of_a_host_or_a_pair),
        cmocka_unit_test(messages_go_with_their_like),
        cmocka_unit_test(like_runs_are_made_once),
        cmocka_unit_test(runs_wait_for_what_they_need),
        cmocka_unit_test(what_cannot_be_planned_is_told),
        cmocka_unit_test(reports_become_values),
        cmocka_unit_test(reports_of_something_else_are_refused),
        cmocka_unit_test(what_a_program_says_of_its_run_must_fit),
        cmocka_unit_test(seconds_become_values),
        cmocka_unit_test(the_size_of_the_run_goes_before_what_is_set),
        cmocka_unit_test(texts_are_read_back),
        cmocka_unit_test(damaged_texts_are_refused),
        cmocka_unit_test(what_is_known_is_not_measured_again),
        cmocka_unit_test(what_is_measured_otherwise_now_is_measured_again),
    };

    return RUN_TESTS(tests);
}
