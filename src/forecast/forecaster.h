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
#include "forecast/recent_history.h"
#include "forecast/horizon_ladder.h"

struct rc_forecaster {
    const char *name;
    double parameter; /* a window, a gain or a memory */
    size_t size;      /* bytes of its state, which begins as zeros; 0: it has none */
    /* Takes in the value that was just added to the history.  NULL: the history is all it needs. */
    void (*update)(const struct rc_forecaster *self, void *state,
                   const struct rc_forecast_history *past);
    /* The mean over the next `horizon` values, 1 <= horizon <= RC_FORECAST_LONGEST, of a history
     * that is not empty.  The caller mends what is not finite or beyond all that was ever seen. */
    double (*mean)(const struct rc_forecaster *self, const void *state,
                   const struct rc_forecast_history *past, size_t horizon);
    bool flat;   /* the answer is the same for every horizon */
    bool learns; /* it has much to learn before it is of use */
};

extern const struct rc_forecaster rc_forecasters[RC_FORECAST_PARTS];

/* The states of those that have one, and their functions, each in a file of its name; those of the
 * others are in forecasters.c. */
#define RC_FORECAST_FUNCTIONS(kind)                                                                \
    void rc_forecast_##kind##_update(const struct rc_forecaster *self, void *state,                \
                                     const struct rc_forecast_history *past);                      \
    double rc_forecast_##kind##_mean(const struct rc_forecaster *self, const void *state,          \
                                     const struct rc_forecast_history *past, size_t horizon)

enum { RC_FORECAST_ORDER = 16 };
struct rc_forecast_autoregression {
    double mean;
    double covariance[RC_FORECAST_ORDER + 1];
    double phi[RC_FORECAST_ORDER];
    double weights[RC_FORECAST_LADDER]
                  [RC_FORECAST_ORDER]; /* of the last values in the mean over 2^k */
    size_t order;                      /* 0: not fitted yet */
};
RC_FORECAST_FUNCTIONS(autoregression);

enum { RC_FORECAST_BINS = 288 };
struct rc_forecast_daily {
    double profile[RC_FORECAST_BINS];  /* what is usual at that time of the day */
    double area[RC_FORECAST_BINS + 1]; /* of the profile from midnight on, in bins */
    uint32_t visits[RC_FORECAST_BINS]; /* days that it was seen on */
    size_t bin, n_bins;                /* the bin of the last value; 0 bins: not begun yet */
    double sum, count;                 /* of the values in that bin so far */
    size_t known;                      /* bins that were ever seen */
    double deviation;                  /* of recent values from what is usual, smoothed */
};
RC_FORECAST_FUNCTIONS(daily);
/* Whether every time of the day was seen; and what is usual, on average, from `from` to `to`
 * samples after the last value, which itself lasts from 0 to 1. */
bool rc_forecast_daily_known(const struct rc_forecast_daily *daily);
double rc_forecast_daily_usual(const struct rc_forecast_daily *daily,
                               const struct rc_forecast_history *past, double from, double to);

enum { RC_FORECAST_ERROR_LEVELS = 8 };
struct rc_forecast_switching {
    size_t n_levels; /* 0: not fitted yet */
    double edges
        [RC_FORECAST_ERROR_LEVELS]; /* level i ends below edges[i]; of the last one, it is infinite */
    double centres[RC_FORECAST_ERROR_LEVELS];
    double usual[RC_FORECAST_LADDER]
                [RC_FORECAST_ERROR_LEVELS]; /* the mean over the next 2^k from level i */
    double own[RC_FORECAST_LADDER]
              [RC_FORECAST_ERROR_LEVELS]; /* the share of that time at level i itself */
    size_t level, since;                  /* where it is, and for how many values */
    double sum;                           /* of these */
};
RC_FORECAST_FUNCTIONS(switching);

enum { RC_FORECAST_FEATURES = 13 };
struct rc_forecast_regression {
    struct rc_forecast_model {
        double gram[RC_FORECAST_FEATURES]
                   [RC_FORECAST_FEATURES];   /* discounted sums of products of features */
        double moment[RC_FORECAST_FEATURES]; /* ... and of features with what came */
        double weights[RC_FORECAST_FEATURES];
        double spread; /* of its errors */
        uint64_t n;    /* pairs it has learned from */
        struct rc_forecast_queue queue;
        struct rc_forecast_pair {
            double features[RC_FORECAST_FEATURES];
            double base, answer;
        } pending[RC_FORECAST_PENDING];
    } models[RC_FORECAST_LADDER];
    struct rc_forecast_daily daily;
};
RC_FORECAST_FUNCTIONS(regression);
#undef RC_FORECAST_FUNCTIONS

#endif
