/* Predictions that learn from earlier ones: intervals that hold as often as they say. */
#include "unit.h"

#include "base/random.h"
#include "predict/recalibrate.h"

enum { N = 4000 };

/* Predictions of a method that errs by a factor `bias` and by `sd` more than it knows of; it gives
 * intervals for an error of `known`, each of a time of its own. */
static void make(struct rc_past_prediction *past, size_t n, double bias, double known, double sd)
{
    struct rc_random *random = rc_random_create(5, 0);

    for (size_t i = 0; i < n; i++) {
        double t = 10 * exp(rc_random_normal(random, 0, 1));

        past[i].predicted = t;
        past[i].low = t * (1 - 1.645 * known);
        past[i].high = t * (1 + 1.645 * known);
        past[i].came = t * fmax(bias + rc_random_normal(random, 0, sd), 0.05);
    }
    rc_random_destroy(random);
}

/* How often intervals hold that learn from all before them, and how wide they are. */
static double held(const struct rc_past_prediction *past, size_t n, double *width, double *error)
{
    size_t inside = 0, judged = 0;

    *width = *error = 0;
    for (size_t i = 50; i < n; i++, judged++) {
        struct rc_recalibration learnt;
        double predicted = past[i].predicted, low = past[i].low, high = past[i].high;

        assert_int_equal(rc_predict_recalibrate_learn(past, i, 0.9, &learnt, NULL), 0);
        rc_predict_recalibrate(&learnt, &predicted, &low, &high);
        assert_true(low > 0 && low <= predicted && predicted <= high);
        inside += past[i].came >= low && past[i].came <= high;
        *width += (high - low) / past[i].predicted;
        *error += fabs(predicted - past[i].came) / past[i].came;
    }
    *width /= (double)judged;
    *error /= (double)judged;
    return (double)inside / (double)judged;
}

static void intervals_hold_as_often_as_they_say(void **state)
{
    static const struct {
        double bias, known, sd;
    } methods[] = {{1, 0.1, 0.1}, {1, 0.01, 0.1}, {1.2, 0.05, 0.1}, {1, 0.3, 0.1}, {0.7, 0.2, 0.1}};
    static struct rc_past_prediction past[N];
    double width, error;

    (void)state;
    for (size_t f = 0; f < sizeof methods / sizeof *methods; f++) {
        make(past, N, methods[f].bias, methods[f].known, methods[f].sd);
        assert_near(held(past, N, &width, &error), 0.9, 0.015);
        assert_near(width, 2 * 1.645 * methods[f].sd, 0.03); /* and are no wider than need be */
        assert_true(error < 0.85 * methods[f].sd / methods[f].bias * 1.15);
    }
}

/* Short records do not make intervals too wide, for all that is between two of their values. */
static void short_records_hold_as_often_as_they_say(void **state)
{
    enum { SHORT = 36 };
    static struct rc_past_prediction past[N];
    size_t inside = 0, judged = 0;

    (void)state;
    make(past, N, 1, 0.2, 0.1);
    for (size_t i = 0; i < N - SHORT; i += 3, judged++) {
        const struct rc_past_prediction *next = &past[i + SHORT];
        double predicted = next->predicted, low = next->low, high = next->high;
        struct rc_recalibration learnt;

        assert_int_equal(rc_predict_recalibrate_learn_ends(&past[i], SHORT, 0.9, &learnt, NULL), 0);
        assert_same(learnt.factor, 1);
        rc_predict_recalibrate(&learnt, &predicted, &low, &high);
        assert_same(predicted, next->predicted);
        inside += next->came >= low && next->came <= high;
    }
    assert_near((double)inside / (double)judged, 0.9, 0.02);
}

/* Worked by hand: run times at 0.1, 0.2 ... 1.2 of the way to the end on their side. */
static void few_scale_both_ends_alike(void **state)
{
    enum { FEW = 12 };
    struct rc_past_prediction past[FEW];
    struct rc_recalibration learnt;
    double predicted = 20, low = 19, high = 23;

    (void)state;
    for (int i = 0; i < FEW; i++) {
        double far = (i + 1) / 10.;

        past[i] = (struct rc_past_prediction){10, 8, 14, i % 2 ? 10 - 2 * far : 10 + 4 * far};
    }
    assert_int_equal(rc_predict_recalibrate_learn_ends(past, FEW, 0.9, &learnt, NULL), 0);
    assert_near(learnt.scale, 0.3 * 1.1 + 0.7 * 1.2, 1e-12); /* 11.7 of 12 values */
    assert_true(learnt.low == 0 && learnt.high == 0);
    rc_predict_recalibrate(&learnt, &predicted, &low, &high);
    assert_near(predicted, 20, 1e-12);
    assert_near(low, 20 - 1.17 * 1, 1e-9);
    assert_near(high, 20 + 1.17 * 3, 1e-9);
    for (int i = 0; i < FEW; i++) /* an interval without width */
        past[i] = (struct rc_past_prediction){10, 10, 10, 11};
    assert_int_equal(rc_predict_recalibrate_learn_ends(past, FEW, 0.9, &learnt, NULL), 0);
    predicted = low = high = 20;
    rc_predict_recalibrate(&learnt, &predicted, &low, &high);
    assert_near(low, 18, 1e-9);
    assert_near(high, 22, 1e-9);
}

