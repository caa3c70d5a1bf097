// SPDX-License-Identifier: GPL-3.0-or-later
/* series_value.h - a stochastic value from the samples of a window. */
#ifndef RC_STATS_SERIES_SERIES_VALUE_H
#define RC_STATS_SERIES_SERIES_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "runcast.h"
#include "stats/series/histogram_bins.h"
#include "stats/value/value.h"

/* rc_series_value_options_init() gives the defaults. */
struct rc_series_value_options {
    double low, high;             /* interval: the quantiles at its ends: 0 and 1, the bounds */
    enum rc_series_bin_rule rule; /* histogram: RC_SERIES_BINS_SCOTT */
    size_t bins;                  /* histogram: so many instead; 0: by the rule */
    size_t draws;             /* sample: so many, drawn at random from the samples with replacement;
                                 0: the samples themselves, in their order */
    struct rc_random *random; /* for those draws */
    uint64_t variable;        /* normal: see rc_value_normal() */
};
void rc_series_value_options_init(struct rc_series_value_options *options);

/* A value of the given kind, from the samples that are finite:
 *     point      their mean (Eq. 4.1)
 *     normal     their mean and sd (Eq. 4.4); it takes two of them
 *     interval   their bounds, or the given quantiles (Eq. 4.14)
 *     modal      their modes (section 4.B.3)
 *     histogram  by a bin rule (section 4.D.1)
 *     sample     draws
 * Samples are not weighted by the time that they stand for: resample first where they are uneven.
 * Draw i of one sample value belongs to draw i of another (see value.h): series on one grid keep
 * their dependence where `draws` is 0, and lose it where they are drawn one after the other.
 * `options` NULL: the defaults.  NULL, with `error` set, where there are too few samples. */
struct rc_value *rc_series_value(const struct rc_sample *samples, size_t n, enum rc_value_kind kind,
                                 const struct rc_series_value_options *options,
                                 struct rc_error *error);

/* Random instants between two times, anywhere alike, in no order. */
void rc_series_instants(double from, double to, struct rc_random *random, double *instants,
                        size_t n);

/* A sample value that has, for each instant, the last of the samples that are finite at or before
 * it; before all of them, the first.  Values of several series at the same instants therefore keep
 * their dependence, and samples count by the time that they stand for, however uneven they are.
 * `instants` may be in any order.  NULL, with `error` set, where no sample is finite, and where
 * there are no instants or more than RC_VALUE_DRAWS_MAX. */
struct rc_value *rc_series_value_at(const struct rc_sample *samples, size_t n,
                                    const double *instants, size_t n_instants,
                                    struct rc_error *error);

#endif
