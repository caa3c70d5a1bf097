/* Phases and processes: names of their columns, which parts count, and the time of a run from
 * them. */
#include "regress.h"

#include "predict/phase_models.h"
#include "predict/regression_source.h"
#include "model/regression/phase_error_correlation.h"
#include "db/phase_time_columns.h"

/* ---- columns ---- */

static void assert_column(const char *name, const char *phase, int process, const char *written)
{
    char read[RC_PHASE_MAX + 1], again[RC_TIME_COLUMN_SIZE];
    struct rc_run_time time = {.phase = read};
    struct rc_error error;

    assert_true(rc_db_time_column_is(name));
    if (rc_db_time_column_read(name, read, &time.process, &error))
        fail_msg("%s: %s", name, error.text);
    assert_string_equal(read, phase);
    assert_int_equal(time.process, process);
    rc_db_time_column_name(&time, again);
    assert_string_equal(again, written);
}

static void test_columns(void **state)
{
    char phase[RC_PHASE_MAX + 1], longest[300];
    int process;

    (void)state;
    assert_column("time:solve", "solve", -1, "time:solve");
    assert_column("TIME:solve:12", "solve", 12, "time:solve:12");
    assert_column("time::0", "", 0, "time::0");
    assert_column("time:a:b", "a:b", -1, "time:a:b:");
    assert_column("time:a:3:", "a:3", -1, "time:a:3:");
    assert_column("time:a:3:4", "a:3", 4, "time:a:3:4");
    assert_column("time:a:-1", "a:-1", -1, "time:a:-1:");
    assert_false(rc_db_time_column_is("time"));
    assert_false(rc_db_time_column_is("times:a"));
    assert_int_equal(rc_db_time_column_read("time:", phase, &process, NULL), -1);
    assert_int_equal(rc_db_time_column_read("time::", phase, &process, NULL), -1);
    assert_int_equal(rc_db_time_column_read("time:a:1000000000", phase, &process, NULL), -1);
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "time:", 5);
    longest[5 + RC_PHASE_MAX] = '\0';
    assert_int_equal(rc_db_time_column_read(longest, phase, &process, NULL), 0);
    longest[5 + RC_PHASE_MAX] = 'a';
    longest[5 + RC_PHASE_MAX + 1] = '\0';
    assert_int_equal(rc_db_time_column_read(longest, phase, &process, NULL), -1);
}

/* ---- a run from its parts ---- */

/* 2 / cpu + 120000 / bw seconds for the question, times `scale`. */
static struct rc_regression_model *scaled(double scale, double sigma)
{
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_AVGMIN, sigma);

    model->members[0].coefficients[0] *= scale;
    model->members[0].coefficients[1] *= scale;
    return model;
}

/* The phases a, of which process 1 takes twice as long and process 5 is none of four, and b. */
static struct rc_regression_parts *some_parts(double sigma)
{
    const struct rc_regression_part list[] = {{strdup("a"), 0, scaled(1, sigma)},
                                              {strdup("a"), 1, scaled(2, sigma)},
                                              {strdup("a"), 5, scaled(100, sigma)},
                                              {strdup("b"), -1, scaled(3, sigma)}};
    struct rc_regression_parts *parts = calloc(1, sizeof *parts);

    assert_non_null(parts);
    parts->parts = calloc(COUNT(list), sizeof *list);
    assert_non_null(parts->parts);
    memcpy(parts->parts, list, sizeof list);
    parts->n_parts = COUNT(list);
    return parts;
}

static struct rc_question some_question(double cpu, double bw)
{
    struct rc_question question;

    rc_predict_question_init(&question, "app");
    question.size = hand_made_question.n;
    question.procs = (int64_t)hand_made_question.p;
    question.given = (struct rc_given_load){cpu, cpu, bw, bw};
    return question;
}

static void ask(const struct rc_regression_parts *parts, const struct rc_question *question,
                struct rc_predict_parts *asked)
{
    struct rc_error error;

    if (rc_predict_parts_ask(parts, question, asked, &error))
        fail_msg("%s", error.text);
}

enum { DRAWS = 2000 };
static double draws[DRAWS];

