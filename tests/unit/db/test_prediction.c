/* Models and predictions in the store, and which run a prediction was for. */
#include "own_store.h"

#include "db/fitted_models.h"
#include "db/prediction.h"

/* ---- models ---- */

static void test_model(void **state)
{
    struct rc_stored_model model;
    struct rc_db_info info;
    struct rc_error error;
    int64_t first, second;

    (void)state;
    assert_int_equal(rc_db_model_find(store, "md", "", "regress", &model, &error), 0);
    assert_int_equal(rc_db_model_add(store, "md", "", "regress", 1, "{\"a\": 1}", &first, &error),
                     0);
    assert_int_equal(rc_db_model_add(store, "md", "intel", "regress", 1, "{}", NULL, &error), 0);
    assert_int_equal(rc_db_model_add(store, "md", "", "other", 1, "[]", NULL, &error), 0);
    assert_int_equal(rc_db_model_add(store, "md", "", "regress", 2, "{\"a\": 2}", &second, &error),
                     0);
    assert_int_equal(rc_db_model_find(store, "md", "", "regress", &model, &error), 1);
    assert_int_equal(model.id, second);
    assert_int_equal(model.format, 2);
    assert_string_equal(model.body, "{\"a\": 2}");
    assert_true(model.made > 1e9);
    rc_db_stored_model_free(&model);
    assert_int_equal(rc_db_model_find(store, "md", "alpha", "regress", &model, &error), 0);
    assert_int_equal(rc_db_model_find(store, "ga", "", "regress", &model, &error), 0);
    /* The new one took the place of the one of its kind, and of no other. */
    assert_int_equal(rc_db_info(store, &info, &error), 0);
    assert_int_equal(info.models, 3);
}

/* ---- predictions ---- */

static const double now = 1.8e9;

static struct rc_prediction predicted(double start)
{
    static const double quantiles[] = {8, 9, 10, 12, 20};

    return (struct rc_prediction){.app = "md",
                                  .platform = "",
                                  .method = "regress",
                                  .n = 1000,
                                  .p = 4,
                                  .hosts = "",
                                  .params = "",
                                  .start = start,
                                  .predicted = 10.5,
                                  .mean = 11,
                                  .lo90 = 8.5,
                                  .hi90 = 15,
                                  .quantiles = quantiles,
                                  .n_quantiles = 5};
}

static int64_t foretell(const struct rc_prediction *prediction)
{
    struct rc_error error;
    int64_t id;

    if (rc_db_prediction_add_all(store, prediction, 1, &id, &error))
        fail_msg("%s", error.text);
    return id;
}

static struct rc_run run_at(double start)
{
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = "md";
    run.n = 1000;
    run.p = 4;
    run.seconds = 12;
    run.start = start;
    return run;
}

static int64_t add(const struct rc_run *run)
{
    struct rc_error error;
    int64_t id;

    if (rc_db_run_add(store, run, &id, &error))
        fail_msg("%s", error.text);
    return id;
}

struct seen {
    int64_t wanted, run_id;
    size_t count;
    struct rc_prediction last;
};

static int look(void *data, const struct rc_prediction *prediction)
{
    struct seen *seen = data;

    seen->count++;
    if (prediction->id == seen->wanted)
        seen->run_id = prediction->run_id;
    seen->last = *prediction;
    return 0;
}

/* The run of a prediction; 0: none. */
static int64_t run_of(int64_t prediction)
{
    struct seen seen = {.wanted = prediction, .run_id = -1};
    struct rc_error error;

    assert_int_equal(rc_db_prediction_list(store, "md", NULL, false, look, &seen, &error), 0);
    return seen.run_id;
}

static void test_round_trip(void **state)
{
    struct rc_prediction prediction = predicted(now);
    struct rc_run run = run_at(now + 5);
    struct seen seen = {0};
    struct rc_error error;
    int64_t id, run_id;

    (void)state;
    id = foretell(&prediction);
    assert_int_equal(rc_db_prediction_list(store, "md", NULL, true, look, &seen, &error), 0);
    assert_int_equal(seen.count, 0);
    run_id = add(&run);
    assert_int_equal(rc_db_prediction_list(store, "md", NULL, true, look, &seen, &error), 0);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.id, id);
    assert_int_equal(seen.last.run_id, run_id);
    assert_true(seen.last.predicted == 10.5 && seen.last.mean == 11 && seen.last.lo90 == 8.5 &&
                seen.last.hi90 == 15 && seen.last.n == 1000 && seen.last.p == 4);
    assert_true(seen.last.run_seconds == 12 && seen.last.run_start == now + 5);
    assert_int_equal(rc_db_prediction_list(store, "md", "intel", true, look, &seen, &error), 0);
    assert_int_equal(seen.count, 1);
}

