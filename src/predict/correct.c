// SPDX-License-Identifier: GPL-3.0-or-later
/* correct.c - a whole distribution moved to where a record says that it should be. */
#include "predict/correct.h"

#include <math.h>

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
