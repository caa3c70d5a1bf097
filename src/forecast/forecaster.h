// SPDX-License-Identifier: GPL-3.0-or-later
/* forecaster.h - what a forecaster is; for this room alone.
 *
 * A forecaster answers two questions about an even series: what is the next value, and what is the
 * mean over the next `horizon` values.  The first is the second for a horizon of 1. */
#ifndef RC_FORECAST_FORECASTER_H
#define RC_FORECAST_FORECASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forecast/forecast.h"
#include "forecast/history.h"
#include "forecast/ladder.h"

struct rc_forecaster {
    const char *name;
    double parameter; /* a window, a gain, a memory: what tells it from others of its kind */
    size_t size;      /* bytes of its state, which begins as zeros; 0: it has none */
    /* Takes in the value that was just added to the history.  NULL: the history is all it needs. */
    void (*update)(const struct rc_forecaster *self, void *state, const struct rc_fc_history *past);
    /* The mean over the next `horizon` values, 1 <= horizon <= RC_FC_LONGEST, of a history that is
     * not empty.  The caller mends what is not finite or beyond all that was ever seen. */
    double (*mean)(const struct rc_forecaster *self, const void *state,
                   const struct rc_fc_history *past, size_t horizon);
    bool flat;   /* the answer is the same for every horizon */
    bool learns; /* it has much to learn before it is of use */
};

extern const struct rc_forecaster rc_forecasters[RC_FORECAST_PARTS];

/* The states of those that have one, and their functions, each in a file of its name. */
#define RC_FC_FUNCTIONS(kind)                                                                      \
    void rc_fc_##kind##_update(const struct rc_forecaster *self, void *state,                      \
                               const struct rc_fc_history *past);                                  \
    double rc_fc_##kind##_mean(const struct rc_forecaster *self, const void *state,                \
                               const struct rc_fc_history *past, size_t horizon)

/* Those that the history answers. */
#define RC_FC_SIMPLE(kind)                                                                         \
    double rc_fc_##kind##_mean(const struct rc_forecaster *self, const void *state,                \
                               const struct rc_fc_history *past, size_t horizon)
RC_FC_SIMPLE(last);
RC_FC_SIMPLE(running_mean);
RC_FC_SIMPLE(sliding_mean);
RC_FC_SIMPLE(sliding_median);
RC_FC_SIMPLE(trimmed_mean);
#undef RC_FC_SIMPLE

enum { RC_FC_WINDOWS = 18 };
struct rc_fc_adaptive_mean {
    double losses[RC_FC_WINDOWS], answers[RC_FC_WINDOWS];
    size_t at;
};
RC_FC_FUNCTIONS(adaptive_mean);

struct rc_fc_adaptive_median {
    double losses[RC_FC_SORTED], answers[RC_FC_SORTED];
    size_t at;
};
RC_FC_FUNCTIONS(adaptive_median);

struct rc_fc_smoothing {
    double level;
};
RC_FC_FUNCTIONS(smoothing);

struct rc_fc_trend {
    double level, slope;
};
RC_FC_FUNCTIONS(trend);

enum { RC_FC_ORDER = 16 };
struct rc_fc_autoregression {
    double mean;
    double covariance[RC_FC_ORDER + 1];
    double phi[RC_FC_ORDER];
    double weights[RC_FC_LADDER][RC_FC_ORDER]; /* of the last values in the mean over 2^k */
    size_t order;                              /* 0: not fitted yet */
};
RC_FC_FUNCTIONS(autoregression);

enum { RC_FC_BINS = 288 };
struct rc_fc_daily {
    double profile[RC_FC_BINS];  /* what is usual at that time of the day */
    double area[RC_FC_BINS + 1]; /* of the profile from midnight on, in bins */
    uint32_t visits[RC_FC_BINS]; /* days that it was seen on */
    size_t bin, n_bins;          /* the bin of the last value; 0 bins: not begun yet */
    double sum, count;           /* of the values in that bin so far */
    size_t known;                /* bins that were ever seen */
    double deviation;            /* of recent values from what is usual, smoothed */
};
RC_FC_FUNCTIONS(daily);
/* Whether every time of the day was seen; and what is usual, on average, from `from` to `to`
 * samples after the last value, which itself lasts from 0 to 1. */
bool rc_fc_daily_known(const struct rc_fc_daily *daily);
double rc_fc_daily_usual(const struct rc_fc_daily *daily, const struct rc_fc_history *past,
                         double from, double to);

enum { RC_FC_LEVELS = 8 };
struct rc_fc_switching {
    size_t n_levels;            /* 0: not fitted yet */
    double edges[RC_FC_LEVELS]; /* level i ends below edges[i]; of the last one, it is infinite */
    double centres[RC_FC_LEVELS];
    double usual[RC_FC_LADDER][RC_FC_LEVELS]; /* the mean over the next 2^k from level i */
    double own[RC_FC_LADDER][RC_FC_LEVELS];   /* the share of that time at level i itself */
    size_t level, since;                      /* where it is, and for how many values */
    double sum;                               /* of these */
};
RC_FC_FUNCTIONS(switching);

enum { RC_FC_FEATURES = 13 };
struct rc_fc_regression {
    struct rc_fc_model {
        double gram[RC_FC_FEATURES][RC_FC_FEATURES]; /* discounted sums of products of features */
        double moment[RC_FC_FEATURES];               /* ... and of features with what came */
        double weights[RC_FC_FEATURES];
        double spread; /* of its errors */
        uint64_t n;    /* pairs it has learned from */
        struct rc_fc_queue queue;
        struct rc_fc_pair {
            double features[RC_FC_FEATURES];
            double base, answer;
        } pending[RC_FC_PENDING];
    } models[RC_FC_LADDER];
    struct rc_fc_daily daily;
};
RC_FC_FUNCTIONS(regression);
#undef RC_FC_FUNCTIONS

#endif
