/* The distribution of errors of which some are only lower bounds. */
#include "unit.h"

#include "base/random.h"
#include "model/regression/error_mixture.h"

enum { MANY = 400 };

enum law { NORMAL, BIMODAL, EXPONENTIAL };

static double draw(enum law law, struct rc_random *random)
{
    switch (law) {
    case NORMAL:
        return rc_random_normal(random, 0, 0.2);
    case BIMODAL:
        return rc_random_normal(random, rc_random_uniform(random) < 0.3 ? 0.4 : 0, 0.04);
    default:
        return rc_random_normal(random, 0, 0.01) + rc_random_exponential(random, 0.1);
    }
}

/* Fits errors of which those above `limit` are only known to be larger. */
static struct rc_regression_error_mixture fit(enum law law, double limit)
{
    struct rc_random *random = rc_random_create(7, 0);
    struct rc_regression_error_value errors[MANY];
    struct rc_regression_error_mixture mixture;

    for (int i = 0; i < MANY; i++) {
        double value = draw(law, random);

        errors[i] = (struct rc_regression_error_value){fmin(value, limit), value > limit};
    }
    assert_int_equal(rc_regression_error_mixture_fit(errors, MANY, &mixture, NULL), 0);
    rc_random_destroy(random);
    return mixture;
}

/* The 99th percentiles follow from the laws: 2.326 standard deviations; that of the upper mode's
 * 29/30 quantile; log(100) means of the exponential part. */
static void quantiles_beyond_the_bounds(void **state)
{
    static const struct {
        enum law law;
        double limit, most; /* the 99th percentile */
    } cases[] = {{NORMAL, HUGE_VAL, 0.465},      {NORMAL, 0.05, 0.465},
                 {BIMODAL, HUGE_VAL, 0.473},     {BIMODAL, 0.4, 0.473},
                 {EXPONENTIAL, HUGE_VAL, 0.460}, {EXPONENTIAL, 0.12, 0.460}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_regression_error_mixture mixture = fit(cases[i].law, cases[i].limit);

        assert_near(rc_regression_error_mixture_beyond(&mixture, -2, 0.99), cases[i].most,
                    0.15 * cases[i].most);
        assert_near(rc_regression_error_mixture_above(&mixture, -2), 1, 1e-3);
    }
}

/* A value beyond a bound is above it, and leaves the share of those above the bound that was asked
 * for. */
static void values_beyond_a_bound(void **state)
{
    struct rc_regression_error_mixture mixture = fit(BIMODAL, 0.42);
    double bounds[] = {-1, 0, 0.1, 0.4, 0.6};

    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (double part = 0.1; part < 1; part += 0.2) {
            double beyond = rc_regression_error_mixture_beyond(&mixture, bounds[i], part);
            double above = rc_regression_error_mixture_above(&mixture, bounds[i]);

            assert_true(beyond > bounds[i]);
            assert_near(rc_regression_error_mixture_above(&mixture, beyond), (1 - part) * above,
                        1e-6);
        }
}

/* Two errors, equal errors, and one error among bounds have a distribution too. */
static void few_errors(void **state)
{
    const struct rc_regression_error_value errors[] = {
        {0.1, false}, {0.1, false}, {0.1, true}, {0.2, true}, {0.3, true}};
    struct rc_regression_error_mixture mixture;

    (void)state;
    assert_int_equal(rc_regression_error_mixture_fit(errors, 2, &mixture, NULL), 0);
    assert_near(rc_regression_error_mixture_beyond(&mixture, -1, 0.5), 0.1, 0.01);
    assert_int_equal(rc_regression_error_mixture_fit(errors + 1, 4, &mixture, NULL), 0);
    assert_true(rc_regression_error_mixture_beyond(&mixture, 0.3, 0.5) > 0.3);
    assert_true(isfinite(rc_regression_error_mixture_beyond(&mixture, 0.3, 0.999)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_beyond_the_bounds),
        cmocka_unit_test(values_beyond_a_bound),
        cmocka_unit_test(few_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
