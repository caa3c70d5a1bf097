/* Ensembles of regression models: what is found, and what is made of odd runs. */
#include "laws.h"

#include "base/error.h"
#include "model/regression/ensemble_learner.h"
#include "model/regression/formula.h"
#include "model/regression/next_run.h"

/* ---- helpers ---- */

static struct rc_regression_model *fit(const struct rc_regression_table *table)
{
    struct rc_error error = {0};
    struct rc_regression_model *model = rc_regression_fit(table, RC_REGRESSION_DEFAULT, &error);

    if (!model)
        fail_msg("%s", error.text);
    assert_finite(model);
    return model;
}

static void put(struct rc_regression_table *table, struct rc_regression_run run)
{
    run.id = (int64_t)table->n_runs + 1;
    table_put(table, run);
}

/* ---- laws ---- */

static void a_law_without_noise_is_found(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    char *formula;

    (void)state;
    seed(1);
    put_training(&table, cubic_law, 0);
    model = fit(&table);
    formula = rc_regression_formula(model, &model->members[0]);
    assert_non_null(strstr(formula, "n^3 / (cpu P)"));
    assert_non_null(strstr(formula, "n^2 log P / bw"));
    free(formula);
    for (double p = 1; p <= 32; p *= 2)
        assert_within_fraction(predicted(model, 2000, p, 0.5, 5e6), cubic_law(2000, p, 0.5, 5e6),
                               0.03);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void coefficients_and_answers_are_never_negative(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 5; number++) {
        struct rc_regression_table table = {0};
        struct rc_regression_model *model;
        struct rc_random *random = rc_random_create(number, 0);

        seed(number);
        put_training(&table, cubic_law, 0.4);
        model = fit(&table);
        for (size_t i = 0; i < model->n_members; i++)
            for (unsigned j = 0; j < model->members[i].n_terms; j++)
                assert_true(model->members[i].coefficients[j] > 0);
        for (unsigned i = 0; i < 2000; i++) {
            struct rc_regression_question question = {.n = 1 + 50 * i % 9000,
                                                      .p = 1 + i % 40,
                                                      .bytes = NAN};
            struct rc_regression_work work;
            double factor;

            rc_regression_draw(model, &question, random, &work, &factor);
            assert_true(factor * rc_regression_work_seconds(&work, 0.1, 1e4) > 0);
            assert_true(isfinite(factor * rc_regression_work_seconds(&work, 0.1, 1e4)));
        }
        rc_random_destroy(random);
        rc_regression_model_destroy(model);
        rc_regression_table_free(&table);
    }
}

