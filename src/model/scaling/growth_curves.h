// SPDX-License-Identifier: GPL-3.0-or-later
/* growth_curves.h - the forms that times may take as work or processes grow.
 *
 * Growth with processes has one parameter: phi_k(np) = (np^k - 1) / (k ln 2), which is log2 np for
 * k = 0 (Eq. 3), like a root for k = 1/2 and linearly for k = 1; so the uncertainty of the form
 * is one number that can be sampled. */
#ifndef RC_MODEL_SCALING_GROWTH_CURVES_H
#define RC_MODEL_SCALING_GROWTH_CURVES_H

#include <stdbool.h>
#include <stddef.h>

enum rc_scaling_form {
    RC_FORM_LINEAR,
    RC_FORM_LOG2, /* of work: w log2 w */
    RC_FORM_SQRT,
    RC_FORM_CONSTANT, /* of growth with processes alone */
    RC_FORM_POWER,    /* w^e, of work alone */
    RC_FORMS
};

/* phi_k(procs), for procs >= 1. */
double rc_scaling_growth(double k, double procs);
/* The k of a form of growth; NAN for RC_FORM_CONSTANT and RC_FORM_POWER. */
double rc_scaling_form_k(enum rc_scaling_form form);
/* "log2 np", "sqrt(np)", "np", "constant"; of work "w", "w log w", "sqrt(w)", "w^1.31". */
const char *rc_scaling_growth_name(enum rc_scaling_form form);
enum { RC_FORM_TEXT = 32 };
const char *rc_scaling_work_form_name(enum rc_scaling_form form, double exponent,
                                      char text[RC_FORM_TEXT]);

/* The line y = a + b x with the least sum of weight (y - line)^2, which is returned.  With weights
 * NULL all are 1.  Where all x are equal, b is 0. */
double rc_scaling_line(const double *x, const double *y, const double *weight, size_t n, double *a,
                       double *b);

/* The same of the lines with a >= 0 and b >= 0, for what neither falls nor is below 0: where the
 * best line would pass below 0 at x = 0, it is the best through 0; where it would fall, the mean.
 * All x are >= 0. */
double rc_scaling_line_rising(const double *x, const double *y, const double *weight, size_t n,
                              double *a, double *b);

/* Whether the largest x is at least twice the smallest: a line through less would be noise. */
bool rc_scaling_shows_line(const double *x, size_t n);
/* The line base + per_cell cells through what `n` blocks have in memory, with the least squares of
 * all that fall neither with cells nor below 0: memory that does not grow with the block is all
 * base.  Where blocks show no line, all of the largest is taken for its cells.  NAN and 0 where n
 * is 0. */
void rc_scaling_memory_line(const double *cells, const double *bytes, size_t n, double *per_cell,
                            double *base);

/* The exponent e, from 0.025 to 4.05, with which a + b x^e leaves the least squares; x > 0, and n
 * is at most RC_FORM_POINTS_MAX. */
enum { RC_FORM_POINTS_MAX = 256 };
double rc_scaling_exponent(const double *x, const double *y, const double *weight, size_t n);

#endif
