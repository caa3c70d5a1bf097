// SPDX-License-Identifier: GPL-3.0-or-later
/* normality.c - how close data are to the normal distribution of their mean and sd.
 *
 * chi-squared: Eq. 4.12 of J. M. Schopf's dissertation.  The number of cells is 2 n^(2/5), at most
 *   n / 5: the rule of H. B. Mann and A. Wald (Annals of Mathematical Statistics 13, 1942) with the
 *   constant that D. S. Moore recommends ("Tests of chi-squared type", 1986).  On its degrees of
 *   freedom: H. Chernoff and E. L. Lehmann (Annals of Mathematical Statistics 25, 1954).
 * 1-distance: Eq. 4.13.  In a bin the data's density is a constant, which the normal crosses at
 *   most once on either side of its mean; between crossings the integral is a difference of
 *   cumulative distributions.  Nothing is approximated.
 * Kolmogorov-Smirnov: estimated parameters make small distances more likely (H. W. Lilliefors,
 *   Journal of the American Statistical Association 62, 1967).  p-values up to 0.1 by the formula
 *   of G. E. Dallal and L. Wilkinson (The American Statistician 40, 1986); above it, where that is
 *   not meant to hold, by polynomials in the modified distance of M. A. Stephens (Journal of the
 *   American Statistical Association 69, 1974), with the coefficients of the R package nortest. */
#include "stats/series/normality.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "stats/series/statistics.h"

enum { NUMBERS_PER_CELL = 5, CELLS_LEAST = 4, CELLS_MOST = 1024, LILLIEFORS_LEAST = 5 };

double rc_series_chi_squared(const double *observed, const double *expected, size_t n_cells)
{
    double sum = 0;

    for (size_t i = 0; i < n_cells; i++) {
        double difference = observed[i] - expected[i];

        if (expected[i] > 0)
            sum += difference * difference / expected[i];
        else if (difference != 0)
            sum = INFINITY;
    }
    return sum;
}

double rc_series_chi_squared_p(double x, size_t degrees)
{
    if (isnan(x) || degrees == 0)
        return NAN;
    /* Here the probability is below the least double, and GSL's series need not converge. */
    if (x > 4 * (double)degrees + 1500)
        return 0;
    return gsl_cdf_chisq_Q(fmax(x, 0), (double)degrees);
}

static void measure_chi_squared(const double *sorted, struct rc_series_closeness *closeness)
{
    double n = (double)closeness->n, observed[CELLS_MOST] = {0}, expected[CELLS_MOST];
    size_t cells = (size_t)round(2 * pow(n, 0.4));

    closeness->chi_squared = closeness->chi_p_low = closeness->chi_p_high = NAN;
    closeness->cells = 0;
    if (cells > closeness->n / NUMBERS_PER_CELL)
        cells = closeness->n / NUMBERS_PER_CELL;
    if (cells > CELLS_MOST)
        cells = CELLS_MOST;
    if (cells < CELLS_LEAST || !(closeness->sd > 0))
        return;
    for (size_t i = 0; i < closeness->n; i++) {
        double z = sorted[i] / closeness->sd - closeness->mean / closeness->sd;
        size_t cell = (size_t)(gsl_cdf_ugaussian_P(z) * (double)cells);

        observed[cell < cells ? cell : cells - 1]++;
    }
    for (size_t i = 0; i < cells; i++)
        expected[i] = n / (double)cells;
    closeness->cells = cells;
    closeness->chi_squared = rc_series_chi_squared(observed, expected, cells);
    closeness->chi_p_low = rc_series_chi_squared_p(closeness->chi_squared, cells - 3);
    closeness->chi_p_high = rc_series_chi_squared_p(closeness->chi_squared, cells - 1);
}

/* The probability of a standard normal between a and b, without loss in either tail. */
static double mass(double a, double b)
{
    return a > 0 ? gsl_cdf_ugaussian_Q(a) - gsl_cdf_ugaussian_Q(b)
                 : gsl_cdf_ugaussian_P(b) - gsl_cdf_ugaussian_P(a);
}

