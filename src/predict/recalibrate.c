// SPDX-License-Identifier: GPL-3.0-or-later
/* recalibrate.c - predictions that learn from how earlier ones fared. */
#include "predict/recalibrate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

/* No end moves so far inward that less than this part of its distance is left: a run of luck. */
static const double inward_most = 0.9;
/* A factor this many standard errors from 1 may be chance; that many are certain. */
static const double chance = 1, certain = 3;
/* Of a normal: its standard deviation over the median absolute deviation, and the standard error of
 * the median over that of the mean. */
static const double sd_of_mad = 1.4826, median_of_mean = 1.2533;
/* Shares of the prediction: an end is at least so large and, as a unit of distances, at least so far
 * from the prediction. */
static const double least = 0.01;

/* The quantile that the next of n + 1 alike values does not exceed with probability p.  Between two
 * of them it is in between: to take the upper one always, as proofs need it, would hold too often,
 * by up to 5 of 100 intervals where there are 20 to 40 values.  Of fewer values than p needs, the
 * largest, and 0 at least, to be careful. */
static double next_quantile(double *values, size_t n, double p)
{
    double rank = p * (double)(n + 1), part = rank - floor(rank);
    size_t below = (size_t)rank;

    rc_sort_doubles(values, n);
    if (below >= n)
        return rank <= (double)n ? values[n - 1] : fmax(values[n - 1], 0);
    return values[below - 1] + part * (values[below] - values[below - 1]);
}

