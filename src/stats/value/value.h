// SPDX-License-Identifier: GPL-3.0-or-later
/* value.h - stochastic values: distributions, and their arithmetic.
 *
 * After J. M. Schopf, "Performance prediction and scheduling for parallel applications on
 * multi-user clusters" (dissertation, UC San Diego, 1998), chapter 4.
 * docs/explanation/stochastic-values.md lists the differences.  No I/O.
 *
 * A value is one of six kinds:
 *   point      a number
 *   normal     a normal distribution (mean, sd)
 *   interval   two bounds
 *   modal      modes with probabilities, each a normal distribution
 *   histogram  bins with probabilities, uniform inside each
 *   sample     Monte Carlo samples
 *
 * Dependence.  A normal has the variables that it was computed from, and sample i of a value
 * belongs to sample i of every other value of the same computation.  So x - x is 0 for them.
 * Intervals, modal values and histograms are treated as independent; the evaluation of expressions does better
 * for intervals.
 *
 * Values are immutable and counted: every function that returns one gives the caller a reference,
 * to be dropped with rc_value_drop(). */
#ifndef RC_STATS_VALUE_VALUE_H
#define RC_STATS_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "runcast.h"

enum rc_value_kind {
    RC_POINT,
    RC_NORMAL,
    RC_INTERVAL,
    RC_MODAL,
    RC_HISTOGRAM,
    RC_SAMPLE,
    RC_VALUE_KINDS
};

/* A mode: with probability `p` the value is normal, with this mean and standard deviation. */
struct rc_mode {
    double mean, sd, p;
};

/* A part of a histogram: with probability `p` the value lies between the ends, anywhere alike.
 * Equal ends make an atom. */
struct rc_bin {
    double low, high, p;
};

struct rc_value;

/* How Max and Min choose. */
enum rc_extreme {
    RC_EXTREME_TRUE, /* the distribution of the largest (smallest) */
    RC_EXTREME_MEAN, /* the one value with the largest (smallest) mean */
    RC_EXTREME_END   /* the one with the largest upper (smallest lower) end; of a normal, the end of
                        its interval */
};

/* How to calculate.  rc_value_rules_init() gives the defaults. */
struct rc_value_rules {
    bool
        dissertation; /* Table 4.1 to the letter, for normals; a modal value becomes a normal by Eq.
                          4.10 and 4.11, which leave out the spread between modes */
    bool correlated;  /* ... in its form for correlated values */
    enum rc_extreme extreme;
    double normal_width;      /* a normal becomes an interval of so many sd to either side: 2 */
    size_t bins;              /* of a histogram that is the result of an operation: 256 */
    size_t draws;             /* of a sample that is made from another kind: 10 000 */
    struct rc_random *random; /* for those draws; NULL: a sample cannot be made */
};
void rc_value_rules_init(struct rc_value_rules *rules);

enum {
    RC_VALUE_BINS_MAX = 1 << 14,
    RC_VALUE_MODES_MAX = 64, /* of a result; modes that lie close together are merged */
    RC_VALUE_DRAWS_MAX = 1 << 24,
    RC_VALUE_TERMS_MAX = 1 << 12 /* variables that a normal remembers; the smallest are forgotten */
};

/* ---- making ---- */

/* All of these give a value with one reference, or NULL with the error.  Numbers must be finite. */
struct rc_value *rc_value_point(double x, struct rc_error *error);
/* `variable` names what it is a value of: normals of one variable are one and the same quantity.
 * 0: it is independent of all others.  sd >= 0. */
struct rc_value *rc_value_normal(double mean, double sd, uint64_t variable, struct rc_error *error);
struct rc_value *rc_value_interval(double low, double high, struct rc_error *error);
/* At least one mode, at most RC_VALUE_MODES_MAX, in any order, with sd >= 0; their probabilities sum
 * to 1 within 1e-6, and are then scaled to sum to 1. */
struct rc_value *rc_value_modal(const struct rc_mode *modes, size_t n_modes,
                                struct rc_error *error);