/* Intervals hold as often with the fewest predictions that count as with more of them. */
static void few_hold_as_often_as_they_say(void **state)
{
    static const struct {
        size_t few;
        double known;
    } cases[] = {{RC_RECALIBRATE_LEAST, 0.05}, {14, 0.2}, {RC_RECALIBRATE_ENDS - 1, 0.1}};
    static struct rc_past_prediction past[N];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t inside = 0, judged = 0, few = cases[k].few;

        make(past, N, 1, cases[k].known, 0.1);
        for (size_t i = 0; i + few < N; i += 2, judged++) {
            const struct rc_past_prediction *next = &past[i + few];
            double predicted = next->predicted, low = next->low, high = next->high;
            struct rc_recalibration learnt;

            assert_int_equal(rc_predict_recalibrate_learn_ends(&past[i], few, 0.9, &learnt, NULL),
                             0);
            rc_predict_recalibrate(&learnt, &predicted, &low, &high);
            inside += next->came >= low && next->came <= high;
        }
        assert_near((double)inside / (double)judged, 0.9, 0.02);
    }
}

static void few_teach_nothing(void **state)
{
    struct rc_past_prediction past[RC_RECALIBRATE_LEAST];
    struct rc_recalibration learnt;
    double predicted = 10, low = 9, high = 12;

    (void)state;
    make(past, RC_RECALIBRATE_LEAST, 2, 0.01, 0.1);
    assert_int_equal(
        rc_predict_recalibrate_learn(past, RC_RECALIBRATE_LEAST - 1, 0.9, &learnt, NULL), 0);
    assert_int_equal(learnt.n, 0);
    rc_predict_recalibrate(&learnt, &predicted, &low, &high);
    assert_true(predicted == 10 && low == 9 && high == 12);
    assert_int_equal(rc_predict_recalibrate_learn(past, RC_RECALIBRATE_LEAST, 0.9, &learnt, NULL),
                     0);
    assert_int_equal(learnt.n, RC_RECALIBRATE_LEAST);
    assert_near(learnt.factor, 2, 0.15);
}

static void old_ones_are_forgotten(void **state)
{
    static struct rc_past_prediction past[N];
    struct rc_recalibration learnt;

    (void)state;
    make(past, 1000, 3, 0.1, 0.1);
    make(past + 1000, RC_RECALIBRATE_MOST, 1, 0.1, 0.1);
    assert_int_equal(
        rc_predict_recalibrate_learn(past, 1000 + RC_RECALIBRATE_MOST, 0.9, &learnt, NULL), 0);
    assert_int_equal(learnt.n, RC_RECALIBRATE_MOST);
    assert_near(learnt.factor, 1, 0.05);
}

/* Runs begin one after the other, in a shuffled order; each learns from those that had ended. */
static void runs_learn_in_their_turn(void **state)
{
    static struct rc_past_prediction made[400];
    static struct rc_past_run runs[400];
    size_t inside = 0;

    (void)state;
    make(made, 400, 1.5, 0.02, 0.1);
    for (size_t i = 0; i < 400; i++)
        runs[i] = (struct rc_past_run){i == 7 ? NAN : 1e4 * (double)(i * 7 % 400), made[i]};
    assert_int_equal(rc_predict_recalibrate_in_turn(runs, 400, 0.9, NULL), 0);
    for (size_t i = 0; i < 400; i++) {
        const struct rc_past_prediction *now = &runs[i].prediction;

        if (i * 7 % 400 < RC_RECALIBRATE_LEAST || i == 7)
            assert_true(now->low == made[i].low && now->predicted == made[i].predicted);
        inside += now->came >= now->low && now->came <= now->high;
    }
    assert_near((double)inside / 390, 0.9, 0.04);
    /* Those that are still running teach nothing. */
    for (size_t i = 0; i < 400; i++)
        runs[i] = (struct rc_past_run){(double)i * 1e-6, made[i]};
    assert_int_equal(rc_predict_recalibrate_in_turn(runs, 400, 0.9, NULL), 0);
    assert_true(runs[399].prediction.low == made[399].low);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_as_often_as_they_say),
        cmocka_unit_test(short_records_hold_as_often_as_they_say),
        cmocka_unit_test(few_teach_nothing),
        cmocka_unit_test(few_scale_both_ends_alike),
        cmocka_unit_test(few_hold_as_often_as_they_say),
        cmocka_unit_test(old_ones_are_forgotten),
        cmocka_unit_test(runs_learn_in_their_turn),
    };

    return RUN_TESTS(tests);
}
