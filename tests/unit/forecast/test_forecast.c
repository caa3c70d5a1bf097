/* Forecasts: each forecaster against numbers worked by hand, the answer, its intervals, and
 * replays. */
#include "unit.h"

#include <malloc.h>

#include "base/random.h"
#include "forecast/forecaster.h"
#include "forecast/replay.h"

static struct rc_forecast *make(double step, size_t horizon)
{
    struct rc_forecast *forecast =
        rc_forecast_create(&(struct rc_forecast_options){.step = step, .horizon = horizon}, NULL);

    assert_non_null(forecast);
    return forecast;
}

/* What the forecaster of that name answers. */
static double part(const struct rc_forecast *forecast, const char *name, double horizon)
{
    double answers[RC_FORECAST_PARTS];

    rc_forecast_ask_parts(forecast, horizon, answers, NULL);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        if (strcmp(rc_forecast_part_name(i), name) == 0)
            return answers[i];
    fail_msg("there is no forecaster '%s'", name);
    return NAN;
}

/* ---- forecasters ---- */

static void simple_forecasters_answer_as_worked_by_hand(void **state)
{
    struct rc_forecast *forecast = make(0, 0);

    (void)state;
    for (int i = 1; i <= 6; i++)
        rc_forecast_add(forecast, i);
    assert_same(part(forecast, "last", 1), 6);
    assert_near(part(forecast, "mean", 1), 3.5, 1e-12);
    assert_near(part(forecast, "mean-3", 1), 5, 1e-12);
    assert_near(part(forecast, "mean-5", 8), 4, 1e-12);
    assert_near(part(forecast, "mean-320", 8), 3.5, 1e-12);
    assert_same(part(forecast, "median-5", 1), 4);
    assert_same(part(forecast, "median-11", 1), 3.5);
    assert_near(part(forecast, "trimmed-31", 1), 3.5, 1e-12); /* of 2, 3, 4, 5 */
    assert_near(part(forecast, "smoothing-0.5", 1), 5.03125, 1e-12);
    rc_forecast_add(forecast, 100);
    assert_same(part(forecast, "median-5", 1), 5);
    assert_near(part(forecast, "mean-3", 1), 37, 1e-12);
    assert_near(part(forecast, "trimmed-31", 1), 4,
                1e-12); /* of 3, 4, 5: 2 are cut at either end */
    rc_forecast_destroy(forecast);
}

static void windows_slide_for_long(void **state)
{
    struct rc_forecast *forecast = make(0, 0);

    (void)state;
    for (int i = 0; i < 5000; i++)
        rc_forecast_add(forecast, i % 7 == 0 ? 1e9 : i);
    /* 4990 .. 4999 with 4991 and 4998 being multiples of 7 */
    assert_near(part(forecast, "mean-10", 1),
                (4990 + 4992 + 4993 + 4994 + 4995 + 4996 + 4997 + 4999 + 2e9) / 10, 1e-2);
    assert_same(part(forecast, "median-5", 1), 4997);
    rc_forecast_destroy(forecast);
}

static void a_trend_fades(void **state)
{
    const struct rc_forecaster *self = rc_forecasters;
    struct rc_forecast_history past;
    double trend[2] = {0, 0};

    (void)state;
    while (strcmp(self->name, "trend-fast") != 0) /* its parameter is 0.5 */
        self++;
    assert_int_equal(self->size, sizeof trend);
    rc_forecast_history_init(&past, 0, 0);
    for (int i = 0; i < 2; i++) {
        rc_forecast_history_add(&past, i);
        self->update(self, trend, &past);
    }
    /* level 0.5, slope 0.1 * 0.5 */
    assert_near(self->mean(self, trend, &past, 1), 0.5 + 0.95 * 0.05, 1e-12);
    assert_near(self->mean(self, trend, &past, 2), 0.5 + (0.95 + (0.95 + 0.95 * 0.95)) / 2 * 0.05,
                1e-12);
}

