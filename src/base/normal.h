// SPDX-License-Identifier: GPL-3.0-or-later
/* normal.h - the tail of the standard normal distribution, without underflow at any bound. */
#ifndef RC_BASE_NORMAL_H
#define RC_BASE_NORMAL_H

/* The value above `bound` with the share `part` of the values above it below it; 0 < part < 1. */
double rc_normal_above(double bound, double part);

/* The mean of the values above `bound`. */
double rc_normal_mean_above(double bound);

/* The logarithm of the share below `bound`. */
double rc_normal_log_below(double bound);

#endif
