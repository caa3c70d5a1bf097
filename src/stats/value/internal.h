// SPDX-License-Identifier: GPL-3.0-or-later
/* internal.h - what the files of this folder share. */
#ifndef RC_STATS_VALUE_INTERNAL_H
#define RC_STATS_VALUE_INTERNAL_H

#include "stats/value/value.h"

/* How much of a variable is in a normal: `coefficient` standard normal deviates of it. */
struct rc_term {
    uint64_t variable;
    double coefficient;
};

struct rc_value {
    enum rc_value_kind kind;
    unsigned references;
    double mean, sd;  /* of every kind; of a point, sd is 0 */
    double low, high; /* of every kind */
    /* normal: sd² = rest + the squares of the coefficients */
    struct rc_term *terms; /* by rising variable */
    size_t n_terms;
    double rest; /* variance that belongs to no remembered variable */
    /* modal: by rising mean, p > 0, summing to 1 */
    struct rc_mode *modes;
    size_t n_modes;
    /* histogram: rising, not overlapping, p > 0, summing to 1 */
    struct rc_bin *bins;
    double *cumulative; /* n_bins + 1: probability below each bin, and 1 */
    size_t n_bins;
    /* sample */
    double *draws;
    double *sorted; /* made when first needed */
    size_t n_draws;
};

/* An empty value with one reference, for the functions that make values; NULL where memory runs
 * out. */
struct rc_value *rc_value_new(enum rc_value_kind kind, struct rc_error *error);

/* A sample of draws, at least one, which it takes over, also on failure; one that is not finite is
 * an error. */
struct rc_value *rc_value_sample_adopt(double *draws, size_t n_draws, const char *if_not_finite,
                                       struct rc_error *error);

/* ---- normal_arithmetic.c ---- */

/* As rc_value_binary(), rc_value_unary() and rc_value_max(), of normals alone. */
struct rc_value *rc_value_normal_binary(enum rc_binary operation, const struct rc_value *a,
                                        const struct rc_value *b,
                                        const struct rc_value_rules *rules, struct rc_error *error);
struct rc_value *rc_value_normal_unary(enum rc_unary operation, const struct rc_value *a,
                                       struct rc_error *error);
struct rc_value *rc_value_normal_max(const struct rc_value *a, const struct rc_value *b,
                                     struct rc_error *error);
/* The larger or the smaller of two. */
struct rc_value *rc_value_normal_extreme(const struct rc_value *a, const struct rc_value *b,
                                         bool max, struct rc_error *error);

/* ---- interval_arithmetic.c ---- */

/* The range of the result where operands are in these ranges; -1, with the error, where it is not
 * finite or not defined. */
int rc_value_interval_binary(enum rc_binary operation, const double a[2], const double b[2],
                             double result[2], struct rc_error *error);
int rc_value_interval_unary(enum rc_unary operation, const double a[2], double result[2],
                            struct rc_error *error);

/* ---- modal.c ---- */

/* Of a modal value, as rc_value_cdf(), rc_value_exceeds() and rc_value_quantile(). */
double rc_value_modal_cdf(const struct rc_value *value, double x);
double rc_value_modal_exceeds(const struct rc_value *value, double x);
double rc_value_modal_quantile(const struct rc_value *value, double p);

/* The sd of the normal that a modal value becomes: Eq. 4.11 by the rules of the dissertation,
 * otherwise its own. */
double rc_value_modal_normal_sd(const struct rc_value *value, const struct rc_value_rules *rules);
/* The ends of the interval that it becomes: of the outermost modes. */
void rc_value_modal_ends(const struct rc_value *value, const struct rc_value_rules *rules,
                         double *low, double *high);

/* ---- modal_arithmetic.c ---- */

/* As rc_value_binary(), rc_value_unary() and rc_value_max() or rc_value_min(), of modal values alone:
 * normal arithmetic for each combination of modes. */
struct rc_value *rc_value_modal_binary(enum rc_binary operation, const struct rc_value *a,
                                       const struct rc_value *b, const struct rc_value_rules *rules,
                                       struct rc_error *error);
struct rc_value *rc_value_modal_unary(enum rc_unary operation, const struct rc_value *a,
                                      struct rc_error *error);
struct rc_value *rc_value_modal_extreme(const struct rc_value *a, const struct rc_value *b,
                                        bool max, struct rc_error *error);

/* ---- histogram.c ---- */

/* From the cdf at rising edges, of which two may be equal where an atom lies; about `most` bins at
 * most, and a few more for the tails. */
struct rc_value *rc_value_histogram_from_cdf(const double *edges, const double *cdf, size_t n_edges,
                                             size_t most, struct rc_error *error);
/* P(value <= x), P(value < x), and the least x with P(value <= x) >= p. */
double rc_value_histogram_cdf(const struct rc_value *value, double x);
double rc_value_histogram_cdf_below(const struct rc_value *value, double x);
double rc_value_histogram_quantile(const struct rc_value *value, double p);

/* ---- histogram_arithmetic.c ---- */

/* These make histograms of about `most` bins at most; NULL, with the error, on failure. */
struct rc_value *rc_value_histogram_binary(enum rc_binary operation, const struct rc_value *a,
                                           const struct rc_value *b, size_t most,
                                           struct rc_error *error);
struct rc_value *rc_value_histogram_unary(enum rc_unary operation, const struct rc_value *a,
                                          size_t most, struct rc_error *error);
struct rc_value *rc_value_histogram_extreme(const struct rc_value *a, const struct rc_value *b,
                                            bool max, size_t most, struct rc_error *error);

/* ---- convert_kind.c ---- */

/* The kind at which two values meet. */
enum rc_value_kind rc_value_meet(enum rc_value_kind a, enum rc_value_kind b);

#endif