static void adaptive_windows_follow_jumps(void **state)
{
    struct rc_forecast *forecast = make(0, 0);

    (void)state;
    for (int i = 0; i < 200; i++)
        rc_forecast_add(forecast, i % 2);
    assert_near(part(forecast, "mean-adaptive", 1), 0.5, 0.13); /* of a long window */
    for (int i = 0; i < 40; i++)
        rc_forecast_add(forecast, 10);
    assert_near(part(forecast, "mean-adaptive", 1), 10, 1e-9);
    assert_near(part(forecast, "median-adaptive", 1), 10, 1e-9);
    rc_forecast_destroy(forecast);
}

/* Of an AR(1) with coefficient phi, the forecast of the mean over h is known. */
static void autoregression_finds_the_coefficient(void **state)
{
    static const struct rc_forecaster self = {.parameter = 3000};
    const double phi = 0.8;
    struct rc_forecast_history past;
    struct rc_forecast_autoregression ar;
    struct rc_random *random = rc_random_create(1, 0);
    double x = 0;

    (void)state;
    memset(&ar, 0, sizeof ar);
    rc_forecast_history_init(&past, 0, 0);
    for (int i = 0; i < 16000; i++) {
        x = phi * x + rc_random_normal(random, 0, 1);
        rc_forecast_history_add(&past, 5 + x);
        rc_forecast_autoregression_update(&self, &ar, &past);
    }
    assert_int_equal(ar.order, 16);
    assert_near(ar.phi[0], phi, 0.08);
    assert_near(ar.mean, 5, 0.4);
    for (size_t h = 1; h <= 512; h *= 8) {
        double reach = phi * (1 - pow(phi, (double)h)) / ((double)h * (1 - phi));

        assert_near(rc_forecast_autoregression_mean(&self, &ar, &past, h), 5 + reach * x,
                    0.4 + 0.15 * fabs(x));
    }
    rc_random_destroy(random);
}

/* The weights of a horizon against a plain iteration of the fitted model. */
static void autoregression_sums_what_it_iterates(void **state)
{
    static const struct rc_forecaster self = {.parameter = 300};
    struct rc_forecast_history past;
    struct rc_forecast_autoregression ar;
    double path[64], sum = 0;

    (void)state;
    memset(&ar, 0, sizeof ar);
    rc_forecast_history_init(&past, 0, 0);
    for (int i = 0; i < 320; i++) {
        rc_forecast_history_add(&past, sin(i * 0.7) + 0.3 * sin(i * 2.1) + i % 3);
        rc_forecast_autoregression_update(&self, &ar, &past);
    }
    for (size_t i = 0; i < 16; i++)
        path[i] = rc_forecast_back(&past, 15 - i) - ar.mean;
    for (size_t i = 16; i < 16 + 32; i++) {
        path[i] = 0;
        for (size_t k = 0; k < 16; k++)
            path[i] += ar.phi[k] * path[i - 1 - k];
        sum += path[i];
    }
    assert_near(rc_forecast_autoregression_mean(&self, &ar, &past, 32), ar.mean + sum / 32, 1e-9);
}

static void days_repeat(void **state)
{
    struct rc_forecast *forecast = make(3600, 0);

    (void)state;
    for (int i = 0; i < 24 * 3; i++)
        rc_forecast_add(forecast, i % 24);
    /* The last value was that of 23 h. */
    assert_near(part(forecast, "daily", 1), 0, 1e-9);
    assert_near(part(forecast, "daily", 6), 2.5, 1e-9);
    assert_near(part(forecast, "daily", 48), 11.5, 1e-9);
    assert_near(part(forecast, "daily-fast", 6), 2.5, 0.1); /* it knew no day at first */
    rc_forecast_skip(forecast, 5);
    assert_near(part(forecast, "daily", 1), 5, 1e-9);
    rc_forecast_destroy(forecast);
}

