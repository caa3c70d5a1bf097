/* The predictor: which methods answer, what track records are worth, and whether intervals cover. */
#include "own_store.h"

#include "base/random.h"
#include "predict/predictor.h"
#include "predict/structural_prediction.h"
#include "db/fitted_models.h"
#include "db/prediction.h"
#include "model/structural/model_registry.h"

#define APP "app"

enum { START = 1800000000, STEP = 1000 };

/* ---- the database ---- */

static void add_run(double n, double start, double seconds)
{
    struct rc_error error = {.text = ""};
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = APP;
    run.n = n;
    run.p = 1;
    run.start = start;
    run.seconds = seconds;
    if (rc_db_run_add(store, &run, NULL, &error))
        fail_msg("%s", error.text);
}

/* Runs of n / 100 seconds, long before. */
static void add_runs(void)
{
    for (int i = 0; i < 24; i++)
        add_run(100 + 150 * i, START - 1e7 + i, (1 + 1.5 * i) * (i % 2 ? 1.01 : 0.99));
}

/* A structural model: `factor` hundredths of n. */
static void add_model(double factor)
{
    char text[200];
    struct rc_error error = {.text = ""};
    struct rc_model *model;

    snprintf(text, sizeof text, "model made\ninput N from size\ntotal t = %g * N / 100\n", factor);
    model = rc_structural_model_parse(text, strlen(text), "made.rcm", &error);
    if (!model || rc_structural_save(store, APP, model, -1, NULL, &error))
        fail_msg("%s", error.text);
    rc_structural_model_destroy(model);
}

static int64_t model_id(void)
{
    struct rc_stored_model found;
    struct rc_error error = {.text = ""};
    int64_t id;

    assert_int_equal(rc_db_model_find(store, APP, "", RC_STRUCTURAL_METHOD, &found, &error), 1);
    id = found.id;
    rc_db_stored_model_free(&found);
    return id;
}

/* A prediction of run number i, and not yet the run. */
static void add_prediction(const char *method, int i, double predicted, double share)
{
    struct rc_error error = {.text = ""};
    const struct rc_prediction prediction = {.app = APP,
                                             .platform = "",
                                             .method = method,
                                             .n = 1000,
                                             .p = 1,
                                             .hosts = "",
                                             .params = "",
                                             .start = START + (double)i * STEP,
                                             .predicted = predicted,
                                             .mean = predicted,
                                             .lo90 = predicted * (1 - share),
                                             .hi90 = predicted * (1 + share),
                                             .model_id = strcmp(method, RC_STRUCTURAL_METHOD) == 0
                                                             ? model_id()
                                                             : 0};
    int64_t id;

    if (rc_db_prediction_add_all(store, &prediction, 1, &id, &error))
        fail_msg("%s", error.text);
}

/* ---- asking ---- */

static struct rc_predict_options options;
static struct rc_question question;
static struct rc_predictor *predictor;
static struct rc_predict_answer answer;

/* Asks of n = 1000 at the time of run number i. */
static void ask_again(int i)
{
    struct rc_error error = {.text = ""};

    question.size = 1000;
    question.procs = 1;
    question.start = START + (double)i * STEP;
    if (rc_predict_ask(predictor, &question, &answer, &error))
        fail_msg("%s", error.text);
}

static void ask(int i)
{
    struct rc_error error = {.text = ""};

    rc_predict_close(predictor);
    predictor = rc_predict_open(store, &question, &options, &error);
    if (!predictor)
        fail_msg("%s", error.text);
    ask_again(i);
}

static int set_up(void **state)
{
    rc_predict_options_init(&options);
    rc_predict_question_init(&question, APP);
    options.samples = 400;
    predictor = NULL;
    return open_own_store(state);
}

static int tear_down(void **state)
{
    rc_predict_close(predictor);
    return remove_own_store(state);
}

/* ---- who answers ---- */

