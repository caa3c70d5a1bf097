/* The scaling curve: its axis, its points and the measured runs. */
#include "own_store.h"

#include "db/prediction.h"
#include "model/structural/model_registry.h"
#include "model/regression/fit.h"
#include "predict/curve_question.h"
#include "predict/scaling_curve.h"

#define APP "app"

static struct rc_predict_options options;
static struct rc_question question;
static struct rc_predict_curve curve;
static struct rc_predict_curve_setup setup;

/* A run of n / (100 p) seconds. */
static void add_run(double n, int64_t p, enum rc_run_status status)
{
    struct rc_error error = {.text = ""};
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = APP;
    run.platform = "here";
    run.n = n;
    run.p = p;
    run.seconds = n / 100 / (double)p;
    run.status = status;
    if (rc_db_run_add(store, &run, NULL, &error))
        fail_msg("%s", error.text);
}

/* A structural model of the same law, exact. */
static void add_model(void)
{
    static const char text[] = "model made\ninput N from size\ninput P from processes\n"
                               "total t = N / 100 / P\n    accuracy 0%\n";
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse(text, strlen(text), "made.rcm", &error);

    if (!model || rc_structural_save(store, APP, model, -1, NULL, &error))
        fail_msg("%s", error.text);
    rc_structural_model_destroy(model);
}

/* What rc_predict_curve_make() returns, for the structural method. */
static int make(double size, int64_t procs, struct rc_error *error)
{
    struct rc_predictor *predictor;
    int status;

    question.size = size;
    question.procs = procs;
    rc_predict_curve_free(&curve);
    predictor = rc_predict_open(store, &question, &options, error);
    if (!predictor)
        fail_msg("%s", error->text);
    status = rc_predict_curve_make(predictor, store, &question, &setup, &curve, error);
    rc_predict_close(predictor);
    return status;
}

static void make_curve(double size, int64_t procs)
{
    struct rc_error error = {.text = ""};

    if (make(size, procs, &error))
        fail_msg("%s", error.text);
}

/* Points are rising whole numbers with the time of the law, and a median within its interval. */
static void check_points(void)
{
    assert_true(curve.n > 1 && curve.n <= RC_PREDICT_CURVE_POINTS);
    for (size_t i = 0; i < curve.n; i++) {
        double seconds = curve.over_procs ? question.size / 100 / curve.x[i]
                                          : curve.x[i] / 100 / (double)question.procs;

        assert_true(curve.x[i] >= 1 && curve.x[i] == round(curve.x[i]));
        assert_true(i == 0 || curve.x[i] > curve.x[i - 1]);
        assert_near(curve.median[i], seconds, 0.01 * seconds);
        assert_true(curve.low[i] <= curve.median[i] && curve.median[i] <= curve.high[i]);
    }
}

static void the_axis_is_that_of_the_runs(void **state)
{
    (void)state;
    add_model();
    for (int64_t p = 1; p <= 16; p *= 2)
        add_run(1000, p, RC_RUN_OK);
    add_run(2000, 4, RC_RUN_OK);
    make_curve(1000, 4);
    assert_true(curve.over_procs);
    check_points();
    assert_true(curve.x[0] == 1 && curve.x[curve.n - 1] >= 16);
    for (int i = 1; i <= 40; i++)
        add_run(1000 * i, 4, RC_RUN_OK);
    make_curve(1000, 4);
    assert_false(curve.over_procs);
    check_points();
    assert_true(curve.x[0] <= 1000 && curve.x[curve.n - 1] >= 40000);
}

static void the_curve_covers_several_numbers_of_processes(void **state)
{
    static const struct rc_range several = {2, 200};

    (void)state;
    add_model();
    for (int i = 1; i <= 40; i++)
        add_run(1000 * i, 4, RC_RUN_OK);
    setup.procs = &several;
    make_curve(1000, 8);
    assert_true(curve.over_procs);
    check_points();
    assert_true(curve.x[0] <= 2 && curve.x[curve.n - 1] >= 200);
}

/* A host for each process; there are eight. */
static int place(void *data, struct rc_question *asked, struct rc_error *error)
{
    static const char *const hosts[] = {"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"};

    (void)error;
    if (asked->procs > 8)
        return 1;
    asked->hosts = hosts;
    asked->n_hosts = (size_t)asked->procs;
    ++*(int *)data;
    return 0;
}

static void points_have_their_own_hosts(void **state)
{
    int placed = 0;

    (void)state;
    add_model();
    for (int64_t p = 1; p <= 32; p *= 2)
        add_run(1000, p, RC_RUN_OK);
    setup.place = place;
    setup.data = &placed;
    make_curve(1000, 4);
    check_points();
    assert_int_equal(placed, curve.n);
    assert_true(curve.x[0] == 1 && curve.x[curve.n - 1] > 6 && curve.x[curve.n - 1] <= 8);
}