static void levels_are_left_as_often_as_before(void **state)
{
    struct rc_forecast *forecast = make(0, 0);
    double stay = 29.0 / 32, come = 4.0 / 33;

    (void)state;
    /* Blocks of 8: from 1 to 1 28 times, and 1 that is believed; to 0 3 times.  From 0 to 0 28 + 1
     * times, to 1 4 times. */
    for (int i = 0; i < 64; i++)
        rc_forecast_add(forecast, i / 8 % 2);
    assert_near(part(forecast, "switching", 1), stay, 1e-9);
    assert_near(part(forecast, "switching", 2), (stay + stay * stay + (1 - stay) * come) / 2, 1e-9);
    assert_near(part(forecast, "switching", 512), come / (come + 1 - stay), 0.01);
    rc_forecast_destroy(forecast);
}

static void regression_learns_what_follows(void **state)
{
    struct rc_forecast *forecast = make(0, 0);

    (void)state;
    for (int i = 0; i < 300; i++)
        rc_forecast_add(forecast, i % 2 ? 10 : 0);
    assert_near(part(forecast, "regression", 1), 0, 0.5);
    assert_near(part(forecast, "regression", 2), 5, 0.5);
    rc_forecast_destroy(forecast);
}

/* ---- the answer ---- */

static void check_sane(const struct rc_forecast *forecast)
{
    static const double horizons[] = {0.2, 1, 1.5, 3, 16, 30, 100, 512, 1e6};

    for (size_t i = 0; i < COUNT(horizons); i++) {
        double mean = rc_forecast_mean(forecast, horizons[i]), inner[2] = {mean, mean};
        double weights[RC_FORECAST_PARTS], sum = 0;

        if (!isfinite(mean))
            fail_msg("the mean over %g is %g", horizons[i], mean);
        for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
            double low, high;

            rc_forecast_interval(forecast, horizons[i], rc_forecast_levels[k], &low, &high);
            if (!(low <= inner[0] && inner[1] <= high))
                fail_msg("%g to %g is not between %g and %g", inner[0], inner[1], low, high);
            inner[0] = low, inner[1] = high;
        }
        rc_forecast_ask_parts(forecast, horizons[i], NULL, weights);
        for (size_t k = 0; k < RC_FORECAST_PARTS; k++)
            sum += weights[k];
        assert_near(sum, 1, 1e-9);
    }
}

static void any_series_has_an_answer(void **state)
{
    static const double series[][7] = {
        {1, 2, 3, 4, 5, 6, 7},
        {0, 0, 0, 0, 0, 0, 1e-300},
        {1e300, -1e300, 1e300, 0, 1, 2, 3},
        {NAN, NAN, 3, NAN, 4, NAN, 5},
        {-1, INFINITY, -2, 7, 7, 7, 7},
        {1e-310, 0, 0, 0, 1, 0, 0},
        {5, 5, 5, 5, 5, 5, 6},
    };

    (void)state;
    for (size_t s = 0; s < COUNT(series); s++) {
        struct rc_forecast *forecast = make(60, 30);

        for (size_t i = 0; i < 700; i++) {
            rc_forecast_add(forecast, series[s][i % 7]);
            if (rc_forecast_samples(forecast) > 0 && (i < 40 || i % 50 == 0))
                check_sane(forecast);
        }
        rc_forecast_destroy(forecast);
    }
}

