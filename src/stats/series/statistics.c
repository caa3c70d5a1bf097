// SPDX-License-Identifier: GPL-3.0-or-later
/* statistics.c - means, deviations, quantiles and correlations, where numbers may be missing.
 *
 * After J. M. Schopf, "Performance prediction and scheduling for parallel applications on
 * multi-user clusters" (dissertation, UC San Diego, 1998), section 4.A.1, Eq. 4.1 to 4.4.
 *
 * The mean is corrected by the mean of the deviations from it, so that equal numbers have exactly
 * that mean, and bandwidths around 1e9 keep their small deviations.  All sums are of numbers that a
 * power of two has scaled below 2: their squares can neither overflow nor vanish. */
#include "stats/series/statistics.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_math.h>

#include "base/error.h"
#include "base/sort.h"

/* The median distance from the median, of a normal distribution of sd 1, is 1 / this. */
#define SD_PER_MEDIAN_DISTANCE 1.4826022185056018

/* A power of two that scales numbers of up to `size` to about 1, and stays finite. */
static double scale_for(double size)
{
    int exponent;

    if (!(size > 0))
        return 1;
    frexp(size, &exponent);
    return ldexp(1, -GSL_MAX_INT(exponent - 1, -1000));
}

static void find_bounds(const double *values, size_t n, struct rc_series_moments *moments)
{
    *moments = (struct rc_series_moments){0, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        if (moments->n++ == 0)
            moments->low = moments->high = values[i];
        moments->low = fmin(moments->low, values[i]);
        moments->high = fmax(moments->high, values[i]);
    }
}

void rc_series_moments(const double *values, size_t n, struct rc_series_moments *moments)
{
    double scale, sum = 0, rest = 0, squares = 0, mean;

    find_bounds(values, n, moments);
    if (moments->n == 0)
        return;
    if (moments->low == moments->high) {
        moments->mean = moments->low;
        moments->sd = moments->n > 1 ? 0 : NAN;
        return;
    }
    scale = scale_for(fmax(fabs(moments->low), fabs(moments->high)));
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            sum += values[i] * scale;
    mean = sum / (double)moments->n;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i])) {
            double deviation = values[i] * scale - mean;

            rest += deviation;
            squares += deviation * deviation;
        }
    squares -= rest * rest / (double)moments->n;
    moments->mean = (mean + rest / (double)moments->n) / scale;
    moments->mean = fmin(fmax(moments->mean, moments->low), moments->high);
    moments->sd = sqrt(fmax(squares, 0) / (double)(moments->n - 1)) / scale;
}

/* calloc(), because it sees to it that the product does not overflow. */
static double *allocate(size_t n, struct rc_error *error)
{
    double *numbers = calloc(n ? n : 1, sizeof *numbers);

    if (!numbers)
        rc_error_no_memory(error);
    return numbers;
}

double *rc_series_sorted(const double *values, size_t n, size_t *n_known, struct rc_error *error)
{
    double *sorted = allocate(n, error);

    *n_known = 0;
    if (!sorted)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            sorted[(*n_known)++] = values[i];
    rc_sort_doubles(sorted, *n_known);
    return sorted;
}

double *rc_series_values(const struct rc_sample *samples, size_t n, size_t *n_known,
                         struct rc_error *error)
{
    double *values = allocate(n, error);

    *n_known = 0;
    if (!values)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (isfinite(samples[i].value))
            values[(*n_known)++] = samples[i].value;
    return values;
}

size_t rc_series_count_below(const double *sorted, size_t n, double x)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double rc_series_quantile(const double *sorted, size_t n, double p)
{
    double place, part;
    size_t below;

    if (n == 0 || !(p >= 0 && p <= 1))
        return NAN;
    place = p * (double)(n - 1);
    below = (size_t)place;
    if (below >= n - 1)
        return sorted[n - 1];
    part = place - (double)below;
    if (part == 0 || sorted[below] == sorted[below + 1])
        return sorted[below];
    /* The difference of the two may overflow; this cannot. */
    return (1 - part) * sorted[below] + part * sorted[below + 1];
}

int rc_series_robust(const double *sorted, size_t n, struct rc_series_robust *robust,
                     struct rc_error *error)
{
    double *distances = allocate(n, error);

    *robust = (struct rc_series_robust){NAN, NAN, NAN, NAN};
    if (!distances)
        return -1;
    robust->median = rc_series_quantile(sorted, n, 0.5);
    robust->lower_quartile = rc_series_quantile(sorted, n, 0.25);
    robust->upper_quartile = rc_series_quantile(sorted, n, 0.75);
    for (size_t i = 0; i < n; i++)
        distances[i] = fabs(sorted[i] - robust->median);
    rc_sort_doubles(distances, n);
    robust->sd = SD_PER_MEDIAN_DISTANCE * rc_series_quantile(distances, n, 0.5);
    free(distances);
    return 0;
}

/* The mean of a[i], and half their range, over the complete pairs. */
static size_t centre(const double *a, const double *b, size_t n, double *mean, double *half_range)
{
    double low = INFINITY, high = -INFINITY, scale, sum = 0;
    size_t pairs = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            low = fmin(low, a[i]);
            high = fmax(high, a[i]);
        }
    scale = scale_for(fmax(fabs(low), fabs(high)));
    for (size_t i = 0; i < n; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            sum += a[i] * scale;
            pairs++;
        }
    if (pairs == 0)
        return 0;
    *mean = sum / (double)pairs / scale;
    *half_range = high / 2 - low / 2;
    return pairs;
}

double rc_series_correlation(const double *x, const double *y, size_t n, size_t *pairs)
{
    double mean_x = 0, mean_y = 0, size_x = 0, size_y = 0, xx = 0, yy = 0, xy = 0;
    size_t count = centre(x, y, n, &mean_x, &size_x);

    centre(y, x, n, &mean_y, &size_y);
    if (pairs)
        *pairs = count;
    /* What is as small as that is the rounding of whatever the numbers were made from. */
    if (count < 2 || size_x <= fabs(mean_x) * 1e-14 || size_y <= fabs(mean_y) * 1e-14)
        return NAN;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i])) {
            double dx = (x[i] / 2 - mean_x / 2) / size_x, dy = (y[i] / 2 - mean_y / 2) / size_y;

            xx += dx * dx;
            yy += dy * dy;
            xy += dx * dy;
        }
    return fmin(fmax(xy / sqrt(xx) / sqrt(yy), -1), 1);
}
