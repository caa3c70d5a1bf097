// SPDX-License-Identifier: GPL-3.0-or-later
/* communication_delay.h - delay of computing by communicating competitors: delay_comm of Eq. 2.
 *
 * It depends on the number of communicating competitors and on their rate k, since the host
 * spends CPU time on each byte.  For each number there is a line in one or two pieces (section
 * 4, Figure 2), fitted to measurements; or one constant for all. */
#ifndef RC_MODEL_SLOWDOWN_COMMUNICATION_DELAY_H
#define RC_MODEL_SLOWDOWN_COMMUNICATION_DELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_DELAY_CURVES_MAX = 64, RC_DELAY_POINTS_MAX = 4096 };

/* The first line below `at`, the second from there on: intercept + slope * k, k in bytes/s.  `at`
 * INFINITY: only the first one. */
struct rc_delay_curve {
    double at;
    double intercept[2], slope[2];
    double low, high; /* range of measured rates; NAN: unknown */
};

/* curves[i - 1] is for i communicating at once; without curves, `constant` for any number above
 * 0. */
struct rc_delay {
    struct rc_delay_curve curves[RC_DELAY_CURVES_MAX];
    size_t n;
    double constant;
};

/* Assumptions of an answer. */
enum rc_delay_note {
    RC_DELAY_CLAMPED = 1, /* the line was negative: 0 */
    RC_DELAY_MORE = 2,    /* more communicate than there are curves: extrapolated */
    RC_DELAY_OUTSIDE = 4  /* k is outside of the measured range */
};

/* The delay by i communicating at once (i >= 0) at rate k.  Beyond the last curve, each further
 * one adds as much as the last one did.  `notes` (or NULL) gets a set of the above. */
double rc_slowdown_delay_at(const struct rc_delay *delay, size_t i, double k, unsigned *notes);

/* The curve for i at once as RC_DELAY_LINE points of a plot, with a gap (NAN) at the break. */
enum { RC_DELAY_LINE = 121 };
void rc_slowdown_delay_line(const struct rc_delay *delay, size_t i, double x[RC_DELAY_LINE],
                            double y[RC_DELAY_LINE]);

/* The curves of the paper's cluster of Alphas (Figure 2), whose k is in millions of words/s. */
void rc_slowdown_delay_paper(double word_bytes, struct rc_delay *delay);

struct rc_delay_point {
    double k, delay;
};

/* Fits a curve to points in any order: the break and both lines with the least sum of squares,
 * or one line if a second one is not significant (F test, 5 %) or with fewer than six points.
 * `error_sd` (or NULL) gets the standard deviation of the residuals. */
int rc_slowdown_delay_fit(const struct rc_delay_point *points, size_t n,
                          struct rc_delay_curve *curve, double *error_sd, struct rc_error *error);

/* ---- rates as the paper gives them, in words a second, and delays by name ---- */

enum { RC_WORD_BYTES = 4 }; /* by default; the paper does not state it */

/* Reads a rate above 0: as base/unit.h does, or "0.45Mw/s", "450kw/s", "2w/s" in words of
 * word_bytes.  In bytes/s. */
int rc_slowdown_word_rate_parse(const char *text, double word_bytes, double *rate,
                                struct rc_error *error);

/* Whether a text (or NULL) is a number without a unit: bytes/s. */
bool rc_slowdown_rate_is_bare(const char *text);

/* Whether a text (or NULL) is a rate in words. */
bool rc_slowdown_word_rate_is(const char *text);

/* Reads a delay: a constant >= 0 (or a percentage), or "alpha-farm", the curves of the paper
 * (rc_slowdown_delay_paper()).  1: read; 0: neither; it may be a file. */
int rc_slowdown_delay_parse(const char *text, double word_bytes, struct rc_delay *delay,
                            struct rc_error *error);

#endif
