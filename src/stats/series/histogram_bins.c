// SPDX-License-Identifier: GPL-3.0-or-later
/* histogram_bins.c - how many bins a histogram of data should have, and where they lie.
 *
 * J. M. Schopf's dissertation, section 4.D.1 and Eq. 4.17; D. W. Scott, "On optimal and data-based
 * histograms", Biometrika 66 (1979); H. A. Sturges, "The choice of a class interval", Journal of
 * the American Statistical Association 21 (1926).
 *
 * The dissertation asks that no measurement can fall on a division, and means divisions that lie
 * between two ticks of the scale.  Here the scale is unknown.  So the whole is moved and widened
 * by a small part of a bin, and by another where some number is hit; the parts are multiples of the
 * golden ratio, which no scale has in common with them. */
#include "stats/series/histogram_bins.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/statistics.h"

#define GOLDEN 0.61803398874989485
/* The whole is widened by up to this part of a bin on either side. */
#define WIDENING 0.05
enum { TRIES = 32 };

const char *rc_series_bin_rule_name(enum rc_series_bin_rule rule)
{
    static const char *const names[RC_SERIES_BIN_RULES] = {
        [RC_SERIES_BINS_SCOTT] = "scott",       [RC_SERIES_BINS_STURGES] = "sturges",
        [RC_SERIES_BINS_ROOT] = "root",         [RC_SERIES_BINS_5_TO_20] = "5to20",
        [RC_SERIES_BINS_BY_FIFTY] = "by-fifty",
    };

    return (unsigned)rule < RC_SERIES_BIN_RULES ? names[rule] : "?";
}

/* From a at v = from to b at v = to, by the logarithm of v; no further. */
static double between(double v, double from, double to, double a, double b)
{
    double part = log(v / from) / log(to / from);

    return a + (b - a) * fmin(fmax(part, 0), 1);
}

static double scott_width(const double *sorted, size_t n)
{
    struct rc_series_moments moments;

    rc_series_moments(sorted, n, &moments);
    return 3.49 * moments.sd / cbrt((double)n);
}

size_t rc_series_bin_count(enum rc_series_bin_rule rule, const double *sorted, size_t n)
{
    double v = (double)n, count = 1, width;

    if (n == 0)
        return 0;
    if (sorted[0] == sorted[n - 1])
        return 1;
    switch (rule) {
    case RC_SERIES_BINS_STURGES:
        count = 1 + 3.3 * log10(v);
        break;
    case RC_SERIES_BINS_ROOT:
        count = sqrt(v);
        break;
    case RC_SERIES_BINS_5_TO_20:
        count = between(v, 10, 1000, 5, 20);
        break;
    case RC_SERIES_BINS_BY_FIFTY:
        count = n < 50 ? between(v, 10, 50, 6, 10) : between(v, 50, 5000, 10, 20);
        break;
    case RC_SERIES_BINS_SCOTT:
    default:
        width = scott_width(sorted, n);
        count = width > 0 ? ceil(sorted[n - 1] / width - sorted[0] / width) : 1;
        break;
    }
    return (size_t)fmin(fmax(round(count), 1), RC_VALUE_BINS_MAX);
}

double rc_series_bin_width(enum rc_series_bin_rule rule, const double *sorted, size_t n)
{
    double count = (double)rc_series_bin_count(rule, sorted, n);

    if (n == 0)
        return NAN;
    if (sorted[0] == sorted[n - 1])
        return 0;
    if (rule == RC_SERIES_BINS_SCOTT && count < RC_VALUE_BINS_MAX)
        return scott_width(sorted, n);
    return sorted[n - 1] / count - sorted[0] / count;
}

/* Division i of count + 1; the ends are exact. */
static double division(double low, double high, size_t i, size_t count)
{
    double part = (double)i / (double)count;

    return i == 0 ? low : i == count ? high : (1 - part) * low + part * high;
}

/* How many numbers lie below x; *hit where one is x. */
static size_t count_below(const double *sorted, size_t n, double x, bool *hit)
{
    size_t low = rc_series_count_below(sorted, n, x);

    *hit = low < n && sorted[low] == x;
    return low;
}

/* Whether some number lies on a division. */
static bool any_hit(const double *sorted, size_t n, double low, double high, size_t count)
{
    bool hit = false;

    for (size_t i = 0; i <= count && !hit; i++)
        count_below(sorted, n, division(low, high, i, count), &hit);
    return hit;
}

/* Ends around the numbers, `width` being what a bin should have. */
static void choose_ends(const double *sorted, size_t n, double width, size_t count, double *low,
                        double *high)
{
    double first = sorted[0], last = sorted[n - 1];
    /* What bins of that width reach beyond the numbers, on either side: with room enough they keep
     * their width, and are only moved. */
    double spare = (width - (last / (double)count - first / (double)count)) * (double)count / 2;
    bool room = spare > 0.001 * width;
    double reach = room ? fmin(WIDENING * width, spare) : WIDENING * width;

    for (int try = 1; try <= TRIES; try++) {
        double part = reach * fmod(try * GOLDEN, 1);

        *low = room ? first - spare + part : first - part;
        *high = room ? last + spare + part : last + part;
        *low = fmax(fmin(*low, nextafter(first, -INFINITY)), -DBL_MAX);
        *high = fmin(fmax(*high, nextafter(last, INFINITY)), DBL_MAX);
        if (!any_hit(sorted, n, *low, *high, count))
            return;
    }
}

int rc_series_histogram(enum rc_series_bin_rule rule, size_t count, const double *sorted, size_t n,
                        struct rc_bin **bins, size_t *n_bins, struct rc_error *error)
{
    double width, low, high;
    size_t before = 0, below;
    bool hit;

    *bins = NULL;
    *n_bins = 0;
    if (n == 0)
        return rc_error_set(error, "a histogram needs at least one value");
    if (count > RC_VALUE_BINS_MAX)
        return rc_error_set(error, "a histogram has at most %d bins", RC_VALUE_BINS_MAX);
    low = sorted[0], high = sorted[n - 1];
    width =
        count ? high / (double)count - low / (double)count : rc_series_bin_width(rule, sorted, n);
    count = low == high ? 1 : count ? count : rc_series_bin_count(rule, sorted, n);
    *bins = calloc(count, sizeof **bins);
    if (!*bins)
        return rc_error_no_memory(error);
    *n_bins = count;
    if (low < high)
        choose_ends(sorted, n, width, count, &low, &high);
    for (size_t i = 0; i < count; i++, before = below) {
        /* A number that no try could move off a division belongs to the bin above it. */
        below = i + 1 < count ? count_below(sorted, n, division(low, high, i + 1, count), &hit) : n;
        (*bins)[i] =
            (struct rc_bin){division(low, high, i, count), division(low, high, i + 1, count),
                            (double)(below - before) / (double)n};
    }
    return 0;
}
