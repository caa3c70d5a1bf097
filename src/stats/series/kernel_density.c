// SPDX-License-Identifier: GPL-3.0-or-later
/* kernel_density.c - a Gaussian kernel density on a grid, and its hills.
 *
 * B. W. Silverman, "Density estimation for statistics and data analysis" (1986), chapter 3.  Each
 * number is shared between the two points next to it, in proportion to how near they are; the
 * points are then spread by the kernel.  So the work hardly grows with the numbers: a million of
 * them take one pass.
 *
 * The variance of such a density f is about f R / (n h), where R = 1 / (2 sqrt(pi)) is the integral
 * of the squared kernel; at two points further apart than the kernel reaches, the errors are
 * independent.  That gives the standard error of a valley's depth. */
#include "stats/series/kernel_density.h"

#include <math.h>
#include <string.h>

/* How far the kernel reaches, in bandwidths. */
#define REACH 5.0
#define BANDWIDTH_LEAST 2.0

static void spread(struct rc_series_density *density, const double *counts)
{
    double kernel[RC_SERIES_DENSITY_POINTS], sum = 0, b = density->bandwidth;
    size_t reach = (size_t)fmin(ceil(REACH * b), RC_SERIES_DENSITY_POINTS - 1);

    for (size_t i = 0; i <= reach; i++) {
        kernel[i] = exp(-0.5 * ((double)i / b) * ((double)i / b));
        sum += i ? 2 * kernel[i] : kernel[i];
    }
    memset(density->at, 0, sizeof density->at);
    for (size_t i = 0; i < RC_SERIES_DENSITY_POINTS; i++) {
        double share = counts[i] / sum / (double)density->n;

        if (counts[i] == 0)
            continue;
        density->at[i] += share * kernel[0];
        for (size_t j = 1; j <= reach; j++) {
            if (j <= i)
                density->at[i - j] += share * kernel[j];
            if (i + j < RC_SERIES_DENSITY_POINTS)
                density->at[i + j] += share * kernel[j];
        }
    }
}

void rc_series_density(struct rc_series_density *density, const double *sorted, size_t n,
                       double low, double high, double bandwidth)
{
    double counts[RC_SERIES_DENSITY_POINTS] = {0}, last = RC_SERIES_DENSITY_POINTS - 1;

    density->low = low;
    density->step = high / last - low / last;
    density->bandwidth = fmax(bandwidth / density->step, BANDWIDTH_LEAST);
    density->n = 0;
    for (size_t i = 0; i < n; i++) {
        double place = sorted[i] / density->step - low / density->step, part;
        size_t below;

        if (!(place >= 0 && place <= last))
            continue;
        below = (size_t)fmin(place, last - 1);
        part = place - (double)below;
        counts[below] += 1 - part;
        counts[below + 1] += part;
        density->n++;
    }
    if (density->n)
        spread(density, counts);
    else
        memset(density->at, 0, sizeof density->at);
}

size_t rc_series_density_hills(const struct rc_series_density *density,
                               struct rc_series_hill *hills)
{
    const double *at = density->at;
    size_t n_hills = 0, level = 0; /* where the stretch of equal height began */
    int rising = 1;

    for (size_t i = 1; i <= RC_SERIES_DENSITY_POINTS; i++) {
        int end = i == RC_SERIES_DENSITY_POINTS;

        if (!end && at[i] == at[i - 1])
            continue;
        if (rising && (end || at[i] < at[i - 1])) {
            hills[n_hills++] =
                (struct rc_series_hill){(level + i - 1) / 2, RC_SERIES_DENSITY_POINTS - 1};
            rising = 0;
        } else if (!rising && !end && at[i] > at[i - 1]) {
            hills[n_hills - 1].valley = (level + i - 1) / 2;
            rising = 1;
        }
        level = i;
    }
    return n_hills;
}

static double lower_top(const struct rc_series_density *density,
                        const struct rc_series_hill pair[2])
{
    return fmin(density->at[pair[0].top], density->at[pair[1].top]);
}

double rc_series_density_z(const struct rc_series_density *density,
                           const struct rc_series_hill pair[2], double part)
{
    double top = lower_top(density, pair), valley = density->at[pair[0].valley];
    double independent = (double)density->n * part * density->bandwidth * 2 * sqrt(M_PI);

    return top > 0 ? (top - valley) / sqrt((top + valley) / independent) : 0;
}

double rc_series_density_depth(const struct rc_series_density *density,
                               const struct rc_series_hill pair[2])
{
    double top = lower_top(density, pair);

    return top > 0 ? 1 - density->at[pair[0].valley] / top : 0;
}