static void weights_sum_to_one_and_fall(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    double sum = 0;

    (void)state;
    seed(3);
    put_training(&table, cubic_law, 0.1);
    model = fit(&table);
    for (size_t i = 0; i < model->n_members; i++) {
        sum += model->members[i].weight;
        assert_true(i == 0 || model->members[i].weight <= model->members[i - 1].weight);
    }
    assert_within_fraction(sum, 1, 1e-9);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- uneven runs ---- */

/* Runs on 8 processes that are all over the place do not spoil what those on 1 say. */
static void uneven_runs_count_less(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;

    (void)state;
    seed(13);
    for (unsigned i = 0; i < 60; i++)
        put(&table, some_run(cubic_law, i % 2 ? 1 : 8, i % 2 ? 0.01 : 0.6));
    model = fit(&table);
    assert_true(rc_regression_noise(model, 8) > 3 * rc_regression_noise(model, 1));
    assert_within_fraction(predicted(model, 1500, 1, 0.5, 5e6), cubic_law(1500, 1, 0.5, 5e6),
                           0.002);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- which statistic drives the program ---- */

static void the_statistic_that_tells_more_is_taken(void **state)
{
    (void)state;
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        struct rc_regression_table table = {0};
        struct rc_regression_model *model;

        seed(7);
        put_training(&table, cubic_law, 0.02);
        for (size_t i = 0; i < table.n_runs; i++) { /* the other one says little */
            table.runs[i].cpu[stat] = table.runs[i].cpu[0];
            table.runs[i].cpu[1 - stat] = 0.3 + 0.01 * (double)(i * 37 % 60);
            table.runs[i].bw[stat] = table.runs[i].bw[0];
            table.runs[i].bw[1 - stat] = table.runs[i].bw[0];
            table.runs[i].seconds = cubic_law(table.runs[i].n, table.runs[i].p,
                                              table.runs[i].cpu[stat], table.runs[i].bw[stat]);
        }
        model = fit(&table);
        assert_int_equal(model->members[0].stat, stat);
        rc_regression_model_destroy(model);
        rc_regression_table_free(&table);
    }
}

/* ---- outliers ---- */

static void a_few_runs_on_a_sick_machine_do_not_bend_it(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;

    (void)state;
    seed(11);
    put_training(&table, cubic_law, 0.02);
    for (size_t i = 0; i < table.n_runs; i += 12)
        table.runs[i].seconds *= i % 24 ? 6 : 0.3;
    model = fit(&table);
    assert_within_fraction(predicted(model, 1500, 16, 0.6, 6e6), cubic_law(1500, 16, 0.6, 6e6),
                           0.08);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- further parameters, and files ---- */

static void further_parameters_are_learnt(void **state)
{
    struct rc_regression_table table = {.n_params = 2};
    struct rc_regression_model *model;
    struct rc_regression_question question = {.n = 3000, .p = 16, .params = {800, 2}, .bytes = NAN};
    struct rc_error error;

    (void)state;
    table.params[0] = strdup("iterations");
    table.params[1] = strdup("precision");
    seed(5);
    for (unsigned i = 0; i < 80; i++) {
        struct rc_regression_run run = run_of(500 + i * 131 % 1500, 1 << i % 4, 1);

        run.params[0] = 100 + i * 53 % 400;
        run.params[1] = i % 3 + 1;
        run.seconds = 1e-6 * run.n * run.n * run.params[0] / run.p +
                      (run.p > 1 ? 0.01 * run.params[0] * log2(run.p) : 0) + 2 * run.params[1];
        put(&table, run);
    }
    model = fit(&table);
    assert_int_equal(rc_regression_question_check(model, &question, &error), 0);
    assert_within_fraction(rc_regression_seconds(model, &question, 1, 1),
                           1e-6 * 9e6 * 800 / 16 + 0.01 * 800 * 4 + 4, 0.1);
    question.params[0] = NAN;
    assert_int_equal(rc_regression_question_check(model, &question, &error), -1);
    assert_non_null(strstr(error.text, "iterations"));
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void files_take_their_time(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_question question = {.n = 4000, .p = 8, .bytes = NAN};

    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        struct rc_regression_run run = run_of(500 + i * 131 % 1500, 1 << i % 4, 1);

        run.bytes = 8 * run.n * run.n * (i % 5 ? 1 : 3); /* some write more often */
        run.seconds = 1e-5 * run.n * run.n / run.p + run.bytes / 1e7;
        put(&table, run);
    }
    model = fit(&table);
    question.bytes = 3 * 8 * 4000.0 * 4000.0; /* said */
    assert_within_fraction(rc_regression_seconds(model, &question, 1, 1),
                           1e-5 * 16e6 / 8 + 3 * 12.8, 0.05);
    question.bytes = NAN; /* predicted */
    assert_true(rc_regression_seconds(model, &question, 1, 1) > 20 + 10);
    assert_true(rc_regression_seconds(model, &question, 1, 1) < 20 + 20);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- odd runs ---- */

static void too_few_are_refused_with_a_hint(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_error error;

    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        error = (struct rc_error){0};
        assert_null(rc_regression_fit(&table, RC_REGRESSION_DEFAULT, &error));
        assert_non_null(strstr(error.text, "a model needs 4"));
        assert_true(*error.hint);
        put(&table, run_of(1000 * (n + 1), 1, 10 * (n + 1)));
    }
    rc_regression_model_destroy(fit(&table));
    rc_regression_table_free(&table);
}

/* Half of the runs say one statistic of the load, half the other: none says both. */
static void runs_need_not_all_say_the_same(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct rc_regression_run run = run_of(100 * (i + 1), 1, 200 * (i + 1));

        run.cpu[i % 2] = 0.5;
        put(&table, run);
    }
    model = fit(&table);
    assert_within_fraction(predicted(model, 1000, 1, 0.5, 1), 2000, 0.02);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void runs_that_are_all_alike_give_themselves(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_gaps gaps;

    (void)state;
    for (unsigned i = 0; i < 10; i++)
        put(&table, run_of(1000, 4, 20));
    model = fit(&table);
    assert_within_fraction(predicted(model, 1000, 4, 1, 1), 20, 0.02);
    gaps = rc_regression_gaps(model);
    assert_true(gaps.size && gaps.procs && gaps.cpu && gaps.bw && gaps.alone);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void numbers_at_the_edge_make_no_nan(void **state)
{
    static const double odd[] = {1, 1e-300, 1e300, 5e-324, 1e15, 0.5};

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (size_t j = 0; j < sizeof odd / sizeof *odd; j++) {
            struct rc_regression_table table = {0};
            struct rc_regression_model *model;

            for (unsigned k = 0; k < 12; k++) {
                struct rc_regression_run run =
                    run_of(odd[i] * (1 + k % 3), 1 << k % 4, odd[j] * (1 + k));

                run.cpu[0] = run.cpu[1] = k % 2 ? 1e-9 : 1;
                run.bw[0] = run.bw[1] = k % 3 ? odd[(i + k) % 6] : 1;
                put(&table, run);
            }
            model = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, NULL); /* or a clear error */
            if (model)
                assert_finite(model);
            rc_regression_model_destroy(model);
            rc_regression_table_free(&table);
        }
}

static void a_time_that_is_not_positive_is_refused(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_run run = run_of(10, 1, 0);

    (void)state;
    assert_int_equal(rc_regression_table_append(&table, &run, NULL), -1);
    run.seconds = -1;
    assert_int_equal(rc_regression_table_append(&table, &run, NULL), -1);
    run.seconds = NAN;
    assert_int_equal(rc_regression_table_append(&table, &run, NULL), -1);
    assert_int_equal(table.n_runs, 0);
}

static void of_many_runs_some_are_looked_at(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;

    (void)state;
    seed(2);
    for (unsigned i = 0; i < 500; i++)
        put_training(&table, cubic_law, 0.1);
    assert_int_equal(table.n_runs, 30000);
    model = fit(&table);
    assert_int_equal(model->n_runs, 30000);
    assert_within_fraction(predicted(model, 1500, 16, 0.6, 6e6), cubic_law(1500, 16, 0.6, 6e6),
                           0.03);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- keeping, learning, asking for more ---- */

static void a_stored_model_answers_the_same(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model, *again;
    json_t *body;

    (void)state;
    seed(4);
    put_training(&table, cubic_law, 0.1);
    model = fit(&table);
    body = rc_regression_model_to_json(model);
    again = rc_regression_model_from_json(body, NULL);
    assert_non_null(again);
    assert_true(predicted(model, 1234, 7, 0.4, 3e6) == predicted(again, 1234, 7, 0.4, 3e6));
    assert_true(model->noise[3] == again->noise[3]);
    assert_int_equal(again->n_residuals, model->n_residuals);
    assert_memory_equal(again->classes, model->classes, model->n_residuals);
    assert_non_null(memchr(model->classes, 3, model->n_residuals)); /* runs on 8 processes */
    rc_regression_model_destroy(again);
    json_object_del(body, "classes"); /* as in models that were stored in the past */
    again = rc_regression_model_from_json(body, NULL);
    assert_non_null(again);
    for (size_t i = 0; i < again->n_residuals; i++)
        assert_int_equal(again->classes[i], i % 4); /* on 1 to 8 processes */
    json_object_del(body, "noise");
    assert_null(rc_regression_model_from_json(body, NULL));
    json_decref(body);
    rc_regression_model_destroy(model);
    rc_regression_model_destroy(again);
    rc_regression_table_free(&table);
}

/* A stored model with one thing changed; what `value` is for is taken over. */
static void refuse_with(const struct rc_regression_model *model, const char *name, json_t *value)
{
    json_t *body = rc_regression_model_to_json(model);
    struct rc_regression_model *again;

    json_object_set_new(body, name, value);
    again = rc_regression_model_from_json(body, NULL);
    if (again)
        fail_msg("a model with another '%s' was read", name);
    json_decref(body);
}

static void a_damaged_model_is_refused(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    json_t *body, *members, *many = json_array(), *negative;

    (void)state;
    seed(4);
    put_training(&table, cubic_law, 0.1);
    model = fit(&table);
    body = rc_regression_model_to_json(model);
    members = json_object_get(body, "members");
    for (size_t i = 0; i <= RC_REGRESSION_ENSEMBLE_MAX; i++) /* more than a learner has room for */
        json_array_append(many, json_array_get(members, i % model->n_members));
    refuse_with(model, "members", many);
    negative = json_deep_copy(members);
    json_object_set_new(json_array_get(negative, 0), "weight", json_real(-1));
    refuse_with(model, "members", negative);
    negative = json_deep_copy(members);
    json_array_set_new(json_object_get(json_array_get(negative, 0), "coefficients"), 0,
                       json_real(-1));
    refuse_with(model, "members", negative);
    refuse_with(model, "sigma", json_real(-1));
    refuse_with(model, "bw_mean", json_real(-1));
    refuse_with(model, "n", json_pack("[f, f]", 2.0, 1.0));
    refuse_with(model, "p", json_pack("[f, f]", -1.0, 1.0));
    refuse_with(model, "classes", json_array()); /* one for each error */
    negative = json_deep_copy(json_object_get(body, "classes"));
    json_array_set_new(negative, 0, json_integer(RC_REGRESSION_CLASSES));
    refuse_with(model, "classes", negative);
    json_decref(body);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* Trained where communication does not show, then run where it does. */
static void it_learns_from_runs_that_come(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_learner *learner;
    struct rc_regression_question question = {.n = 900, .p = 16, .bytes = NAN};
    double before, after, truth = cubic_law(900, 16, 1, 1e6);

    (void)state;
    seed(9);
    for (unsigned i = 0; i < 30; i++)
        put(&table, some_run(cubic_law, 1 + i % 2, 0.05));
    learner = rc_regression_learner_create(&table, NULL, RC_REGRESSION_DEFAULT, NULL);
    assert_non_null(learner);
    before = fabs(log(
        rc_regression_seconds(rc_regression_learner_model(learner), &question, 1, 1e6) / truth));
    for (unsigned i = 0; i < 60; i++) {
        struct rc_regression_run run = some_run(cubic_law, 4 << i % 3, 0.05);

        run.id = 100 + i;
        assert_int_equal(rc_regression_learner_add(learner, &run, NULL), 0);
        assert_finite(rc_regression_learner_model(learner));
    }
    after = fabs(log(
        rc_regression_seconds(rc_regression_learner_model(learner), &question, 1, 1e6) / truth));
    assert_true(after < 0.05);
    assert_true(after < before);
    assert_int_equal(rc_regression_learner_model(learner)->n_runs, 90);
    assert_int_equal(rc_regression_learner_model(learner)->up_to, 159);
    assert_int_equal(rc_regression_learner_model(learner)->p.high, 16);
    rc_regression_learner_destroy(learner);
    rc_regression_table_free(&table);
}

/* Trained on one and two processes; then run after run on sixteen, each learnt by a learner of its own
 * that begins with the model as it was stored, as commands do. */
static void runs_that_surprise_it_make_it_search_at_once(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_question question = {.n = 900, .p = 16, .bytes = NAN};
    double truth = cubic_law(900, 16, 1, 1e6), before, after;

    (void)state;
    seed(12);
    for (unsigned i = 0; i < 30; i++)
        table_put(&table, some_run(transform_law, 1 + i % 2, 0.002));
    model = fit(&table);
    before = fabs(log(rc_regression_seconds(model, &question, 1, 1e6) / truth));
    for (unsigned i = 0; i < 12; i++) {
        struct rc_regression_run run = some_run(cubic_law, 16, 0.002);
        struct rc_regression_learner *learner =
            rc_regression_learner_create(&table, model, RC_REGRESSION_DEFAULT, NULL);
        json_t *body;

        assert_non_null(learner);
        table_put(&table, run);
        run.id = (int64_t)table.n_runs;
        assert_int_equal(rc_regression_learner_add(learner, &run, NULL), 0);
        body = rc_regression_model_to_json(rc_regression_learner_model(learner));
        rc_regression_learner_destroy(learner);
        rc_regression_model_destroy(model);
        model = rc_regression_model_from_json(body, NULL);
        json_decref(body);
        assert_non_null(model);
    }
    after = fabs(log(rc_regression_seconds(model, &question, 1, 1e6) / truth));
    assert_true(model->predictions < 12); /* since the last search */
    assert_true(after < 0.3);
    assert_true(after < 0.5 * before);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void what_is_not_known_is_suggested(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_suggestion next[RC_REGRESSION_SUGGESTIONS_MAX];
    size_t n;
    bool limited;

    (void)state;
    seed(6);
    for (unsigned i = 0; i < 20; i++) /* nothing is known of more processes */
        put(&table, some_run(cubic_law, 1, 0.02));
    model = fit(&table);
    assert_true(rc_regression_gaps(model).procs);
    assert_false(rc_regression_gaps(model).size);
    n = rc_regression_suggest(model, 16, next, &limited);
    assert_true(n >= 1);
    assert_true(next[0].p > 1);
    assert_false(limited);
    for (size_t i = 0; i < n; i++)
        assert_true(next[i].unsure > 0 && next[i].seconds > 0);
    /* not on more processes than there can be */
    for (double most = 1; most < 4; most++) {
        n = rc_regression_suggest(model, most, next, &limited);
        assert_true(limited);
        for (size_t i = 0; i < n; i++)
            assert_true(next[i].p <= most && next[i].n <= 2 * model->n.high);
    }
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void what_is_beyond_is_told_and_wider(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_beyond beyond;
    struct rc_regression_question question = {.n = 600, .p = 8, .bytes = NAN};
    struct rc_random *random = rc_random_create(1, 1);
    double spread[2] = {0};

    (void)state;
    seed(8);
    put_training(&table, cubic_law, 0.1);
    model = fit(&table);
    for (unsigned far = 0; far < 2; far++) {
        for (unsigned i = 0; i < 2000; i++) {
            struct rc_regression_work work;
            double factor;

            rc_regression_draw(model, &question, random, &work, &factor);
            spread[far] += log(factor) * log(factor);
        }
        question.n = 4 * model->n.high;
        question.p = 32;
    }
    assert_true(spread[1] > 1.5 * spread[0]);
    rc_regression_beyond(model, &question, &beyond);
    assert_within_fraction(beyond.n, 4, 1e-9);
    assert_within_fraction(beyond.p, 4, 1e-9);
    rc_random_destroy(random);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_without_noise_is_found),
        cmocka_unit_test(coefficients_and_answers_are_never_negative),
        cmocka_unit_test(weights_sum_to_one_and_fall),
        cmocka_unit_test(uneven_runs_count_less),
        cmocka_unit_test(the_statistic_that_tells_more_is_taken),
        cmocka_unit_test(a_few_runs_on_a_sick_machine_do_not_bend_it),
        cmocka_unit_test(further_parameters_are_learnt),
        cmocka_unit_test(files_take_their_time),
        cmocka_unit_test(too_few_are_refused_with_a_hint),
        cmocka_unit_test(runs_need_not_all_say_the_same),
        cmocka_unit_test(runs_that_are_all_alike_give_themselves),
        cmocka_unit_test(numbers_at_the_edge_make_no_nan),
        cmocka_unit_test(a_time_that_is_not_positive_is_refused),
        cmocka_unit_test(of_many_runs_some_are_looked_at),
        cmocka_unit_test(a_stored_model_answers_the_same),
        cmocka_unit_test(a_damaged_model_is_refused),
        cmocka_unit_test(it_learns_from_runs_that_come),
        cmocka_unit_test(runs_that_surprise_it_make_it_search_at_once),
        cmocka_unit_test(what_is_not_known_is_suggested),
        cmocka_unit_test(what_is_beyond_is_told_and_wider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
