// SPDX-License-Identifier: GPL-3.0-or-later
/* communication_delay.h - what communicating competitors cost a program that computes: delay_comm of Eq. 2.
 *
 * It depends on how many communicate, and on the bandwidth k that they have: the more goes through,
 * the more time the host spends on it.  For each number there is a line in two pieces (section 4,
 * Figure 2), fitted to measurements; or one number stands for all. */
#ifndef RC_MODEL_SLOWDOWN_COMMUNICATION_DELAY_H
#define RC_MODEL_SLOWDOWN_COMMUNICATION_DELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_DELAY_CURVES_MAX = 64, RC_DELAY_POINTS_MAX = 4096 };

/* Below `at` the first line, from there on the second: intercept + slope * k, k in bytes/s.  `at`
 * INFINITY: there is the first one alone. */
struct rc_delay_curve {
    double at;
    double intercept[2], slope[2];
    double low, high; /* bandwidths that it was fitted to; NAN: not known */
};

/* curves[i - 1] is for i communicating at once; none at all: `constant` for any number above 0. */
struct rc_delay {
    struct rc_delay_curve curves[RC_DELAY_CURVES_MAX];
    size_t n;
    double constant;
};

/* What was done to answer. */
enum rc_delay_note {
    RC_DELAY_CLAMPED = 1, /* the line was below 0, where 0 is the answer */
    RC_DELAY_MORE = 2,    /* more communicate than there are curves for: the last ones go on */
    RC_DELAY_OUTSIDE = 4  /* k is outside of what was measured */
};

/* The delay by i communicating at once (i >= 0) with a bandwidth of k.  Past the last curve, each
 * further one adds what the last one added to the one before it, or as much as the only one.
 * `notes` (or NULL) gets a set of the above. */
double rc_slowdown_delay_at(const struct rc_delay *delay, size_t i, double k, unsigned *notes);

/* The curve for i at once as points of a plot: RC_DELAY_LINE of them, with a gap (NAN) where it
 * jumps. */
enum { RC_DELAY_LINE = 121 };
void rc_slowdown_delay_line(const struct rc_delay *delay, size_t i, double x[RC_DELAY_LINE],
                            double y[RC_DELAY_LINE]);

/* The curves of the paper's cluster of Alphas (Figure 2), whose k is in millions of words of so
 * many bytes a second. */
void rc_slowdown_delay_paper(double word_bytes, struct rc_delay *delay);

struct rc_delay_point {
    double k, delay;
};

/* Fits a curve to points in any order: the break and both lines that leave the least sum of
 * squares, or one line where a second does not make it clearly better (by the F test, 5 %) or where
 * there are under six points.  `error_sd` (or NULL) gets the standard deviation of what is left. */
int rc_slowdown_delay_fit(const struct rc_delay_point *points, size_t n,
                          struct rc_delay_curve *curve, double *error_sd, struct rc_error *error);

/* ---- rates as the paper gives them, in words a second, and delays by name ---- */

enum { RC_WORD_BYTES = 4 }; /* where nobody says; the paper does not */

/* Reads a rate above 0: as base/unit.h takes it, or "0.45Mw/s", "450kw/s", "2w/s" in words of
 * word_bytes.  In bytes/s. */
int rc_slowdown_word_rate_parse(const char *text, double word_bytes, double *rate,
                                struct rc_error *error);

/* Whether a text (or NULL) is a number without a unit: bytes/s. */
bool rc_slowdown_rate_is_bare(const char *text);

/* Whether a text (or NULL) is a rate in words. */
bool rc_slowdown_word_rate_is(const char *text);

/* Reads a delay: a number >= 0 (or a percentage) that stands for any number of competitors and any
 * bandwidth, or "alpha-farm", the curves of the paper (rc_slowdown_delay_paper()).  1: it was one; 0: it is
 * neither, and may be the name of a file. */
int rc_slowdown_delay_parse(const char *text, double word_bytes, struct rc_delay *delay,
                            struct rc_error *error);

#endif
