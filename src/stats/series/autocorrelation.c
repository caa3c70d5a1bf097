// SPDX-License-Identifier: GPL-3.0-or-later
/* autocorrelation.c - autocorrelation, by its definition or by way of the power spectrum.
 *
 * The Fourier transform of the sums of products at all lags is the power spectrum (the theorem of
 * Wiener and Khinchin); zeros behind the series keep its end from meeting its beginning.  Where
 * numbers are missing, the same of a series of ones and zeros counts the complete pairs (E. Parzen,
 * "On spectral analysis with missing observations and amplitude modulation", Sankhya A 25, 1963).
 *
 * Only GSL's radix-2 transforms are used: they work in place and have nothing that could fail,
 * where the others allocate, and end the program when they cannot. */
#include "stats/series/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>

#include "base/error.h"

/* Two transforms take about as long as this many lags by their definition, per doubling of the
 * length. */
enum { LAGS_PER_DOUBLING = 6 };

/* A series around its mean, zero where it is missing. */
struct centred {
    double *deviations;
    size_t n, n_known, length; /* `length` numbers of memory, those from n on zero */
};

static int centred_begin(struct centred *centred, const double *values, size_t n, size_t length,
                         struct rc_error *error)
{
    struct rc_series_moments moments;
    double size;

    rc_series_moments(values, n, &moments);
    *centred = (struct centred){calloc(length ? length : 1, sizeof(double)), n, moments.n, length};
    if (!centred->deviations)
        return rc_error_no_memory(error);
    size = fmax(moments.high / 2 - moments.mean / 2, moments.mean / 2 - moments.low / 2);
    if (!(size > 0))
        return 0; /* constant or nothing: no deviation */
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            centred->deviations[i] = (values[i] / 2 - moments.mean / 2) / size;
    return 0;
}

/* From sums of products and counts of pairs to r(k). */
static void normalise(double *acf, const double *pairs, size_t max_lag)
{
    double variance = pairs[0] > 0 ? acf[0] / pairs[0] : 0;

    for (size_t lag = 0; lag <= max_lag; lag++) {
        if (variance > 0 && pairs[lag] > 0)
            acf[lag] = acf[lag] / (pairs[lag] + (double)lag) / variance;
        else
            acf[lag] = NAN;
    }
}

int rc_series_acf_direct(const double *values, size_t n, size_t max_lag, double *acf,
                         struct rc_error *error)
{
    struct centred centred;
    double *pairs = calloc(max_lag + 1, sizeof *pairs);

    if (!pairs || centred_begin(&centred, values, n, n, error)) {
        free(pairs);
        return rc_error_no_memory(error);
    }
    for (size_t lag = 0; lag <= max_lag; lag++) {
        const double *x = centred.deviations;
        double sum = 0;
        size_t count = 0;

        for (size_t i = lag; i < n; i++) {
            sum += x[i - lag] * x[i];
            count += isfinite(values[i - lag]) && isfinite(values[i]);
        }
        acf[lag] = sum;
        pairs[lag] = (double)count;
    }
    normalise(acf, pairs, max_lag);
    free(centred.deviations);
    free(pairs);
    return 0;
}

/* Replaces a series by its sums of products at all lags. */
static void products(double *series, size_t length)
{
    gsl_fft_real_radix2_transform(series, 1, length);
    /* GSL keeps the imaginary part of term i at length - i; those of the first and of the middle
     * one are zero and have no place. */
    series[0] *= series[0];
    for (size_t i = 1; i < length - i; i++) {
        series[i] = series[i] * series[i] + series[length - i] * series[length - i];
        series[length - i] = 0;
    }
    series[length / 2] *= length > 1 ? series[length / 2] : 1;
    gsl_fft_halfcomplex_radix2_inverse(series, 1, length);
}

/* How many pairs are complete at each lag; in new memory. */
static double *count_pairs(const double *values, const struct centred *centred)
{
    double *pairs = calloc(centred->length, sizeof *pairs);

    if (!pairs)
        return NULL;
    if (centred->n_known == centred->n) {
        for (size_t lag = 0; lag < centred->n; lag++)
            pairs[lag] = (double)(centred->n - lag);
        return pairs;
    }
    for (size_t i = 0; i < centred->n; i++)
        pairs[i] = isfinite(values[i]) ? 1 : 0;
    products(pairs, centred->length);
    for (size_t i = 0; i < centred->length; i++)
        pairs[i] = round(pairs[i]);
    return pairs;
}

/* The power of two that holds the series and as many zeros as there are lags; 0: there is none. */
static size_t padded_length(size_t n, size_t max_lag)
{
    size_t length = 1;

    if (n > SIZE_MAX / 64 || max_lag > SIZE_MAX / 64)
        return 0;
    while (length < n + max_lag + 1)
        length *= 2;
    return length;
}

int rc_series_acf_fft(const double *values, size_t n, size_t max_lag, double *acf,
                      struct rc_error *error)
{
    struct centred centred;
    size_t length = padded_length(n, max_lag);
    double *pairs;

    if (length == 0)
        return rc_error_no_memory(error);
    if (centred_begin(&centred, values, n, length, error))
        return -1;
    pairs = count_pairs(values, &centred);
    if (pairs) {
        products(centred.deviations, length);
        for (size_t lag = 0; lag <= max_lag; lag++)
            acf[lag] = centred.deviations[lag];
        normalise(acf, pairs, max_lag);
    }
    free(centred.deviations);
    free(pairs);
    return pairs ? 0 : rc_error_no_memory(error);
}

int rc_series_acf(const double *values, size_t n, size_t max_lag, double *acf,
                  struct rc_error *error)
{
    size_t lag, used = n ? n - 1 : 0, doublings = 0;
    int status;

    /* No pair is that far apart. */
    used = max_lag < used ? max_lag : used;
    for (size_t length = n + used + 1; length > 1; length /= 2)
        doublings++;
    status = used < LAGS_PER_DOUBLING * doublings
                 ? rc_series_acf_direct(values, n, used, acf, error)
                 : rc_series_acf_fft(values, n, used, acf, error);
    for (lag = used + 1; lag <= max_lag; lag++)
        acf[lag] = NAN;
    return status;
}
