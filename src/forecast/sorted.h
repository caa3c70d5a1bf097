// SPDX-License-Identifier: GPL-3.0-or-later
/* sorted.h - numbers that are kept rising while some come and some go. */
#ifndef RC_FORECAST_SORTED_H
#define RC_FORECAST_SORTED_H

#include <stddef.h>

/* Puts a number into its place among `*n` rising ones; there is room for one more. */
void rc_forecast_sorted_add(double *values, size_t *n, double value);
/* Takes out one that is among them. */
void rc_forecast_sorted_remove(double *values, size_t *n, double value);

#endif
