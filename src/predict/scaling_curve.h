// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_curve.h - predictions along one axis, size or number of processes, and the measured
 * runs.
 *
 * All but the axis is as in the question.  The axis is the one along which the app's runs vary
 * more; the curve covers these runs and the question. */
#ifndef RC_PREDICT_SCALING_CURVE_H
#define RC_PREDICT_SCALING_CURVE_H

#include "predict/predictor.h"

enum { RC_PREDICT_CURVE_POINTS = 25 };

/* A run whose other coordinate is that of the question or, of a near run, differs by at most 10 %.
 */
struct rc_predict_measured {
    double x, seconds;
};
struct rc_predict_measured_runs {
    struct rc_predict_measured *runs;
    size_t n, room;
};

struct rc_predict_curve {
    bool over_procs; /* x is the number of processes; otherwise the problem size */
    double x[RC_PREDICT_CURVE_POINTS], median[RC_PREDICT_CURVE_POINTS];
    double low[RC_PREDICT_CURVE_POINTS], high[RC_PREDICT_CURVE_POINTS]; /* of the 90 % interval */
    size_t n;
    struct rc_predict_measured_runs measured, near; /* successful runs */
    double near_low, near_high; /* the range of the other coordinate of near runs */
};

struct rc_predict_curve_setup {
    /* The curve is over the number of processes, and covers these; NULL: the runs decide. */
    const struct rc_range *procs;
    /* Sets the hosts of a question for its number of processes.  1: there is no room for it.  -1
     * where the system failed.  NULL: all have the same hosts. */
    int (*place)(void *data, struct rc_question *question, struct rc_error *error);
    void *data;
};

/* Asks the predictor along the axis; places where no method answers are left out.  The predictor's
 * latest answer is lost.  The question needs a size and a number of processes.  -1 where the system
 * failed, or where no place has an answer.  Free with rc_predict_curve_free(), also after that. */
int rc_predict_curve_make(struct rc_predictor *predictor, struct rc_db *db,
                          const struct rc_question *question,
                          const struct rc_predict_curve_setup *setup,
                          struct rc_predict_curve *curve, struct rc_error *error);
void rc_predict_curve_free(struct rc_predict_curve *curve);

#endif
