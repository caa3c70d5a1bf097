/* Time series: grids, windows, time frames, values of windows, and values as curves. */
#include "series.h"

#include "stats/series/time_frame.h"
#include "stats/series/resample.h"
#include "stats/series/series_value.h"
#include "stats/series/value_curve.h"

/* ---- grids ---- */

static const struct rc_sample uneven[] = {{0, 1}, {10, 3}, {12, NAN}, {40, 5}};

static void check_grid(const struct rc_series_grid *grid, enum rc_series_fill fill, double gap,
                       const double *want)
{
    double out[16];

    assert_int_equal(rc_series_resample(uneven, 4, grid, fill, gap, out, NULL), 0);
    for (size_t i = 0; i < grid->n; i++)
        if (!(isnan(want[i]) ? isnan(out[i]) : fabs(out[i] - want[i]) < 1e-14))
            fail_msg("fill %d, point %zu: %g, not %g", (int)fill, i, out[i], want[i]);
}

static void samples_are_laid_on_grids(void **state)
{
    (void)state;
    check_grid(&(struct rc_series_grid){-5, 5, 11}, RC_SERIES_HOLD, 20,
               (double[]){NAN, 1, 1, 3, 3, 3, 3, 3, NAN, 5, 5});
    check_grid(&(struct rc_series_grid){-5, 5, 11}, RC_SERIES_LINEAR, 20,
               (double[]){NAN, 1, 2, 3, NAN, NAN, NAN, NAN, NAN, 5, NAN});
    check_grid(&(struct rc_series_grid){0, 10, 6}, RC_SERIES_LINEAR, 30,
               (double[]){1, 3, 3 + 2.0 / 3, 3 + 4.0 / 3, 5, NAN});
    check_grid(&(struct rc_series_grid){0, 20, 3}, RC_SERIES_MEAN, 20, (double[]){2, 3, 5});
    check_grid(&(struct rc_series_grid){0, 20, 3}, RC_SERIES_MEAN, 19, (double[]){2, NAN, 5});
    check_grid(&(struct rc_series_grid){5, 10, 4}, RC_SERIES_MEAN, INFINITY,
               (double[]){2, 3, 3, 4});
    check_grid(&(struct rc_series_grid){-20, 20, 2}, RC_SERIES_MEAN, INFINITY, (double[]){NAN, 2});
    check_grid(&(struct rc_series_grid){0, 100, 1}, RC_SERIES_MEAN, INFINITY,
               (double[]){(10 * 1 + 30 * 3 + 60 * 5) / 100.0});
}

static void senseless_grids_are_refused(void **state)
{
    struct rc_series_grid grid = {0, 1, 3};
    struct rc_error error;
    double out[3];

    (void)state;
    assert_int_equal(rc_series_resample(uneven, 0, &grid, RC_SERIES_MEAN, 1, out, NULL), 0);
    assert_true(isnan(out[0]) && isnan(out[2]));
    assert_int_equal(rc_series_resample(uneven, 4, &grid, RC_SERIES_HOLD, 0, out, &error), -1);
    assert_int_equal(rc_series_resample(uneven, 4, &grid, RC_SERIES_HOLD, NAN, out, NULL), -1);
    grid.step = 0;
    assert_int_equal(rc_series_resample(uneven, 4, &grid, RC_SERIES_HOLD, 1, out, &error), -1);
    assert_int_equal(rc_series_grid_over(uneven, 0, 1, &grid, &error), -1);
    assert_int_equal(rc_series_grid_over(uneven, 4, -1, &grid, &error), -1);
    assert_int_equal(rc_series_grid_over(uneven, 4, 1e-9, &grid, &error), -1);
    assert_non_null(strstr(error.text, "too many"));
    assert_int_equal(rc_series_grid_over(uneven, 4, 15, &grid, &error), 0);
    assert_int_equal(grid.n, 3);
    assert_int_equal(rc_series_grid_over(uneven, 4, 0, &grid, &error), 0);
    assert_same(grid.step, 10); /* the median of 10, 2 and 28 */
    assert_int_equal(rc_series_grid_over(uneven, 1, 0, &grid, &error), 0);
    assert_int_equal(grid.n, 1);
}

static void windows_are_found(void **state)
{
    static const struct {
        double from, to;
        size_t first, count;
    } cases[] = {
        {NAN, NAN, 0, 4}, {0, 40, 0, 4},   {0, 0, 0, 1},   {1, 9, 1, 0},   {10, 12, 1, 2},
        {11, NAN, 2, 2},  {NAN, 10, 0, 2}, {50, 60, 4, 0}, {-9, -5, 0, 0}, {30, 20, 3, 0},
    };
    size_t first;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_series_window(uneven, 4, cases[i].from, cases[i].to, &first),
                         cases[i].count);
        assert_int_equal(first, cases[i].first);
    }
    assert_int_equal(rc_series_window(uneven, 0, 0, 1, &first), 0);
}

