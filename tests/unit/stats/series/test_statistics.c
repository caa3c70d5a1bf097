/* Statistics of numbers: moments, quantiles, correlations, bins, closeness to normal. */
#include "series.h"

#include <float.h>

#include "stats/series/histogram_bins.h"
#include "stats/series/normality.h"
#include "stats/series/statistics.h"

/* ---- statistics ---- */

static void moments_follow_the_formulas(void **state)
{
    static const double values[] = {2, 4, NAN, 4, 4, 5, 5, INFINITY, 7, 9};
    struct rc_series_moments moments;

    (void)state;
    rc_series_moments(values, COUNT(values), &moments); /* deviations squared sum to 32 */
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
    struct rc_series_moments moments;

    (void)state;
    rc_series_moments(none, 0, &moments);
    assert_int_equal(moments.n, 0);
    rc_series_moments(none, 2, &moments);
    assert_int_equal(moments.n, 0);
    assert_true(isnan(moments.mean) && isnan(moments.sd) && isnan(moments.low));
    rc_series_moments(constant, 1, &moments);
    assert_same(moments.mean, 0.1);
    assert_true(isnan(moments.sd));
    rc_series_moments(constant, COUNT(constant), &moments);
    assert_same(moments.mean, 0.1);
    assert_same(moments.sd, 0);
    rc_series_moments(huge, 3, &moments);
    assert_near(moments.mean / 1e308, 1.0 / 3, 1e-12);
    assert_near(moments.sd / 1e308, sqrt(4.0 / 3), 1e-12);
    rc_series_moments(tiny, 2, &moments);
    assert_near(moments.mean / 1e-310, 2, 1e-9);
    assert_near(moments.sd / 1e-310, sqrt(2), 1e-9);
    rc_series_moments(far, 3, &moments);
    assert_same(moments.mean, 1e9 + 2);
    assert_near(moments.sd, 1, 1e-12);
}

static void quantiles_are_linear_between_numbers(void **state)
{
    static const double values[] = {4, NAN, 2, 1, 3}, robust_values[] = {1, 1, 2, 2, 4, 6, 9};
    static const double ends[] = {-1e308, 1e308};
    struct rc_series_robust robust;
    size_t n;
    double *sorted = rc_series_sorted(values, COUNT(values), &n, NULL);

    (void)state;
    assert_int_equal(n, 4);
    assert_same(rc_series_quantile(sorted, n, 0), 1);
    assert_same(rc_series_quantile(sorted, n, 0.25), 1.75);
    assert_same(rc_series_quantile(sorted, n, 0.5), 2.5);
    assert_same(rc_series_quantile(sorted, n, 1), 4);
    assert_same(rc_series_quantile(sorted, 1, 0.3), 1);
    assert_same(rc_series_quantile(ends, 2, 0.5), 0);
    assert_true(isnan(rc_series_quantile(sorted, 0, 0.5)));
    assert_true(isnan(rc_series_quantile(sorted, n, 1.01)));
    assert_true(isnan(rc_series_quantile(sorted, n, NAN)));
    free(sorted);
    assert_int_equal(rc_series_robust(robust_values, 7, &robust, NULL), 0);
    assert_same(robust.median, 2);
    assert_same(robust.lower_quartile, 1.5);
    assert_same(robust.upper_quartile, 5);
    assert_near(robust.sd, 1.4826, 1e-4); /* the median of 0 0 1 1 2 4 7 is 1 */
    assert_int_equal(rc_series_robust(robust_values, 0, &robust, NULL), 0);
    assert_true(isnan(robust.median) && isnan(robust.sd));
}

static void pairs_correlate(void **state)
{
    static const double x[] = {1, NAN, 2, 3, 9}, y[] = {1, 5, 3, 2, NAN};
    static const double c[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    static const double huge[] = {-1e308, 0, 1e308}, line[] = {1, 2, 3};
    size_t pairs;

    (void)state;
    assert_near(rc_series_correlation(x, y, 5, &pairs), 0.5, 1e-15);
    assert_int_equal(pairs, 3);
    assert_true(isnan(rc_series_correlation(x, c, 5, &pairs)));
    assert_int_equal(pairs, 4);
    assert_true(isnan(rc_series_correlation(x, y, 2, &pairs)));
    assert_int_equal(pairs, 1);
    assert_near(rc_series_correlation(huge, line, 3, NULL), 1, 1e-15);
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
            way == 0   ? rc_series_acf
            : way == 1 ? rc_series_acf_direct
                       : rc_series_acf_fft;

        assert_int_equal(calculate(whole, 5, 4, acf, NULL), 0);
        for (size_t i = 0; i < 5; i++)
            assert_near(acf[i], want_whole[i], 1e-14);
        assert_int_equal(calculate(holes, 4, 3, acf, NULL), 0);
        for (size_t i = 0; i < 4; i++)
            assert_near(acf[i], want_holes[i], 1e-14);
    }
    assert_int_equal(rc_series_acf(whole, 5, 7, acf, NULL), 0); /* lags beyond the series */
    assert_near(acf[4], -0.4, 1e-14);
    assert_true(isnan(acf[5]) && isnan(acf[7]));
}

