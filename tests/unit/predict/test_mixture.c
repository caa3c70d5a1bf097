/* One answer out of several: weights by records, and draws by weights. */
#include "unit.h"

#include "base/random.h"
#include "predict/mixture.h"

enum { DRAWS = 1000, RUNS = 2000, FAMILIES = 3 };

/* Evenly spaced around a time, give or take a share of it. */
static void spread(double *draws, double time, double share)
{
    for (int i = 0; i < DRAWS; i++)
        draws[i] = time * (1 + share * (2 * (i + 0.5) / DRAWS - 1));
}

static struct rc_past_prediction past_of(double predicted, double came)
{
    return (struct rc_past_prediction){predicted, 0.8 * predicted, 1.2 * predicted, came};
}

/* Worked by hand: with no record, promises count, and none is believed below a tenth. */
static void promises_count_until_there_is_a_record(void **state)
{
    static double sure[DRAWS], unsure[DRAWS];
    struct rc_mixture_part parts[2] = {{.draws = sure, .n_draws = DRAWS},
                                       {.draws = unsure, .n_draws = DRAWS}};
    double promised = 0.798 * (2 * 0.5 * 0.9) / (2 * 1.645);

    (void)state;
    spread(sure, 10, 0.01);
    spread(unsure, 10, 0.5);
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_same(parts[0].factor, 1);
    assert_near(parts[0].error, 0.1, 1e-12);
    assert_near(parts[1].error, promised, 1e-3);
    assert_near(parts[0].weight / parts[1].weight, pow(parts[1].error / 0.1, 4), 1e-9);
    assert_near(parts[0].weight + parts[1].weight, 1, 1e-12);
}

/* The narrow distribution of a method without a record is no evidence beside a model of the runs. */
static void an_unproven_method_leaves_a_fifth_to_others(void **state)
{
    static double sure[DRAWS], unsure[DRAWS];
    struct rc_mixture_part parts[2] = {{.draws = sure, .n_draws = DRAWS},
                                       {.draws = unsure, .n_draws = DRAWS, .learns = true}};

    (void)state;
    spread(sure, 10, 0.01);
    spread(unsure, 10, 0.99);
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[0].weight, 0.8, 1e-12);
    assert_near(parts[1].weight, 0.2, 1e-12);
    spread(unsure, 10, 0.02); /* as narrow: no limit is needed */
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[0].weight, 0.5, 1e-12);
}

/* A narrow distribution promises no less error than a model of the runs, which knows how much they
 * vary, or than a quarter. */
static void no_method_promises_less_than_a_model_of_the_runs(void **state)
{
    static double sure[DRAWS], unsure[DRAWS];
    struct rc_past_prediction past[10];
    struct rc_mixture_part parts[2] = {{.draws = sure, .n_draws = DRAWS, .past = past},
                                       {.draws = unsure, .n_draws = DRAWS, .learns = true}};

    (void)state;
    spread(sure, 10, 0.01);
    spread(unsure, 10, 0.5);
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[1].error, 0.798 * (2 * 0.5 * 0.9) / (2 * 1.645), 1e-3);
    assert_same(parts[0].error, parts[1].error);
    assert_near(parts[0].weight, 0.5, 1e-12);
    parts[1].prior = 3; /* one that is known to have larger errors is no measure */
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[0].error, 0.1, 1e-12);
    parts[1].prior = 0;
    spread(unsure, 10, 0.9);
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_true(parts[1].error > 0.35);
    assert_near(parts[0].error, 0.25, 1e-12);
    for (int i = 0; i < 10; i++)
        past[i] = past_of(10, 10);
    parts[0].n_past = 10; /* they count as three of the record */
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[0].error, 3 * 0.25 / 13, 1e-12);
}

/* One that errs four times as much as others has next to no weight, until ten runs have told. */
static void what_is_known_beforehand_counts_until_there_is_a_record(void **state)
{
    static double draws[DRAWS];
    struct rc_past_prediction past[10];
    struct rc_mixture_part parts[2] = {{.draws = draws, .n_draws = DRAWS},
                                       {.draws = draws, .n_draws = DRAWS, .prior = 4}};

    (void)state;
    spread(draws, 10, 0.01);
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[1].error, 0.4, 1e-12);
    assert_near(parts[1].weight, 1 / 257., 1e-9);
    for (int i = 0; i < 10; i++)
        past[i] = past_of(10, 10);
    parts[1].past = past;
    parts[1].n_past = 9;
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[1].error, 3 * 0.4 / 12, 1e-12);
    parts[1].n_past = 10;
    assert_int_equal(rc_predict_mixture_weigh(parts, 2, NULL), 0);
    assert_near(parts[1].error, 3 * 0.1 / 13, 1e-12);
    assert_true(parts[1].weight > 0.9);
}