static void test_at_load(void **state)
{
    struct rc_regression_parts *parts = some_parts(0);
    struct rc_question question = some_question(0.5, 40000); /* 7 s for each scale of 1 */
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_predict_summary summary;
    struct rc_predict_parts asked;

    (void)state;
    ask(parts, &question, &asked);
    assert_int_equal(asked.n, 3);
    rc_predict_parts_at_load(&asked, random, draws, DRAWS, &summary);
    assert_near(summary.predicted, 2 * 7 + 3 * 7, 1e-9);
    assert_near(summary.lo90, 35, 1e-9);
    assert_near(summary.hi90, 35, 1e-9);
    assert_near(asked.parts[0].seconds, 7, 1e-9);
    assert_near(asked.parts[1].seconds, 14, 1e-9);
    assert_near(asked.parts[0].share, 0, 0);
    assert_near(asked.parts[1].share, 0.4, 1e-9);
    assert_near(asked.parts[2].share, 0.6, 1e-9);
    rc_predict_parts_free(&asked);
    question = some_question(NAN, NAN); /* dedicated: 2 / 1 + 120000 / 1e4 */
    ask(parts, &question, &asked);
    rc_predict_parts_at_load(&asked, random, draws, DRAWS, &summary);
    assert_near(summary.predicted, 5 * 14, 1e-9);
    assert_near(summary.bw, 1e4, 1e-9);
    rc_predict_parts_free(&asked);
    rc_random_destroy(random);
    rc_regression_parts_destroy(parts);
}

/* Two parts of eight runs, off by a tenth up or down: as one, or apart. */
static double correlation(bool apart)
{
    struct rc_regression_model *model = scaled(1, 0);
    struct rc_regression_together together = {0};
    double found;

    for (int run = 1; run <= 8; run++)
        assert_int_equal(rc_regression_together_run(&together, run, NULL), 0);
    for (int part = 0; part < 2; part++) {
        struct rc_regression_run runs[8];
        struct rc_regression_table table = {.runs = runs, .n_runs = 8};

        for (int i = 0; i < 8; i++) {
            bool up = part == 1 && apart ? i / 2 % 2 : i % 2;

            runs[i] = (struct rc_regression_run){.id = i + 1,
                                                 .n = 2000,
                                                 .p = 4,
                                                 .bytes = NAN,
                                                 .cpu = {NAN, 0.5},
                                                 .bw = {4e4, NAN},
                                                 .seconds = 7 * (up ? 1.1 : 1 / 1.1)};
        }
        rc_regression_together_part(&together, &table, model);
    }
    found = rc_regression_together_correlation(&together);
    rc_regression_together_free(&together);
    rc_regression_model_destroy(model);
    return found;
}

static void test_together(void **state)
{
    (void)state;
    assert_near(correlation(false), 1, 1e-9);
    assert_near(correlation(true), 0, 1e-9);
}

/* Errors of parts are their own, so that those of the run are less. */
static void test_spread(void **state)
{
    struct rc_regression_parts *parts = some_parts(0.1);
    struct rc_question question = some_question(0.5, 40000);
    struct rc_random *random = rc_random_create(2, 0);
    struct rc_predict_summary whole, single;
    struct rc_predict_parts asked;
    double share = 0;

    (void)state;
    ask(parts, &question, &asked);
    rc_predict_parts_at_load(&asked, random, draws, DRAWS, &whole);
    for (size_t i = 0; i < asked.n; i++)
        share += asked.parts[i].share;
    assert_near(share, 1, 1e-9);
    assert_true(whole.lo90 < 33 && whole.hi90 > 37);
    rc_predict_at_load(parts->parts[1].model, &asked.parts[1].question, &asked.load, random, draws,
                       DRAWS, &single);
    assert_true(whole.hi90 / whole.lo90 < single.hi90 / single.lo90);
    asked.together = 1; /* errors that are the same in all add up */
    rc_predict_parts_at_load(&asked, random, draws, DRAWS, &whole);
    assert_near(whole.hi90 / whole.lo90, single.hi90 / single.lo90, 0.05);
    rc_predict_parts_free(&asked);
    rc_random_destroy(random);
    rc_regression_parts_destroy(parts);
}

