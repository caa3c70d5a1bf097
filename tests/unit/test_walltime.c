/* The wall time to ask for. */
#include "unit.h"

#include "advise/walltime.h"
#include "base/random.h"
#include "base/sort.h"

static struct rc_walltime find(const double *draws, size_t n, double risk,
                               const struct rc_past_prediction *past, size_t n_past)
{
    struct rc_walltime walltime;
    struct rc_error error;

    assert_int_equal(rc_walltime_find(draws, n, risk, past, n_past, &walltime, &error), 0);
    return walltime;
}

static void takes_the_rank(void **state)
{
    double draws[1000];
    struct rc_walltime walltime;

    (void)state;
    for (int i = 0; i < 1000; i++)
        draws[i] = i + 1;
    /* 0.99 * 1001 = 990.99: nine of 1000 draws are beyond */
    walltime = find(draws, 1000, 0.01, NULL, 0);
    assert_same(walltime.seconds, 991);
    assert_false(walltime.continued);
    assert_int_equal(walltime.n_past, 0);
    assert_same(find(draws, 1000, 0.1, NULL, 0).seconds, 901);
    assert_same(find(draws, 999, 0.01, NULL, 0).seconds, 990);
}

/* Draws that are a power of the probability: x is exceeded with probability x^-2. */
static void continues_the_tail(void **state)
{
    enum { N = 400 };
    double draws[N];
    struct rc_walltime walltime;

    (void)state;
    for (int i = 0; i < N; i++)
        draws[i] = pow(1 - (i + 0.5) / N, -0.5);
    walltime = find(draws, N, 1e-4, NULL, 0);
    assert_true(walltime.continued);
    assert_near(walltime.seconds, 100, 15); /* 1e-4 ^ -0.5 */
    assert_true(walltime.seconds > draws[N - 1]);
    /* what has no spread has no tail */
    for (int i = 0; i < N; i++)
        draws[i] = 7;
    assert_same(find(draws, N, 1e-4, NULL, 0).seconds, 7);
    assert_same(find(draws, 1, 1e-4, NULL, 0).seconds, 7);
}

static void knows_what_does_not_end(void **state)
{
    double draws[1000];

    (void)state;
    for (int i = 0; i < 1000; i++)
        draws[i] = i < 995 ? i + 1 : INFINITY;
    /* five never end, so that five in a thousand are left of ten */
    assert_same(find(draws, 1000, 0.01, NULL, 0).seconds, 992);
    for (int i = 985; i < 1000; i++)
        draws[i] = INFINITY;
    assert_true(isinf(find(draws, 1000, 0.01, NULL, 0).seconds));
}

/* Draws of which 94.9 % are 100: the upper end of their 90 % interval is 200. */
static void make_draws(double *draws, size_t n)
{
    for (size_t i = 0; i < n; i++)
        draws[i] = i < 949 ? 100 : 200;
}

static void learns_from_the_record(void **state)
{
    double draws[1000];
    struct rc_past_prediction past[400];
    struct rc_walltime walltime;

    (void)state;
    make_draws(draws, 1000);
    assert_same(find(draws, 1000, 0.01, NULL, 0).seconds, 200);
    /* All runs came as foretold, of intervals that say the same: 100 draws and 400 runs count,
     * 5 of 500 may be beyond; draws alone, 51 of 1000 or 5.1 of 100, are. */
    for (int i = 0; i < 400; i++)
        past[i] = (struct rc_past_prediction){10, 5, 20, 10};
    walltime = find(draws, 1000, 0.01, past, 400);
    assert_int_equal(walltime.n_past, 400);
    assert_near(walltime.seconds, 200, 1e-6);
    /* Eight of them took twice the upper end of their interval. */
    for (int i = 0; i < 8; i++)
        past[50 * i].came = 40;
    walltime = find(draws, 1000, 0.01, past, 400);
    assert_near(walltime.seconds, 400, 1e-6);
    assert_same(walltime.own, 200);
    /* Two of them are no more than may be. */
    for (int i = 2; i < 8; i++)
        past[50 * i].came = 10;
    assert_near(find(draws, 1000, 0.01, past, 400).seconds, 200, 1e-6);
    /* One alone, of few: one of 110 is about one in a hundred, and counts as one. */
    for (int i = 0; i < 10; i++)
        past[i].came = 10;
    past[3].came = 40;
    assert_near(find(draws, 1000, 0.01, past, 10).seconds, 400, 1e-6);
}

/* Whose spread is told too narrow by half: with a record of 300, the risk is kept about. */
static void keeps_the_risk(void **state)
{
    enum { PAST = 300, TRIALS = 1500, N = 1000 };
    struct rc_random *random = rc_random_create(7, 0);
    static struct rc_past_prediction past[PAST];
    static double draws[N];
    int alone = 0, learnt = 0;

    (void)state;
    for (int i = 0; i < PAST; i++)
        past[i] = (struct rc_past_prediction){100, 100 * exp(-0.1645), 100 * exp(0.1645),
                                              100 * exp(rc_random_normal(random, 0, 0.2))};
    for (int i = 0; i < TRIALS; i++) {
        double came = 50 * exp(rc_random_normal(random, 0, 0.2));
        struct rc_walltime walltime;

        for (int k = 0; k < N; k++)
            draws[k] = 50 * exp(rc_random_normal(random, 0, 0.1));
        rc_sort_doubles(draws, N);
        walltime = find(draws, N, 0.01, past, PAST);
        alone += came > walltime.own;
        learnt += came > walltime.seconds;
    }
    rc_random_destroy(random);
    assert_true(alone > 0.08 * TRIALS);
    assert_true(learnt < 0.03 * TRIALS);
}

static void rounds_up(void **state)
{
    (void)state;
    assert_same(rc_walltime_round(61), 120);
    assert_same(rc_walltime_round(120), 120);
    assert_same(rc_walltime_round(0.5), 60);
    assert_true(isinf(rc_walltime_round(INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_rank),         cmocka_unit_test(continues_the_tail),
        cmocka_unit_test(knows_what_does_not_end), cmocka_unit_test(learns_from_the_record),
        cmocka_unit_test(keeps_the_risk),         cmocka_unit_test(rounds_up),
    };

    return RUN_TESTS(tests);
}
