/* Which runs measure the inputs of a model, and what follows from runs that were made. */
#include "own_store.h"
#include "structure.h"

#include "store/model.h"
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
static const struct rc_benchmark_how here = {.size = NAN, .bytes = NAN, .processes = NAN,
                                             .repeats = NAN, .source = "here"};

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

/* A single message goes with others of its length, and needs a length. */
static void messages_go_with_their_like(void **state)
{
    struct rc_model *model = parse_model(
        "model m\nhosts a1, a2\n" BW "input one[x, y]\n  measure message 8000B\n"
        "input two[x, y]\n  measure message 100B\n" START TOTAL "input N from size\n");
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);
    static const char bare[] = "model m\ninput x[a, b]\n  measure message\n" TOTAL;
    struct rc_error error;

    (void)state;
    assert_int_equal(plan.n_jobs, 6);
    assert_job(&plan, 0, "a1 1 b8000 m8000 (2)");
    assert_job(&plan, 4, "a1,a2 2 b8000 m8000 s (6)");
    rc_measuring_free(&plan);
    rc_model_destroy(model);
    assert_null(rc_model_parse(bare, strlen(bare), "test.rcm", &error));
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
    take_report(&plan, 3, "vm-1", "vm-2", 1000, &measured);
    assert_same(mean_of(model, &measured, "bw", "a1", "a2"), 2e7);
    assert_int_equal(rc_measuring_take_report(&plan, 3, nothing, 0, &measured, &error), -1);
    assert_non_null(strstr(error.text, "does not tell"));
    json_decref(nothing);
    rc_measuring_free(&plan);
    rc_benchmarks_free(&measured);
    rc_model_destroy(model);
}

static void reports_of_something_else_are_refused(void **state)
{
    static const struct {
        size_t job;
        const char *first, *second, *member;
        double number;
        const char *says;
    } faults[] = {
        {3, "vm", "vm", NULL, 0, "both processes of the yardstick were on one host, 'vm'"},
        {3, "a1", "a3", NULL, 0, "ran on a3, not on a2"},
        {0, "a2.there.org", "", NULL, 0, "ran on a2.there.org, not on a1"},
        {3, "a1", "a2", "p", 1, "with 1 process, not with 2"},
        {3, "a1", "a2", "bytes", 64, "messages of 64 bytes, not of 8000"},
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
        assert_int_equal(
            rc_measuring_take_report(&plan, faults[i].job, report, 0, &measured, &error), -1);
        if (!strstr(error.text, faults[i].says))
            fail_msg("%s, not: %s", error.text, faults[i].says);
        assert_null(measured.inputs);
        json_decref(report);
    }
    rc_measuring_free(&plan);
    rc_model_destroy(model);
}

static void what_a_program_says_of_its_run_must_fit(void **state)
{
    static const struct {
        const char *told, *says;
    } cases[] = {
        {"{}", NULL},
        {"{\"n\": 667, \"p\": 1, \"points\": 3, \"check\": \"ok\", \"other\": 7}", NULL},
        {"{\"size\": 667, \"n\": 444889, \"check\": \"charged\"}", NULL},
        {"{\"n\": 7}", "its \"n\" was 7, and it was asked for 667"},
        {"{\"size\": 7}", "its \"size\" was 7"},
        {"{\"p\": 3}", "its \"p\" was 3, and it was asked for 1"},
        {"{\"points\": 50}", "its \"points\" was 50, and it was asked for 3"},
        {"{\"check\": \"wrong\"}", "is not right"},
        {"{\"check\": false}", "is not right"},
    };
    struct rc_model *model = parse_model(HEAD POINT START TOTAL);
    struct rc_benchmarks none = {0};
    struct rc_measuring plan = plan_of(model, &none, &all);

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *told = json_loads(cases[i].told, 0, NULL);
        struct rc_error error = {.text = ""};

        assert_non_null(told);
        assert_int_equal(rc_measuring_check_told(&plan, 3, told, &error), cases[i].says ? -1 : 0);
        if (cases[i].says && !strstr(error.text, cases[i].says))
            fail_msg("%s, not: %s", error.text, cases[i].says);
        json_decref(told);
    }
    rc_measuring_free(&plan);
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
    take_report(&plan, 4, "a1", "a3", 1e9 + 60, &measured);
    assert_int_equal(rc_measuring_prepare(&plan, last, &measured, NULL, &error), 0);
    assert_int_equal(rc_measuring_take_run(&plan, last, (double[]){0.25}, 1, 1e9, &measured,
                                           &error), 0);
    assert_int_equal(rc_benchmarks_write(&measured, NULL, "c-1", &text, &error), 0);
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
    assert_int_equal(rc_benchmarks_write(&back, NULL, "c-1", &again, &error), 0);
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

