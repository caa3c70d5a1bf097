// SPDX-License-Identifier: GPL-3.0-or-later
/* recent_history.h - the recent past of an even series, in bounded memory, and what is often asked
 * of it. */
#ifndef RC_FORECAST_RECENT_HISTORY_H
#define RC_FORECAST_RECENT_HISTORY_H

#include <stddef.h>
#include <stdint.h>

enum {
    RC_FORECAST_RING = 1024, /* values that are kept; a power of 2 */
    RC_FORECAST_SORTED = 5,  /* windows that are kept sorted */
    RC_FORECAST_SORTED_MAX = 121
};
#define RC_FORECAST_DAY 86400.0

/* A sliding window, sorted. */
struct rc_forecast_sorted {
    size_t n;
    double values[RC_FORECAST_SORTED_MAX];
};

struct rc_forecast_history {
    uint64_t n;                      /* values so far */
    double step;                     /* seconds between them; 0 where that is not known */
    double clock;                    /* when the last one was, in seconds */
    double mean;                     /* of all of them */
    double low, high;                /* the least and the largest of all */
    double values[RC_FORECAST_RING]; /* value i at i % RC_FORECAST_RING */
    double sums[RC_FORECAST_RING];   /* of the values up to and with it, from some beginning */
    struct rc_forecast_sorted sorted[RC_FORECAST_SORTED];
};

/* The lengths of the sorted windows. */
extern const size_t rc_forecast_sorted_lengths[RC_FORECAST_SORTED];

/* `clock`: when the value before the first one would have been. */
void rc_forecast_history_init(struct rc_forecast_history *past, double step, double clock);
/* `value` is finite. */
void rc_forecast_history_add(struct rc_forecast_history *past, double value);

/* The value `lag` before the last one; lag < min(n, RC_FORECAST_RING). */
static inline double rc_forecast_back(const struct rc_forecast_history *past, size_t lag)
{
    return past->values[(past->n - 1 - lag) % RC_FORECAST_RING];
}

/* The mean of the last `length` values, or of all that are kept where these are fewer;
 * length < RC_FORECAST_RING. */
double rc_forecast_window_mean(const struct rc_forecast_history *past, size_t length);

/* The sorted window of that length, which is one of the above. */
const struct rc_forecast_sorted *rc_forecast_sorted_window(const struct rc_forecast_history *past,
                                                           size_t length);

/* The median of a window that is not empty. */
double rc_forecast_sorted_median(const struct rc_forecast_sorted *window);
/* The mean without the given share at either end. */
double rc_forecast_sorted_trimmed(const struct rc_forecast_sorted *window, double share);

/* Puts a number into its place among `*n` rising ones; there is room for one more. */
void rc_forecast_sorted_add(double *values, size_t *n, double value);
/* Takes out one that is among them. */
void rc_forecast_sorted_remove(double *values, size_t *n, double value);

#endif
