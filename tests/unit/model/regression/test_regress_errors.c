/* Errors of models on runs that they had not seen, told as spread, noise and residuals. */
#include "unit.h"

#include "model/regression/residuals.h"

/* An error of `off` for a run on p processes. */
static void add(struct rc_regression_errors *errors, double p, double off)
{
    rc_regression_errors_add(errors, p, 10 * exp(off), 10);
}

static void an_odd_error_does_not_move_the_spread(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 1000, 2};

    (void)state;
    assert_near(rc_regression_robust_spread(odd, 3), 1.4826 * 2, 1e-12);
    assert_near(rc_regression_robust_spread(even, 4), 1.4826 * 3, 1e-12);
    assert_true(rc_regression_robust_spread(odd, 0) == 0);
}

static void no_answer_is_off_by_more_than_a_hundred_times(void **state)
{
    (void)state;
    assert_near(rc_regression_errors_off(20, 10), log(2), 1e-12);
    assert_near(rc_regression_errors_off(1e9, 1), log(100), 1e-12);
    assert_near(rc_regression_errors_off(1, 1e9), -log(100), 1e-12);
    assert_near(rc_regression_errors_off(1, INFINITY), -log(100), 1e-12);
    assert_near(rc_regression_errors_off(1, 0), log(100), 1e-12);
    assert_near(rc_regression_errors_off(1, -3), log(100), 1e-12);
    assert_near(rc_regression_errors_off(1, NAN), log(100), 1e-12);
}

static void classes_with_few_runs_are_drawn_towards_all(void **state)
{
    struct rc_regression_unevenness uneven = {0};
    double noise[RC_REGRESSION_CLASSES];

    (void)state;
    rc_regression_uneven_add(&uneven, 2, 2);
    rc_regression_uneven_add(&uneven, 8, 100); /* counts as 4 */
    rc_regression_uneven_add(&uneven, 9, 0);
    rc_regression_uneven_tell(&uneven, noise);
    assert_near(noise[0], 1, 1e-12); /* none, and none below */
    assert_near(noise[1], sqrt((4 + 3) / 4.0), 1e-12);
    assert_near(noise[2], noise[1], 1e-12); /* none: as below */
    assert_near(noise[3], sqrt((16 + 3) / 5.0), 1e-12);
    assert_near(noise[RC_REGRESSION_CLASSES - 1], noise[3], 1e-12);
}

/* Those on 1 process are within 0.02, those on 8 within 0.3. */
static void put_uneven(struct rc_regression_errors *errors)
{
    for (int i = 0; i < 60; i++) {
        double side = (i % 21 - 10) / 10.0;

        add(errors, i % 3 ? 1 : 8, i % 3 ? 0.02 * side : 0.3 * side);
    }
}

static void each_error_keeps_the_class_that_it_is_of(void **state)
{
    struct rc_regression_errors errors = {.n = 0};
    struct rc_regression_model model = {.n_members = 0};
    double most[2] = {0};
    size_t counts[2] = {0};

    (void)state;
    put_uneven(&errors);
    rc_regression_errors_tell(&errors, 1, &model);
    assert_int_equal(model.n_residuals, 60);
    assert_true(model.noise[3] > 3 * model.noise[0]);
    for (size_t i = 0; i < 60; i++) {
        unsigned many = model.classes[i] > 0;

        assert_int_equal(model.classes[i], many ? 3 : 0);
        assert_true(i == 0 || model.residuals[i] >= model.residuals[i - 1]);
        most[many] = fmax(most[many], fabs(model.residuals[i] * model.noise[model.classes[i]]));
        counts[many]++;
    }
    assert_int_equal(counts[0], 40);
    assert_int_equal(counts[1], 20);
    assert_near(most[0], 0.02, 1e-12);
    assert_near(most[1], 0.3, 1e-12);
}

