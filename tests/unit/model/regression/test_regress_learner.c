/* Sanjay and Vadhiyar's list of models as runs come in. */
#include "laws.h"

#include "base/error.h"
#include "model/regression/sanjay_vadhiyar.h"

struct training {
    struct rc_regression_table table;
    struct rc_regression_learner *learner;
};

static void begin_training(struct training *training, double noise, uint64_t number)
{
    struct rc_error error = {0};

    *training = (struct training){0};
    seed(number);
    put_training(&training->table, cubic_law, noise);
    training->learner =
        rc_regression_learner_create(&training->table, NULL, RC_REGRESSION_PAPER, &error);
    if (!training->learner)
        fail_msg("%s", error.text);
}

static void end_training(struct training *training)
{
    rc_regression_learner_destroy(training->learner);
    rc_regression_table_free(&training->table);
}

static void learn(struct training *training, double p, double noise)
{
    struct rc_regression_run run = some_run(cubic_law, p, noise);

    table_put(&training->table, run);
    run.id = (int64_t)training->table.n_runs;
    assert_int_equal(rc_regression_learner_add(training->learner, &run, NULL), 0);
    assert_finite(rc_regression_learner_model(training->learner));
}

/* A member's terms by the functions themselves. */
static void columns_of(const struct rc_regression_member *member,
                       const struct rc_regression_run *run, double *columns)
{
    for (unsigned j = 0; j < member->n_terms; j++) {
        columns[j] =
            rc_regression_size(member->terms[j].size, run->n) /
            rc_regression_procs(member->terms[j].procs, run->p) /
            (member->terms[j].cpu ? run->cpu[0]
                                  : rc_regression_width(member->terms[j].width, run->bw[0]));
        if (!member->terms[j].cpu && run->p == 1)
            columns[j] = 0;
    }
}

/* Coefficients and error of a member by sums over all runs, afresh. */
static void compare_afresh(const struct rc_regression_member *member,
                           const struct rc_regression_table *table)
{
    struct rc_regression_normal normal = {.n_columns = member->n_terms};
    double fresh[RC_REGRESSION_COLUMNS_MAX], columns[RC_REGRESSION_COLUMNS_MAX];

    for (size_t i = 0; i < table->n_runs; i++) {
        columns_of(member, &table->runs[i], columns);
        rc_regression_normal_add(&normal, columns, table->runs[i].seconds);
    }
    assert_near(rc_regression_normal_solve(&normal, fresh, NULL) / member->error, 1, 1e-6);
    for (unsigned j = 0; j < member->n_terms; j++)
        assert_near(fresh[j] / member->coefficients[j], 1, 1e-3);
}

static void learning_is_the_same_as_fitting_all(void **state)
{
    struct training training;
    const struct rc_regression_model *model;

    (void)state;
    begin_training(&training, 0.1, 17);
    for (int i = 0; i < 20; i++)
        learn(&training, 1 << i % 5, 0.1);
    model = rc_regression_learner_model(training.learner);
    assert_int_equal(model->n_runs, 80);
    assert_int_equal(model->up_to, 80);
    assert_int_equal(model->predictions, 20);
    assert_same(model->p.high, 16);
    for (size_t i = 0; i < model->n_members; i++) {
        assert_true(i == 0 || model->members[i].error >= model->members[i - 1].error - 1e-6);
        compare_afresh(&model->members[i], &training.table);
    }
    end_training(&training);
}

static void dropped_after_five_times_in_the_lowest_tenth(void **state)
{
    struct training training;
    size_t before, counted = 0;

    (void)state;
    begin_training(&training, 0.3, 18);
    before = rc_regression_learner_model(training.learner)->n_members;
    assert_in_range(before, 20, 1000);
    for (int i = 0; i < 4; i++) {
        learn(&training, 2, 0.01);
        assert_int_equal(rc_regression_learner_model(training.learner)->n_members, before);
    }
    for (size_t i = 0; i < before; i++) {
        const struct rc_regression_member *member =
            &rc_regression_learner_model(training.learner)->members[i];

        assert_true(member->lowest <= 4);
        assert_int_equal(member->lowest > 0, i >= before - before / 10);
        counted += member->lowest == 4;
    }
    assert_in_range(counted, 1, before / 10);
    learn(&training, 2, 0.01);
    assert_in_range(before - rc_regression_learner_model(training.learner)->n_members, 1, counted);
    for (size_t i = 0; i < rc_regression_learner_model(training.learner)->n_members; i++)
        assert_true(rc_regression_learner_model(training.learner)->members[i].lowest <= 4);
    end_training(&training);
}

static void searched_again_after_fifty_predictions(void **state)
{
    struct training training;
    const struct rc_regression_model *model;
    struct rc_regression_model *fresh;
    size_t shrunk;

    (void)state;
    begin_training(&training, 0.2, 19);
    for (int i = 0; i < 49; i++)
        learn(&training, 2 << i % 3, 0.1);
    model = rc_regression_learner_model(training.learner);
    assert_int_equal(model->predictions, 49);
    shrunk = model->n_members;
    learn(&training, 2, 0.1);
    model = rc_regression_learner_model(training.learner);
    assert_int_equal(model->predictions, 0);
    assert_true(model->n_members != shrunk);
    for (size_t i = 0; i < model->n_members; i++)
        assert_int_equal(model->members[i].lowest, 0);
    /* No run on one process came: the first stage would leave the same functions again. */
    fresh = rc_regression_paper_fit(&training.table, NULL);
    assert_non_null(fresh);
    assert_int_equal(model->n_members, fresh->n_members);
    for (size_t i = 0; i < fresh->n_members; i++)
        assert_near(model->members[i].error, fresh->members[i].error, 1e-6);
    rc_regression_model_destroy(fresh);
    end_training(&training);
}

