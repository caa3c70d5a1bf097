// SPDX-License-Identifier: GPL-3.0-or-later
/* A method that is unavailable, one that failed, and one that answered are never confused: without
 * memory, with a damaged database, and without what a method needs. */
#include "own_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <sqlite3.h>

#include "db/fitted_models.h"
#include "model/structural/model_registry.h"
#include "predict/predictor.h"

#define APP "app"

enum { START = 1800000000 };

/* ---- memory that runs out ---- */

#if defined(__SANITIZE_ADDRESS__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#if !defined(OWN_ALLOCATOR) && defined(__GLIBC__)
#define OWN_ALLOCATOR 1
#endif

static long countdown = -1; /* allocations that succeed; -1: all do */
static long failed;         /* allocations that did not */

#if OWN_ALLOCATOR
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool is_out(void)
{
    if (countdown < 0)
        return false;
    if (countdown > 0) {
        countdown--;
        return false;
    }
    failed++;
    return true;
}

void *malloc(size_t size)
{
    return is_out() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return is_out() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return is_out() ? NULL : __libc_realloc(block, size);
}
#endif

/* ---- what the database has ---- */

static void add_runs(void)
{
    struct rc_error error = {.text = ""};
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = APP;
    run.p = 1;
    run.hosts = "a1";
    run.cpu_minavg = run.cpu_avgmin = 1;
    for (int i = 0; i < 24; i++) {
        run.n = 100 + 150 * i;
        run.start = START - 1e7 + i;
        run.seconds = (1 + 1.5 * i) * (i % 2 ? 1.01 : 0.99);
        if (rc_db_run_add(store, &run, NULL, &error))
            fail_msg("%s", error.text);
    }
}

static void add_model_of(const char *text)
{
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse(text, strlen(text), "made.rcm", &error);

    if (!model || rc_structural_save(store, APP, model, -1, NULL, &error))
        fail_msg("%s", error.text);
    rc_structural_model_destroy(model);
}

static void add_samples(void)
{
    const struct rc_series_key key = {.host = "a1", .peer = "", .metric = "cpu"};
    struct rc_sample samples[200];
    struct rc_error error = {.text = ""};

    for (int i = 0; i < 200; i++)
        samples[i] = (struct rc_sample){START - 60.0 * (200 - i), 0.5};
    if (rc_db_series_add(store, &key, samples, 200, 0, NULL, &error))
        fail_msg("%s", error.text);
}

static void add_model(void)
{
    add_model_of("model made\ninput N from size\ntotal t = N / 100\n");
}

/* ---- asking ---- */

static const char *const hosts[] = {"a1"};

static struct rc_question question_of(void)
{
    struct rc_question question;

    rc_predict_question_init(&question, APP);
    question.size = 1000;
    question.procs = 1;
    question.hosts = hosts;
    question.n_hosts = 1;
    question.start = START;
    return question;
}

/* Opens a predictor for these methods and asks it.  The methods that answered, as a set; -1 with an
 * error. */
static int ask(unsigned methods, struct rc_predict_answer *answer, struct rc_error *error)
{
    const struct rc_question question = question_of();
    struct rc_predict_options options;
    struct rc_predictor *predictor;
    int answered = -1;

    rc_predict_options_init(&options);
    options.methods = methods;
    options.samples = 40;
    predictor = rc_predict_open(store, &question, &options, error);
    if (predictor && rc_predict_ask(predictor, &question, answer, error) == 0) {
        answered = 0;
        for (int m = 0; m < RC_METHODS; m++)
            answered |= answer->methods[m].answered ? 1 << m : 0;
    }
    rc_predict_close(predictor);
    return answered;
}

static void no_memory_is_an_error_wherever_it_runs_out(void **state)
{
    struct rc_predict_answer answer;
    struct rc_error error = {.text = ""};
    int whole;

    (void)state;
#if !OWN_ALLOCATOR
    skip();
#endif
    add_runs();
    add_model();
    add_samples();
    for (int m = 0; m < RC_METHODS; m++) {
        long step = 1;

        whole = ask(1U << m, &answer, &error);
        assert_true(whole >= 0);
        for (long k = 0;; k += step) {
            int answered;

            failed = 0;
            countdown = k;
            error = (struct rc_error){.text = ""};
            answered = ask(1U << m, &answer, &error);
            countdown = -1;
            if (failed == 0)
                break;
            if (answered < 0 && !error.system)
                fail_msg("%s, allocation %ld: taken for a question that has no answer: %s",
                         rc_predict_method_name((enum rc_method)m), k, error.text);
            if (answered >= 0 && answered != whole)
                fail_msg("%s, allocation %ld: unavailable: %s",
                         rc_predict_method_name((enum rc_method)m), k, answer.methods[m].why.text);
            step = k < 300 ? 1 : k < 3000 ? 37 : 997;
        }
    }
}