static void the_curve_reaches_a_question_outside_the_runs(void **state)
{
    (void)state;
    add_model();
    for (int64_t p = 1; p <= 4; p *= 2)
        add_run(1000, p, RC_RUN_OK);
    make_curve(1000, 64);
    assert_true(curve.over_procs);
    check_points();
    assert_true(curve.x[0] == 1 && curve.x[curve.n - 1] >= 64);
}

static void measured_runs_have_the_other_coordinate(void **state)
{
    (void)state;
    add_model();
    for (int64_t p = 1; p <= 16; p *= 2) {
        add_run(1000, p, RC_RUN_OK);
        add_run(1100, p, RC_RUN_OK);
        add_run(1200, p, RC_RUN_OK);
    }
    add_run(1000, 32, RC_RUN_FAILED);
    make_curve(1000, 4);
    assert_true(curve.over_procs);
    assert_int_equal(curve.measured.n, 5);
    assert_int_equal(curve.near.n, 5);
    assert_near(curve.near_low, 900, 1e-9);
    assert_near(curve.near_high, 1100, 1e-9);
    for (size_t i = 0; i < 5; i++) {
        assert_near(curve.measured.runs[i].seconds, 10 / curve.measured.runs[i].x, 1e-9);
        assert_near(curve.near.runs[i].seconds, 11 / curve.near.runs[i].x, 1e-9);
    }
    question.platform = "elsewhere";
    make_curve(1000, 4);
    assert_int_equal(curve.measured.n + curve.near.n, 0);
    assert_true(curve.over_procs && curve.x[0] == 1 && curve.x[curve.n - 1] >= 16);
}

static void without_runs_the_curve_is_around_the_question(void **state)
{
    (void)state;
    add_model();
    make_curve(1000, 12);
    check_points();
    assert_true(curve.over_procs && curve.x[0] == 3 && curve.x[curve.n - 1] >= 48);
}

/* The model is exact, and scales ideally. */
static void efficiency_is_relative_to_the_fewest_processes(void **state)
{
    static const struct rc_range several = {6, 200};

    (void)state;
    add_model();
    for (int64_t p = 3; p <= 48; p *= 2)
        add_run(1000, p, RC_RUN_OK);
    make_curve(1000, 12);
    assert_true(curve.scales);
    assert_true(curve.base == 3 && curve.x[0] == 3);
    for (size_t i = 0; i < curve.n; i++) {
        assert_near(curve.ideal[i], 10 / curve.x[i], 0.01);
        assert_near(curve.efficiency[i], 1, 0.01);
    }
    assert_near(rc_predict_curve_efficiency(&curve, 12, 10.0 / 12), 1, 0.01);
    assert_near(rc_predict_curve_efficiency(&curve, 12, 20.0 / 12), 0.5, 0.01);
    /* Of a table, it is the first number, which is a point of the curve. */
    setup.procs = &several;
    make_curve(1000, 12);
    assert_true(curve.base == 6 && curve.x[0] == 3);
    assert_true(isnan(rc_predict_curve_efficiency(&curve, 4, 2.5)));
    for (size_t i = 0; i < curve.n; i++)
        assert_true(curve.x[i] < 6 ? isnan(curve.ideal[i]) && isnan(curve.efficiency[i])
                                   : fabs(curve.efficiency[i] - 1) < 0.01);
    /* Larger sizes have none. */
    setup.procs = NULL;
    setup.axis = RC_CURVE_OVER_SIZE;
    make_curve(1000, 12);
    assert_false(curve.scales);
}

/* Half of the hosts are busy, which must not lower the parallel efficiency. */
static void efficiency_is_between_runs_under_the_same_load(void **state)
{
    int placed = 0;

    (void)state;
    for (int i = 0; i < 30; i++)
        add_run(1000.0 + 1000 * (i % 3), 1 << i % 4, RC_RUN_OK);
    for (int host = 1; host <= 8; host++) {
        char name[] = {'a', (char)('0' + host), '\0'};
        const struct rc_series_key key = {.host = name, .peer = "", .metric = "cpu"};
        struct rc_sample samples[200];
        struct rc_error error = {.text = ""};

        for (int i = 0; i < 200; i++)
            samples[i] = (struct rc_sample){question.start - 2000 + 10 * i, host > 4 ? 0.5 : 1};
        if (rc_db_series_add(store, &key, samples, 200, 0, NULL, &error))
            fail_msg("%s", error.text);
    }
    options.methods = 1U << RC_METHOD_REGRESSION;
    setup.place = place;
    setup.data = &placed;
    make_curve(1000, 4);
    assert_true(curve.scales && curve.base == 1);
    for (size_t i = 0; i < curve.n; i++) {
        double busy = curve.x[i] > 4 ? 2 : 1;

        assert_near(curve.median[i], busy * 10 / curve.x[i], busy * 1 / curve.x[i]);
        assert_near(curve.ideal[i], busy * 10 / curve.x[i], busy * 1 / curve.x[i]);
        assert_near(curve.efficiency[i], 1, 0.06);
    }
    assert_near(rc_predict_curve_efficiency(&curve, 8, 2.5), 1, 0.1);
}

