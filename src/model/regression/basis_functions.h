// SPDX-License-Identifier: GPL-3.0-or-later
/* basis_functions.h - the functions that models are put together from.
 *
 * A model is a sum of terms, and a term is a number (its coefficient) times a function of the
 * problem size and of each further parameter, divided by functions of the processes, of the
 * available bandwidth and, where it is computation, by the available CPU: Eq. (1) of H. A.
 * Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid scheduling",
 * J. Parallel Distrib. Comput. 68 (2008), with the functions of N taken apart into what they are
 * sums of. */
#ifndef RC_MODEL_REGRESSION_BASIS_FUNCTIONS_H
#define RC_MODEL_REGRESSION_BASIS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Functions of the problem size, which multiply.  0 is 1; the paper's are those before
 * RC_REGRESSION_SIZES_PAPER. */
enum { RC_REGRESSION_SIZES_PAPER = 12, RC_REGRESSION_SIZES = 17 };
/* Functions of the number of processes, which divide.  0 is 1; Table 1 is 1 to 16. */
enum { RC_REGRESSION_PROCS_PAPER = 17, RC_REGRESSION_PROCS = 24 };
/* Functions of the bandwidth, which divide.  0 is 1; Table 2 is 1 to 8. */
enum { RC_REGRESSION_WIDTHS = 9, RC_REGRESSION_WIDTH_BW = 2 /* the bandwidth itself */ };
/* Functions of a further parameter, which multiply.  0 is 1. */
enum { RC_REGRESSION_FACTORS = 10 };

/* What they are called, for people: "n^2 log n"; what multiplies by 1 is "".  Of those that divide,
 * the name is that of the divisor: "bw".  Those of the processes have a part above the line of a
 * fraction and one below: 1 / (P / log P) is "log P" above and "P" below. */
const char *rc_regression_size_name(unsigned function);
const char *rc_regression_procs_above(unsigned function);
const char *rc_regression_procs_below(unsigned function);
const char *rc_regression_width_name(unsigned function);
/* With % for the parameter's name. */
const char *rc_regression_factor_name(unsigned function);

/* Their values.  Not positive, or not finite, where the function means nothing there: the
 * logarithm of a bandwidth below 1, for example.  Logarithms are to base 2.  Functions of one
 * process are 1, so that those with a logarithm have a value there. */
double rc_regression_size(unsigned function, double n);
double rc_regression_procs(unsigned function, double p);
double rc_regression_width(unsigned function, double bw);
double rc_regression_factor(unsigned function, double x);

/* How unlikely a function is before anything was measured, from 0: what programs are known to do
 * costs little.  In units of a logarithm of probability. */
double rc_regression_size_penalty(unsigned function, bool computation);
double rc_regression_procs_penalty(unsigned function, bool computation);
double rc_regression_width_penalty(unsigned function);
double rc_regression_factor_penalty(unsigned function);

/* The power of n in a function of the size, a logarithm counting a little. */
double rc_regression_size_degree(unsigned function);

#endif