static void records_decide(void **state)
{
    static double draws[DRAWS];
    struct rc_past_prediction good[40], twice[40], few[4];
    struct rc_mixture_part parts[3] = {
        {.draws = draws, .n_draws = DRAWS, .past = good, .n_past = 40},
        {.draws = draws, .n_draws = DRAWS, .past = twice, .n_past = 40},
        {.draws = draws, .n_draws = DRAWS, .past = few, .n_past = 4}};

    (void)state;
    spread(draws, 10, 0.05);
    for (int i = 0; i < 40; i++) {
        double off = i % 2 ? 1.02 : 0.98;

        good[i] = past_of(10, 10 * off);
        twice[i] = past_of(20, 10 * off); /* always twice the time: that can be mended */
        if (i < 4)
            few[i] = past_of(i % 2 ? 15 : 6, 10);
    }
    parts[1].learns = true;
    assert_int_equal(rc_predict_mixture_weigh(parts, 3, NULL), 0);
    assert_same(parts[1].factor, 1); /* its model knows by now, but its record is what it is */
    assert_true(parts[1].weight < 0.01);
    parts[1].learns = false;
    assert_int_equal(rc_predict_mixture_weigh(parts, 3, NULL), 0);
    assert_same(parts[0].factor, 1);
    assert_same(parts[1].factor, 0.5);
    assert_same(parts[2].factor, 1); /* too few to know */
    assert_near(parts[0].error, parts[1].error, 1e-12);
    assert_near(parts[0].error, (3 * 0.1 + 20 * (1 / 0.98 - 1) + 20 * (1 - 1 / 1.02)) / 43, 1e-9);
    assert_near(parts[2].error, (3 * 0.1 + 2 * 0.4 + 2 * 0.5) / 7, 1e-9);
    assert_true(parts[2].weight < 0.01);
}

static void draws_are_as_many_as_weights_say(void **state)
{
    static double low[DRAWS], high[DRAWS], draws[DRAWS];
    struct rc_mixture_part parts[2] = {
        {.draws = low, .n_draws = DRAWS, .factor = 2, .weight = 0.25},
        {.draws = high, .n_draws = DRAWS, .factor = 1, .weight = 0.75}};
    size_t below = 0;

    (void)state;
    spread(low, 10, 0.1);
    spread(high, 100, 0.1);
    rc_predict_mixture_draw(parts, 2, draws, DRAWS);
    for (int i = 0; i < DRAWS; i++) {
        below += draws[i] < 50;
        assert_true(i == 0 || draws[i] >= draws[i - 1]);
    }
    assert_int_equal(below, 250);
    assert_in_range((int)draws[0], 18, 18); /* twice what the first part says */
    assert_in_range((int)draws[DRAWS - 1], 109, 109);
}

/* Families whose errors differ, and change places half way: what is learnt is not far behind
 * whoever is best over all runs, and often ahead. */
static void the_mixture_keeps_up_with_the_best(void **state)
{
    static struct rc_past_prediction past[FAMILIES][RUNS];
    static double draws[FAMILIES][DRAWS], mixed[DRAWS];
    static const double sds[2][FAMILIES] = {{0.05, 0.2, 0.3}, {0.25, 0.2, 0.3}};
    struct rc_random *random = rc_random_create(3, 0);
    double sums[FAMILIES] = {0}, sum = 0, best = INFINITY;

    (void)state;
    for (int run = 0; run < RUNS; run++) {
        double came = 10 * exp(rc_random_normal(random, 0, 0.5));
        struct rc_mixture_part parts[FAMILIES];

        for (int f = 0; f < FAMILIES; f++) {
            double predicted = came * exp(rc_random_normal(random, 0, sds[run >= RUNS / 2][f]));

            spread(draws[f], predicted, 0.3);
            parts[f] = (struct rc_mixture_part){
                .draws = draws[f], .n_draws = DRAWS, .past = past[f], .n_past = (size_t)run};
            past[f][run] = past_of(predicted, came);
            sums[f] += fabs(predicted / came - 1);
        }
        assert_int_equal(rc_predict_mixture_weigh(parts, FAMILIES, NULL), 0);
        rc_predict_mixture_draw(parts, FAMILIES, mixed, DRAWS);
        sum += fabs(mixed[DRAWS / 2] / came - 1);
    }
    for (int f = 0; f < FAMILIES; f++)
        best = fmin(best, sums[f]);
    assert_true(sum <= 1.05 * best);
    rc_random_destroy(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_count_until_there_is_a_record),
        cmocka_unit_test(what_is_known_beforehand_counts_until_there_is_a_record),
        cmocka_unit_test(no_method_promises_less_than_a_model_of_the_runs),
        cmocka_unit_test(records_decide),
        cmocka_unit_test(an_unproven_method_leaves_a_fifth_to_others),
        cmocka_unit_test(draws_are_as_many_as_weights_say),
        cmocka_unit_test(the_mixture_keeps_up_with_the_best),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