/* The integral of |standard normal - height| from a to b. */
static double distance_in_bin(double a, double b, double height)
{
    double peak = 1 / sqrt(2 * M_PI), crossing, cuts[4], sum = 0;

    if (!(b > a))
        return 0;
    crossing = height > 0 && height < peak ? sqrt(-2 * log(height / peak)) : a;
    cuts[0] = a;
    cuts[1] = fmin(fmax(-crossing, a), b);
    cuts[2] = fmin(fmax(crossing, a), b);
    if (cuts[1] > cuts[2])
        cuts[2] = cuts[1];
    cuts[3] = b;
    for (int i = 0; i < 3; i++)
        sum += fabs(mass(cuts[i], cuts[i + 1]) - height * (cuts[i + 1] - cuts[i]));
    return sum;
}

double rc_series_distance(const struct rc_bin *bins, size_t n_bins, double mean, double sd)
{
    double sum = 0, covered = 0;

    for (size_t i = 0; i < n_bins; i++) {
        double a = bins[i].low / sd - mean / sd, b = bins[i].high / sd - mean / sd;

        /* An atom has no density, and all of it is where the normal has nothing. */
        sum += b > a ? distance_in_bin(a, b, bins[i].p / (b - a)) : bins[i].p;
        covered += b > a ? mass(a, b) : 0;
    }
    return fmin(sum + fmax(1 - covered, 0), 2);
}

double rc_series_ks(const double *sorted, size_t n, double mean, double sd)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++) {
        double p = gsl_cdf_ugaussian_P(sorted[i] / sd - mean / sd);

        largest = fmax(largest, fmax((double)(i + 1) / (double)n - p, p - (double)i / (double)n));
    }
    return n ? largest : NAN;
}

static double polynomial(const double c[5], double x)
{
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

/* Stephens' modified distance, as a p-value above 0.1. */
static double stephens_p(double ks, double n)
{
    static const struct {
        double to, c[5];
    } parts[] = {
        {0.302, {1, 0, 0, 0, 0}},
        {0.5, {2.76773, -19.828315, 80.709644, -138.55152, 81.218052}},
        {0.9, {-4.901232, 40.662806, -97.490286, 94.029866, -32.355711}},
        {1.31, {6.198765, -19.558097, 23.186922, -12.234627, 2.423045}},
    };
    double modified = (sqrt(n) - 0.01 + 0.85 / sqrt(n)) * ks;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (modified <= parts[i].to)
            return fmin(fmax(polynomial(parts[i].c, modified), 0), 1);
    return 0;
}

double rc_series_lilliefors_p(double ks, size_t n)
{
    double count = (double)n, scaled = ks, p;

    if (n < LILLIEFORS_LEAST || isnan(ks))
        return NAN;
    if (n > 100) {
        scaled *= pow(count / 100, 0.49);
        count = 100;
    }
    p = exp(-7.01256 * scaled * scaled * (count + 2.78019) +
            2.99587 * scaled * sqrt(count + 2.78019) - 0.122119 + 0.974598 / sqrt(count) +
            1.67997 / count);
    return p > 0.1 ? stephens_p(ks, (double)n) : p;
}

int rc_series_closeness(const double *values, size_t n, enum rc_series_bin_rule rule,
                        struct rc_series_closeness *closeness, struct rc_error *error)
{
    struct rc_series_moments moments;
    struct rc_bin *bins;
    size_t n_bins, n_known;
    double *sorted = rc_series_sorted(values, n, &n_known, error);
    int status = 0;

    if (!sorted)
        return -1;
    rc_series_moments(sorted, n_known, &moments);
    *closeness = (struct rc_series_closeness){.n = n_known, .mean = moments.mean, .sd = moments.sd};
    measure_chi_squared(sorted, closeness);
    if (moments.sd > 0) {
        status = rc_series_histogram(rule, 0, sorted, n_known, &bins, &n_bins, error);
        if (status == 0) {
            closeness->distance = rc_series_distance(bins, n_bins, moments.mean, moments.sd);
            free(bins);
        }
        closeness->ks = rc_series_ks(sorted, n_known, moments.mean, moments.sd);
        closeness->ks_p = rc_series_lilliefors_p(closeness->ks, n_known);
    } else {
        closeness->distance = closeness->ks = n_known > 1 ? 0 : NAN;
        closeness->ks_p = n_known >= LILLIEFORS_LEAST ? 1 : NAN;
    }
    free(sorted);
    return status;
}