static void a_lack_is_told_and_is_no_failure(void **state)
{
    const struct rc_method_report *methods = answer.methods;

    (void)state;
    ask(0);
    assert_int_equal(answer.answered, 0);
    assert_int_equal(answer.nearest, RC_METHOD_REGRESSION);
    add_model(1);
    ask(0);
    assert_int_equal(answer.answered, 1);
    assert_true(methods[RC_METHOD_STRUCTURAL].answered);
    assert_string_equal(methods[RC_METHOD_REGRESSION].why.text, "no runs of 'app' in the database");
    assert_string_equal(methods[RC_METHOD_REGRESSION].why.code, "predict.no-runs");
    assert_string_equal(methods[RC_METHOD_REGRESSION].why.facts, APP);
    assert_string_equal(methods[RC_METHOD_SCALING].why.text, "no platform file");
    assert_string_equal(methods[RC_METHOD_SKELETON].why.text,
                        "no trace of 'app' with size 1000 and 1 process");
    assert_string_equal(methods[RC_METHOD_SLOWDOWN].why.text, "no hosts given");
    for (int m = 0; m < RC_METHODS; m++)
        assert_true(methods[m].answered || methods[m].why.hint[0] || methods[m].why.code);
    options.methods = 1U << RC_METHOD_SLOWDOWN;
    question.hosts = (const char *const[]){"a1"};
    question.n_hosts = 1;
    ask(0);
    assert_false(methods[RC_METHOD_STRUCTURAL].asked);
    assert_non_null(strstr(methods[RC_METHOD_SLOWDOWN].why.text, "no CPU samples of a1"));
}

static void what_is_damaged_is_a_failure(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    add_runs();
    assert_int_equal(
        rc_db_model_add(store, APP, "", "regress", 1, "{\"members\": 3}", NULL, &error), 0);
    assert_null(rc_predict_open(store, &question, &options, &error));
    assert_non_null(strstr(error.text, "damaged"));
    options.methods = 1U << RC_METHOD_STRUCTURAL; /* who is not asked is not read */
    ask(0);
}

static void one_alone_passes_through_unchanged(void **state)
{
    (void)state;
    add_runs();
    ask(0);
    assert_int_equal(answer.answered, 1);
    assert_same(answer.methods[RC_METHOD_REGRESSION].weight, 1);
    assert_int_equal(answer.learnt.n, 0);
    assert_int_equal(answer.n_samples, answer.methods[RC_METHOD_REGRESSION].answer.n_samples);
    assert_memory_equal(answer.samples, answer.methods[RC_METHOD_REGRESSION].answer.samples,
                        answer.n_samples * sizeof *answer.samples);
    assert_memory_equal(&answer.summary, &answer.methods[RC_METHOD_REGRESSION].answer.summary,
                        sizeof answer.summary);
    assert_near(answer.summary.predicted, 10, 0.3);
    ask_again(3); /* the same again, some time later */
    assert_near(answer.summary.predicted, 10, 0.3);
}

static void a_load_that_is_said_is_for_regression(void **state)
{
    (void)state;
    add_runs();
    add_model(1);
    question.given.cpu_minavg = question.given.cpu_avgmin = 0.5;
    ask(0);
    assert_int_equal(answer.answered, 1);
    assert_true(answer.given);
    assert_true(answer.methods[RC_METHOD_REGRESSION].answered);
    assert_non_null(strstr(answer.methods[RC_METHOD_STRUCTURAL].why.text, "a given load"));
}

/* Half of the core of a1 is left in the hours before `until`. */
static void make_busy(double until)
{
    const struct rc_series_key key = {.host = "a1", .peer = "", .metric = "cpu"};
    struct rc_sample samples[200];
    struct rc_error error = {.text = ""};

    for (int i = 0; i < 200; i++)
        samples[i] = (struct rc_sample){until - 60.0 * (200 - i), 0.5};
    if (rc_db_series_add(store, &key, samples, 200, 0, NULL, &error))
        fail_msg("%s", error.text);
}

