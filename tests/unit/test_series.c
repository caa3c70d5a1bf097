/* Time series: grids, correlations, modes, bins, closeness to normal, time frames, values. */
#include "unit.h"

#include <float.h>

#include "base/random.h"
#include "series/bins.h"
#include "series/closeness.h"
#include "series/frame.h"
#include "series/modes.h"
#include "series/resample.h"
#include "series/series_value.h"
#include "series/statistics.h"

#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                       \
            fail_msg("%s is %.17g, not %.17g", #a, a_, b_);                                        \
    } while (0)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- statistics ---- */

static void moments_follow_the_formulas(void **state)
{
    static const double values[] = {2, 4, NAN, 4, 4, 5, 5, INFINITY, 7, 9};
    struct rc_ts_moments moments;

    (void)state;
    rc_ts_moments(values, COUNT(values), &moments); /* deviations squared sum to 32 */
    assert_int_equal(moments.n, 8);
    assert_near(moments.mean, 5, 1e-15);
    assert_near(moments.sd, sqrt(32.0 / 7), 1e-15);
    assert_same(moments.low, 2);
    assert_same(moments.high, 9);
}

static void moments_at_the_edges(void **state)
{
    static const double none[] = {NAN, NAN}, constant[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    static const double huge[] = {1e308, 1e308, -1e308}, tiny[] = {1e-310, 3e-310};
    static const double far[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    struct rc_ts_moments moments;

    (void)state;
    rc_ts_moments(none, 0, &moments);
    assert_int_equal(moments.n, 0);
    rc_ts_moments(none, 2, &moments);
    assert_int_equal(moments.n, 0);
    assert_true(isnan(moments.mean) && isnan(moments.sd) && isnan(moments.low));
    rc_ts_moments(constant, 1, &moments);
    assert_same(moments.mean, 0.1);
    assert_true(isnan(moments.sd));
    rc_ts_moments(constant, COUNT(constant), &moments);
    assert_same(moments.mean, 0.1);
    assert_same(moments.sd, 0);
    rc_ts_moments(huge, 3, &moments);
    assert_near(moments.mean / 1e308, 1.0 / 3, 1e-12);
    assert_near(moments.sd / 1e308, sqrt(4.0 / 3), 1e-12);
    rc_ts_moments(tiny, 2, &moments);
    assert_near(moments.mean / 1e-310, 2, 1e-9);
    assert_near(moments.sd / 1e-310, sqrt(2), 1e-9);
    rc_ts_moments(far, 3, &moments);
    assert_same(moments.mean, 1e9 + 2);
    assert_near(moments.sd, 1, 1e-12);
}

static void quantiles_are_linear_between_numbers(void **state)
{
    static const double values[] = {4, NAN, 2, 1, 3}, robust_values[] = {1, 1, 2, 2, 4, 6, 9};
    static const double ends[] = {-1e308, 1e308};
    struct rc_ts_robust robust;
    size_t n;
    double *sorted = rc_ts_sorted(values, COUNT(values), &n, NULL);

    (void)state;
    assert_int_equal(n, 4);
    assert_same(rc_ts_quantile(sorted, n, 0), 1);
    assert_same(rc_ts_quantile(sorted, n, 0.25), 1.75);
    assert_same(rc_ts_quantile(sorted, n, 0.5), 2.5);
    assert_same(rc_ts_quantile(sorted, n, 1), 4);
    assert_same(rc_ts_quantile(sorted, 1, 0.3), 1);
    assert_same(rc_ts_quantile(ends, 2, 0.5), 0);
    assert_true(isnan(rc_ts_quantile(sorted, 0, 0.5)));
    assert_true(isnan(rc_ts_quantile(sorted, n, 1.01)));
    assert_true(isnan(rc_ts_quantile(sorted, n, NAN)));
    free(sorted);
    assert_int_equal(rc_ts_robust(robust_values, 7, &robust, NULL), 0);
    assert_same(robust.median, 2);
    assert_same(robust.lower_quartile, 1.5);
    assert_same(robust.upper_quartile, 5);
    assert_near(robust.sd, 1.4826, 1e-4); /* the median of 0 0 1 1 2 4 7 is 1 */
    assert_int_equal(rc_ts_robust(robust_values, 0, &robust, NULL), 0);
    assert_true(isnan(robust.median) && isnan(robust.sd));
}

static void pairs_correlate(void **state)
{
    static const double x[] = {1, NAN, 2, 3, 9}, y[] = {1, 5, 3, 2, NAN};
    static const double c[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    static const double huge[] = {-1e308, 0, 1e308}, line[] = {1, 2, 3};
    size_t pairs;

    (void)state;
    assert_near(rc_ts_correlation(x, y, 5, &pairs), 0.5, 1e-15);
    assert_int_equal(pairs, 3);
    assert_true(isnan(rc_ts_correlation(x, c, 5, &pairs)));
    assert_int_equal(pairs, 4);
    assert_true(isnan(rc_ts_correlation(x, y, 2, &pairs)));
    assert_int_equal(pairs, 1);
    assert_near(rc_ts_correlation(huge, line, 3, NULL), 1, 1e-15);
}

/* ---- autocorrelation ---- */

static void autocorrelation_follows_the_formula(void **state)
{
    static const double whole[] = {1, 2, 3, 4, 5}, holes[] = {1, NAN, 3, 5};
    static const double want_whole[] = {1, 0.4, -0.1, -0.4, -0.4}, want_holes[] = {1, 0, 0, -0.375};
    double acf[8];

    (void)state;
    for (int way = 0; way < 3; way++) {
        int (*calculate)(const double *, size_t, size_t, double *, struct rc_error *) =
            way == 0 ? rc_ts_acf : way == 1 ? rc_ts_acf_direct : rc_ts_acf_fft;

        assert_int_equal(calculate(whole, 5, 4, acf, NULL), 0);
        for (size_t i = 0; i < 5; i++)
            assert_near(acf[i], want_whole[i], 1e-14);
        assert_int_equal(calculate(holes, 4, 3, acf, NULL), 0);
        for (size_t i = 0; i < 4; i++)
            assert_near(acf[i], want_holes[i], 1e-14);
    }
    assert_int_equal(rc_ts_acf(whole, 5, 7, acf, NULL), 0); /* lags beyond the series */
    assert_near(acf[4], -0.4, 1e-14);
    assert_true(isnan(acf[5]) && isnan(acf[7]));
}

static void autocorrelation_at_the_edges(void **state)
{
    static const double constant[] = {0.1, 0.1, 0.1}, none[] = {NAN, NAN, NAN};
    static const double huge[] = {1.5e308, -1.5e308, 1.5e308, -1.5e308};
    double acf[4];

    (void)state;
    assert_int_equal(rc_ts_acf(constant, 0, 3, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[3]));
    assert_int_equal(rc_ts_acf_fft(constant, 0, 0, acf, NULL), 0);
    assert_true(isnan(acf[0]));
    assert_int_equal(rc_ts_acf_fft(constant, 1, 0, acf, NULL), 0);
    assert_int_equal(rc_ts_acf_fft(constant, 3, 2, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[2]));
    assert_int_equal(rc_ts_acf_fft(none, 3, 2, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[2]));
    assert_int_equal(rc_ts_acf(huge, 4, 3, acf, NULL), 0);
    assert_near(acf[1], -0.75, 1e-15);
    assert_near(acf[2], 0.5, 1e-15);
}

static void autocorrelation_of_a_known_process(void **state)
{
    enum { N = 1 << 16, LAGS = 500 };
    struct rc_random *random = rc_random_create(1, 0);
    double *x = calloc(N, sizeof *x), direct[LAGS + 1], fft[LAGS + 1], acf[LAGS + 1];

    (void)state;
    for (size_t i = 1; i < N; i++)
        x[i] = 0.8 * x[i - 1] + rc_random_normal(random, 0, 1);
    for (int holes = 0; holes < 2; holes++) {
        assert_int_equal(rc_ts_acf_direct(x, N, LAGS, direct, NULL), 0);
        assert_int_equal(rc_ts_acf_fft(x, N, LAGS, fft, NULL), 0);
        assert_int_equal(rc_ts_acf(x, N, LAGS, acf, NULL), 0);
        for (size_t lag = 0; lag <= LAGS; lag++) {
            assert_near(fft[lag], direct[lag], 1e-12);
            assert_near(acf[lag], direct[lag], 1e-12);
        }
        /* r(k) = 0.8^k; by Bartlett's formula the error is about 0.01. */
        for (size_t lag = 0; lag <= 20; lag++)
            assert_near(acf[lag], pow(0.8, (double)lag), 0.04);
        for (size_t i = 0; i < N; i++)
            if (rc_random_uniform(random) < 0.3)
                x[i] = NAN;
    }
    free(x);
    rc_random_destroy(random);
}

/* ---- grids ---- */

static const struct rc_sample uneven[] = {{0, 1}, {10, 3}, {12, NAN}, {40, 5}};

static void check_grid(const struct rc_ts_grid *grid, enum rc_ts_fill fill, double gap,
                       const double *want)
{
    double out[16];

    assert_int_equal(rc_ts_resample(uneven, 4, grid, fill, gap, out, NULL), 0);
    for (size_t i = 0; i < grid->n; i++)
        if (!(isnan(want[i]) ? isnan(out[i]) : fabs(out[i] - want[i]) < 1e-14))
            fail_msg("fill %d, point %zu: %g, not %g", (int)fill, i, out[i], want[i]);
}

static void samples_are_laid_on_grids(void **state)
{
    (void)state;
    check_grid(&(struct rc_ts_grid){-5, 5, 11}, RC_TS_HOLD, 20,
               (double[]){NAN, 1, 1, 3, 3, 3, 3, 3, NAN, 5, 5});
    check_grid(&(struct rc_ts_grid){-5, 5, 11}, RC_TS_LINEAR, 20,
               (double[]){NAN, 1, 2, 3, NAN, NAN, NAN, NAN, NAN, 5, NAN});
    check_grid(&(struct rc_ts_grid){0, 10, 6}, RC_TS_LINEAR, 30,
               (double[]){1, 3, 3 + 2.0 / 3, 3 + 4.0 / 3, 5, NAN});
    check_grid(&(struct rc_ts_grid){0, 20, 3}, RC_TS_MEAN, 20, (double[]){2, 3, 5});
    check_grid(&(struct rc_ts_grid){0, 20, 3}, RC_TS_MEAN, 19, (double[]){2, NAN, 5});
    check_grid(&(struct rc_ts_grid){5, 10, 4}, RC_TS_MEAN, INFINITY, (double[]){2, 3, 3, 4});
    check_grid(&(struct rc_ts_grid){-20, 20, 2}, RC_TS_MEAN, INFINITY, (double[]){NAN, 2});
    check_grid(&(struct rc_ts_grid){0, 100, 1}, RC_TS_MEAN, INFINITY,
               (double[]){(10 * 1 + 30 * 3 + 60 * 5) / 100.0});
}

static void senseless_grids_are_refused(void **state)
{
    struct rc_ts_grid grid = {0, 1, 3};
    struct rc_error error;
    double out[3];

    (void)state;
    assert_int_equal(rc_ts_resample(uneven, 0, &grid, RC_TS_MEAN, 1, out, NULL), 0);
    assert_true(isnan(out[0]) && isnan(out[2]));
    assert_int_equal(rc_ts_resample(uneven, 4, &grid, RC_TS_HOLD, 0, out, &error), -1);
    assert_int_equal(rc_ts_resample(uneven, 4, &grid, RC_TS_HOLD, NAN, out, NULL), -1);
    grid.step = 0;
    assert_int_equal(rc_ts_resample(uneven, 4, &grid, RC_TS_HOLD, 1, out, &error), -1);
    assert_int_equal(rc_ts_grid_over(uneven, 0, 1, &grid, &error), -1);
    assert_int_equal(rc_ts_grid_over(uneven, 4, -1, &grid, &error), -1);
    assert_int_equal(rc_ts_grid_over(uneven, 4, 1e-9, &grid, &error), -1);
    assert_non_null(strstr(error.text, "too many"));
    assert_int_equal(rc_ts_grid_over(uneven, 4, 15, &grid, &error), 0);
    assert_int_equal(grid.n, 3);
    assert_int_equal(rc_ts_grid_over(uneven, 4, 0, &grid, &error), 0);
    assert_same(grid.step, 10); /* the median of 10, 2 and 28 */
    assert_int_equal(rc_ts_grid_over(uneven, 1, 0, &grid, &error), 0);
    assert_int_equal(grid.n, 1);
}

static void windows_are_found(void **state)
{
    static const struct {
        double from, to;
        size_t first, count;
    } cases[] = {
        {NAN, NAN, 0, 4}, {0, 40, 0, 4},  {0, 0, 0, 1},   {1, 9, 1, 0},      {10, 12, 1, 2},
        {11, NAN, 2, 2},  {NAN, 10, 0, 2}, {50, 60, 4, 0}, {-9, -5, 0, 0}, {30, 20, 3, 0},
    };
    size_t first;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_ts_window(uneven, 4, cases[i].from, cases[i].to, &first),
                         cases[i].count);
        assert_int_equal(first, cases[i].first);
    }
    assert_int_equal(rc_ts_window(uneven, 0, 0, 1, &first), 0);
}

/* ---- modes ---- */

enum shape { NORMAL, UNIFORM, EXPONENTIAL, THREE_MODES, PERCENTS, WHOLE, LEVELS };

static double draw(struct rc_random *random, enum shape shape)
{
    double u = rc_random_uniform(random);

    switch (shape) {
    case NORMAL:
        return rc_random_normal(random, 0.7, 0.1);
    case UNIFORM:
        return u;
    case EXPONENTIAL:
        return rc_random_exponential(random, 3);
    case THREE_MODES:
    case PERCENTS:
        u = u < 0.5 ? rc_random_normal(random, 0.94, 0.02)
                    : rc_random_normal(random, u < 0.8 ? 0.49 : 0.33, 0.03);
        return shape == PERCENTS ? round(u * 100) / 100 : u;
    case WHOLE:
        return round(rc_random_normal(random, 50, 5));
    case LEVELS:
        return u < 0.4 ? 1 : u < 0.7 ? 0.5 : 0.25;
    }
    return NAN;
}

static void draw_all(double *values, size_t n, enum shape shape, uint64_t seed)
{
    struct rc_random *random = rc_random_create(seed, 7);

    for (size_t i = 0; i < n; i++)
        values[i] = draw(random, shape);
    rc_random_destroy(random);
}

static void the_three_modes_of_a_workstation_are_found(void **state)
{
    static const double centres[] = {0.33, 0.49, 0.94}, sds[] = {0.03, 0.03, 0.02};
    static const double shares[] = {0.2, 0.3, 0.5};
    double values[2000];
    struct rc_ts_modes modes;

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        draw_all(values, 2000, seed % 2 ? THREE_MODES : PERCENTS, seed);
        values[77] = 1e9; /* a stray must not blind it; it is left out below */
        values[78] = NAN;
        assert_int_equal(rc_ts_modes(values, 2000, NULL, &modes, NULL), 0);
        assert_int_equal(modes.n_modes, 3);
        values[77] = NAN;
        assert_int_equal(rc_ts_modes(values, 2000, NULL, &modes, NULL), 0);
        assert_int_equal(modes.n_modes, 3);
        assert_int_equal(modes.n, 1998);
        for (size_t i = 0; i < 3; i++) {
            assert_near(modes.modes[i].centre, centres[i], 0.02);
            assert_near(modes.modes[i].mean, centres[i], 0.01);
            assert_near(modes.modes[i].sd, sds[i], 0.006);
            assert_near(modes.modes[i].share, shares[i], 0.04);
            assert_int_equal(rc_ts_mode_of(&modes, centres[i]), i);
        }
        assert_near(modes.aggregate_mean, modes.mean, 1e-12);
        assert_near(modes.aggregate_sd, 0.2 * 0.03 + 0.3 * 0.03 + 0.5 * 0.02, 0.005);
        assert_near(modes.full_sd, modes.sd, 1e-12);
        assert_same(modes.modes[0].high, modes.modes[1].low);
    }
}

