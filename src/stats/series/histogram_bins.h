// SPDX-License-Identifier: GPL-3.0-or-later
/* histogram_bins.h - how many bins a histogram of data should have, and where they lie.
 *
 * The rules of thumb of J. M. Schopf's dissertation (UC San Diego, 1998), section 4.D.1, for v
 * numbers.  They contradict one another at times; Scott's rule is the one with a theory. */
#ifndef RC_STATS_SERIES_HISTOGRAM_BINS_H
#define RC_STATS_SERIES_HISTOGRAM_BINS_H

#include <stddef.h>

#include "runcast.h"
#include "stats/value/value.h"

enum rc_series_bin_rule {
    RC_SERIES_BINS_SCOTT,   /* bins 3.49 sd v^(-1/3) wide */
    RC_SERIES_BINS_STURGES, /* 1 + 3.3 log10(v) */
    RC_SERIES_BINS_ROOT,    /* the square root of v */
    RC_SERIES_BINS_5_TO_20, /* 5 up to v = 10, 20 from v = 1000, between them by the logarithm of v */
    RC_SERIES_BINS_BY_FIFTY, /* 6 up to v = 10, 10 at v = 50, 20 from v = 5000, too */
    RC_SERIES_BIN_RULES
};

/* "scott", "sturges", ...: what options and files call them. */
const char *rc_series_bin_rule_name(enum rc_series_bin_rule rule);

/* The number of bins for rising numbers: from 1 to RC_VALUE_BINS_MAX; 0 for n = 0.  1 where all
 * numbers are equal. */
size_t rc_series_bin_count(enum rc_series_bin_rule rule, const double *sorted, size_t n);

/* The width of Eq. 4.17, or of Scott's rule. */
double rc_series_bin_width(enum rc_series_bin_rule rule, const double *sorted, size_t n);

/* A histogram of rising numbers: bins of equal width, in order and without gaps between them, p
 * being the share of the numbers in each (it may be 0).  No number falls on a division or an end;
 * for that the whole is a little wider than the numbers.  Equal numbers make one bin of no width.
 * `count` bins, or as many as the rule gives for 0.
 * The caller frees *bins.  -1 where there is no number, or no memory. */
int rc_series_histogram(enum rc_series_bin_rule rule, size_t count, const double *sorted, size_t n,
                        struct rc_bin **bins, size_t *n_bins, struct rc_error *error);

#endif