/* Bins may overlap or leave gaps, in any order; their probabilities sum to 1 within 1e-6, and are
 * then scaled to sum to 1. */
struct rc_value *rc_value_histogram(const struct rc_bin *bins, size_t n_bins,
                                    struct rc_error *error);
struct rc_value *rc_value_sample(const double *draws, size_t n_draws, struct rc_error *error);

struct rc_value *rc_value_keep(const struct rc_value *value); /* one more reference */
void rc_value_drop(const struct rc_value *value);

/* ---- asking ---- */

/* The kind, and its name: "point", "normal", ... */
enum rc_value_kind rc_value_kind(const struct rc_value *value);
const char *rc_value_kind_name(enum rc_value_kind kind);

/* The mean; of an interval, its middle. */
double rc_value_mean(const struct rc_value *value);
/* The standard deviation; of an interval, that of a uniform distribution; of a sample, by n - 1. */
double rc_value_sd(const struct rc_value *value);
/* The ends: of a normal and a modal value, of an infinite one, -INFINITY and INFINITY. */
double rc_value_low(const struct rc_value *value);
double rc_value_high(const struct rc_value *value);
/* The least x with cdf(x) >= p, 0 <= p <= 1.  An interval is taken as uniform. */
double rc_value_quantile(const struct rc_value *value, double p);
/* The probability of at most x. */
double rc_value_cdf(const struct rc_value *value, double x);
/* The probability of more than x: 1 - cdf, without loss for small ones. */
double rc_value_exceeds(const struct rc_value *value, double x);
/* The equal-tailed interval that holds the value with probability `level`. */
void rc_value_span(const struct rc_value *value, double level, double *low, double *high);

/* The modes of a modal value, by rising mean; they belong to it.  NULL for other kinds. */
const struct rc_mode *rc_value_modes(const struct rc_value *value, size_t *n_modes);

/* The bins of a histogram (rising, not overlapping), or the draws of a sample; they belong to the
 * value.  NULL for other kinds. */
const struct rc_bin *rc_value_bins(const struct rc_value *value, size_t *n_bins);
const double *rc_value_draws(const struct rc_value *value, size_t *n_draws);

/* ---- turning one kind into another ---- */

/* The value as another kind, with one reference; of the same kind, the value itself once more.  What
 * becomes modal has a single mode: modes are found in samples alone (stats/series/series_value.h).
 * Making a sample needs rules->random.  NULL, with the error, on failure. */
struct rc_value *rc_value_convert(const struct rc_value *value, enum rc_value_kind to,
                                  const struct rc_value_rules *rules, struct rc_error *error);

/* ---- arithmetic ---- */

enum rc_binary { RC_ADD, RC_SUBTRACT, RC_MULTIPLY, RC_DIVIDE, RC_POWER, RC_BINARIES };
enum rc_unary { RC_NEGATE, RC_LOG, RC_SQRT, RC_EXP, RC_ABS, RC_UNARIES };

/* Values of different kinds meet at the one that can hold both: a point becomes anything; a normal
 * and an interval an interval, a normal and a modal value a modal one; an interval and a modal value
 * histograms; with a histogram all become histograms, with a sample samples.
 * Dividing by what may be 0, or a logarithm of what may not be positive, is an error.  NULL, with
 * `error` set, on failure. */
struct rc_value *rc_value_binary(enum rc_binary operation, const struct rc_value *a,
                                 const struct rc_value *b, const struct rc_value_rules *rules,
                                 struct rc_error *error);
struct rc_value *rc_value_unary(enum rc_unary operation, const struct rc_value *a,
                                const struct rc_value_rules *rules, struct rc_error *error);

/* Over many values; at least one. */
struct rc_value *rc_value_max(const struct rc_value *const *values, size_t n_values,
                              const struct rc_value_rules *rules, struct rc_error *error);
struct rc_value *rc_value_min(const struct rc_value *const *values, size_t n_values,
                              const struct rc_value_rules *rules, struct rc_error *error);

#endif