/* Measures `x` of all three hosts with one way of asking, and tells why it would be measured again
 * with another; "" where it would not. */
struct way {
    const char *text;  /* of the model */
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
        assert_int_equal(rc_measuring_prepare(&plan, i, &known, NULL, &error), 0);
        assert_int_equal(rc_measuring_take_run(&plan, i, (double[]){1, 1}, 2, 1000, &known,
                                               &error), 0);
    }
    rc_measuring_free(&plan);
    plan = try_plan(after, &now->asked, &known, &now->options, &error);
    if (!plan.binding)
        fail_msg("%s", error.text);
    assert_int_equal(plan.n_again, *why ? 1 : 0);
    if (plan.n_again && !strstr(plan.again[0].why, why))
        fail_msg("%s, not: %s", plan.again[0].why, why);
    assert_int_equal(plan.n_known + plan.n_wanted, 3);
    assert_int_equal(plan.n_wanted, *why ? 3 : 0);
    rc_measuring_free(&plan);
    rc_benchmarks_free(&known);
    rc_model_destroy(before);
    rc_model_destroy(after);
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
        {{PLAIN, BY(.command = "a")}, {PLAIN, BY(.command = "b", .new_command = true)},
         "another command"},
        {{PLAIN, BY(.command = "a")}, {PLAIN, BY(.command = "b")}, ""},
        {{PLAIN, BY(.command = "a")},
         {PLAIN, BY(.command = "a", .timed = true, .new_command = true)},
         "now of the command"},
        {{PLAIN}, {PLAIN, BY(.repeats = 3, .new_repeats = true)}, "repeats 2, now 3"},
        {{PLAIN}, {PLAIN, BY(.repeats = 1, .new_repeats = true)}, ""},
        {{OLD}, {OLD, .asked = {.now = 1059}}, ""},
        {{OLD}, {OLD, .asked = {.now = 1061}}, "longer ago than its lifetime of 1 min"},
        {{TOGETHER}, {TOGETHER}, ""},
        {{TOGETHER}, {TOGETHER, SET("P=6")}, "processes 3, now 6"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_again(&cases[i].was, &cases[i].now, cases[i].why);
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
                                     &(struct rc_benchmark_value){30, 0.01, 0.02, 1000, 0}, &here,
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
                                     &(struct rc_benchmark_value){30, 0.01, 0.02, 1000, 0}, &here,
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
        struct rc_benchmark_value value = {i, 0.01, 0.02, 1000, 0};

        assert_int_equal(rc_benchmarks_put(&measured, &model->items[0], "a1", "", &value, &here,
                                         &error), 0);
        assert_int_equal(rc_benchmarks_keep(store, "m", i == 1 ? "two words" : "c", &measured,
                                            NULL, &error), 0);
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

/* Models of one app that measure an input of one name in different ways. */
static void each_way_of_measuring_has_its_own_values(void **state)
{
    struct rc_model *model = parse_model(FIRST);
    struct rc_model *other = parse_model("model m\nhosts a1\ninput v[h]\n  measure run\n  at 8\n"
                                         "total t = v[a1]\n");
    const struct rc_item *items[] = {&model->items[0]};
    struct rc_benchmarks first = {0}, second = {0}, back = {0};
    struct rc_benchmark_value value = {5, 0.01, 0.02, 1000, 0};
    struct rc_benchmark_how how = here;
    struct rc_error error = {.text = ""};
    size_t removed;

    (void)state;
    how.command = "run {size}";
    how.size = 7;
    how.inputs = "points=3";
    how.timed = true;
    rc_benchmarks_put(&first, &model->items[0], "a1", "", &value, &how, &error);
    value.mean = 6;
    rc_benchmarks_put(&second, &other->items[0], "a1", "", &value, &here, &error);
    rc_benchmarks_put(&second, &other->items[0], "a2", "", &value, &here, &error);
    /* Neither knows of the other one's. */
    assert_int_equal(rc_benchmarks_keep(store, "m", "c", &first, NULL, &error), 0);
    assert_int_equal(rc_benchmarks_keep(store, "m", "c", &second, &back, &error), 0);
    assert_int_equal(back.n_inputs, 2);
    rc_benchmarks_free(&back);
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 5);
    assert_same(mean_of(other, &back, "v", "a1", ""), 6);
    how = back.hows[rc_benchmarks_find(&back, &model->items[0], "a1", "")->how];
    assert_same(how.size, 7);
    assert_string_equal(how.command, "run {size}");
    assert_string_equal(how.inputs, "points=3");
    assert_true(how.timed);
    assert_null(how.machine);
    rc_benchmarks_free(&back);
    assert_int_equal(rc_benchmarks_forget(store, "m", "c", items, 1, NULL, 0, &removed, &error),
                     0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), NAN);
    assert_same(mean_of(other, &back, "v", "a1", ""), 6);
    assert_int_equal(back.n_hows, 1);
    rc_benchmarks_free(&back);
    rc_benchmarks_free(&first);
    rc_benchmarks_free(&second);
    rc_model_destroy(model);
    rc_model_destroy(other);
}