static void autocorrelation_at_the_edges(void **state)
{
    static const double constant[] = {0.1, 0.1, 0.1}, none[] = {NAN, NAN, NAN};
    static const double huge[] = {1.5e308, -1.5e308, 1.5e308, -1.5e308};
    double acf[4];

    (void)state;
    assert_int_equal(rc_series_acf(constant, 0, 3, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[3]));
    assert_int_equal(rc_series_acf_fft(constant, 0, 0, acf, NULL), 0);
    assert_true(isnan(acf[0]));
    assert_int_equal(rc_series_acf_fft(constant, 1, 0, acf, NULL), 0);
    assert_int_equal(rc_series_acf_fft(constant, 3, 2, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[2]));
    assert_int_equal(rc_series_acf_fft(none, 3, 2, acf, NULL), 0);
    assert_true(isnan(acf[0]) && isnan(acf[2]));
    assert_int_equal(rc_series_acf(huge, 4, 3, acf, NULL), 0);
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
        assert_int_equal(rc_series_acf_direct(x, N, LAGS, direct, NULL), 0);
        assert_int_equal(rc_series_acf_fft(x, N, LAGS, fft, NULL), 0);
        assert_int_equal(rc_series_acf(x, N, LAGS, acf, NULL), 0);
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

/* ---- bins ---- */

static void bin_rules_follow_the_dissertation(void **state)
{
    static const struct {
        enum rc_series_bin_rule rule;
        size_t v, bins;
    } cases[] = {
        {RC_SERIES_BINS_STURGES, 100, 8}, /* 1 + 3.3 2 = 7.6 */
        {RC_SERIES_BINS_STURGES, 10, 4},
        {RC_SERIES_BINS_STURGES, 1000, 11},
        {RC_SERIES_BINS_ROOT, 100, 10},
        {RC_SERIES_BINS_ROOT, 2000, 45},
        {RC_SERIES_BINS_5_TO_20, 5, 5},
        {RC_SERIES_BINS_5_TO_20, 10, 5},
        {RC_SERIES_BINS_5_TO_20, 100, 13}, /* halfway */
        {RC_SERIES_BINS_5_TO_20, 1000, 20},
        {RC_SERIES_BINS_5_TO_20, 5000, 20},
        {RC_SERIES_BINS_BY_FIFTY, 10, 6},
        {RC_SERIES_BINS_BY_FIFTY, 49, 10},
        {RC_SERIES_BINS_BY_FIFTY, 50, 10},
        {RC_SERIES_BINS_BY_FIFTY, 500, 15},
        {RC_SERIES_BINS_BY_FIFTY, 5000, 20},
        {RC_SERIES_BINS_SCOTT, 2, 1},     /* 0 and 1: 3.49 0.707 0.794 wide */
        {RC_SERIES_BINS_SCOTT, 1000, 10}, /* 999 / (3.49 288.8 0.1) = 9.9 */
        {RC_SERIES_BINS_SCOTT, 1, 1},
        {RC_SERIES_BINS_SCOTT, 0, 0},
    };
    static const double eight[] = {2, 4, 4, 4, 5, 5, 7, 9};
    double ramp[5000];

    (void)state;
    for (size_t i = 0; i < COUNT(ramp); i++)
        ramp[i] = (double)i;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (rc_series_bin_count(cases[i].rule, ramp, cases[i].v) != cases[i].bins)
            fail_msg("%s, %zu: %zu bins, not %zu", rc_series_bin_rule_name(cases[i].rule),
                     cases[i].v, rc_series_bin_count(cases[i].rule, ramp, cases[i].v),
                     cases[i].bins);
    assert_near(rc_series_bin_width(RC_SERIES_BINS_ROOT, ramp, 100), 9.9, 1e-14); /* Eq. 4.17 */
    assert_near(rc_series_bin_width(RC_SERIES_BINS_SCOTT, eight, 8), 3.49 * sqrt(32.0 / 7) / 2,
                1e-14);
    assert_int_equal(rc_series_bin_count(RC_SERIES_BINS_SCOTT, eight, 8), 2);
}

static void no_number_falls_on_a_division(void **state)
{
    double values[400];
    struct rc_bin *bins;
    size_t n_bins;

    (void)state;
    for (size_t i = 0; i < 400; i++)
        values[i] = floor((double)i / 4); /* 0 to 99, four times each */
    for (int rule = 0; rule < RC_SERIES_BIN_RULES; rule++)
        for (size_t count = 0; count < 120; count += 3) {
            double sum = 0;

            assert_int_equal(rc_series_histogram((enum rc_series_bin_rule)rule, count, values, 400,
                                                 &bins, &n_bins, NULL),
                             0);
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
    assert_int_equal(
        rc_series_histogram(RC_SERIES_BINS_ROOT, 10, values, 400, &bins, &n_bins, NULL), 0);
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
    assert_int_equal(rc_series_histogram(RC_SERIES_BINS_SCOTT, 0, eight, 8, &bins, &n_bins, NULL),
                     0);
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
    assert_int_equal(
        rc_series_histogram(RC_SERIES_BINS_ROOT, 0, constant, 0, &bins, &n_bins, &error), -1);
    assert_null(bins);
    assert_int_equal(
        rc_series_histogram(RC_SERIES_BINS_ROOT, 1 << 20, huge, 3, &bins, &n_bins, &error), -1);
    assert_int_equal(
        rc_series_histogram(RC_SERIES_BINS_SCOTT, 7, constant, 3, &bins, &n_bins, NULL), 0);
    assert_int_equal(n_bins, 1);
    assert_same(bins[0].low, 3);
    assert_same(bins[0].high, 3);
    assert_same(bins[0].p, 1);
    free(bins);
    assert_int_equal(rc_series_histogram(RC_SERIES_BINS_SCOTT, 4, huge, 3, &bins, &n_bins, NULL),
                     0);
    assert_true(isfinite(bins[0].low) && isfinite(bins[3].high));
    assert_near(bins[0].p + bins[1].p + bins[2].p + bins[3].p, 1, 1e-15);
    free(bins);
    assert_int_equal(rc_series_histogram(RC_SERIES_BINS_SCOTT, 3, close, 2, &bins, &n_bins, NULL),
                     0);
    assert_near(bins[0].p + bins[1].p + bins[2].p, 1, 1e-15);
    free(bins);
}

/* ---- closeness ---- */

static void chi_squared_follows_the_formula(void **state)
{
    static const double observed[] = {10, 20, 30, 0}, expected[] = {15, 20, 25, 0};
    static const double impossible[] = {10, 20, 30, 1};

    (void)state;
    assert_near(rc_series_chi_squared(observed, expected, 4), 25.0 / 15 + 1, 1e-15);
    assert_same(rc_series_chi_squared(impossible, expected, 4), INFINITY);
    assert_near(rc_series_chi_squared_p(8.0 / 3, 2), exp(-4.0 / 3), 1e-14);
    assert_near(rc_series_chi_squared_p(3.841458820694124, 1), 0.05, 1e-12);
    assert_same(rc_series_chi_squared_p(INFINITY, 7), 0);
    assert_same(rc_series_chi_squared_p(1e9, 1000), 0);
    assert_same(rc_series_chi_squared_p(0, 3), 1);
    assert_true(isnan(rc_series_chi_squared_p(1, 0)));
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
    assert_near(rc_series_distance(narrow, 1, 0, 1), 2 * 0.31731050786291415, 1e-14);
    assert_near(rc_series_distance(atom, 1, 0, 1), 2, 1e-15);
    assert_near(rc_series_distance(away, 1, 0, 1), 2, 1e-15);
    for (double x = -10, step = 1e-4; x < 20; x += step) { /* Eq. 4.13, summed up */
        double z = (x + step / 2 - mean) / sd;

        sum += step * fabs(exp(-z * z / 2) / sd / sqrt(2 * M_PI) -
                           density_of(bins, COUNT(bins), x + step / 2));
    }
    assert_near(rc_series_distance(bins, COUNT(bins), mean, sd), sum, 1e-4);
}

static void kolmogorov_and_smirnov(void **state)
{
    static const double three[] = {-1, 0, 1};

    (void)state;
    assert_near(rc_series_ks(three, 3, 0, 1), 1.0 / 3 - 0.15865525393145705, 1e-14);
    /* Dallal and Wilkinson's table: the distances that are exceeded by 5 % and by 1 %. */
    assert_near(rc_series_lilliefors_p(0.192, 20), 0.05, 0.003);
    assert_near(rc_series_lilliefors_p(0.159, 30), 0.05, 0.003);
    assert_near(rc_series_lilliefors_p(0.223, 20), 0.01, 0.001);
    assert_true(isnan(rc_series_lilliefors_p(0.1, 4)));
    assert_same(rc_series_lilliefors_p(0, 50), 1);
    for (double ks = 0, last = 1; ks <= 1; ks += 0.002) {
        double p = rc_series_lilliefors_p(ks, 40);

        assert_true(p >= 0 && p <= last + 0.01); /* where the formulas meet there is a small step */
        last = p;
    }
}

static void closeness_tells_normal_from_other_data(void **state)
{
    double values[1000];
    struct rc_series_closeness closeness;
    unsigned rejected = 0, chi_low = 0, chi_high = 0, sets = 1000;

    (void)state;
    for (uint64_t seed = 0; seed < sets; seed++) {
        draw_all(values, 60, NORMAL, seed);
        assert_int_equal(rc_series_closeness(values, 60, RC_SERIES_BINS_SCOTT, &closeness, NULL),
                         0);
        rejected += closeness.ks_p < 0.05;
        chi_low += closeness.chi_p_low < 0.05;
        chi_high += closeness.chi_p_high < 0.05;
    }
    assert_in_range(rejected, 30, 70);
    assert_true(chi_high <= 65 && chi_low >= 35);
    draw_all(values, 1000, NORMAL, 1);
    assert_int_equal(rc_series_closeness(values, 1000, RC_SERIES_BINS_SCOTT, &closeness, NULL), 0);
    assert_int_equal(closeness.cells, 32); /* 2 1000^0.4 = 31.7 */
    assert_true(closeness.distance < 0.15);
    draw_all(values, 1000, THREE_MODES, 1);
    assert_int_equal(rc_series_closeness(values, 1000, RC_SERIES_BINS_SCOTT, &closeness, NULL), 0);
    assert_true(closeness.ks_p < 1e-6 && closeness.chi_p_high < 1e-6 && closeness.distance > 0.5);
}

static void closeness_at_the_edges(void **state)
{
    static const double constant[] = {5, 5, 5, 5, 5, NAN};
    static const double huge[] = {-1e308, 1e308, 5e307, 0, -2e307};
    struct rc_series_closeness closeness;

    (void)state;
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(rc_series_closeness(constant, n, RC_SERIES_BINS_ROOT, &closeness, NULL),
                         0);
        assert_int_equal(closeness.n, n);
        assert_true(isnan(closeness.distance) && isnan(closeness.ks) && isnan(closeness.ks_p));
    }
    assert_int_equal(rc_series_closeness(constant, 6, RC_SERIES_BINS_ROOT, &closeness, NULL), 0);
    assert_int_equal(closeness.n, 5);
    assert_same(closeness.distance, 0);
    assert_same(closeness.ks_p, 1);
    assert_true(isnan(closeness.chi_squared));
    assert_int_equal(rc_series_closeness(huge, 5, RC_SERIES_BINS_ROOT, &closeness, NULL), 0);
    assert_true(closeness.ks_p > 0.1 && closeness.distance < 2);
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
        cmocka_unit_test(bin_rules_follow_the_dissertation),
        cmocka_unit_test(no_number_falls_on_a_division),
        cmocka_unit_test(scotts_bins_keep_their_width),
        cmocka_unit_test(histograms_at_the_edges),
        cmocka_unit_test(chi_squared_follows_the_formula),
        cmocka_unit_test(the_distance_of_densities_is_exact),
        cmocka_unit_test(kolmogorov_and_smirnov),
        cmocka_unit_test(closeness_tells_normal_from_other_data),
        cmocka_unit_test(closeness_at_the_edges),
    };

    return RUN_TESTS(tests);
}
