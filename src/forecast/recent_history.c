// SPDX-License-Identifier: GPL-3.0-or-later
/* recent_history.c - the recent past of an even series.
 *
 * Invariants:
 * 1. sums[i] - sums[j] is the sum of the values j+1 .. i for all that are kept.  The beginning of
 *    the sums moves along, so that they neither grow for ever nor keep what a huge value of long
 *    ago took from their digits.
 * 2. sorted[k] has the last rc_forecast_sorted_lengths[k] values, or all of them, rising. */
#include "forecast/recent_history.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const size_t rc_forecast_sorted_lengths[RC_FORECAST_SORTED] = {5, 11, 31, 61,
                                                               RC_FORECAST_SORTED_MAX};

/* Few enough numbers that moving them costs less than a tree. */
static size_t first_not_below(const double *values, size_t n, double value)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void rc_forecast_sorted_add(double *values, size_t *n, double value)
{
    size_t at = first_not_below(values, *n, value);

    assert(at == 0 || values[at - 1] < value);
    memmove(values + at + 1, values + at, (*n - at) * sizeof *values);
    values[at] = value;
    ++*n;
}

void rc_forecast_sorted_remove(double *values, size_t *n, double value)
{
    size_t at = first_not_below(values, *n, value);

    --*n;
    memmove(values + at, values + at + 1, (*n - at) * sizeof *values);
}

void rc_forecast_history_init(struct rc_forecast_history *past, double step, double clock)
{
    memset(past, 0, sizeof *past);
    past->step = step;
    past->clock = clock;
    past->low = INFINITY;
    past->high = -INFINITY;
}

static void rebuild_sums(struct rc_forecast_history *past)
{
    double sum = 0;

    for (size_t i = 0; i < RC_FORECAST_RING; i++) {
        sum += past->values[i];
        past->sums[i] = sum;
    }
}

void rc_forecast_history_add(struct rc_forecast_history *past, double value)
{
    size_t at = past->n % RC_FORECAST_RING;

    for (size_t k = 0; k < RC_FORECAST_SORTED; k++) {
        struct rc_forecast_sorted *window = &past->sorted[k];
        size_t length = rc_forecast_sorted_lengths[k];

        if (past->n >= length)
            rc_forecast_sorted_remove(window->values, &window->n,
                                      rc_forecast_back(past, length - 1));
        rc_forecast_sorted_add(window->values, &window->n, value);
        assert(window->n == (past->n < length ? past->n + 1 : length)); /* invariant 2 */
    }
    past->sums[at] = value + (past->n ? past->sums[(past->n - 1) % RC_FORECAST_RING] : 0);
    past->values[at] = value;
    past->n++;
    if (at == RC_FORECAST_RING - 1)
        rebuild_sums(past);
    past->clock += past->step;
    past->mean += (value - past->mean) / (double)past->n;
    past->low = fmin(past->low, value);
    past->high = fmax(past->high, value);
}

static double window_sum(const struct rc_forecast_history *past, size_t length)
{
    double sum = past->sums[(past->n - 1) % RC_FORECAST_RING];

    if (past->n <= length) /* then none was dropped, and the sums begin with the first value */
        return sum;
    return sum - past->sums[(past->n - 1 - length) % RC_FORECAST_RING];
}

double rc_forecast_window_mean(const struct rc_forecast_history *past, size_t length)
{
    return window_sum(past, length) / (double)(past->n < length ? past->n : length);
}

const struct rc_forecast_sorted *rc_forecast_sorted_window(const struct rc_forecast_history *past,
                                                           size_t length)
{
    size_t k = 0;

    while (k + 1 < RC_FORECAST_SORTED && rc_forecast_sorted_lengths[k] < length)
        k++;
    return &past->sorted[k];
}

double rc_forecast_sorted_median(const struct rc_forecast_sorted *window)
{
    size_t half = window->n / 2;

    if (window->n % 2)
        return window->values[half];
    return 0.5 * window->values[half - 1] + 0.5 * window->values[half];
}

double rc_forecast_sorted_trimmed(const struct rc_forecast_sorted *window, double share)
{
    size_t cut = (size_t)(share * (double)window->n);
    double sum = 0;

    for (size_t i = cut; i < window->n - cut; i++)
        sum += window->values[i];
    return sum / (double)(window->n - 2 * cut);
}