/* What an earlier program wrote: the part of a model. */
static void the_first_format_is_read(void **state)
{
    static const char text[] = "on c\n\ninput v[h] = table\n    a1  31\n    accuracy 1%\n"
                               "    measured 2001-09-09T01:46:40Z\n    source \"4 runs\"\n"
                               "    measure run\n    at 7\n";
    struct rc_model *model = parse_model(FIRST);
    struct rc_benchmarks back, more = {0};
    struct rc_benchmark_value value = {5, 0.01, 0.02, 1000, 0};
    struct rc_error error = {.text = ""};
    uint64_t faults;

    (void)state;
    assert_int_equal(rc_model_add(store, "m", "c", "measured", 1, text, NULL, &error), 0);
    assert_int_equal(rc_store_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 0);
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 31);
    assert_string_equal(back.hows[0].source, "4 runs");
    rc_benchmarks_free(&back);
    /* Adding to it keeps it, in the new format. */
    rc_benchmarks_put(&more, &model->items[0], "a2", "", &value, &here, &error);
    assert_int_equal(rc_benchmarks_keep(store, "m", "c", &more, &back, &error), 0);
    assert_same(mean_of(model, &back, "v", "a1", ""), 31);
    assert_same(mean_of(model, &back, "v", "a2", ""), 5);
    assert_int_equal(rc_store_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 0);
    assert_int_equal(rc_model_add(store, "m", "c", "measured", 1, "nonsense", NULL, &error), 0);
    assert_int_equal(rc_store_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 1);
    rc_benchmarks_free(&back);
    rc_benchmarks_free(&more);
    rc_model_destroy(model);
}

static void damaged_stored_texts_are_told_of(void **state)
{
    static const char *const texts[] = {
        "{}", "[1]", "{\"made\": [], \"inputs\": [{\"name\": \"v\"}]}",
        "{\"made\": [], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"\", 1, 0, 0, 0, 0]]}]}",
        "{\"made\": [{}], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"a2\", 1, 0, 0, 0, 0]]}]}",
        "{\"made\": [{}], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"\", null, 0, 0, 0, 0]]}]}"};
    struct rc_benchmarks back, none = {0};
    struct rc_error error = {.text = ""};
    size_t removed;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(rc_model_add(store, "m", "c", "measured", 2, texts[i], NULL, &error), 0);
        assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), -1);
        assert_non_null(strstr(error.text, "damaged"));
        assert_null(back.inputs);
        assert_null(back.hows);
        assert_int_equal(rc_benchmarks_keep(store, "m", "c", &none, NULL, &error), -1);
    }
    rc_model_add(store, "m", "c", "measured", 3, "{}", NULL, &error);
    assert_int_equal(rc_benchmarks_keep(store, "m", "c", &none, NULL, &error), -1);
    assert_non_null(strstr(error.text, "of format 3"));
    assert_int_equal(rc_benchmarks_forget(store, "m", "c", NULL, 0, NULL, 0, &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_benchmarks_load(store, "m", "c", &back, &error), 0);
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
        cmocka_unit_test(measured_inputs_win_over_the_first_file_alone),
        cmocka_unit_test(inputs_that_changed_are_left_out),
        cmocka_unit_test_setup_teardown(the_store_has_one_for_each_platform, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(each_way_of_measuring_has_its_own_values, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(the_first_format_is_read, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(damaged_stored_texts_are_told_of, open_own_store,
                                        remove_own_store),
    };

    return RUN_TESTS(tests);
}