/* Idle runs took 10 s; half of the core is left. */
static void slowdown_takes_runs_on_idle_hosts_and_who_is_busy(void **state)
{
    struct rc_error error = {.text = ""};
    struct rc_run run;

    (void)state;
    make_busy(START);
    rc_db_run_init(&run);
    run.app = APP;
    run.n = 1000;
    run.p = 1;
    run.start = START - 1e6;
    for (int i = 0; i < 4; i++) {
        run.seconds = i < 3 ? 10 : 20;
        run.cpu_avgmin = i < 3 ? 0.99 : 0.5; /* the last had not its host to itself */
        if (rc_db_run_add(store, &run, NULL, &error))
            fail_msg("%s", error.text);
    }
    question.hosts = (const char *const[]){"a1"};
    question.n_hosts = 1;
    options.methods = 1U << RC_METHOD_SLOWDOWN;
    ask(0);
    assert_true(answer.methods[RC_METHOD_SLOWDOWN].answered);
    assert_near(answer.summary.mean, 20, 1);
}

/* The program has become slower, which regression has learnt by now, and slowdown from it. */
static void slowdown_is_not_corrected_for_what_regression_learnt(void **state)
{
    (void)state;
    make_busy(START + 40.0 * STEP);
    add_runs();
    for (int i = 0; i < 12; i++) {
        add_prediction("slowdown", i, 10, 0.1);
        add_run(1000, START + (double)i * STEP + 1, i % 2 ? 14.5 : 15.5);
    }
    question.hosts = (const char *const[]){"a1"};
    question.n_hosts = 1;
    options.methods = 1U << RC_METHOD_SLOWDOWN;
    ask(40);
    assert_true(answer.methods[RC_METHOD_SLOWDOWN].answered);
    assert_int_equal(answer.methods[RC_METHOD_SLOWDOWN].record.n, 12);
    assert_same(answer.methods[RC_METHOD_SLOWDOWN].factor, 1);
}

/* A model that needs neither size nor processes answers where both are unknown; the others lack them,
 * and none takes what is unknown for 0, or for anything. */
static void all_but_the_app_may_be_unknown(void **state)
{
    const char *unsized = "model made\ninput P from processes\ntotal t = 7 * P / P\n";
    struct rc_error error = {.text = ""};
    struct rc_model *model;

    (void)state;
    make_busy(START);
    add_runs();
    model = rc_structural_model_parse(unsized, strlen(unsized), "made.rcm", &error);
    if (!model || rc_structural_save(store, APP, model, -1, NULL, &error))
        fail_msg("%s", error.text);
    rc_structural_model_destroy(model);
    question.hosts = (const char *const[]){"a1"};
    question.n_hosts = 1;
    for (int known = 0; known < 2; known++) {
        rc_predict_close(predictor);
        predictor = rc_predict_open(store, &question, &options, &error);
        assert_non_null(predictor);
        question.start = known ? START : (double)NAN;
        if (rc_predict_ask(predictor, &question, &answer, &error))
            fail_msg("%s", error.text);
        assert_int_equal(answer.answered, 1);
        assert_near(answer.methods[RC_METHOD_STRUCTURAL].answer.summary.predicted, 7, 0.1);
        for (int m = 0; m < RC_METHODS; m++)
            assert_true(m == RC_METHOD_STRUCTURAL || answer.methods[m].why.text[0]);
        assert_non_null(strstr(answer.methods[RC_METHOD_SLOWDOWN].why.text, "the problem size"));
    }
}

/* ---- records ---- */

/* Both methods predicted 30 runs of 10 s, one of them better. */
static void add_records(double regress, double structure)
{
    for (int i = 0; i < 30; i++) {
        double sign = i % 2 ? 1 : -1;

        add_prediction("regress", i, 10 * (1 + sign * regress), 0.2);
        add_prediction(RC_STRUCTURAL_METHOD, i, 10 * (1 - sign * structure), 0.2);
        add_run(1000, START + (double)i * STEP + 1, 10);
    }
}