static void test_refused(void **state)
{
    struct rc_prediction prediction = predicted(now);
    struct rc_error error;
    int64_t id;

    (void)state;
    prediction.hi90 = 1;
    assert_int_equal(rc_db_prediction_add_all(store, &prediction, 1, &id, &error), -1);
    prediction = predicted(now);
    prediction.predicted = NAN;
    assert_int_equal(rc_db_prediction_add_all(store, &prediction, 1, &id, &error), -1);
    prediction = predicted(NAN);
    assert_int_equal(rc_db_prediction_add_all(store, &prediction, 1, &id, &error), -1);
    prediction = predicted(now);
    prediction.p = 0;
    assert_int_equal(rc_db_prediction_add_all(store, &prediction, 1, &id, &error), -1);
}

/* A run that differs in one thing is not the one that was meant. */
static void test_other_runs(void **state)
{
    const struct rc_param other[] = {{"steps", 50}}, same[] = {{"steps", 100}, {"k", 1}};
    struct rc_prediction prediction = predicted(now);
    struct rc_run run;
    int64_t id, run_id;

    (void)state;
    prediction.platform = "intel";
    prediction.hosts = "a[1-4]";
    prediction.params = "{\"steps\": 100}";
    id = foretell(&prediction);
    for (int i = 0; i < 10; i++) {
        run = run_at(now + 5);
        run.platform = i == 0 ? "" : "intel";
        run.hosts = i == 1 ? "b[1-4]" : "a[1-4]";
        run.params = i == 2 ? other : same;
        run.n_params = i == 3 ? 0 : i == 2 ? 1 : 2;
        run.app = i == 4 ? "ga" : "md";
        run.n = i == 5 ? 1001 : 1000;
        run.p = i == 6 ? 5 : 4;
        run.start = i == 7 ? now - 60 : i == 8 ? now + 90000 : i == 9 ? (double)NAN : now;
        add(&run);
        assert_int_equal(run_of(id), 0);
    }
    run = run_at(now - 0.5); /* who writes --at in whole seconds */
    run.platform = "intel";
    run.params = same;
    run.n_params = 2; /* its hosts are not known */
    run.status = RC_RUN_FAILED;
    add(&run);
    assert_int_equal(run_of(id), 0);
    run.status = RC_RUN_OK;
    run_id = add(&run);
    assert_int_equal(run_of(id), run_id);
}

/* Hosts are the same however they are written. */
static void test_hosts(void **state)
{
    static const struct {
        const char *asked, *had;
        bool same;
    } cases[] = {
        {"a[1-2]", "a1,a2", true},      {"a2,a1", "a[1-2]", true}, {"a1,a2", "a1,a3", false},
        {"a[1-2]", "a[1-3]", false},    {"a[1-", "a[1-", true},    {"a[1-", "a1", false},
        {"a[001-002]", "a1,a2", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_prediction prediction = predicted(now + 1000 * (double)i);
        struct rc_run run = run_at(now + 1000 * (double)i + 1);
        int64_t id;

        prediction.hosts = cases[i].asked;
        run.hosts = cases[i].had;
        id = foretell(&prediction);
        add(&run);
        assert_int_equal(run_of(id) != 0, cases[i].same);
    }
}

static void test_newest(void **state)
{
    struct rc_prediction prediction = predicted(now);
    struct rc_run run = run_at(now + 100);
    int64_t old, new, paper, later, first, second;

    (void)state;
    old = foretell(&prediction);
    prediction.start = now + 50;
    new = foretell(&prediction);
    prediction.method = "regress-paper";
    prediction.start = now + 10;
    paper = foretell(&prediction);
    prediction.start = now + 200; /* of after the run's start */
    later = foretell(&prediction);
    first = add(&run);
    assert_int_equal(run_of(new), first);
    assert_int_equal(run_of(paper), first); /* another method has its own */
    assert_int_equal(run_of(old), 0);
    assert_int_equal(run_of(later), 0);
    /* The next run of the kind is not what the older one was for. */
    run.start = now + 150;
    second = add(&run);
    assert_int_not_equal(second, first);
    assert_int_equal(run_of(old), 0);
    assert_int_equal(run_of(new), first);
    run.start = now + 300;
    second = add(&run);
    assert_int_equal(run_of(later), second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_model, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(test_round_trip, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(test_refused, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(test_other_runs, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(test_hosts, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(test_newest, open_own_store, remove_own_store),
    };

    return RUN_TESTS(tests);
}