static void one_mode_is_not_torn_apart(void **state)
{
    static const enum shape shapes[] = {NORMAL, UNIFORM, EXPONENTIAL, WHOLE};
    static const size_t counts[] = {10, 50, 200, 2000};
    double values[2000];
    struct rc_ts_modes modes;

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (size_t j = 0; j < COUNT(counts); j++)
            for (uint64_t seed = 100; seed < 120; seed++) {
                draw_all(values, counts[j], shapes[i], seed);
                assert_int_equal(rc_ts_modes(values, counts[j], NULL, &modes, NULL), 0);
                if (modes.n_modes != 1)
                    fail_msg("%zu modes in %zu numbers of shape %d, seed %u", modes.n_modes,
                             counts[j], (int)shapes[i], (unsigned)seed);
            }
}

static void exact_levels_are_modes(void **state)
{
    double values[300];
    struct rc_ts_modes modes;

    (void)state;
    draw_all(values, 300, LEVELS, 5);
    assert_int_equal(rc_ts_modes(values, 300, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 3);
    for (size_t i = 0; i < 3; i++)
        assert_same(modes.modes[i].sd, 0);
    assert_same(modes.modes[1].mean, 0.5);
    assert_same(modes.aggregate_sd, 0);
    assert_near(modes.full_sd, modes.sd, 1e-12);
}

static void what_lies_between_modes_can_be_dropped(void **state)
{
    struct rc_ts_mode_options options;
    double values[1010];
    struct rc_ts_modes modes;

    (void)state;
    draw_all(values, 1000, THREE_MODES, 9);
    for (size_t i = 1000; i < 1010; i++)
        values[i] = 0.7; /* between all modes */
    rc_ts_mode_options_init(&options);
    options.drop_between = true;
    assert_int_equal(rc_ts_modes(values, 1010, &options, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 3);
    assert_in_range(modes.n_dropped, 10, 40);
    assert_int_equal(modes.modes[0].n + modes.modes[1].n + modes.modes[2].n + modes.n_dropped,
                     1010);
    assert_near(modes.modes[0].share + modes.modes[1].share + modes.modes[2].share, 1, 1e-15);
    assert_true(rc_ts_mode_of(&modes, 0.7) == RC_TS_NO_MODE);
    assert_true(rc_ts_mode_of(&modes, 5) == RC_TS_NO_MODE);
    assert_true(rc_ts_mode_of(&modes, NAN) == RC_TS_NO_MODE);
    assert_int_equal(rc_ts_mode_of(&modes, 0.94), 2);
    for (size_t i = 0, in; i < 3; i++) {
        in = 0;
        for (size_t j = 0; j < 1010; j++)
            in += rc_ts_mode_of(&modes, values[j]) == i;
        assert_int_equal(in, modes.modes[i].n);
    }
}

static void aggregates_follow_the_formulas(void **state)
{
    struct rc_ts_modes modes = {.n_modes = 2};

    (void)state;
    modes.modes[0] = (struct rc_ts_mode){.mean = 1, .sd = 0.5, .n = 6};
    modes.modes[1] = (struct rc_ts_mode){.mean = 3, .sd = 0.25, .n = 4};
    rc_ts_modes_aggregate(&modes);
    assert_near(modes.modes[0].share, 0.6, 1e-15);
    assert_near(modes.aggregate_mean, 0.6 * 1 + 0.4 * 3, 1e-15);    /* Eq. 4.10 */
    assert_near(modes.aggregate_sd, 0.6 * 0.5 + 0.4 * 0.25, 1e-15); /* Eq. 4.11 */
    /* 5 0.5^2 + 3 0.25^2 inside, 6 0.8^2 + 4 1.2^2 between, by 10 - 1 */
    assert_near(modes.full_sd, sqrt((1.25 + 0.1875 + 3.84 + 5.76) / 9), 1e-15);
}

static void modes_at_the_edges(void **state)
{
    double values[40] = {0.5, 0.7, 0.5};
    struct rc_ts_mode_options options;
    struct rc_ts_modes modes;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_ts_modes(values, 0, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 0);
    assert_true(rc_ts_mode_of(&modes, 1) == RC_TS_NO_MODE);
    assert_int_equal(rc_ts_modes(values, 1, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    assert_same(modes.aggregate_mean, 0.5);
    assert_true(isnan(modes.aggregate_sd));
    assert_int_equal(rc_ts_modes(values, 2, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = 0.1;
    assert_int_equal(rc_ts_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    assert_same(modes.full_sd, 0);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? DBL_MAX : -DBL_MAX;
    assert_int_equal(rc_ts_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? 1 : 1 + DBL_EPSILON;
    assert_int_equal(rc_ts_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? 5e-324 : 1e-323;
    assert_int_equal(rc_ts_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    rc_ts_mode_options_init(&options);
    options.min_share = 0.001;
    assert_int_equal(rc_ts_modes(values, 40, &options, &modes, &error), -1);
    rc_ts_mode_options_init(&options);
    options.effective = 0;
    assert_int_equal(rc_ts_modes(values, 40, &options, &modes, NULL), -1);
    rc_ts_mode_options_init(&options);
    options.edge = NAN;
    assert_int_equal(rc_ts_modes(values, 40, &options, &modes, NULL), -1);
}

/* ---- locality ---- */

static const struct rc_ts_modes two_modes = {
    .modes = {{.centre = 0.25, .low = 0, .high = 0.5}, {.centre = 0.75, .low = 0.5, .high = 1}},
    .n_modes = 2};

static void locality_is_measured(void **state)
{
    /* mode 0 for 300 s, mode 1 for 200 s, then mode 0 */
    static const struct rc_sample samples[] = {{0, .2},   {100, .3},  {200, .2},  {300, .9},
                                               {350, NAN}, {400, .8}, {500, -.1}};
    struct rc_ts_locality locality;

    (void)state;
    assert_int_equal(rc_ts_locality(samples, 7, &two_modes, 150, INFINITY, &locality, NULL), 0);
    assert_int_equal(locality.now, 0);
    assert_same(locality.since, 500);
    assert_same(locality.observed, 500);
    assert_int_equal(locality.switches, 2);
    assert_near(locality.switches_per_hour, 14.4, 1e-12);
    assert_same(locality.modes[0].dwell, 300);
    assert_same(locality.modes[1].dwell, 200);
    /* 150 s of the first visit and 50 s of the second, of the 350 s from which 150 s were seen */
    assert_near(locality.stays, 200.0 / 350, 1e-15);
    assert_int_equal(locality.verdict, RC_TS_LOCAL);
    assert_int_equal(rc_ts_locality(samples, 7, &two_modes, 0, INFINITY, &locality, NULL), 0);
    assert_same(locality.stays, 0); /* 300 s */
    assert_int_equal(locality.verdict, RC_TS_NOT_LOCAL);
    assert_int_equal(rc_ts_locality(samples, 7, &two_modes, 600, INFINITY, &locality, NULL), 0);
    assert_true(isnan(locality.stays));
    assert_int_equal(locality.verdict, RC_TS_UNKNOWN);
}

static void gaps_tell_nothing_of_locality(void **state)
{
    static const struct rc_sample samples[] = {{0, .2},    {100, .3},  {200, .2},
                                               {1000, .9}, {1100, .9}, {1300, .9}};
    struct rc_ts_locality locality;

    (void)state;
    assert_int_equal(rc_ts_locality(samples, 6, &two_modes, 100, 500, &locality, NULL), 0);
    assert_same(locality.observed, 500);
    assert_int_equal(locality.switches, 0);
    assert_same(locality.modes[0].dwell, INFINITY);
    assert_same(locality.modes[0].seconds, 200);
    assert_int_equal(locality.now, 1);
    assert_same(locality.since, 1000);
    assert_same(locality.stays, 1);
    assert_int_equal(rc_ts_locality(samples, 0, &two_modes, 100, 500, &locality, NULL), 0);
    assert_true(locality.now == RC_TS_NO_MODE && isnan(locality.since));
    assert_true(isnan(locality.switches_per_hour) && isnan(locality.modes[0].dwell));
    assert_int_equal(locality.verdict, RC_TS_UNKNOWN);
    assert_int_equal(rc_ts_locality(samples, 6, &two_modes, -1, 500, &locality, NULL), -1);
    assert_int_equal(rc_ts_locality(samples, 6, &two_modes, 1, 0, &locality, NULL), -1);
}

/* ---- bins ---- */

static void bin_rules_follow_the_dissertation(void **state)
{
    static const struct {
        enum rc_ts_bin_rule rule;
        size_t v, bins;
    } cases[] = {
        {RC_TS_BINS_STURGES, 100, 8}, /* 1 + 3.3 2 = 7.6 */
        {RC_TS_BINS_STURGES, 10, 4},       {RC_TS_BINS_STURGES, 1000, 11},
        {RC_TS_BINS_ROOT, 100, 10},        {RC_TS_BINS_ROOT, 2000, 45},
        {RC_TS_BINS_5_TO_20, 5, 5},        {RC_TS_BINS_5_TO_20, 10, 5},
        {RC_TS_BINS_5_TO_20, 100, 13}, /* halfway */
        {RC_TS_BINS_5_TO_20, 1000, 20},    {RC_TS_BINS_5_TO_20, 5000, 20},
        {RC_TS_BINS_BY_FIFTY, 10, 6},      {RC_TS_BINS_BY_FIFTY, 49, 10},
        {RC_TS_BINS_BY_FIFTY, 50, 10},     {RC_TS_BINS_BY_FIFTY, 500, 15},
        {RC_TS_BINS_BY_FIFTY, 5000, 20},
        {RC_TS_BINS_SCOTT, 2, 1}, /* 0 and 1: 3.49 0.707 0.794 wide */
        {RC_TS_BINS_SCOTT, 1000, 10}, /* 999 / (3.49 288.8 0.1) = 9.9 */
        {RC_TS_BINS_SCOTT, 1, 1},          {RC_TS_BINS_SCOTT, 0, 0},
    };
    static const double eight[] = {2, 4, 4, 4, 5, 5, 7, 9};
    double ramp[5000];

    (void)state;
    for (size_t i = 0; i < COUNT(ramp); i++)
        ramp[i] = (double)i;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (rc_ts_bin_count(cases[i].rule, ramp, cases[i].v) != cases[i].bins)
            fail_msg("%s, %zu: %zu bins, not %zu", rc_ts_bin_rule_name(cases[i].rule), cases[i].v,
                     rc_ts_bin_count(cases[i].rule, ramp, cases[i].v), cases[i].bins);
    assert_near(rc_ts_bin_width(RC_TS_BINS_ROOT, ramp, 100), 9.9, 1e-14); /* Eq. 4.17 */
    assert_near(rc_ts_bin_width(RC_TS_BINS_SCOTT, eight, 8), 3.49 * sqrt(32.0 / 7) / 2, 1e-14);
    assert_int_equal(rc_ts_bin_count(RC_TS_BINS_SCOTT, eight, 8), 2);
}

static void no_number_falls_on_a_division(void **state)
{
    double values[400];
    struct rc_bin *bins;
    size_t n_bins;

    (void)state;
    for (size_t i = 0; i < 400; i++)
        values[i] = floor((double)i / 4); /* 0 to 99, four times each */
    for (int rule = 0; rule < RC_TS_BIN_RULES; rule++)
        for (size_t count = 0; count < 120; count += 3) {
            double sum = 0;

            assert_int_equal(rc_ts_histogram((enum rc_ts_bin_rule)rule, count, values, 400, &bins,
                                             &n_bins, NULL), 0);
            assert_true(count == 0 || n_bins == count);
            for (size_t i = 0; i < n_bins; i++) {
                for (size_t j = 0; j < 400; j++)
                    assert_true(values[j] != bins[i].low && values[j] != bins[i].high);
                assert_near(bins[i].high - bins[i].low, bins[0].high - bins[0].low, 1e-9);
                assert_true(i == 0 || bins[i].low == bins[i - 1].high);
                sum += bins[i].p;
            }
            assert_true(bins[0].low < 0 && bins[n_bins - 1].high > 99);
            assert_near(sum, 1, 1e-12);
            free(bins);
        }
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_ROOT, 10, values, 400, &bins, &n_bins, NULL), 0);
    for (size_t i = 0; i < 10; i++)
        assert_near(bins[i].p, 0.1, 1e-15);
    free(bins);
}

static void scotts_bins_keep_their_width(void **state)
{
    static const double eight[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct rc_bin *bins;
    size_t n_bins;

    (void)state;
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_SCOTT, 0, eight, 8, &bins, &n_bins, NULL), 0);
    assert_int_equal(n_bins, 2);
    assert_near(bins[1].high - bins[0].low, 3.49 * sqrt(32.0 / 7), 1e-12); /* 7.46, for 2 to 9 */
    assert_near(bins[0].p, 0.75, 1e-15); /* the middle is a little above 5.5 */
    free(bins);
}

static void histograms_at_the_edges(void **state)
{
    static const double constant[] = {3, 3, 3}, huge[] = {-DBL_MAX, 0, DBL_MAX};
    static const double close[] = {1, 1 + DBL_EPSILON};
    struct rc_bin *bins;
    struct rc_error error;
    size_t n_bins;

    (void)state;
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_ROOT, 0, constant, 0, &bins, &n_bins, &error), -1);
    assert_null(bins);
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_ROOT, 1 << 20, huge, 3, &bins, &n_bins, &error),
                     -1);
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_SCOTT, 7, constant, 3, &bins, &n_bins, NULL), 0);
    assert_int_equal(n_bins, 1);
    assert_same(bins[0].low, 3);
    assert_same(bins[0].high, 3);
    assert_same(bins[0].p, 1);
    free(bins);
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_SCOTT, 4, huge, 3, &bins, &n_bins, NULL), 0);
    assert_true(isfinite(bins[0].low) && isfinite(bins[3].high));
    assert_near(bins[0].p + bins[1].p + bins[2].p + bins[3].p, 1, 1e-15);
    free(bins);
    assert_int_equal(rc_ts_histogram(RC_TS_BINS_SCOTT, 3, close, 2, &bins, &n_bins, NULL), 0);
    assert_near(bins[0].p + bins[1].p + bins[2].p, 1, 1e-15);
    free(bins);
}