static void nothing_is_known_without_samples(void **state)
{
    struct rc_forecast *forecast = make(1, 0);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_error error;
    double low, high;

    (void)state;
    assert_true(isnan(rc_forecast_mean(forecast, 1)));
    rc_forecast_add(forecast, NAN);
    assert_true(isnan(rc_forecast_mean(forecast, 30)));
    rc_forecast_add(forecast, 4);
    assert_same(rc_forecast_mean(forecast, 30), 4);
    rc_forecast_interval(forecast, 30, 0.9, &low, &high);
    assert_true(isinf(low) && isinf(high));
    assert_null(rc_forecast_value(forecast, 30, 10, random, &error));
    assert_int_equal(rc_forecast_judged(forecast, 1), 0);
    rc_forecast_add(forecast, 5);
    assert_int_equal(rc_forecast_judged(forecast, 1), 1);
    assert_int_equal(rc_forecast_judged(forecast, 30),
                     0); /* its errors are those of 1, stretched */
    rc_forecast_interval(forecast, 1, 0.9, &low, &high);
    assert_true(low < high && isfinite(low) && isfinite(high));
    rc_random_destroy(random);
    rc_forecast_destroy(forecast);
}

static void a_constant_stays(void **state)
{
    struct rc_forecast *forecast = make(300, 30);
    double low, high;

    (void)state;
    for (int i = 0; i < 1000; i++)
        rc_forecast_add(forecast, 0.1);
    for (double h = 1; h <= 512; h *= 2) {
        assert_same(rc_forecast_mean(forecast, h), 0.1);
        rc_forecast_interval(forecast, h, 0.95, &low, &high);
        assert_same(low, 0.1);
        assert_same(high, 0.1);
    }
    rc_forecast_destroy(forecast);
}

static void memory_does_not_grow(void **state)
{
    struct rc_forecast *forecast = make(60, 30);
    size_t before, after;

    (void)state;
    for (int i = 0; i < 2000; i++)
        rc_forecast_add(forecast, i % 13);
    before = mallinfo2().uordblks;
    for (int i = 0; i < 10000; i++)
        rc_forecast_add(forecast, i % 13);
    after = mallinfo2().uordblks;
    assert_true(after <= before);
    rc_forecast_destroy(forecast);
}

/* ---- intervals ---- */

static void intervals_have_their_coverage(void **state)
{
    struct rc_forecast *forecast = make(0, 0);
    struct rc_random *random = rc_random_create(7, 0);
    static double values[4000];
    size_t held[RC_FORECAST_LEVELS] = {0}, points = 0;
    double x = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        x = 0.9 * x + rc_random_normal(random, 0, i < 2000 ? 1 : 3); /* it becomes wilder */
        values[i] = x;
    }
    for (size_t i = 0; i + 8 < COUNT(values); i++) {
        double came = 0;

        rc_forecast_add(forecast, values[i]);
        for (size_t j = 1; j <= 8; j++)
            came += values[i + j] / 8;
        for (size_t k = 0; i >= 60 && k < RC_FORECAST_LEVELS; k++) {
            double low, high;

            rc_forecast_interval(forecast, 8, rc_forecast_levels[k], &low, &high);
            held[k] += came >= low && came <= high;
        }
        points += i >= 60;
    }
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++)
        assert_near((double)held[k] / (double)points, rc_forecast_levels[k], 0.04);
    rc_random_destroy(random);
    rc_forecast_destroy(forecast);
}

static void gaps_widen_intervals(void **state)
{
    struct rc_forecast *forecast = make(0, 0);
    struct rc_random *random = rc_random_create(3, 0);
    struct rc_value *value;
    double low, high, width, x = 100;

    (void)state;
    for (int i = 0; i < 1500; i++)
        rc_forecast_add(forecast, x += rc_random_normal(random, 0, 1));
    rc_forecast_interval(forecast, 4, 0.9, &low, &high);
    width = high - low;
    value = rc_forecast_value(forecast, 4, 2000, random, NULL);
    assert_non_null(value);
    assert_near(rc_value_quantile(value, 0.95) - rc_value_quantile(value, 0.05), width,
                0.4 * width);
    rc_value_drop(value);
    rc_forecast_skip(forecast, 20);
    rc_forecast_interval(forecast, 4, 0.9, &low, &high);
    assert_true(high - low > 1.5 * width);
    rc_forecast_skip(forecast, UINT64_C(1) << 40); /* in bounded time */
    check_sane(forecast);
    rc_random_destroy(random);
    rc_forecast_destroy(forecast);
}

