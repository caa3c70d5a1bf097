// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit.c - the time limit to ask for. */
#include "predict/time_limit.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

enum {
    PAST_MOST = 1000, /* the latest predictions that count */
    TAIL_LEAST = 5,   /* samples that a tail is continued from */
    DRAWN = 1000      /* samples that quantiles are of */
};
static const double tail_share = 0.1;
static const double level_least = 0.1; /* of the risk */
static const double certain = 2;       /* standard errors from chance */

/* ---- samples alone ---- */

/* Continues the tail of n samples to the probability `risk` that is left. */
static double continue_tail(const double *samples, size_t n, double risk)
{
    size_t k = (size_t)(tail_share * (double)n), from;
    double exponent = 0;

    if (k < TAIL_LEAST)
        k = TAIL_LEAST;
    if (k >= n)
        k = n - 1;
    from = n - 1 - k;
    for (size_t i = from + 1; i < n; i++)
        exponent += log(samples[i] / samples[from]) / (double)k;
    return fmax(samples[from] * pow((double)k / ((double)(n + 1) * risk), exponent),
                samples[n - 1]);
}

static double own_quantile(const double *samples, size_t n, double risk, bool *continued)
{
    double rank = ceil((1 - risk) * (double)(n + 1) - 1e-9);

    *continued = rank > (double)n && n > 1;
    if (rank <= (double)n)
        return samples[(size_t)rank - 1];
    return n > 1 ? continue_tail(samples, n, risk) : samples[0];
}

/* ---- track records ---- */

/* The probability beyond a quantile of a row; the last one is the largest of some thousand samples.
 */
static double left_at(size_t i, size_t n)
{
    return i + 1 < n ? 1 - (double)i / (double)(n - 1) : 1.0 / (DRAWN + 1);
}

struct rc_time_limit_past rc_predict_time_limit_past_of(const double *quantiles, size_t n,
                                                        double came)
{
    double last = quantiles[n - 1], part;
    size_t i = 0;

    if (came < quantiles[0])
        return (struct rc_time_limit_past){1, came / last};
    if (came >= last)
        return (struct rc_time_limit_past){came > last ? 0 : left_at(n - 1, n), came / last};
    while (quantiles[i + 1] <= came)
        i++;
    part = (came - quantiles[i]) / (quantiles[i + 1] - quantiles[i]);
    return (struct rc_time_limit_past){
        exp((1 - part) * log(left_at(i, n)) + part * log(left_at(i + 1, n))), came / last};
}

/* The probability of the model at which the actual risk is the required one.  `beyond` rises.  The
 * track record is pooled with 1 / risk predictions that are distributed as in the model. */
static double find_level(const double *beyond, size_t n, double risk)
{
    double as_many = 1 / risk, next = (double)n / ((double)n + as_many);
    double may = risk * ((double)n + as_many + next) - next, level = 0;

    for (size_t k = 0; k <= n && may > (double)k; k++)
        level = fmax(level, fmin((may - (double)k) / as_many, k < n ? beyond[k] : 1));
    return level;
}

/* By how much runs exceed all samples, if more do than the risk allows, and not by chance.  `over`
 * rises. */
static double find_factor(const double *over, size_t n, double risk)
{
    double usual = risk * (double)n;
    size_t allowed = (size_t)(risk * (double)(n + 1)), beyond = 0;

    while (beyond < n && over[n - 1 - beyond] > 1)
        beyond++;
    if ((double)beyond <= usual + certain * sqrt(usual) + 1)
        return 1;
    return fmax(over[n - 1 - allowed], 1);
}

static int learn(const double *samples, size_t n, double risk,
                 const struct rc_time_limit_past *past, size_t n_past,
                 struct rc_time_limit *time_limit, struct rc_error *error)
{
    double *beyond = calloc(2 * n_past, sizeof *beyond), *over = beyond + n_past, level;

    if (!beyond)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_past; i++) {
        beyond[i] = past[i].beyond;
        over[i] = past[i].over;
    }
    rc_sort_doubles(beyond, n_past);
    rc_sort_doubles(over, n_past);
    /* Beyond the samples, they have no information. */
    level = fmax(find_level(beyond, n_past, risk), fmax(level_least * risk, 1.0 / (DRAWN + 1)));
    time_limit->n_past = n_past;
    time_limit->seconds = own_quantile(samples, n, fmin(level, 1 - 1e-9), &time_limit->continued) *
                          find_factor(over, n_past, risk);
    free(beyond);
    return 0;
}

int rc_predict_time_limit_find(const double *samples, size_t n, double risk,
                               const struct rc_time_limit_past *past, size_t n_past,
                               struct rc_time_limit *time_limit, struct rc_error *error)
{
    size_t ended = n;

    *time_limit = (struct rc_time_limit){.seconds = INFINITY, .own = INFINITY};
    while (ended > 0 && !isfinite(samples[ended - 1]))
        ended--;
    if (ended < n && (double)(n - ended) >= risk * (double)n)
        return 0;
    time_limit->own = own_quantile(samples, ended, risk - (double)(n - ended) / (double)n,
                                   &time_limit->continued);
    time_limit->seconds = time_limit->own;
    if (n_past > PAST_MOST) {
        past += n_past - PAST_MOST;
        n_past = PAST_MOST;
    }
    return n_past ? learn(samples, ended, risk, past, n_past, time_limit, error) : 0;
}

double rc_predict_time_limit_round(double seconds)
{
    return isfinite(seconds) ? 60 * ceil(seconds / 60 - 1e-9) : seconds;
}