/* ---- closeness ---- */

static void chi_squared_follows_the_formula(void **state)
{
    static const double observed[] = {10, 20, 30, 0}, expected[] = {15, 20, 25, 0};
    static const double impossible[] = {10, 20, 30, 1};

    (void)state;
    assert_near(rc_ts_chi_squared(observed, expected, 4), 25.0 / 15 + 1, 1e-15);
    assert_same(rc_ts_chi_squared(impossible, expected, 4), INFINITY);
    assert_near(rc_ts_chi_squared_p(8.0 / 3, 2), exp(-4.0 / 3), 1e-14);
    assert_near(rc_ts_chi_squared_p(3.841458820694124, 1), 0.05, 1e-12);
    assert_same(rc_ts_chi_squared_p(INFINITY, 7), 0);
    assert_same(rc_ts_chi_squared_p(1e9, 1000), 0);
    assert_same(rc_ts_chi_squared_p(0, 3), 1);
    assert_true(isnan(rc_ts_chi_squared_p(1, 0)));
}

static double density_of(const struct rc_bin *bins, size_t n_bins, double x)
{
    for (size_t i = 0; i < n_bins; i++)
        if (x >= bins[i].low && x < bins[i].high)
            return bins[i].p / (bins[i].high - bins[i].low);
    return 0;
}