/* Samples of a period of 4 are begun at every phase. */
static void forecasts_are_spread_evenly(void **state)
{
    (void)state;
    for (size_t horizon = 16; horizon <= 512; horizon *= 2) {
        size_t phases[4] = {0}, all = 0, most = 0;

        for (uint64_t n = 1; n <= 4096; n++) {
            size_t window = 0;

            if (!rc_forecast_due(horizon, n))
                continue;
            phases[n % 4]++;
            all++;
            for (uint64_t i = n; i < n + horizon; i++)
                window += rc_forecast_due(horizon, i);
            most = window > most ? window : most;
        }
        assert_true(most <= RC_FORECAST_PENDING);
        assert_near((double)all, 4096.0 * RC_FORECAST_DENSITY / (double)horizon, 3);
        for (size_t k = 0; k < 4; k++)
            assert_true(phases[k] * 6 > all);
    }
}

/* ---- replays ---- */

static void replays_compare_with_what_came(void **state)
{
    struct rc_sample samples[20];
    struct rc_predict_replay replay, twice[2];

    (void)state;
    for (size_t i = 0; i < COUNT(samples); i++)
        samples[i] = (struct rc_sample){(double)i, (double)(i % 2)};
    assert_int_equal(rc_forecast_replay_series(samples, 20, &(struct rc_replay_options){1, 4},
                                               &replay, NULL),
                     0);
    assert_int_equal(replay.points, 16); /* after samples 4 .. 19 */
    assert_same(replay.part_mae[0], 1);  /* the last value is always wrong */
    assert_same(replay.part_rmse[0], 1);
    assert_true(replay.mae < 1);
    twice[0] = twice[1] = replay;
    rc_forecast_replay_join(twice, 2, &replay);
    assert_int_equal(replay.points, 32);
    assert_near(replay.mae, twice[0].mae, 1e-12);
    assert_near(replay.rmse, twice[0].rmse, 1e-12);
    assert_int_equal(rc_forecast_replay_series(samples, 20, &(struct rc_replay_options){2, 4},
                                               &replay, NULL),
                     0);
    assert_int_equal(replay.points, 15);
    assert_near(replay.part_mae[0], 0.5, 1e-12); /* the mean of two is 1/2 */
    assert_int_equal(rc_forecast_replay_series(samples, 20, &(struct rc_replay_options){2, 19},
                                               &replay, NULL),
                     0);
    assert_int_equal(replay.points, 0);
    assert_true(isnan(replay.mae));
    assert_int_equal(rc_forecast_replay_series(samples, 20, &(struct rc_replay_options){0, 4},
                                               &replay, NULL),
                     -1);
    assert_int_equal(rc_forecast_replay_series(samples, 20, &(struct rc_replay_options){513, 4},
                                               &replay, NULL),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_forecasters_answer_as_worked_by_hand),
        cmocka_unit_test(windows_slide_for_long),
        cmocka_unit_test(a_trend_fades),
        cmocka_unit_test(adaptive_windows_follow_jumps),
        cmocka_unit_test(autoregression_finds_the_coefficient),
        cmocka_unit_test(autoregression_sums_what_it_iterates),
        cmocka_unit_test(days_repeat),
        cmocka_unit_test(levels_are_left_as_often_as_before),
        cmocka_unit_test(regression_learns_what_follows),
        cmocka_unit_test(any_series_has_an_answer),
        cmocka_unit_test(nothing_is_known_without_samples),
        cmocka_unit_test(a_constant_stays),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(intervals_have_their_coverage),
        cmocka_unit_test(gaps_widen_intervals),
        cmocka_unit_test(forecasts_are_spread_evenly),
        cmocka_unit_test(replays_compare_with_what_came),
    };

    return RUN_TESTS(tests);
}
