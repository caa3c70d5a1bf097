/* The time limit to ask for. */
#include "unit.h"

#include "predict/time_limit.h"
#include "base/random.h"
#include "base/sort.h"

static struct rc_time_limit find(const double *samples, size_t n, double risk,
                                 const struct rc_time_limit_past *past, size_t n_past)
{
    struct rc_time_limit time_limit;
    struct rc_error error;

    assert_int_equal(
        rc_predict_time_limit_find(samples, n, risk, past, n_past, &time_limit, &error), 0);
    return time_limit;
}

static void takes_the_rank(void **state)
{
    double samples[1000];
    struct rc_time_limit time_limit;

    (void)state;
    for (int i = 0; i < 1000; i++)
        samples[i] = i + 1;
    /* 0.99 * 1001 = 990.99: nine of 1000 samples are beyond */
    time_limit = find(samples, 1000, 0.01, NULL, 0);
    assert_same(time_limit.seconds, 991);
    assert_false(time_limit.continued);
    assert_int_equal(time_limit.n_past, 0);
    assert_same(find(samples, 1000, 0.1, NULL, 0).seconds, 901);
    assert_same(find(samples, 999, 0.01, NULL, 0).seconds, 990);
}

/* Samples that are a power of the probability: x is exceeded with probability x^-2. */
static void continues_the_tail(void **state)
{
    enum { N = 400 };
    double samples[N];
    struct rc_time_limit time_limit;

    (void)state;
    for (int i = 0; i < N; i++)
        samples[i] = pow(1 - (i + 0.5) / N, -0.5);
    time_limit = find(samples, N, 1e-4, NULL, 0);
    assert_true(time_limit.continued);
    assert_near(time_limit.seconds, 100, 15); /* 1e-4 ^ -0.5 */
    assert_true(time_limit.seconds > samples[N - 1]);
    /* what has no spread has no tail */
    for (int i = 0; i < N; i++)
        samples[i] = 7;
    assert_same(find(samples, N, 1e-4, NULL, 0).seconds, 7);
    assert_same(find(samples, 1, 1e-4, NULL, 0).seconds, 7);
}

static void knows_what_does_not_end(void **state)
{
    double samples[1000];

    (void)state;
    for (int i = 0; i < 1000; i++)
        samples[i] = i < 995 ? i + 1 : INFINITY;
    /* five never end, so that five in a thousand are left of ten */
    assert_same(find(samples, 1000, 0.01, NULL, 0).seconds, 992);
    for (int i = 985; i < 1000; i++)
        samples[i] = INFINITY;
    assert_true(isinf(find(samples, 1000, 0.01, NULL, 0).seconds));
}

/* What a prediction gave to a longer run than the one that came. */
static void knows_what_was_left(void **state)
{
    const double quantiles[] = {10, 20, 40, 80, 160}; /* with 1, 3/4, 1/2, 1/4 and little left */
    struct rc_time_limit_past past;

    (void)state;
    assert_same(rc_predict_time_limit_past_of(quantiles, 5, 5).beyond, 1);
    assert_same(rc_predict_time_limit_past_of(quantiles, 5, 20).beyond, 0.75);
    past = rc_predict_time_limit_past_of(quantiles, 5, 30);
    assert_near(past.beyond, sqrt(0.75 * 0.5), 1e-12);
    assert_near(past.over, 30.0 / 160, 1e-12);
    assert_near(rc_predict_time_limit_past_of(quantiles, 5, 160).beyond, 1.0 / 1001, 1e-12);
    past = rc_predict_time_limit_past_of(quantiles, 5, 320);
    assert_same(past.beyond, 0);
    assert_same(past.over, 2);
    past = rc_predict_time_limit_past_of((const double[]){7, 7, 7}, 3, 7); /* known for sure */
    assert_near(past.beyond, 1.0 / 1001, 1e-12);
}