static void the_distance_of_densities_is_exact(void **state)
{
    static const struct rc_bin narrow[] = {{-1, 1, 1}}, atom[] = {{0, 0, 1}};
    static const struct rc_bin away[] = {{90, 91, 1}};
    static const struct rc_bin bins[] = {
        {0, 1, 0.1}, {1, 2.5, 0.3}, {2.5, 3, 0.35}, {4, 7, 0.2}, {7, 9, 0.05}};
    double sum = 0, mean = 2.7, sd = 1.3;

    (void)state;
    /* The normal has 0.6827 inside, where the data have 1, and 0.3173 outside. */
    assert_near(rc_ts_distance(narrow, 1, 0, 1), 2 * 0.31731050786291415, 1e-14);
    assert_near(rc_ts_distance(atom, 1, 0, 1), 2, 1e-15);
    assert_near(rc_ts_distance(away, 1, 0, 1), 2, 1e-15);
    for (double x = -10, step = 1e-4; x < 20; x += step) { /* Eq. 4.13, summed up */
        double z = (x + step / 2 - mean) / sd;

        sum += step * fabs(exp(-z * z / 2) / sd / sqrt(2 * M_PI) -
                           density_of(bins, COUNT(bins), x + step / 2));
    }
    assert_near(rc_ts_distance(bins, COUNT(bins), mean, sd), sum, 1e-4);
}

