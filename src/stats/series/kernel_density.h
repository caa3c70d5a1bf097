// SPDX-License-Identifier: GPL-3.0-or-later
/* kernel_density.h - a Gaussian kernel density on a grid, and its hills. */
#ifndef RC_STATS_SERIES_KERNEL_DENSITY_H
#define RC_STATS_SERIES_KERNEL_DENSITY_H

#include <stddef.h>

enum { RC_SERIES_DENSITY_POINTS = 1024 };

struct rc_series_density {
    double low, step;                    /* point i is at low + i step */
    double bandwidth;                    /* of the kernel, in steps */
    size_t n;                            /* numbers inside the grid */
    double at[RC_SERIES_DENSITY_POINTS]; /* probability per step, of those numbers */
};

/* The density of rising numbers over [low, high], low < high; numbers outside are left out.  The
 * bandwidth is in the unit of the numbers, and is raised to two steps where it is less. */
void rc_series_density(struct rc_series_density *density, const double *sorted, size_t n,
                       double low, double high, double bandwidth);

/* A hill: its top, and the lowest point between it and the next (the last point, for the last). */
struct rc_series_hill {
    size_t top, valley;
};

/* All hills from left to right, into `hills` of RC_SERIES_DENSITY_POINTS; returns their number.  Of
 * flat tops and valleys the middle is taken. */
size_t rc_series_density_hills(const struct rc_series_density *density,
                               struct rc_series_hill *hills);

/* By how many standard errors the lower of two hills rises above the valley between them, `part` of
 * the numbers being independent; and by what part of itself. */
double rc_series_density_z(const struct rc_series_density *density,
                           const struct rc_series_hill pair[2], double part);
double rc_series_density_depth(const struct rc_series_density *density,
                               const struct rc_series_hill pair[2]);

#endif