static void test_what_is_missing(void **state)
{
    struct rc_regression_parts *parts = some_parts(0);
    struct rc_question question = some_question(1, NAN);
    struct rc_param iterations = {"iterations", 3};
    struct rc_predict_parts asked;
    struct rc_error error;

    (void)state;
    parts->parts += 2; /* only process 5, of phase a */
    parts->n_parts = 1;
    assert_int_equal(rc_predict_parts_ask(parts, &question, &asked, &error), -1);
    assert_non_null(strstr(error.text, "no models of single processes for runs on 4"));
    rc_predict_parts_free(&asked);
    parts->parts -= 2;
    parts->n_parts = 4;
    parts->parts[3].model->params[0] = strdup("iterations");
    parts->parts[3].model->n_params = 1;
    parts->parts[3].model->members[0].terms[0].factors[0] = 1;
    assert_int_equal(rc_predict_parts_ask(parts, &question, &asked, &error), -1);
    assert_non_null(strstr(error.text, "'iterations'"));
    rc_predict_parts_free(&asked);
    question.params = &iterations;
    question.n_params = 1;
    ask(parts, &question, &asked);
    assert_near(asked.parts[2].question.params[0], 3, 0);
    assert_true(isnan(asked.parts[0].question.params[0]));
    rc_predict_parts_free(&asked);
    rc_regression_parts_destroy(parts);
}

/* ---- in the store ---- */

static char directory[] = "/tmp/runcast-parts-XXXXXX";
static struct rc_db *store;

static int make_store(void **state)
{
    char path[60];

    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/store.db", directory);
    store = rc_db_open(path, RC_DB_CREATE, NULL, NULL);
    return store ? 0 : -1;
}

static int remove_store(void **state)
{
    char command[60];

    (void)state;
    rc_db_close(store);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

/* Phase a has times of processes and of the whole, phase b of the whole alone. */
static void put_runs(int n)
{
    for (int i = 0; i < n; i++) {
        double size = 500 + 100 * (i % 7), p = 1 << i % 4, seconds = 1e-5 * size * size / p;
        struct rc_run_time times[] = {{"a", -1, 2 * seconds},
                                      {"a", 0, 2 * seconds},
                                      {"", 0, 3 * seconds},
                                      {"b", -1, seconds}};
        struct rc_param params[] = {{"k", 1 + i % 3}, {"other", i % 5}};
        struct rc_run run;

        rc_db_run_init(&run);
        run.app = "md";
        run.n = size;
        run.p = (int64_t)p;
        run.seconds = 3 * seconds;
        run.times = times;
        run.n_times = COUNT(times);
        run.params = params;
        run.n_params = COUNT(params);
        assert_int_equal(rc_db_run_add(store, &run, NULL, NULL), 0);
    }
}

static void assert_parts(const struct rc_predict_source *source, bool fitted, uint64_t n_runs)
{
    const struct rc_regression_parts *parts = source->parts;

    assert_int_equal(source->fitted, fitted);
    assert_int_equal(parts->n_parts, 2);
    assert_string_equal(parts->parts[0].phase, "a");
    assert_int_equal(parts->parts[0].process, 0);
    assert_string_equal(parts->parts[1].phase, "b");
    assert_int_equal(parts->parts[1].process, -1);
    assert_int_equal(parts->parts[0].model->n_runs, n_runs);
    assert_int_equal(parts->n_params, 1);
    assert_string_equal(parts->params[0], "k");
    assert_int_equal(parts->parts[1].model->n_params, 1);
}

static void test_store(void **state)
{
    const char *const names[] = {"k"};
    struct rc_regression_wanted wanted = {
        .app = "md", .params = names, .n_params = 1, .process = -1};
    struct rc_predict_source source;
    struct rc_regression_parts *parts;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_predict_source_near(store, "md", NULL, NULL, RC_REGRESSION_DEFAULT, true,
                                            &source, &error),
                     -1);
    assert_non_null(strstr(error.text, "no runs of 'md'"));
    put_runs(28);
    parts = rc_predict_parts_fit(store, &wanted, RC_REGRESSION_DEFAULT, &error);
    assert_non_null(parts);
    assert_int_equal(rc_predict_parts_keep(store, "md", NULL, parts, NULL, NULL, &error), 0);
    rc_regression_parts_destroy(parts);
    assert_int_equal(rc_predict_source_near(store, "md", NULL, NULL, RC_REGRESSION_DEFAULT, true,
                                            &source, &error),
                     0);
    assert_parts(&source, false, 28);
    rc_predict_source_free(&source);
    put_runs(4); /* all is fitted anew, with the same parameters */
    assert_int_equal(rc_predict_source_near(store, "md", NULL, NULL, RC_REGRESSION_DEFAULT, true,
                                            &source, &error),
                     0);
    assert_parts(&source, true, 32);
    rc_predict_source_free(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),  cmocka_unit_test(test_at_load),
        cmocka_unit_test(test_spread),   cmocka_unit_test(test_what_is_missing),
        cmocka_unit_test(test_together), cmocka_unit_test(test_store),
    };

    return cmocka_run_group_tests(tests, make_store, remove_store);
}