static void kolmogorov_and_smirnov(void **state)
{
    static const double three[] = {-1, 0, 1};

    (void)state;
    assert_near(rc_ts_ks(three, 3, 0, 1), 1.0 / 3 - 0.15865525393145705, 1e-14);
    /* Dallal and Wilkinson's table: the distances that are exceeded by 5 % and by 1 %. */
    assert_near(rc_ts_lilliefors_p(0.192, 20), 0.05, 0.003);
    assert_near(rc_ts_lilliefors_p(0.159, 30), 0.05, 0.003);
    assert_near(rc_ts_lilliefors_p(0.223, 20), 0.01, 0.001);
    assert_true(isnan(rc_ts_lilliefors_p(0.1, 4)));
    assert_same(rc_ts_lilliefors_p(0, 50), 1);
    for (double ks = 0, last = 1; ks <= 1; ks += 0.002) {
        double p = rc_ts_lilliefors_p(ks, 40);

        assert_true(p >= 0 && p <= last + 0.01); /* where the formulas meet there is a small step */
        last = p;
    }
}

static void closeness_tells_normal_from_other_data(void **state)
{
    double values[1000];
    struct rc_ts_closeness closeness;
    unsigned rejected = 0, chi_low = 0, chi_high = 0, sets = 1000;

    (void)state;
    for (uint64_t seed = 0; seed < sets; seed++) {
        draw_all(values, 60, NORMAL, seed);
        assert_int_equal(rc_ts_closeness(values, 60, RC_TS_BINS_SCOTT, &closeness, NULL), 0);
        rejected += closeness.ks_p < 0.05;
        chi_low += closeness.chi_p_low < 0.05;
        chi_high += closeness.chi_p_high < 0.05;
    }
    assert_in_range(rejected, 30, 70);
    assert_true(chi_high <= 65 && chi_low >= 35);
    draw_all(values, 1000, NORMAL, 1);
    assert_int_equal(rc_ts_closeness(values, 1000, RC_TS_BINS_SCOTT, &closeness, NULL), 0);
    assert_int_equal(closeness.cells, 32); /* 2 1000^0.4 = 31.7 */
    assert_true(closeness.distance < 0.15);
    draw_all(values, 1000, THREE_MODES, 1);
    assert_int_equal(rc_ts_closeness(values, 1000, RC_TS_BINS_SCOTT, &closeness, NULL), 0);
    assert_true(closeness.ks_p < 1e-6 && closeness.chi_p_high < 1e-6 && closeness.distance > 0.5);
}

