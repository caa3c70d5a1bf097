// SPDX-License-Identifier: GPL-3.0-or-later
/* normality.h - how close data are to the normal distribution of their mean and sd.
 *
 * J. M. Schopf's dissertation (UC San Diego, 1998), section 4.B.4, and beside its two measures the
 * one that needs no cells.  The caller decides how close is close enough. */
#ifndef RC_STATS_SERIES_NORMALITY_H
#define RC_STATS_SERIES_NORMALITY_H

#include <stddef.h>

#include "runcast.h"
#include "stats/series/histogram_bins.h"

struct rc_series_closeness {
    size_t n; /* numbers that are not missing */
    double mean, sd;

    /* Eq. 4.12, over `cells` cells that the normal makes equally likely, with 5 numbers or more
     * expected in each; NAN, and no cell, for n < 20 and where all numbers are equal.  Mean and sd
     * come from the numbers themselves and not from the counts, so the p-value lies between that of
     * cells - 3 and that of cells - 1 degrees of freedom. */
    double chi_squared;
    size_t cells;
    double chi_p_low, chi_p_high;

    /* Eq. 4.13, f_d being the histogram by the given rule: from 0 to 2.  Few numbers are far from
     * any density, normal ones too.  0 where all numbers are equal; NAN for n < 2. */
    double distance;

    /* The largest distance between the cumulative distributions (Kolmogorov and Smirnov), and the
     * probability of one as large, had the numbers come from some normal; 0 and 1 where all numbers
     * are equal; NAN for n < 2, the probability for n < 5. */
    double ks, ks_p;
};

/* -1 where memory runs out. */
int rc_series_closeness(const double *values, size_t n, enum rc_series_bin_rule rule,
                        struct rc_series_closeness *closeness, struct rc_error *error);

/* Eq. 4.12.  Cells that expect nothing count only if there is something: INFINITY. */
double rc_series_chi_squared(const double *observed, const double *expected, size_t n_cells);

/* The probability that chi-squared of so many degrees of freedom exceeds x. */
double rc_series_chi_squared_p(double x, size_t degrees);

/* Eq. 4.13 for bins that do not overlap and a normal with sd > 0, exactly. */
double rc_series_distance(const struct rc_bin *bins, size_t n_bins, double mean, double sd);

/* The distance of Kolmogorov and Smirnov of rising numbers to a normal with sd > 0. */
double rc_series_ks(const double *sorted, size_t n, double mean, double sd);

/* Its p-value where mean and sd were estimated from the same n >= 5 numbers (Lilliefors). */
double rc_series_lilliefors_p(double ks, size_t n);

#endif
