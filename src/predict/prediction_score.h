// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_score.h - the accuracy of predictions, in bounded memory.
 *
 * An error is |predicted - true| / true, a fraction of 1. */
#ifndef RC_PREDICT_PREDICTION_SCORE_H
#define RC_PREDICT_PREDICTION_SCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "runcast.h"

/* The absolute percentage error, as a fraction. */
double rc_predict_score_error(double predicted, double came);

struct rc_score {
    uint64_t n, held, under_30, with_interval, killed, killed_beyond;
    double mean, squares; /* of errors: their mean, and the sum of squared deviations from it */
    double width;         /* of intervals, relative, on average */
    double *kept;         /* errors: all or, of very many, a random part */
    size_t n_kept;
    struct rc_random *random;
};
/* -1 where memory runs out; to be freed either way. */
int rc_predict_score_begin(struct rc_score *score, struct rc_error *error);
void rc_predict_score_free(struct rc_score *score);

/* One prediction, and the run time that followed (> 0).  NAN for `low` and `high`: there was no
 * interval. */
void rc_predict_score_add(struct rc_score *score, double predicted, double low, double high,
                          double came);

/* A prediction whose run was killed after `at_least`: only the interval is judged, and only if the
 * run was longer. */
void rc_predict_score_add_killed(struct rc_score *score, double high, double at_least);

struct rc_predict_score_report {
    uint64_t n;
    uint64_t n_killed;    /* further runs, which were killed */
    double mean, sd, p90; /* of the errors, as fractions; NAN if there are none (sd: not two) */
    double under_30;      /* share of the errors below 30 % */
    double held;          /* coverage of the intervals; NAN: there were none */
    double width;         /* of intervals, on average, as compared with what was predicted */
};
void rc_predict_score_report(const struct rc_score *score, struct rc_predict_score_report *report);

#endif