/* ---- time frames ---- */

enum { DAY = 86400 };

static void time_frames_come_from_the_data(void **state)
{
    struct rc_random *random = rc_random_create(4, 2);
    struct rc_sample *samples = calloc(DAY / 10, sizeof *samples);
    struct rc_series_frame frame;
    double level = 0, correlation;
    size_t pairs;

    (void)state;
    for (size_t i = 0; i < DAY / 10; i++) /* slow: half a day up and down */
        samples[i] = (struct rc_sample){10 * (double)i, sin(2 * M_PI * (double)i * 10 / DAY)};
    assert_int_equal(rc_series_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_SERIES_FRAME_MEASURED);
    assert_same(frame.seconds, 3600);
    assert_true(frame.correlation > 0.7);
    /* Levels of exactly 600 s: windows of T < 600 share one with the next in 1 - T/600 of cases. */
    for (size_t i = 0; i < DAY / 10; i++) {
        level = i % 60 == 0 ? rc_random_uniform(random) : level;
        samples[i].value = level;
    }
    assert_int_equal(rc_series_frame_correlation(samples, DAY / 10, 60, INFINITY, &correlation,
                                                 &pairs, NULL),
                     0);
    assert_int_equal(pairs, DAY / 60 - 2);
    assert_near(correlation, 0.9, 0.05);
    assert_int_equal(rc_series_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_SERIES_FRAME_MEASURED);
    assert_true(frame.seconds >= 120 && frame.seconds <= 300);
    for (size_t i = 0; i < DAY / 10; i++)
        samples[i].value = rc_random_uniform(random);
    assert_int_equal(rc_series_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_SERIES_FRAME_UNRELATED);
    assert_same(frame.seconds, 300);
    free(samples);
    rc_random_destroy(random);
}

