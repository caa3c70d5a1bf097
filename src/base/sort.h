// SPDX-License-Identifier: GPL-3.0-or-later
/* sort.h - numbers in rising order. */
#ifndef RC_BASE_SORT_H
#define RC_BASE_SORT_H

#include <stddef.h>

/* Rising; -0 comes before 0, and what is not a number at either end.  Cannot fail: where there is no
   memory to do it fast, it takes longer. */
void rc_sort_doubles(double *values, size_t n);

#endif
