/* The model that answers: which runs of the store it takes in, and when. */
#include "own_store.h"

#include "predict/regression_source.h"

static void add(const char *app, const char *platform, double n, int64_t p,
                enum rc_run_status status)
{
    double seconds = 1e-5 * n * n / (double)p + 0.01 * n;
    const struct rc_run_time times[] = {{"solve", -1, 0.9 * seconds}, {"write", -1, 0.1 * seconds}};
    struct rc_error error;
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = app;
    run.platform = platform;
    run.n = n;
    run.p = p;
    run.seconds = seconds;
    run.status = status;
    run.times = times;
    run.n_times = COUNT(times);
    if (rc_db_run_add(store, &run, NULL, &error))
        fail_msg("%s", error.text);
}

static void add_some(const char *app)
{
    for (int64_t p = 1; p <= 8; p *= 2)
        for (int i = 1; i <= 5; i++)
            add(app, "here", 100 * i, p, RC_RUN_OK);
}

/* Opens the model of "a" on that platform; how many runs it took in just now, or -1 where it was
 * fitted. */
static int64_t learnt(const char *platform)
{
    struct rc_predict_source source;
    struct rc_error error;
    int64_t count;

    if (rc_predict_source_open(store, "a", platform, NULL, RC_REGRESSION_DEFAULT, &source, &error))
        fail_msg("%s", error.text);
    count = source.fitted ? -1 : (int64_t)source.learnt;
    if (source.fitted)
        assert_int_equal(
            rc_predict_model_keep(store, "a", platform, source.model, NULL, NULL, &error), 0);
    rc_predict_source_free(&source);
    return count;
}

static void runs_that_came_since_are_taken_in(void **state)
{
    struct rc_predict_source source;
    struct rc_error error;

    (void)state;
    add_some("b");
    assert_int_equal(
        rc_predict_source_open(store, "a", NULL, NULL, RC_REGRESSION_DEFAULT, &source, &error), -1);
    add_some("a");
    assert_int_equal(learnt(NULL), -1);
    assert_int_equal(learnt("here"), -1);
    assert_int_equal(learnt(NULL), 0);
    add("b", "here", 300, 2, RC_RUN_OK); /* of another program */
    assert_int_equal(learnt(NULL), 0);
    add("a", "here", 300, 2, RC_RUN_FAILED);
    assert_int_equal(learnt(NULL), 0);
    add("a", "there", 300, 2, RC_RUN_OK);
    assert_int_equal(learnt(NULL), 1);
    assert_int_equal(learnt("here"), 0);
    add("a", "here", 400, 4, RC_RUN_OK);
    add("b", "here", 300, 2, RC_RUN_OK); /* the newest of all is not the one to learn from */
    assert_int_equal(learnt(NULL), 2);
    assert_int_equal(learnt("here"), 1);
}

/* Whether the parts of "a" were fitted just now. */
static bool fitted_parts(void)
{
    struct rc_predict_source source;
    struct rc_error error;
    bool fitted;

    if (rc_predict_source_near(store, "a", NULL, NULL, RC_REGRESSION_DEFAULT, true, &source,
                               &error))
        fail_msg("%s", error.text);
    fitted = source.fitted;
    if (fitted)
        assert_int_equal(rc_predict_parts_keep(store, "a", NULL, source.parts, NULL, NULL, &error),
                         0);
    rc_predict_source_free(&source);
    return fitted;
}

static void parts_are_fitted_where_a_run_came_since(void **state)
{
    (void)state;
    add_some("a");
    assert_true(fitted_parts());
    assert_false(fitted_parts());
    add("b", "here", 300, 2, RC_RUN_OK);
    add("a", "here", 300, 2, RC_RUN_FAILED);
    assert_false(fitted_parts());
    add("a", "here", 300, 2, RC_RUN_OK);
    add("b", "here", 300, 2, RC_RUN_OK);
    assert_true(fitted_parts());
    assert_false(fitted_parts());
}

/* The model of "a" near that platform, which is of its own runs, or of any. */
static void near(const char *platform, bool parts, bool own)
{
    struct rc_predict_source source;
    struct rc_error error;

    if (rc_predict_source_near(store, "a", platform, NULL, RC_REGRESSION_DEFAULT, parts, &source,
                               &error))
        fail_msg("%s", error.text);
    assert_int_equal(source.elsewhere.text[0] == '\0', own);
    assert_true(own || strstr(source.elsewhere.text, platform));
    if (own)
        assert_ptr_equal(rc_predict_source_platform(&source, platform), platform);
    else
        assert_null(rc_predict_source_platform(&source, platform));
    rc_predict_source_free(&source);
}

static void where_a_platform_has_no_runs_those_on_others_count(void **state)
{
    struct rc_predict_source source;
    struct rc_error error;

    (void)state;
    add_some("b");
    assert_int_equal(rc_predict_source_near(store, "a", "there", NULL, RC_REGRESSION_DEFAULT, false,
                                            &source, &error),
                     -1);
    assert_true(source.missing);
    assert_null(strstr(error.text, "there"));
    add_some("a");
    for (int parts = 0; parts < 2; parts++) {
        near("here", parts, true);
        near("there", parts, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_that_came_since_are_taken_in, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(where_a_platform_has_no_runs_those_on_others_count,
                                        open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(parts_are_fitted_where_a_run_came_since, open_own_store,
                                        remove_own_store),
    };

    return RUN_TESTS(tests);
}
