/* Killed runs, whose times are lower bounds. */
#include "unit.h"

#include "base/random.h"
#include "model/regression/fit.h"

enum { RUNS = 60 };

/* Times of 100 s with a spread of 20 %, of which those above `limit` are cut. */
static struct rc_regression_table make_table(uint64_t seed, double limit)
{
    struct rc_random *random = rc_random_create(seed, 0);
    struct rc_regression_table table = {0};

    for (int i = 0; i < RUNS; i++) {
        double seconds = 100 * exp(rc_random_normal(random, 0, 0.2));
        struct rc_run run;

        rc_db_run_init(&run);
        run.id = i + 1;
        run.app = "app";
        run.n = 10;
        run.p = 4;
        run.seconds = fmin(seconds, limit);
        run.status = seconds > limit ? RC_RUN_INTERRUPTED : RC_RUN_OK;
        assert_int_equal(rc_regression_table_add(&table, &run, NULL), 0);
    }
    rc_random_destroy(random);
    return table;
}

static double median(const struct rc_regression_model *model)
{
    struct rc_regression_question question = {.n = 10, .p = 4, .bytes = NAN};

    return rc_regression_seconds(model, &question, 1, NAN);
}

/* The share of drawn times above `seconds`. */
static double share_above(const struct rc_regression_model *model, double seconds)
{
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_regression_question question = {.n = 10, .p = 4, .bytes = NAN};
    int above = 0;

    for (int i = 0; i < 4000; i++) {
        struct rc_regression_work work;
        double factor;

        rc_regression_draw(model, &question, random, &work, &factor);
        above += factor * rc_regression_work_seconds(&work, 1, NAN) > seconds;
    }
    rc_random_destroy(random);
    return above / 4000.0;
}

/* Of the runs, 31 % take longer than 110 s; without those, the median is about 10 % lower. */
static void a_model_uses_their_bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct rc_regression_table table = make_table(seed, 110);
        struct rc_regression_model *model, *without;

        assert_in_range(table.n_killed, 10, 30);
        model = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, NULL);
        assert_non_null(model);
        assert_int_equal(model->n_killed, table.n_killed);
        assert_int_equal(model->n_runs, RUNS - table.n_killed);
        assert_int_equal(model->up_to, RUNS);
        assert_near(median(model), 100, 8);
        assert_near(share_above(model, 110), table.n_killed / (double)RUNS, 0.08);
        assert_true(share_above(model, 140) > 0.01);
        table.n_killed = 0;
        without = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, NULL);
        assert_true(median(without) < median(model) - 3);
        assert_true(share_above(without, 110) < 0.5 * share_above(model, 110));
        rc_regression_model_destroy(without);
        rc_regression_model_destroy(model);
        rc_regression_table_free(&table);
    }
}

/* Added one by one, they move a model that was fitted without them. */
static void a_learner_learns_from_them(void **state)
{
    struct rc_regression_table table = make_table(1, 110), completed = table;
    struct rc_regression_learner *learner;
    const struct rc_regression_model *model;
    double before;

    (void)state;
    completed.n_killed = 0;
    learner = rc_regression_learner_create(&completed, NULL, RC_REGRESSION_DEFAULT, NULL);
    assert_non_null(learner);
    before = share_above(rc_regression_learner_model(learner), 120);
    for (size_t i = 0; i < table.n_killed; i++)
        assert_int_equal(rc_regression_learner_add(learner, &table.killed[i], NULL), 0);
    model = rc_regression_learner_model(learner);
    assert_int_equal(model->n_killed, table.n_killed);
    assert_true(share_above(model, 120) > before + 0.05);
    rc_regression_learner_destroy(learner);
    rc_regression_table_free(&table);
}

static void the_paper_ignores_them(void **state)
{
    struct rc_regression_table table = make_table(1, 110);
    struct rc_regression_learner *learner;
    double before;

    (void)state;
    for (size_t i = 0; i < table.n_runs; i++) { /* it needs several sizes and processes */
        double times = (double)(1 + i % 5), procs = (double)(1 << i % 3);

        table.runs[i].n *= times;
        table.runs[i].p = procs;
        table.runs[i].seconds *= times * times / procs;
    }
    learner = rc_regression_learner_create(&table, NULL, RC_REGRESSION_PAPER, NULL);
    assert_non_null(learner);
    before = median(rc_regression_learner_model(learner));
    table.killed[0].id = RUNS + 1;
    assert_int_equal(rc_regression_learner_add(learner, &table.killed[0], NULL), 0);
    assert_same(median(rc_regression_learner_model(learner)), before);
    assert_int_equal(rc_regression_learner_model(learner)->up_to, RUNS + 1);
    rc_regression_learner_destroy(learner);
    rc_regression_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_uses_their_bounds),
        cmocka_unit_test(a_learner_learns_from_them),
        cmocka_unit_test(the_paper_ignores_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
