// SPDX-License-Identifier: GPL-3.0-or-later
/* error_intervals.c - intervals from past errors.
 *
 * Conformal: the interval of 90 % is the shortest that held 90 % of the last 256 errors, which are
 * measured in units of a scale (what is usual, more in restless times).  As the series drifts this
 * would hold less than 90 %, so each level is widened a little after each miss and narrowed after
 * each hit, in the proportion that keeps misses at their share in the long run (I. Gibbs and E.
 * Candes, "Adaptive conformal inference under distribution shift", NeurIPS 2021; here it is the
 * width that adapts, by a factor, rather than the share).  Errors that overlap move it the less.
 *
 * The ring begins with quantiles of a two-sided exponential distribution, rather too wide, which
 * the first errors join and later ones replace. */
#include "forecast/error_intervals.h"

#include <math.h>
#include <string.h>

#include "forecast/recent_history.h"

const double rc_forecast_levels[RC_FORECAST_LEVELS] = {0.5, 0.8, 0.9, 0.95};

enum { BELIEVED = 32, SPLITS = 16, SPLIT_EVERY = 8 };
#define TOO_WIDE 1.8
#define MEMORY 400.0  /* errors */
#define ADAPT 0.012   /* how much a miss at 10 % widens, before overlap */
#define WIDEST 2.0    /* the most that it comes to, either way */
#define FARTHEST 20.0 /* scaled errors beyond this count as this */
#define SHIFT 0.3     /* how far the split moves at once */

void rc_forecast_errors_init(struct rc_forecast_errors *errors)
{
    memset(errors, 0, sizeof *errors);
    for (size_t i = 0; i < BELIEVED; i++) {
        double p = ((double)i + 0.5) / BELIEVED;

        errors->sorted[i] = TOO_WIDE * (p < 0.5 ? log(2 * p) : -log(2 - 2 * p));
        errors->ring[i * 13 % BELIEVED] = errors->sorted[i]; /* so that they leave evenly */
    }
    errors->kept = errors->next = BELIEVED;
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        errors->below[k] = 0.5;
        errors->wider[k] = 1;
    }
}

double rc_forecast_errors_scale(const struct rc_forecast_errors *errors, double restless)
{
    return errors->usual * pow(restless, RC_FORECAST_RESTLESS);
}

double rc_forecast_errors_quantile(const struct rc_forecast_errors *errors, double p)
{
    double at = p * ((double)errors->kept + 1) - 1;
    size_t i;

    if (at <= 0)
        return errors->sorted[0];
    if (at >= (double)errors->kept - 1)
        return errors->sorted[errors->kept - 1];
    i = (size_t)at;
    return errors->sorted[i] + (at - (double)i) * (errors->sorted[i + 1] - errors->sorted[i]);
}

/* The interval that leaves out a share, of which a part lies below. */
static void between(const struct rc_forecast_errors *errors, double outside, double below,
                    double reach[2])
{
    reach[0] = fmin(rc_forecast_errors_quantile(errors, outside * below), 0);
    reach[1] = fmax(rc_forecast_errors_quantile(errors, 1 - outside * (1 - below)), 0);
}

/* The same for a level that is watched, widened, and grown where a lower level reaches further:
 * each level learns for itself, but what holds with 80 % holds with 90 %. */
static void grow(const struct rc_forecast_errors *errors, size_t k, double reach[2])
{
    double own[2];

    between(errors, 1 - rc_forecast_levels[k], errors->below[k], own);
    reach[0] = fmin(reach[0], errors->wider[k] * own[0]);
    reach[1] = fmax(reach[1], errors->wider[k] * own[1]);
}

void rc_forecast_errors_reach(const struct rc_forecast_errors *errors, double level,
                              double reach[2])
{
    const double *levels = rc_forecast_levels;
    size_t k = 0;
    double part, below, wider, own[2];

    while (k + 2 < RC_FORECAST_LEVELS && levels[k + 1] < level)
        k++;
    part = fmin(fmax((level - levels[k]) / (levels[k + 1] - levels[k]), 0), 1);
    below = (1 - part) * errors->below[k] + part * errors->below[k + 1];
    wider = (1 - part) * errors->wider[k] + part * errors->wider[k + 1];
    between(errors, 1 - level, below, own);
    reach[0] = wider * own[0];
    reach[1] = wider * own[1];
    for (size_t i = 0; i < RC_FORECAST_LEVELS && levels[i] < level; i++)
        grow(errors, i, reach);
}

void rc_forecast_errors_claim(const struct rc_forecast_errors *errors, double answer, double scale,
                              struct rc_forecast_claim *claim)
{
    double reach[2] = {0, 0};

    claim->answer = answer;
    claim->scale = scale;
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        grow(errors, k, reach);
        claim->ends[k][0] = answer + scale * reach[0];
        claim->ends[k][1] = answer + scale * reach[1];
    }
}

/* Moves each split towards the one that makes its interval the shortest. */
static void split(struct rc_forecast_errors *errors)
{
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        double least = INFINITY, best = 0.5;

        for (size_t i = 0; i <= SPLITS; i++) {
            double below = (double)i / SPLITS, reach[2];

            between(errors, 1 - rc_forecast_levels[k], below, reach);
            if (reach[1] - reach[0] < least) {
                least = reach[1] - reach[0];
                best = below;
            }
        }
        errors->below[k] += SHIFT * (best - errors->below[k]);
    }
}

static void keep(struct rc_forecast_errors *errors, double error)
{
    if (errors->kept == RC_FORECAST_ERRORS)
        rc_forecast_sorted_remove(errors->sorted, &errors->kept, errors->ring[errors->next]);
    rc_forecast_sorted_add(errors->sorted, &errors->kept, error);
    errors->ring[errors->next] = error;
    errors->next = (errors->next + 1) % RC_FORECAST_ERRORS;
}

void rc_forecast_errors_judge(struct rc_forecast_errors *errors,
                              const struct rc_forecast_claim *claim, double came, double overlap)
{
    double error = came - claim->answer;

    errors->n++;
    errors->usual += fmax(1 / (double)errors->n, 1 / MEMORY) * (fabs(error) - errors->usual);
    if (claim->scale > 0)
        keep(errors, fmin(fmax(error / claim->scale, -FARTHEST), FARTHEST));
    else if (error == 0)
        keep(errors, 0);
    else
        return; /* nothing was known of errors then, so nothing was claimed */
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        double outside = 1 - rc_forecast_levels[k];
        double missed = came < claim->ends[k][0] || came > claim->ends[k][1];

        errors->wider[k] *= exp(ADAPT / overlap * (missed / outside - 1));
        errors->wider[k] = fmin(fmax(errors->wider[k], 1 / WIDEST), WIDEST);
    }
    if (errors->n % SPLIT_EVERY == 0)
        split(errors);
}