/* Overwrites the first page of every table and index of runs, samples, models, predictions and traces:
 * the schema can still be read. */
static void damage(void)
{
    char path[100], page[4096];
    sqlite3_stmt *roots;
    sqlite3 *db;
    int file, n = 0;

    snprintf(path, sizeof path, "%s/store.db", directory);
    rc_db_close(store);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT rootpage FROM sqlite_schema WHERE rootpage > 1 AND tbl_name IN "
                           "('run', 'series', 'sample', 'model', 'prediction', 'trace')",
                           -1, &roots, NULL),
        SQLITE_OK);
    file = open(path, O_RDWR);
    assert_true(file >= 0);
    memset(page, 0x5a, sizeof page);
    while (sqlite3_step(roots) == SQLITE_ROW) {
        off_t at = (off_t)(sqlite3_column_int64(roots, 0) - 1) * (off_t)sizeof page;

        assert_int_equal(pwrite(file, page, sizeof page, at), sizeof page);
        n++;
    }
    assert_true(n >= 5);
    close(file);
    sqlite3_finalize(roots);
    sqlite3_close(db);
    store = rc_db_open(path, RC_DB_READ, NULL, NULL);
    assert_non_null(store);
}

static void a_damaged_database_is_an_error(void **state)
{
    struct rc_predict_answer answer;
    struct rc_error error = {.text = ""};

    (void)state;
    add_runs();
    add_model();
    add_samples();
    damage();
    for (int m = 0; m < RC_METHODS; m++) {
        int answered = ask(1U << m, &answer, &error);

        if (answered >= 0)
            fail_msg("%s: no error; %s", rc_predict_method_name((enum rc_method)m),
                     answer.methods[m].why.text);
        assert_true(error.system);
    }
}

static void a_model_that_cannot_be_read_is_an_error(void **state)
{
    static const char *const stored[] = {"regress", RC_STRUCTURAL_METHOD};
    static const enum rc_method methods[] = {RC_METHOD_REGRESSION, RC_METHOD_STRUCTURAL};
    struct rc_predict_answer answer;
    struct rc_error error = {.text = ""};

    (void)state;
    add_runs();
    for (size_t i = 0; i < COUNT(stored); i++) {
        assert_int_equal(
            rc_db_model_add(store, APP, "", stored[i], 1, "{\"members\": 3}", NULL, &error), 0);
        assert_int_equal(ask(1U << methods[i], &answer, &error), -1);
    }
}

static void what_is_missing_makes_a_method_unavailable(void **state)
{
    struct rc_predict_answer answer;
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(ask(RC_METHODS_ALL, &answer, &error), 0);
    for (int m = 0; m < RC_METHODS; m++) {
        assert_true(answer.methods[m].asked);
        assert_false(answer.methods[m].answered);
        assert_true(answer.methods[m].why.text[0]);
        assert_false(answer.methods[m].why.system);
    }
    add_runs();
    add_model();
    add_samples();
    assert_int_equal(ask(RC_METHODS_ALL, &answer, &error), 1 << RC_METHOD_REGRESSION |
                                                               1 << RC_METHOD_STRUCTURAL |
                                                               1 << RC_METHOD_SLOWDOWN);
    add_model_of("model made\ninput x\ntotal t = x\n"); /* which nobody has set */
    assert_int_equal(ask(1U << RC_METHOD_STRUCTURAL, &answer, &error), 0);
    assert_non_null(strstr(answer.methods[RC_METHOD_STRUCTURAL].why.text, "x is not set"));
}

int main(void)
{
#define ERROR_TEST(test) cmocka_unit_test_setup_teardown(test, open_own_store, remove_own_store)
    const struct CMUnitTest tests[] = {
        ERROR_TEST(no_memory_is_an_error_wherever_it_runs_out),
        ERROR_TEST(a_damaged_database_is_an_error),
        ERROR_TEST(a_model_that_cannot_be_read_is_an_error),
        ERROR_TEST(what_is_missing_makes_a_method_unavailable),
    };

    return RUN_TESTS(tests);
}