static void what_a_model_has_is_taken_up_again(void **state)
{
    struct rc_regression_errors errors = {.n = 0}, again;
    struct rc_regression_model model = {.n_members = 0}, wide = {.n_members = 0},
                               other = {.n_members = 0};

    (void)state;
    put_uneven(&errors);
    rc_regression_errors_tell(&errors, 1, &model);
    rc_regression_errors_begin(&again, &model);
    rc_regression_errors_tell(&again, 1, &other);
    assert_near(other.sigma, model.sigma, 1e-12);
    rc_regression_errors_tell(&errors, 2, &wide);
    assert_near(wide.sigma, model.sigma, 1e-12);
    for (size_t i = 0; i < 60; i++) {
        assert_int_equal(other.classes[i], model.classes[i]);
        assert_near(other.residuals[i], model.residuals[i], 1e-12);
        assert_near(wide.residuals[i], 2 * model.residuals[i], 1e-12);
    }
    for (unsigned i = 0; i < RC_REGRESSION_CLASSES; i++)
        assert_near(other.noise[i], model.noise[i], 1e-12);
}

/* They come sorted from a model; were they to go in their order, all would soon be of one side. */
static void old_errors_go_from_all_over(void **state)
{
    struct rc_regression_errors errors = {.n = 0};
    struct rc_regression_model model = {.n_members = 0};
    size_t below = 0, above = 0;

    (void)state;
    for (int i = 0; i < RC_REGRESSION_RESIDUALS_MAX; i++)
        add(&errors, 1, 0.001 * (i - RC_REGRESSION_RESIDUALS_MAX / 2 + 0.5));
    rc_regression_errors_tell(&errors, 1, &model);
    rc_regression_errors_begin(&errors, &model);
    for (int i = 0; i < RC_REGRESSION_RESIDUALS_MAX / 2; i++)
        add(&errors, 1, 0);
    assert_int_equal(errors.n, RC_REGRESSION_RESIDUALS_MAX);
    for (size_t i = 0; i < errors.n; i++) {
        below += errors.off[i] < 0;
        above += errors.off[i] > 0;
    }
    assert_int_equal(below + above, RC_REGRESSION_RESIDUALS_MAX / 2);
    assert_in_range(below, RC_REGRESSION_RESIDUALS_MAX / 5, RC_REGRESSION_RESIDUALS_MAX * 3 / 10);
}

static void few_runs_on_one_curve_do_not_prove_it(void **state)
{
    struct rc_regression_errors errors = {.n = 0};
    struct rc_regression_model model = {.n_members = 0};

    (void)state;
    for (int i = 0; i < 4; i++)
        add(&errors, 1, 0);
    rc_regression_errors_tell(&errors, 1, &model);
    assert_near(model.sigma, 0.05, 1e-12);
    for (int i = 0; i < 16; i++)
        add(&errors, 1, 0);
    rc_regression_errors_tell(&errors, 1, &model);
    assert_near(model.sigma, 0.001, 1e-12);
}

/* As they were, not as if all numbers of processes were as even as one another. */
static void the_summary_is_of_errors_as_they_were(void **state)
{
    struct rc_regression_errors errors = {.n = 0};
    struct rc_regression_model model = {.n_members = 0};
    struct rc_regression_error_summary summary = rc_regression_errors_summary(&model);

    (void)state;
    assert_int_equal(summary.n, 0);
    assert_true(isnan(summary.median) && isnan(summary.most));
    for (int i = 0; i < 40; i++)
        add(&errors, i % 4 ? 1 : 8, i % 4 ? log(1.02) : log(1.5));
    rc_regression_errors_tell(&errors, 1, &model);
    assert_true(model.noise[3] > 1.5);
    summary = rc_regression_errors_summary(&model);
    assert_int_equal(summary.n, 40);
    assert_near(summary.median, 0.02, 1e-12);
    assert_near(summary.most, 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_odd_error_does_not_move_the_spread),
        cmocka_unit_test(no_answer_is_off_by_more_than_a_hundred_times),
        cmocka_unit_test(classes_with_few_runs_are_drawn_towards_all),
        cmocka_unit_test(each_error_keeps_the_class_that_it_is_of),
        cmocka_unit_test(what_a_model_has_is_taken_up_again),
        cmocka_unit_test(old_errors_go_from_all_over),
        cmocka_unit_test(few_runs_on_one_curve_do_not_prove_it),
        cmocka_unit_test(the_summary_is_of_errors_as_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