static void errors_are_of_runs_not_yet_learnt(void **state)
{
    struct training training;
    struct rc_regression_run run;
    double off;
    const struct rc_regression_model *model;
    size_t found = 0;

    (void)state;
    begin_training(&training, 0.1, 20);
    model = rc_regression_learner_model(training.learner);
    assert_int_equal(model->n_residuals, 60);
    run = some_run(cubic_law, 4, 0.1);
    off = log(run.seconds / answer(model, &run));
    assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), 0);
    assert_int_equal(model->n_residuals, 61);
    for (size_t i = 0; i < model->n_residuals; i++) {
        found += fabs(model->residuals[i] * model->noise[rc_regression_class(4)] - off) < 1e-9;
        assert_true(i == 0 || model->residuals[i] >= model->residuals[i - 1]);
    }
    assert_int_equal(found, 1);
    for (int i = 0; i < 300; i++)
        learn(&training, 4, 0.1);
    assert_int_equal(model->n_residuals, RC_REGRESSION_RESIDUALS_MAX);
    end_training(&training);
}

/* Leaving a run out and fitting again gives the error that the model has for it. */
static void errors_at_the_start_are_of_runs_left_out(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_normal normal = {0};
    double c[RC_REGRESSION_COLUMNS_MAX], columns[RC_REGRESSION_COLUMNS_MAX], predicted = 0, off;
    size_t found = 0;

    (void)state;
    seed(21);
    put_training(&table, cubic_law, 0.05);
    model = rc_regression_paper_fit(&table, NULL);
    assert_non_null(model);
    normal.n_columns = model->members[0].n_terms;
    for (size_t i = 0; i < table.n_runs; i++)
        if (i != 33) {
            columns_of(&model->members[0], &table.runs[i], columns);
            rc_regression_normal_add(&normal, columns, table.runs[i].seconds);
        }
    assert_true(isfinite(rc_regression_normal_solve(&normal, c, NULL)));
    columns_of(&model->members[0], &table.runs[33], columns);
    for (unsigned j = 0; j < normal.n_columns; j++)
        predicted += c[j] * columns[j];
    assert_same(table.runs[33].p, 2);
    off = log(table.runs[33].seconds / predicted) / model->noise[rc_regression_class(2)];
    for (size_t i = 0; i < model->n_residuals; i++)
        found += fabs(model->residuals[i] - off) < 1e-8;
    assert_int_equal(found, 1);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void a_model_that_was_stored_learns_on(void **state)
{
    struct training training;
    struct rc_regression_learner *again;
    struct rc_regression_model *copy;
    struct rc_regression_run run;
    json_t *json;

    (void)state;
    begin_training(&training, 0.2, 22);
    for (int i = 0; i < 3; i++)
        learn(&training, 2, 0.1);
    json = rc_regression_model_to_json(rc_regression_learner_model(training.learner));
    copy = rc_regression_model_from_json(json, NULL);
    assert_non_null(copy);
    again = rc_regression_learner_create(&training.table, copy, RC_REGRESSION_PAPER, NULL);
    assert_non_null(again);
    for (int i = 0; i < 30; i++) {
        run = some_run(cubic_law, 4, 0.1);
        assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), 0);
        assert_int_equal(rc_regression_learner_add(again, &run, NULL), 0);
        assert_int_equal(rc_regression_learner_model(training.learner)->n_members,
                         rc_regression_learner_model(again)->n_members);
        assert_near(rc_regression_learner_model(training.learner)->members[0].error,
                    rc_regression_learner_model(again)->members[0].error, 1e-6);
    }
    rc_regression_learner_destroy(again);
    rc_regression_model_destroy(copy);
    json_decref(json);
    end_training(&training);
}

static void odd_runs_do_no_harm(void **state)
{
    struct training training;
    struct rc_regression_run run;

    (void)state;
    begin_training(&training, 0.1, 23);
    run = law_run(cubic_law, 1000, 4, NAN, NAN); /* no load known */
    run.seconds = 10;
    assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), 0);
    assert_finite(rc_regression_learner_model(training.learner));
    run = law_run(cubic_law, 1, 4, 0, 0.5); /* no logarithms, and a core that was not there */
    run.seconds = 1e-3;
    assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), 0);
    assert_finite(rc_regression_learner_model(training.learner));
    assert_false(uses_width(rc_regression_learner_model(training.learner), 7, 8));
    run.seconds = 0;
    assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), -1);
    run.seconds = 1e300;
    assert_int_equal(rc_regression_learner_add(training.learner, &run, NULL), 0);
    assert_finite(rc_regression_learner_model(training.learner));
    end_training(&training);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_is_the_same_as_fitting_all),
        cmocka_unit_test(dropped_after_five_times_in_the_lowest_tenth),
        cmocka_unit_test(searched_again_after_fifty_predictions),
        cmocka_unit_test(errors_are_of_runs_not_yet_learnt),
        cmocka_unit_test(errors_at_the_start_are_of_runs_left_out),
        cmocka_unit_test(a_model_that_was_stored_learns_on),
        cmocka_unit_test(odd_runs_do_no_harm),
    };
    int failed = RUN_TESTS(tests);

    seed(0);
    return failed;
}