static double median(double *values, size_t n)
{
    rc_sort_doubles(values, n);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

double rc_predict_past_factor(const struct rc_past_prediction *past, size_t n, double *scratch)
{
    double middle, spread, far;

    for (size_t i = 0; i < n; i++)
        scratch[i] = past[i].came / past[i].predicted;
    middle = median(scratch, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(log(past[i].came / past[i].predicted / middle));
    spread = sd_of_mad * median(scratch, n) * median_of_mean / sqrt((double)n);
    far = (fabs(log(middle)) - chance * spread) / ((certain - chance) * spread);
    if (!(far < 1)) /* also where all are alike */
        return middle;
    return far > 0 ? pow(middle, far) : 1;
}

/* The distance of the run time from the prediction, relative to that of the end on its side. */
static double distance(const struct rc_past_prediction *past, double factor)
{
    double came = past->came / factor, from = past->predicted;
    double end = came < from ? from - past->low : past->high - from;

    return fabs(came - from) / fmax(end, least * from);
}

/* The factor for both ends with which the intervals contain the required share of the run times. */
static void learn_scale(const struct rc_past_prediction *past, double level, double *scratch,
                        struct rc_recalibration *learnt)
{
    for (size_t i = 0; i < learnt->n; i++)
        scratch[i] = distance(&past[i], learnt->factor);
    learnt->scale = fmax(next_quantile(scratch, learnt->n, level), 1 - inward_most);
}

/* How far each end moves. */
static void learn_moves(const struct rc_past_prediction *past, double level, double *scratch,
                        struct rc_recalibration *learnt)
{
    double side = 0.5 + 0.5 * level;

    for (size_t i = 0; i < learnt->n; i++)
        scratch[i] = (past[i].low - past[i].came / learnt->factor) / past[i].predicted;
    learnt->low = next_quantile(scratch, learnt->n, side);
    for (size_t i = 0; i < learnt->n; i++)
        scratch[i] = (past[i].came / learnt->factor - past[i].high) / past[i].predicted;
    learnt->high = next_quantile(scratch, learnt->n, side);
}

static int learn(const struct rc_past_prediction *past, size_t n, double level, bool ends,
                 struct rc_recalibration *learnt, struct rc_error *error)
{
    size_t kept = n < RC_RECALIBRATE_MOST ? n : RC_RECALIBRATE_MOST;
    double *scratch;

    *learnt = (struct rc_recalibration){.factor = 1, .scale = 1};
    if (kept < RC_RECALIBRATE_LEAST)
        return 0;
    scratch = malloc(kept * sizeof *scratch);
    if (!scratch)
        return rc_error_no_memory(error);
    past += n - kept;
    learnt->n = kept;
    learnt->factor = ends ? 1 : rc_predict_past_factor(past, kept, scratch);
    if (kept < RC_RECALIBRATE_ENDS)
        learn_scale(past, level, scratch, learnt);
    else
        learn_moves(past, level, scratch, learnt);
    free(scratch);
    return 0;
}

int rc_predict_recalibrate_learn(const struct rc_past_prediction *past, size_t n, double level,
                                 struct rc_recalibration *learnt, struct rc_error *error)
{
    return learn(past, n, level, false, learnt, error);
}

int rc_predict_recalibrate_learn_ends(const struct rc_past_prediction *past, size_t n, double level,
                                      struct rc_recalibration *learnt, struct rc_error *error)
{
    return learn(past, n, level, true, learnt, error);
}

/* The scaled distance of an end from the prediction; inverse to distance(). */
static double scaled(double end, double from, double scale)
{
    return scale > 1 ? scale * fmax(end, least * from) : scale * end;
}

void rc_predict_recalibrate(const struct rc_recalibration *learnt, double *predicted, double *low,
                            double *high)
{
    double from = *predicted, down = from - *low, up = *high - from;

    if (learnt->n == 0)
        return;
    assert(learnt->scale > 0);
    *low = from - scaled(down, from, learnt->scale) - fmax(learnt->low * from, -inward_most * down);
    *low = fmax(*low, least * from);
    *high = from + scaled(up, from, learnt->scale) + fmax(learnt->high * from, -inward_most * up);
    *predicted = learnt->factor * fmin(fmax(from, *low), *high);
    *low *= learnt->factor;
    *high *= learnt->factor;
}

/* ---- a whole distribution ---- */

/* The point that is so far from the middle, on a scale where the end is at 1. */
static double place(double draw, double part, double middle, double end)
{
    double whole = end - middle;

    if (fabs(whole) > 1e-9 * middle)
        return fmax((draw - middle) / whole, 0);
    return fabs(part - 0.5) / 0.45; /* there is no spread: by its rank */
}

/* Puts draws, which rise, where the summary has gone from `own`. */
static void move_draws(const struct rc_predict_summary *own,
                       const struct rc_predict_summary *summary, double *draws, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double part = ((double)i + 0.5) / (double)n;
        bool below = draws[i] < own->predicted || (draws[i] == own->predicted && part < 0.5);
        double end = below ? summary->lo90 : summary->hi90;
        double far = place(draws[i], part, own->predicted, below ? own->lo90 : own->hi90);

        draws[i] = rc_predict_as_time(summary->predicted + far * (end - summary->predicted));
    }
}

void rc_predict_correct(const struct rc_recalibration *learnt, double *draws, size_t n,
                        struct rc_predict_summary *summary)
{
    struct rc_predict_summary own = *summary;
    double sum = 0;

    if (learnt->n == 0)
        return;
    rc_predict_recalibrate(learnt, &summary->predicted, &summary->lo90, &summary->hi90);
    move_draws(&own, summary, draws, n);
    for (size_t i = 0; i < n; i++)
        sum += draws[i];
    summary->mean = sum / (double)n;
}

/* ---- one run after the other ---- */

struct turn {
    double start, end;
    size_t index;
};

static int by_end(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    return x->end != y->end ? (x->end > y->end) - (x->end < y->end)
                            : (x->index > y->index) - (x->index < y->index);
}

/* The runs of known start, by their ends, and their predictions in the same order. */
static size_t order_by_end(const struct rc_past_run *runs, size_t n, struct turn *turns,
                           struct rc_past_prediction *past)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(runs[i].start))
            turns[known++] =
                (struct turn){runs[i].start, runs[i].start + runs[i].prediction.came, i};
    qsort(turns, known, sizeof *turns, by_end);
    for (size_t i = 0; i < known; i++)
        past[i] = runs[turns[i].index].prediction;
    return known;
}

/* How many of them had ended by then. */
static size_t ended_by(const struct turn *turns, size_t n, double time)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (turns[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int rc_predict_recalibrate_in_turn(struct rc_past_run *runs, size_t n, double level,
                                   struct rc_error *error)
{
    struct turn *turns = calloc(n + 1, sizeof *turns);
    struct rc_past_prediction *past = calloc(n + 1, sizeof *past);
    int status = turns && past ? 0 : rc_error_no_memory(error);
    size_t known = status == 0 ? order_by_end(runs, n, turns, past) : 0;

    for (size_t i = 0; i < known && status == 0; i++) {
        struct rc_past_prediction *now = &runs[turns[i].index].prediction;
        struct rc_recalibration learnt;

        status = rc_predict_recalibrate_learn(past, ended_by(turns, known, turns[i].start), level,
                                              &learnt, error);
        if (status == 0)
            rc_predict_recalibrate(&learnt, &now->predicted, &now->low, &now->high);
    }
    free(past);
    free(turns);
    return status;
}