/* ---- the curve of a model ---- */

static void add_run_with(double n, int64_t p, double steps)
{
    struct rc_param param = {"steps", steps};
    struct rc_error error = {.text = ""};
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = APP;
    run.n = n;
    run.p = p;
    run.seconds = steps * n / 100 / (double)p;
    run.params = &param;
    run.n_params = 1;
    if (rc_db_run_add(store, &run, NULL, &error))
        fail_msg("%s", error.text);
}

static void ask_for_curve(bool expected_over_procs, double size, int64_t procs, double steps)
{
    char name[] = "steps";
    struct rc_regression_model model = {.params = {name}, .n_params = 1};
    struct rc_param params[RC_REGRESSION_PARAMS_MAX];
    struct rc_error error = {.text = ""};
    bool over_procs;

    if (rc_predict_curve_question(store, &model, &question, params, &over_procs, &error))
        fail_msg("%s", error.text);
    assert_int_equal(over_procs, expected_over_procs);
    assert_true(question.size == size);
    assert_int_equal(question.procs, procs);
    assert_int_equal(question.n_params, 1);
    assert_string_equal(question.params[0].name, "steps");
    assert_true(question.params[0].value == steps);
    question.n_params = 0;
}

static void a_model_is_drawn_where_most_was_measured(void **state)
{
    (void)state;
    for (double n = 1000; n <= 3000; n += 1000)
        add_run_with(n, 4, 10);
    ask_for_curve(false, 1000, 4, 10);
    add_run_with(2000, 8, 20);
    add_run_with(2000, 2, 20);
    add_run_with(5000, 16, 10);
    ask_for_curve(true, 2000, 2, 20);
    for (int64_t p = 1; p <= 4; p++)
        add_run_with(1000, p, 30);
    ask_for_curve(true, 1000, 1, 30);
}

/* Runs with other parameters are no measured runs of the curve. */
static void a_fitted_model_has_a_curve(void **state)
{
    const struct rc_regression_wanted wanted = {.app = APP, .process = -1};
    struct rc_regression_table table = {0};
    struct rc_param params[RC_REGRESSION_PARAMS_MAX];
    struct rc_predict_source source = {.made = 0};
    struct rc_error error = {.text = ""};

    (void)state;
    for (int i = 0; i < 24; i++)
        add_run_with(1000, 1 << i % 4, i % 3 ? 20 : 10);
    assert_int_equal(rc_regression_table_load(&table, store, &wanted, &error), 0);
    source.model = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, &error);
    assert_non_null(source.model);
    question.idle = true;
    rc_predict_curve_free(&curve);
    if (rc_predict_curve_of_model(store, &source, &question, params, &curve, &error))
        fail_msg("%s", error.text);
    assert_true(curve.over_procs && curve.scales);
    assert_true(question.n_params == 1 && question.params[0].value == 20);
    assert_int_equal(curve.measured.n, 16);
    for (size_t i = 0; i < curve.measured.n; i++)
        assert_near(curve.measured.runs[i].seconds, 200 / curve.measured.runs[i].x, 1e-9);
    for (size_t i = 0; i < curve.n; i++)
        assert_near(curve.median[i], 200 / curve.x[i], 20 / curve.x[i]);
    question.n_params = 0;
    rc_regression_model_destroy(source.model);
    rc_regression_table_free(&table);
}

/* Without any answer along the axis there is no curve, and the reason is given. */
static void no_answer_is_no_curve(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    add_run(1000, 1, RC_RUN_OK);
    assert_int_equal(make(1000, 4, &error), -1);
    assert_string_equal(error.text, "no method can predict any point of the curve");
}

static int set_up(void **state)
{
    rc_predict_options_init(&options);
    rc_predict_question_init(&question, APP);
    question.start = 1800000000;
    setup = (struct rc_predict_curve_setup){0};
    options.samples = 200;
    options.methods = 1U << RC_METHOD_STRUCTURAL;
    return open_own_store(state);
}

static int tear_down(void **state)
{
    rc_predict_curve_free(&curve);
    return remove_own_store(state);
}

int main(void)
{
#define CURVE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CURVE_TEST(the_axis_is_that_of_the_runs),
        CURVE_TEST(the_curve_covers_several_numbers_of_processes),
        CURVE_TEST(points_have_their_own_hosts),
        CURVE_TEST(the_curve_reaches_a_question_outside_the_runs),
        CURVE_TEST(measured_runs_have_the_other_coordinate),
        CURVE_TEST(without_runs_the_curve_is_around_the_question),
        CURVE_TEST(efficiency_is_relative_to_the_fewest_processes),
        CURVE_TEST(efficiency_is_between_runs_under_the_same_load),
        CURVE_TEST(a_model_is_drawn_where_most_was_measured),
        CURVE_TEST(a_fitted_model_has_a_curve),
        CURVE_TEST(no_answer_is_no_curve),
    };

    return RUN_TESTS(tests);
}