static void weights_go_to_the_better_record(void **state)
{
    (void)state;
    add_runs();
    add_model(1);
    ask(0);
    assert_int_equal(answer.answered, 2);
    assert_int_equal(answer.methods[RC_METHOD_REGRESSION].record.n, 0);
    assert_near(answer.methods[RC_METHOD_REGRESSION].weight +
                    answer.methods[RC_METHOD_STRUCTURAL].weight,
                1, 1e-12);
    add_records(0.02, 0.15);
    ask(40);
    assert_int_equal(answer.methods[RC_METHOD_REGRESSION].record.n, 30);
    assert_near(answer.methods[RC_METHOD_REGRESSION].record.error, 0.02, 0.0001);
    assert_near(answer.methods[RC_METHOD_STRUCTURAL].record.error, 0.15, 0.0001);
    assert_same(answer.methods[RC_METHOD_STRUCTURAL].record.held, 1);
    assert_true(answer.methods[RC_METHOD_REGRESSION].weight > 0.95);
    assert_int_equal(answer.best, RC_METHOD_REGRESSION);
    assert_int_equal(answer.learnt.n, 30);
    ask_again(0); /* then, nothing of that had come */
    assert_int_equal(answer.methods[RC_METHOD_REGRESSION].record.n, 0);
    assert_int_equal(answer.learnt.n, 0);
}

static void the_other_way_round(void **state)
{
    (void)state;
    add_runs();
    add_model(1);
    add_records(0.15, 0.02);
    ask(40);
    assert_true(answer.methods[RC_METHOD_STRUCTURAL].weight > 0.95);
    assert_int_equal(answer.best, RC_METHOD_STRUCTURAL);
}

/* The model is off by half; it corrects itself by its record, and the combination does not do so again. */
static void nothing_is_corrected_twice(void **state)
{
    const struct rc_method_report *part = &answer.methods[RC_METHOD_STRUCTURAL];

    (void)state;
    add_model(1);
    for (int i = 0; i < 12; i++) {
        add_prediction(RC_STRUCTURAL_METHOD, i, 10, 0.1);
        add_prediction(RC_COMBINED_STORED, i, 10, 0.1);
        add_run(1000, START + (double)i * STEP + 1, i % 2 ? 14.5 : 15.5);
    }
    options.methods = RC_METHODS_ALL & ~(1U << RC_METHOD_REGRESSION | 1U << RC_METHOD_HISTORY);
    ask(40);
    assert_int_equal(answer.answered, 1);
    assert_int_equal(answer.record.n, 12);
    assert_near(part->answer.summary.predicted, 15, 0.6);
    assert_near(answer.summary.predicted, part->answer.summary.predicted, 1e-9);
    assert_near(answer.summary.lo90, part->answer.summary.lo90, 1e-9);
    assert_near(answer.summary.hi90, part->answer.summary.hi90, 1e-9);
}

/* Runs became half as long again.  Regression was off by that, and has learnt them since: neither
 * its track record nor the combined one moves its answer once more. */
static void who_has_learnt_is_not_corrected(void **state)
{
    const struct rc_method_report *part = &answer.methods[RC_METHOD_REGRESSION];

    (void)state;
    for (int i = 0; i < 12; i++) {
        add_prediction("regress", i, 10, 0.02);
        add_prediction(RC_COMBINED_STORED, i, 10, 0.02);
        add_run(1000, START + (double)i * STEP + 1, 15);
    }
    for (int i = 0; i < 24; i++)
        add_run(100 + 150 * i, START + (double)(13 + i) * STEP,
                1.5 * (1 + 1.5 * i) * (i % 2 ? 1.01 : 0.99));
    ask(40);
    assert_int_equal(part->record.n, 12);
    assert_same(part->factor, 1);
    assert_near(part->answer.summary.predicted, 15, 0.3);
    assert_near(answer.summary.predicted, part->answer.summary.predicted, 1e-9);
    assert_true(answer.summary.hi90 >
                part->answer.summary.hi90); /* it was off, which may be so again */
}

/* ---- keeping ---- */

