/* Ensembles of regression models, by hand: how members are judged, and how they answer. */
#include "laws.h"
#include "regress.h"

#include "model/regression/ensemble.h"

/* What 1 + n / (cpu P) predicts of a run from all others, by fitting it to these. */
static double predicted_without(const struct rc_regression_rows *rows,
                                const struct rc_regression_term *terms, size_t without)
{
    static const unsigned short columns[] = {0, 1};
    const struct rc_regression_run *others[16];
    struct rc_regression_rows rest = *rows;
    struct rc_regression_library library;
    double coefficients[2], scales[16], seconds = 0;

    rest.runs = others;
    rest.scales = scales;
    rest.n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (i != without) {
            others[rest.n] = rows->runs[i];
            scales[rest.n++] = rows->scales[i];
        }
    assert_int_equal(rc_regression_library_of(&library, &rest, terms, 2, NULL), 0);
    assert_true(rc_regression_solve(&library, columns, 2, coefficients, NULL));
    for (unsigned i = 0; i < 2; i++)
        seconds += coefficients[i] / library.lengths[i] *
                   rc_regression_term_in_run(&terms[i], rows, rows->runs[without]);
    rc_regression_library_free(&library);
    return seconds;
}

static void members_are_judged_by_runs_they_had_not_seen(void **state)
{
    const struct rc_regression_term terms[] = {{0}, {.size = 4, .procs = 2, .cpu = true}};
    struct rc_regression_run made[8];
    const struct rc_regression_run *runs[8];
    double scales[8], squares = 0;
    struct rc_regression_rows rows = {.runs = runs, .scales = scales, .n = 8};
    struct rc_regression_ensemble *ensemble = calloc(1, sizeof *ensemble);
    struct rc_regression_library library;
    struct rc_regression_nominee nominee = {&library, &rows, {.columns = {0, 1}, .n_terms = 2}};

    (void)state;
    assert_non_null(ensemble);
    for (unsigned i = 0; i < 8; i++) {
        double n = 10 * (i + 1), p = 1 + i % 2;

        made[i] = run_of(n, p, (20 + n / p) * (1 + 0.1 * (i % 3)));
        runs[i] = &made[i];
        scales[i] = 1 / made[i].seconds;
    }
    assert_int_equal(rc_regression_library_of(&library, &rows, terms, 2, NULL), 0);
    assert_int_equal(rc_regression_ensemble_make(ensemble, &nominee, 1, NULL), 0);
    assert_int_equal(ensemble->n_held_out, 8);
    for (unsigned i = 0; i < 8; i++) {
        double without = predicted_without(&rows, terms, i);

        assert_within_fraction(ensemble->held_out[i], without, 1e-9);
        squares += pow(1 - without / made[i].seconds, 2);
    }
    assert_within_fraction(ensemble->members[0].error, sqrt(squares / 8), 1e-9);
    rc_regression_ensemble_free(ensemble);
    free(ensemble);
    rc_regression_library_free(&library);
}

/* The spread of a model's errors widens its distribution, but does not move its middle. */
static void the_answer_is_the_middle(void **state)
{
    struct rc_regression_member constant = {.n_terms = 1, .coefficients = {100}, .weight = 1};
    struct rc_regression_model model = {.members = &constant,
                                        .n_members = 1,
                                        .n = {1, 4},
                                        .p = {1, 4},
                                        .sigma = 0.3,
                                        .noise = {1, 2}};

    (void)state;
    assert_within_fraction(predicted(&model, 2, 1, 1, 1), 100, 1e-9);
    assert_within_fraction(predicted(&model, 2, 2, 1, 1), 100, 1e-9); /* less even */
    model.sigma = 0;
    assert_within_fraction(predicted(&model, 2, 2, 1, 1), 100, 1e-9);
}

/* The geometric mean of the middle half of the weight. */
static void members_vote_by_their_weights(void **state)
{
    struct rc_regression_member members[] = {{.n_terms = 1, .coefficients = {10}, .weight = 0.8},
                                             {.n_terms = 1, .coefficients = {20}, .weight = 0.2}};
    struct rc_regression_model model = {
        .members = members, .n_members = 2, .n = {1, 4}, .p = {1, 4}};

    (void)state;
    assert_within_fraction(predicted(&model, 2, 1, 1, 1), 10, 1e-9);
    members[0].weight = 0.35; /* the middle half has 0.1 of it, and 0.4 of the other */
    members[1].weight = 0.65;
    assert_within_fraction(predicted(&model, 2, 1, 1, 1), 10 * pow(2, 4 / 5.0), 1e-9);
}

static void terms_add_up_to_what_their_member_says(void **state)
{
    struct rc_regression_model *model =
        hand_made_model(RC_REGRESSION_DEFAULT, RC_REGRESSION_MINAVG, 0.1);
    const struct rc_regression_member *member = &model->members[0];
    struct rc_regression_work work;
    double sum = 0;

    (void)state;
    rc_regression_member_work(model, 0, &hand_made_question, &work);
    for (unsigned i = 0; i < member->n_terms; i++)
        sum += member->coefficients[i] *
               rc_regression_term_seconds(model, &member->terms[i], &hand_made_question, 0.5, 2e4);
    assert_within_fraction(sum, 2 / 0.5 + 120000 / 2e4, 1e-9);
    assert_within_fraction(sum, rc_regression_work_seconds(&work, 0.5, 2e4), 1e-9);
    rc_regression_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_judged_by_runs_they_had_not_seen),
        cmocka_unit_test(the_answer_is_the_middle),
        cmocka_unit_test(members_vote_by_their_weights),
        cmocka_unit_test(terms_add_up_to_what_their_member_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
