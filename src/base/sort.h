// SPDX-License-Identifier: GPL-3.0-or-later
/* sort.h - numbers in rising order. */
#ifndef RC_BASE_SORT_H
#define RC_BASE_SORT_H

#include <stddef.h>

/* Increasing order; -0 comes before 0, and NAN at either end. Cannot fail: without memory for the
 * fast way, it takes longer. */
void rc_sort_doubles(double *values, size_t n);

#endif