static void one_run_is_one_run_in_every_record(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    add_runs();
    add_model(1);
    ask(0);
    assert_true(rc_predict_has_models(predictor));
    assert_int_equal(rc_predict_store_models(predictor, store, &error), 0);
    if (rc_predict_store(predictor, store, &question, &answer, true, &error))
        fail_msg("%s", error.text);
    assert_int_equal(answer.methods[RC_METHOD_REGRESSION].id, 1);
    assert_int_equal(answer.methods[RC_METHOD_STRUCTURAL].id, 2);
    assert_int_equal(answer.id, 3);
    add_run(1000, START + 1, 11);
    ask(1);
    assert_int_equal(answer.record.n, 1);
    assert_int_equal(answer.methods[RC_METHOD_REGRESSION].record.n, 1);
    assert_int_equal(answer.methods[RC_METHOD_STRUCTURAL].record.n, 1);
    assert_int_equal(answer.methods[RC_METHOD_SCALING].record.n, 0);
    options.methods = 1U << RC_METHOD_STRUCTURAL;
    ask(2);
    if (rc_predict_store(predictor, store, &question, &answer, false, &error))
        fail_msg("%s", error.text);
    assert_int_equal(answer.id, 0);
    add_run(1000, START + 2 * STEP + 1, 11);
    ask(4);
    assert_int_equal(answer.record.n, 1);
    assert_int_equal(answer.methods[RC_METHOD_STRUCTURAL].record.n, 2);
}

/* ---- intervals ---- */

enum { RUNS = 150, LEARNING = 30 };

/* A model that is off by a third and too sure of itself, and regression; runs vary by 15 %.  What
 * is combined of both covers as often as it says. */
static void intervals_hold_as_often_as_they_say(void **state)
{
    struct rc_random *random = rc_random_create(11, 0);
    struct rc_error error = {.text = ""};
    int held = 0, held_by_model = 0;

    (void)state;
    assert_non_null(random);
    add_runs();
    add_model(0.7);
    for (int i = 0; i < RUNS; i++) {
        double came = 10 * exp(rc_random_normal(random, 0, 0.15));

        ask(i);
        if (rc_predict_store_models(predictor, store, &error) ||
            rc_predict_store(predictor, store, &question, &answer, true, &error))
            fail_msg("%s", error.text);
        add_run(1000, question.start + 1, came);
        if (i < LEARNING)
            continue;
        assert_int_equal(answer.learnt.n, i);
        held += answer.summary.lo90 <= came && came <= answer.summary.hi90;
        held_by_model += 0.66 * 10 <= came && came <= 0.74 * 10; /* as it says itself */
    }
    rc_random_destroy(random);
    assert_in_range(held, (int)(0.84 * (RUNS - LEARNING)), (int)(0.96 * (RUNS - LEARNING)));
    assert_true(held_by_model < (RUNS - LEARNING) / 10);
}

int main(void)
{
#define PREDICTOR_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        PREDICTOR_TEST(a_lack_is_told_and_is_no_failure),
        PREDICTOR_TEST(what_is_damaged_is_a_failure),
        PREDICTOR_TEST(one_alone_passes_through_unchanged),
        PREDICTOR_TEST(a_load_that_is_said_is_for_regression),
        PREDICTOR_TEST(slowdown_takes_runs_on_idle_hosts_and_who_is_busy),
        PREDICTOR_TEST(slowdown_is_not_corrected_for_what_regression_learnt),
        PREDICTOR_TEST(all_but_the_app_may_be_unknown),
        PREDICTOR_TEST(weights_go_to_the_better_record),
        PREDICTOR_TEST(the_other_way_round),
        PREDICTOR_TEST(nothing_is_corrected_twice),
        PREDICTOR_TEST(who_has_learnt_is_not_corrected),
        PREDICTOR_TEST(one_run_is_one_run_in_every_record),
        PREDICTOR_TEST(intervals_hold_as_often_as_they_say),
    };

    return RUN_TESTS(tests);
}
