// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_score.c - the accuracy of predictions. */
#include "predict/prediction_score.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* No more errors than this are stored: of 65536, the 90th percentile is known to 0.2 % of rank. */
enum { KEPT_MAX = 1 << 16 };

int rc_predict_score_begin(struct rc_score *score, struct rc_error *error)
{
    *score = (struct rc_score){.random = rc_random_create(1, 0)};
    score->kept = malloc(KEPT_MAX * sizeof *score->kept);
    return score->random && score->kept ? 0 : rc_error_no_memory(error);
}

void rc_predict_score_free(struct rc_score *score)
{
    rc_random_destroy(score->random);
    free(score->kept);
    *score = (struct rc_score){0};
}

double rc_predict_score_error(double predicted, double came)
{
    return fabs(predicted - came) / came;
}

void rc_predict_score_add(struct rc_score *score, double predicted, double low, double high,
                          double came)
{
    double error = rc_predict_score_error(predicted, came), change;
    uint64_t place;

    score->n++;
    change = error - score->mean;
    score->mean += change / (double)score->n;
    score->squares += change * (error - score->mean);
    score->under_30 += error < 0.3;
    if (!isnan(low) && !isnan(high)) {
        score->with_interval++;
        score->held += low <= came && came <= high;
        score->width += ((high - low) / predicted - score->width) / (double)score->with_interval;
    }
    place = score->n_kept < KEPT_MAX ? score->n_kept++ : rc_random_below(score->random, score->n);
    if (place < KEPT_MAX)
        score->kept[place] = error;
}

void rc_predict_score_add_killed(struct rc_score *score, double high, double at_least)
{
    score->killed++;
    score->killed_beyond += at_least > high;
}

void rc_predict_score_report(const struct rc_score *score, struct rc_predict_score_report *report)
{
    double n = (double)score->n, at = ceil(0.9 * (double)score->n_kept) - 1;

    *report = (struct rc_predict_score_report){.n = score->n,
                                               .n_killed = score->killed,
                                               .mean = NAN,
                                               .sd = NAN,
                                               .p90 = NAN,
                                               .under_30 = NAN,
                                               .held = NAN,
                                               .width = NAN};
    if (score->n == 0)
        return;
    gsl_sort(score->kept, 1, score->n_kept);
    report->mean = score->mean;
    report->sd = score->n > 1 ? sqrt(score->squares / (n - 1)) : (double)NAN;
    report->p90 = score->kept[at > 0 ? (size_t)at : 0];
    report->under_30 = (double)score->under_30 / n;
    if (score->with_interval > 0) {
        report->held = (double)score->held / (double)(score->with_interval + score->killed_beyond);
        report->width = score->width;
    }
}