static void time_frames_at_the_edges(void **state)
{
    static const double bad[] = {60, 0};
    struct rc_sample samples[1000];
    struct rc_series_frame frame;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        samples[i] = (struct rc_sample){10 * (double)i, 0.1};
    for (size_t n = 0; n < 20; n++) {
        assert_int_equal(rc_series_frame(samples, n, NULL, 0, 60, &frame, NULL), 0);
        assert_int_equal(frame.source, RC_SERIES_FRAME_TOO_SHORT);
        assert_same(frame.seconds, 300);
    }
    assert_int_equal(rc_series_frame(samples, 1000, NULL, 0, 60, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_SERIES_FRAME_CONSTANT);
    assert_non_null(strstr(rc_series_frame_source_text(frame.source), "not change"));
    assert_int_equal(rc_series_frame(samples, 1000, bad, 2, 60, &frame, NULL), -1);
    assert_int_equal(rc_series_frame(samples, 1000, bad, 1, 0, &frame, NULL), -1);
}

/* ---- values ---- */

static const struct rc_sample window[] = {{0, 2}, {1, 4}, {2, 4}, {3, 4}, {4, NAN},
                                          {5, 5}, {6, 5}, {7, 7}, {8, 9}};

static void values_are_made_of_windows(void **state)
{
    struct rc_series_value_options options;
    struct rc_value *value = rc_series_value(window, 9, RC_POINT, NULL, NULL);
    size_t n;

    (void)state;
    assert_near(rc_value_mean(value), 5, 1e-14);
    rc_value_drop(value);
    value = rc_series_value(window, 9, RC_NORMAL, NULL, NULL);
    assert_near(rc_value_mean(value), 5, 1e-14);
    assert_near(rc_value_sd(value), sqrt(32.0 / 7), 1e-14);
    rc_value_drop(value);
    value = rc_series_value(window, 9, RC_INTERVAL, NULL, NULL);
    assert_same(rc_value_low(value), 2);
    assert_same(rc_value_high(value), 9);
    rc_value_drop(value);
    rc_series_value_options_init(&options);
    options.low = 0.25, options.high = 0.75;
    value = rc_series_value(window, 9, RC_INTERVAL, &options, NULL);
    assert_same(rc_value_low(value), 4);
    assert_same(rc_value_high(value), 5.5);
    rc_value_drop(value);
    options.bins = 3;
    value = rc_series_value(window, 9, RC_HISTOGRAM, &options, NULL);
    assert_int_equal(rc_value_kind(value), RC_HISTOGRAM);
    assert_near(rc_value_mean(value), 5, 0.6);
    assert_near(rc_value_cdf(value, 9.5), 1, 1e-12);
    rc_value_drop(value);
    value = rc_series_value(window, 9, RC_SAMPLE, NULL, NULL);
    assert_non_null(rc_value_draws(value, &n));
    assert_int_equal(n, 8);
    assert_same(rc_value_draws(value, &n)[7], 9);
    rc_value_drop(value);
}

static void draws_are_resampled(void **state)
{
    struct rc_series_value_options options;
    struct rc_random *random = rc_random_create(8, 8);
    struct rc_value *value;
    const double *draws;
    size_t n;

    (void)state;
    rc_series_value_options_init(&options);
    options.draws = 10000;
    assert_null(rc_series_value(window, 9, RC_SAMPLE, &options, NULL)); /* no random */
    options.random = random;
    value = rc_series_value(window, 9, RC_SAMPLE, &options, NULL);
    draws = rc_value_draws(value, &n);
    assert_int_equal(n, 10000);
    for (size_t i = 0; i < n; i++)
        assert_true(draws[i] >= 2 && draws[i] <= 9 && draws[i] == floor(draws[i]));
    assert_near(rc_value_mean(value), 5, 0.1);
    assert_near(rc_value_sd(value), 2, 0.05); /* sqrt(32 / 8) */
    rc_value_drop(value);
    options.draws = SIZE_MAX;
    assert_null(rc_series_value(window, 9, RC_SAMPLE, &options, NULL));
    rc_random_destroy(random);
}

static void windows_may_be_too_small_for_a_value(void **state)
{
    struct rc_series_value_options options;
    struct rc_error error;
    struct rc_value *value;

    (void)state;
    for (int kind = 0; kind < RC_VALUE_KINDS; kind++) {
        assert_null(rc_series_value(window, 0, (enum rc_value_kind)kind, NULL, &error));
        assert_non_null(strstr(error.text, "no sample"));
        assert_null(rc_series_value(window + 4, 1, (enum rc_value_kind)kind, NULL, &error));
        value = rc_series_value(window, 1, (enum rc_value_kind)kind, NULL, &error);
        assert_true((value == NULL) == (kind == RC_NORMAL));
        if (value)
            assert_same(rc_value_mean(value), 2);
        rc_value_drop(value);
    }
    assert_null(rc_series_value(window, 9, RC_VALUE_KINDS, NULL, &error));
    rc_series_value_options_init(&options);
    options.low = 0.9, options.high = 0.1;
    assert_null(rc_series_value(window, 9, RC_INTERVAL, &options, &error));
}

/* ---- values at instants ---- */

static void instants_are_spread_over_the_window(void **state)
{
    struct rc_random *random = rc_random_create(3, 1), *again = rc_random_create(3, 1);
    double instants[4000], same[4000], sum = 0;

    (void)state;
    rc_series_instants(100, 160, random, instants, 4000);
    rc_series_instants(100, 160, again, same, 4000);
    for (size_t i = 0; i < 4000; i++) {
        assert_true(instants[i] >= 100 && instants[i] <= 160);
        assert_same(instants[i], same[i]);
        sum += instants[i];
    }
    assert_near(sum / 4000, 130, 1.1); /* four standard errors: 60 / sqrt(12 4000) each */
    rc_random_destroy(random);
    rc_random_destroy(again);
}

static void the_last_sample_holds_at_an_instant(void **state)
{
    static const struct rc_sample samples[] = {{10, NAN}, {20, 1}, {30, 2},       {30, 3},
                                               {40, NAN}, {50, 5}, {60, INFINITY}};
    static const double instants[] = {25, 5, 20, 29.999, 30, 45, 50, 1e9, -INFINITY, 19.999};
    static const double want[] = {1, 1, 1, 1, 3, 3, 5, 5, 1, 1};
    struct rc_value *value = rc_series_value_at(samples, 7, instants, COUNT(instants), NULL);
    size_t n;

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_SAMPLE);
    assert_non_null(rc_value_draws(value, &n));
    assert_int_equal(n, COUNT(instants));
    for (size_t i = 0; i < n; i++)
        assert_same(rc_value_draws(value, &n)[i], want[i]);
    rc_value_drop(value);
}

static void samples_count_by_the_time_they_stand_for(void **state)
{
    static const struct rc_sample busy[] = {{0, 0}, {90, 1}, {92, 1}, {94, 1}, {96, 1}, {98, 1}};
    struct rc_random *random = rc_random_create(1, 1);
    double instants[10000];
    struct rc_value *value;

    (void)state;
    rc_series_instants(0, 100, random, instants, 10000);
    value = rc_series_value_at(busy, 6, instants, 10000, NULL);
    assert_near(rc_value_mean(value), 0.1, 0.015);
    rc_value_drop(value);
    rc_random_destroy(random);
}

