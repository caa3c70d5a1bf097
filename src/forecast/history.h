// SPDX-License-Identifier: GPL-3.0-or-later
/* history.h - the recent past of an even series, in bounded memory, and what is often asked of it.
 */
#ifndef RC_FORECAST_HISTORY_H
#define RC_FORECAST_HISTORY_H

#include <stddef.h>
#include <stdint.h>

enum {
    RC_FC_RING = 1024, /* values that are kept; a power of 2 */
    RC_FC_SORTED = 5,  /* windows that are kept sorted */
    RC_FC_SORTED_MAX = 121
};
#define RC_FC_DAY 86400.0

/* A sliding window, sorted. */
struct rc_fc_sorted {
    size_t n;
    double values[RC_FC_SORTED_MAX];
};

struct rc_fc_history {
    uint64_t n;                /* values so far */
    double step;               /* seconds between them; 0 where that is not known */
    double clock;              /* when the last one was, in seconds */
    double mean;               /* of all of them */
    double low, high;          /* the least and the largest of all */
    double values[RC_FC_RING]; /* value i at i % RC_FC_RING */
    double sums[RC_FC_RING];   /* of the values up to and with it, from some beginning */
    struct rc_fc_sorted sorted[RC_FC_SORTED];
};

/* The lengths of the sorted windows. */
extern const size_t rc_fc_sorted_lengths[RC_FC_SORTED];

/* `clock`: when the value before the first one would have been. */
void rc_fc_history_init(struct rc_fc_history *past, double step, double clock);
/* `value` is finite. */
void rc_fc_history_add(struct rc_fc_history *past, double value);

/* The value `lag` before the last one; lag < min(n, RC_FC_RING). */
static inline double rc_fc_back(const struct rc_fc_history *past, size_t lag)
{
    return past->values[(past->n - 1 - lag) % RC_FC_RING];
}

/* The sum and the mean of the last `length` values, or of all that are kept where these are fewer;
 * length < RC_FC_RING. */
double rc_fc_window_sum(const struct rc_fc_history *past, size_t length);
double rc_fc_window_mean(const struct rc_fc_history *past, size_t length);

/* The sorted window of that length, which is one of the above. */
const struct rc_fc_sorted *rc_fc_sorted_window(const struct rc_fc_history *past, size_t length);

double rc_fc_sorted_median(const struct rc_fc_sorted *window);
/* The mean without the given share at either end. */
double rc_fc_sorted_trimmed(const struct rc_fc_sorted *window, double share);

#endif
