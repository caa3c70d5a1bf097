// SPDX-License-Identifier: GPL-3.0-or-later
/* statistics.h - means, deviations, quantiles and correlations, where numbers may be missing.
 *
 * Everywhere in this room a number that is not finite (NAN above all) stands for one that is
 * missing: it is left out.  An answer that the data cannot give is NAN. */
#ifndef RC_STATS_SERIES_STATISTICS_H
#define RC_STATS_SERIES_STATISTICS_H

#include <stddef.h>

#include "runcast.h"

struct rc_series_moments {
    size_t n;         /* numbers that are not missing */
    double mean;      /* Eq. 4.1; NAN for n = 0 */
    double sd;        /* Eq. 4.4, by n - 1; NAN for n < 2; exactly 0 where all are equal */
    double low, high; /* the bounds; NAN for n = 0 */
};

/* Neither overflows nor loses digits where the numbers are huge, tiny, or far from 0. */
void rc_series_moments(const double *values, size_t n, struct rc_series_moments *moments);

/* The numbers that are not missing, rising, in new memory that the caller frees; their count in
 * `*n_known`, which may be 0.  NULL, with `error` set, where memory runs out. */
double *rc_series_sorted(const double *values, size_t n, size_t *n_known, struct rc_error *error);

/* The same of the values of samples, in the order they came. */
double *rc_series_values(const struct rc_sample *samples, size_t n, size_t *n_known,
                         struct rc_error *error);

/* How many of rising numbers lie below x. */
size_t rc_series_count_below(const double *sorted, size_t n, double x);

/* The quantile of rising numbers, linear between them: p = 0 is the first, p = 1 the last (Hyndman
 * and Fan's type 7, as GSL and R have it).  NAN for n = 0 or p outside 0..1. */
double rc_series_quantile(const double *sorted, size_t n, double p);

/* What a few wild numbers cannot move. */
struct rc_series_robust {
    double median, lower_quartile, upper_quartile;
    double sd; /* 1.4826 times the median distance from the median: the sd, were they normal */
};
/* -1 where memory runs out. */
int rc_series_robust(const double *sorted, size_t n, struct rc_series_robust *robust,
                     struct rc_error *error);

/* Pearson's correlation of the pairs of which neither is missing, and their number.  NAN for fewer
 * than two pairs, and where one side is constant. */
double rc_series_correlation(const double *x, const double *y, size_t n, size_t *pairs);

/* The autocorrelation of an even series at the lags 0 to `max_lag`, written to acf[0..max_lag].
 *     r(k) = c(k) / c(0),   c(k) = sum of (x(t) - mean) (x(t+k) - mean) / (N(k) + k)
 * over the N(k) pairs that are complete: with nothing missing the divisor is n and r the usual
 * biased estimate; R's acf() does the same.  NAN at lags without a pair, and at all lags where the
 * series is constant.  It takes O(n log n) where that is less than O(n max_lag). */
int rc_series_acf(const double *values, size_t n, size_t max_lag, double *acf,
                  struct rc_error *error);

/* The two ways of rc_series_acf(), which agree to rounding. */
int rc_series_acf_direct(const double *values, size_t n, size_t max_lag, double *acf,
                         struct rc_error *error);
int rc_series_acf_fft(const double *values, size_t n, size_t max_lag, double *acf,
                      struct rc_error *error);

#endif