static void values_at_instants_need_both(void **state)
{
    static const struct rc_sample gone[] = {{0, NAN}, {1, NAN}}, there[] = {{0, 1}};
    static const double instants[] = {0};
    struct rc_error error;

    (void)state;
    assert_null(rc_series_value_at(gone, 2, instants, 1, &error));
    assert_non_null(strstr(error.text, "no sample"));
    assert_null(rc_series_value_at(NULL, 0, instants, 1, NULL));
    assert_null(rc_series_value_at(there, 1, instants, 0, &error));
    assert_null(rc_series_value_at(there, 1, instants, (size_t)RC_VALUE_DRAWS_MAX + 1, &error));
}

/* ---- values as curves ---- */

/* What lies under the density, and in atoms. */
static double mass(const struct rc_series_curve *curve)
{
    double sum = 0;

    for (size_t i = 0; i + 1 < curve->n; i++)
        sum += (curve->x[i + 1] - curve->x[i]) *
               (curve->steps ? curve->density[i] : (curve->density[i] + curve->density[i + 1]) / 2);
    for (size_t i = 0; i < curve->n_atoms; i++)
        sum += curve->atoms[i].p;
    return sum;
}

static void check_curve(struct rc_value *value, double level, double low, double high,
                        size_t n_atoms)
{
    struct rc_series_curve curve = {0};

    assert_non_null(value);
    assert_int_equal(rc_series_curve(value, level, &curve, NULL), 0);
    assert_near(mass(&curve), 1, 0.01);
    assert_int_equal(curve.n_atoms, n_atoms);
    assert_near(curve.low, low, 0.02 * (high - low));
    assert_near(curve.high, high, 0.02 * (high - low));
    assert_true(curve.cdf[0] < 0.01 && curve.cdf[curve.n_cdf - 1] > 0.99);
    for (size_t i = 1; i < curve.n_cdf; i++)
        assert_true(curve.at[i] >= curve.at[i - 1] && curve.cdf[i] >= curve.cdf[i - 1]);
    rc_series_curve_free(&curve);
    rc_value_drop(value);
}

static void curves_hold_all_of_a_value(void **state)
{
    static const struct rc_bin bins[] = {{1, 1, 0.25}, {2, 3, 0.5}, {3, 7, 0.25}};
    static const double levels[] = {1, 2, 2, 4};
    double values[5000], half[4000];
    double reach = 2.5758 + 0.1 * 2 * 2.5758; /* 99 % and a tenth of that */

    (void)state;
    check_curve(rc_value_point(5, NULL), 0.9, 4.5, 5.5, 1);
    check_curve(rc_value_point(0, NULL), 0.9, -1, 1, 1);
    check_curve(rc_value_normal(5, 0, 0, NULL), 0.9, 4.5, 5.5, 1);
    check_curve(rc_value_interval(10, 20, NULL), 0.9, 9.6, 20.4, 0);
    check_curve(rc_value_normal(0, 1, 0, NULL), 0.9, -1.08 * reach, 1.08 * reach, 0);
    check_curve(rc_value_normal(0, 1, 0, NULL), 0.99999, -4.417 * 1.08, 4.417 * 1.08, 0);
    check_curve(rc_value_histogram(bins, 3, NULL), 0.9, 1 - 0.24, 7 + 0.24, 1);
    check_curve(rc_value_sample(levels, 4, NULL), 0.9, 1 - 0.12, 4 + 0.12, 3);
    draw_all(values, 5000, UNIFORM, 1);
    check_curve(rc_value_sample(values, 5000, NULL), 0.9, -0.04, 1.04, 0);
    for (size_t i = 0; i < 4000; i++)
        half[i] = fmax(values[i], 0.5);
    check_curve(rc_value_sample(half, 4000, NULL), 0.9, 0.48, 1.02, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_laid_on_grids),
        cmocka_unit_test(senseless_grids_are_refused),
        cmocka_unit_test(windows_are_found),
        cmocka_unit_test(time_frames_come_from_the_data),
        cmocka_unit_test(time_frames_at_the_edges),
        cmocka_unit_test(values_are_made_of_windows),
        cmocka_unit_test(draws_are_resampled),
        cmocka_unit_test(windows_may_be_too_small_for_a_value),
        cmocka_unit_test(instants_are_spread_over_the_window),
        cmocka_unit_test(the_last_sample_holds_at_an_instant),
        cmocka_unit_test(samples_count_by_the_time_they_stand_for),
        cmocka_unit_test(values_at_instants_need_both),
        cmocka_unit_test(curves_hold_all_of_a_value),
    };

    return RUN_TESTS(tests);
}