static void closeness_at_the_edges(void **state)
{
    static const double constant[] = {5, 5, 5, 5, 5, NAN};
    static const double huge[] = {-1e308, 1e308, 5e307, 0, -2e307};
    struct rc_ts_closeness closeness;

    (void)state;
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(rc_ts_closeness(constant, n, RC_TS_BINS_ROOT, &closeness, NULL), 0);
        assert_int_equal(closeness.n, n);
        assert_true(isnan(closeness.distance) && isnan(closeness.ks) && isnan(closeness.ks_p));
    }
    assert_int_equal(rc_ts_closeness(constant, 6, RC_TS_BINS_ROOT, &closeness, NULL), 0);
    assert_int_equal(closeness.n, 5);
    assert_same(closeness.distance, 0);
    assert_same(closeness.ks_p, 1);
    assert_true(isnan(closeness.chi_squared));
    assert_int_equal(rc_ts_closeness(huge, 5, RC_TS_BINS_ROOT, &closeness, NULL), 0);
    assert_true(closeness.ks_p > 0.1 && closeness.distance < 2);
}

/* ---- time frames ---- */

enum { DAY = 86400 };

static void time_frames_come_from_the_data(void **state)
{
    struct rc_random *random = rc_random_create(4, 2);
    struct rc_sample *samples = calloc(DAY / 10, sizeof *samples);
    struct rc_ts_frame frame;
    double level = 0, correlation;
    size_t pairs;

    (void)state;
    for (size_t i = 0; i < DAY / 10; i++) /* slow: half a day up and down */
        samples[i] = (struct rc_sample){10 * (double)i, sin(2 * M_PI * (double)i * 10 / DAY)};
    assert_int_equal(rc_ts_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_TS_FRAME_MEASURED);
    assert_same(frame.seconds, 3600);
    assert_true(frame.correlation > 0.7);
    /* Levels of exactly 600 s: windows of T < 600 share one with the next in 1 - T/600 of cases. */
    for (size_t i = 0; i < DAY / 10; i++) {
        level = i % 60 == 0 ? rc_random_uniform(random) : level;
        samples[i].value = level;
    }
    assert_int_equal(rc_ts_frame_correlation(samples, DAY / 10, 60, INFINITY, &correlation, &pairs,
                                             NULL), 0);
    assert_int_equal(pairs, DAY / 60 - 2);
    assert_near(correlation, 0.9, 0.05);
    assert_int_equal(rc_ts_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_TS_FRAME_MEASURED);
    assert_true(frame.seconds >= 120 && frame.seconds <= 300);
    for (size_t i = 0; i < DAY / 10; i++)
        samples[i].value = rc_random_uniform(random);
    assert_int_equal(rc_ts_frame(samples, DAY / 10, NULL, 0, INFINITY, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_TS_FRAME_UNRELATED);
    assert_same(frame.seconds, 300);
    free(samples);
    rc_random_destroy(random);
}

static void time_frames_at_the_edges(void **state)
{
    static const double bad[] = {60, 0};
    struct rc_sample samples[1000];
    struct rc_ts_frame frame;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        samples[i] = (struct rc_sample){10 * (double)i, 0.1};
    for (size_t n = 0; n < 20; n++) {
        assert_int_equal(rc_ts_frame(samples, n, NULL, 0, 60, &frame, NULL), 0);
        assert_int_equal(frame.source, RC_TS_FRAME_TOO_SHORT);
        assert_same(frame.seconds, 300);
    }
    assert_int_equal(rc_ts_frame(samples, 1000, NULL, 0, 60, &frame, NULL), 0);
    assert_int_equal(frame.source, RC_TS_FRAME_CONSTANT);
    assert_non_null(strstr(rc_ts_frame_source_text(frame.source), "not change"));
    assert_int_equal(rc_ts_frame(samples, 1000, bad, 2, 60, &frame, NULL), -1);
    assert_int_equal(rc_ts_frame(samples, 1000, bad, 1, 0, &frame, NULL), -1);
}

/* ---- values ---- */

static const struct rc_sample window[] = {{0, 2}, {1, 4}, {2, 4}, {3, 4},   {4, NAN},
                                          {5, 5}, {6, 5}, {7, 7}, {8, 9}};

static void values_are_made_of_windows(void **state)
{
    struct rc_ts_value_options options;
    struct rc_value *value = rc_ts_value(window, 9, RC_POINT, NULL, NULL);
    size_t n;

    (void)state;
    assert_near(rc_value_mean(value), 5, 1e-14);
    rc_value_drop(value);
    value = rc_ts_value(window, 9, RC_NORMAL, NULL, NULL);
    assert_near(rc_value_mean(value), 5, 1e-14);
    assert_near(rc_value_sd(value), sqrt(32.0 / 7), 1e-14);
    rc_value_drop(value);
    value = rc_ts_value(window, 9, RC_INTERVAL, NULL, NULL);
    assert_same(rc_value_low(value), 2);
    assert_same(rc_value_high(value), 9);
    rc_value_drop(value);
    rc_ts_value_options_init(&options);
    options.low = 0.25, options.high = 0.75;
    value = rc_ts_value(window, 9, RC_INTERVAL, &options, NULL);
    assert_same(rc_value_low(value), 4);
    assert_same(rc_value_high(value), 5.5);
    rc_value_drop(value);
    options.bins = 3;
    value = rc_ts_value(window, 9, RC_HISTOGRAM, &options, NULL);
    assert_int_equal(rc_value_kind(value), RC_HISTOGRAM);
    assert_near(rc_value_mean(value), 5, 0.6);
    assert_near(rc_value_cdf(value, 9.5), 1, 1e-12);
    rc_value_drop(value);
    value = rc_ts_value(window, 9, RC_SAMPLE, NULL, NULL);
    assert_non_null(rc_value_draws(value, &n));
    assert_int_equal(n, 8);
    assert_same(rc_value_draws(value, &n)[7], 9);
    rc_value_drop(value);
}

static void draws_are_resampled(void **state)
{
    struct rc_ts_value_options options;
    struct rc_random *random = rc_random_create(8, 8);
    struct rc_value *value;
    const double *draws;
    size_t n;

    (void)state;
    rc_ts_value_options_init(&options);
    options.draws = 10000;
    assert_null(rc_ts_value(window, 9, RC_SAMPLE, &options, NULL)); /* no random */
    options.random = random;
    value = rc_ts_value(window, 9, RC_SAMPLE, &options, NULL);
    draws = rc_value_draws(value, &n);
    assert_int_equal(n, 10000);
    for (size_t i = 0; i < n; i++)
        assert_true(draws[i] >= 2 && draws[i] <= 9 && draws[i] == floor(draws[i]));
    assert_near(rc_value_mean(value), 5, 0.1);
    assert_near(rc_value_sd(value), 2, 0.05); /* sqrt(32 / 8) */
    rc_value_drop(value);
    options.draws = SIZE_MAX;
    assert_null(rc_ts_value(window, 9, RC_SAMPLE, &options, NULL));
    rc_random_destroy(random);
}

static void windows_may_be_too_small_for_a_value(void **state)
{
    struct rc_ts_value_options options;
    struct rc_error error;
    struct rc_value *value;

    (void)state;
    for (int kind = 0; kind < RC_VALUE_KINDS; kind++) {
        assert_null(rc_ts_value(window, 0, (enum rc_value_kind)kind, NULL, &error));
        assert_non_null(strstr(error.text, "no sample"));
        assert_null(rc_ts_value(window + 4, 1, (enum rc_value_kind)kind, NULL, &error));
        value = rc_ts_value(window, 1, (enum rc_value_kind)kind, NULL, &error);
        assert_true((value == NULL) == (kind == RC_NORMAL));
        if (value)
            assert_same(rc_value_mean(value), 2);
        rc_value_drop(value);
    }
    assert_null(rc_ts_value(window, 9, RC_VALUE_KINDS, NULL, &error));
    rc_ts_value_options_init(&options);
    options.low = 0.9, options.high = 0.1;
    assert_null(rc_ts_value(window, 9, RC_INTERVAL, &options, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_follow_the_formulas),
        cmocka_unit_test(moments_at_the_edges),
        cmocka_unit_test(quantiles_are_linear_between_numbers),
        cmocka_unit_test(pairs_correlate),
        cmocka_unit_test(autocorrelation_follows_the_formula),
        cmocka_unit_test(autocorrelation_at_the_edges),
        cmocka_unit_test(autocorrelation_of_a_known_process),
        cmocka_unit_test(samples_are_laid_on_grids),
        cmocka_unit_test(senseless_grids_are_refused),
        cmocka_unit_test(windows_are_found),
        cmocka_unit_test(the_three_modes_of_a_workstation_are_found),
        cmocka_unit_test(one_mode_is_not_torn_apart),
        cmocka_unit_test(exact_levels_are_modes),
        cmocka_unit_test(what_lies_between_modes_can_be_dropped),
        cmocka_unit_test(aggregates_follow_the_formulas),
        cmocka_unit_test(modes_at_the_edges),
        cmocka_unit_test(locality_is_measured),
        cmocka_unit_test(gaps_tell_nothing_of_locality),
        cmocka_unit_test(bin_rules_follow_the_dissertation),
        cmocka_unit_test(no_number_falls_on_a_division),
        cmocka_unit_test(scotts_bins_keep_their_width),
        cmocka_unit_test(histograms_at_the_edges),
        cmocka_unit_test(chi_squared_follows_the_formula),
        cmocka_unit_test(the_distance_of_densities_is_exact),
        cmocka_unit_test(kolmogorov_and_smirnov),
        cmocka_unit_test(closeness_tells_normal_from_other_data),
        cmocka_unit_test(closeness_at_the_edges),
        cmocka_unit_test(time_frames_come_from_the_data),
        cmocka_unit_test(time_frames_at_the_edges),
        cmocka_unit_test(values_are_made_of_windows),
        cmocka_unit_test(draws_are_resampled),
        cmocka_unit_test(windows_may_be_too_small_for_a_value),
    };

    return RUN_TESTS(tests);
}
