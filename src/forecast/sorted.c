// SPDX-License-Identifier: GPL-3.0-or-later
/* sorted.c - numbers that are kept rising: few enough that moving them costs less than a tree. */
#include "forecast/sorted.h"

#include <string.h>

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