static void learns_from_the_record(void **state)
{
    double samples[1000];
    struct rc_time_limit_past past[400];
    struct rc_time_limit time_limit;

    (void)state;
    for (int i = 0; i < 1000; i++)
        samples[i] = i + 1;
    /* As many were beyond as should be: (i + 0.5) / 400 are left. */
    for (int i = 0; i < 400; i++)
        past[i] = (struct rc_time_limit_past){(i + 0.5) / 400, 0.5};
    time_limit = find(samples, 1000, 0.01, past, 400);
    assert_int_equal(time_limit.n_past, 400);
    assert_in_range((int)time_limit.seconds, 990, 994);
    assert_same(time_limit.own, 991);
    /* 20 of 400, or 5 in 100, were where 4 in 1000 should be: 4 may be beyond. */
    for (int i = 0; i < 20; i++)
        past[i].beyond = 0.004;
    assert_in_range((int)find(samples, 1000, 0.01, past, 400).seconds, 996, 998);
    /* Two runs far beyond all, of 400, are no more than may be, and do not tell how far. */
    for (int i = 0; i < 20; i++)
        past[i].beyond = i < 2 ? 0 : 0.1;
    past[0].over = past[1].over = 50;
    assert_in_range((int)find(samples, 1000, 0.01, past, 400).seconds, 978, 980);
    /* Twelve are more, and no chance: four of 400 are left out, the next counts. */
    for (int i = 0; i < 12; i++)
        past[i] = (struct rc_time_limit_past){0, 2 + 0.1 * i};
    assert_near(find(samples, 1000, 0.01, past, 400).seconds, 1000 * 2.7, 10);
    /* One alone, of few, may be chance. */
    for (int i = 0; i < 10; i++)
        past[i] = (struct rc_time_limit_past){0.1 * (i + 0.5), 0.5};
    past[3] = (struct rc_time_limit_past){0, 3};
    assert_same(find(samples, 1000, 0.01, past, 10).seconds, 1000);
}

/* Samples of a normal logarithm around `middle`, and what the store would keep of them. */
static void make_draws(struct rc_random *random, double middle, double sd, double *samples,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        samples[i] = middle * exp(rc_random_normal(random, 0, sd));
    rc_sort_doubles(samples, n);
}

static struct rc_time_limit_past past_of(const double *samples, size_t n, double came)
{
    double quantiles[101];

    for (size_t i = 0; i < 101; i++)
        quantiles[i] = samples[i * n / 100 < n ? i * n / 100 : n - 1];
    return rc_predict_time_limit_past_of(quantiles, 101, came);
}

/* Whose spread is told too narrow by half: with a record of 300, the risk is kept about. */
static void keeps_the_risk(void **state)
{
    enum { PAST = 300, TRIALS = 1500, N = 1000 };
    struct rc_random *random = rc_random_create(7, 0);
    static struct rc_time_limit_past past[PAST];
    static double samples[N];
    int alone = 0, learnt = 0;

    (void)state;
    for (int i = 0; i < PAST; i++) {
        make_draws(random, 100, 0.1, samples, N);
        past[i] = past_of(samples, N, 100 * exp(rc_random_normal(random, 0, 0.2)));
    }
    for (int i = 0; i < TRIALS; i++) {
        double came = 50 * exp(rc_random_normal(random, 0, 0.2));
        struct rc_time_limit time_limit;

        make_draws(random, 50, 0.1, samples, N);
        time_limit = find(samples, N, 0.01, past, PAST);
        alone += came > time_limit.own;
        learnt += came > time_limit.seconds;
    }
    rc_random_destroy(random);
    assert_true(alone > 0.08 * TRIALS);
    assert_true(learnt < 0.03 * TRIALS);
}

static void rounds_up(void **state)
{
    (void)state;
    assert_same(rc_predict_time_limit_round(61), 120);
    assert_same(rc_predict_time_limit_round(120), 120);
    assert_same(rc_predict_time_limit_round(0.5), 60);
    assert_true(isinf(rc_predict_time_limit_round(INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_rank),
        cmocka_unit_test(continues_the_tail),
        cmocka_unit_test(knows_what_does_not_end),
        cmocka_unit_test(knows_what_was_left),
        cmocka_unit_test(learns_from_the_record),
        cmocka_unit_test(keeps_the_risk),
        cmocka_unit_test(rounds_up),
    };

    return RUN_TESTS(tests);
}
