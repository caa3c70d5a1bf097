// SPDX-License-Identifier: GPL-3.0-or-later
/* value_curve.h - the density and the cdf of a value as curves that can be drawn. */
#ifndef RC_STATS_SERIES_VALUE_CURVE_H
#define RC_STATS_SERIES_VALUE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"
#include "stats/value/value.h"

/* A single number that has a probability. */
struct rc_series_atom {
    double x, p;
};

/* Start from {0}; free with rc_series_curve_free(). */
struct rc_series_curve {
    double low, high; /* the part of the axis that is worth showing */
    /* The density of all that is not in atoms: with `steps`, density[i] from x[i] to x[i + 1] (the
     * last one is 0); otherwise straight from point to point.  n is 0 where atoms are all. */
    bool steps;
    double *x, *density;
    size_t n;
    struct rc_series_atom *atoms; /* rising */
    size_t n_atoms;
    double *at, *cdf; /* the cdf; where it jumps, two points with one and the same place */
    size_t n_cdf;
};

/* The curves of a value, over its middle 99 % and a little more, and at least over the interval
 * that holds it with probability `level`.  An interval is flat.  A sample becomes bars that are
 * 2 IQR n^(-1/3) wide (D. Freedman and P. Diaconis, 1981), n being the number of draws that differ;
 * where only a few do, and for a number that is drawn far more often than others, atoms. */
int rc_series_curve(const struct rc_value *value, double level, struct rc_series_curve *curve,
                    struct rc_error *error);
void rc_series_curve_free(struct rc_series_curve *curve);

#endif
