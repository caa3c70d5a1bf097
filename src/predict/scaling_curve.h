// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_curve.h - predictions along one axis, size or number of processes, and the measured
 * runs.
 *
 * All but the axis is as in the question, also the load.  The axis is the one along which the app's
 * runs vary more; the curve covers these runs and the question.
 *
 * Ideal scaling and parallel efficiency compare predictions under the same load: for each point, the
 * fewest processes are predicted on its hosts, too.  Measured runs may have had another load. */
#ifndef RC_PREDICT_SCALING_CURVE_H
#define RC_PREDICT_SCALING_CURVE_H

#include "predict/predictor.h"
#include "predict/regression_source.h"

enum { RC_PREDICT_CURVE_POINTS = 25 };

/* A run with the parameters of the question. Its other coordinate is that of the question or, of a
 * near run, differs by at most 10 %. */
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
    /* Over the number of processes: relative to `base` processes, the fewest of a table or, without
     * one, of the curve; NAN for fewer processes. */
    bool scales; /* more processes shorten the run; otherwise, the rest has no meaning */
    double base;
    double ideal[RC_PREDICT_CURVE_POINTS];
    double efficiency[RC_PREDICT_CURVE_POINTS];     /* fractions of 1 */
    struct rc_predict_measured_runs measured, near; /* successful runs */
    double near_low, near_high; /* the range of the other coordinate of near runs */
};

enum rc_predict_curve_axis { RC_CURVE_AXIS_OF_RUNS, RC_CURVE_OVER_PROCS, RC_CURVE_OVER_SIZE };

struct rc_predict_curve_setup {
    enum rc_predict_curve_axis axis;
    /* The numbers of processes of a table, which the curve covers; NULL: there is none. */
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

/* The same by one regression model, on idle hosts, over numbers of processes or, if these do not
 * vary, over sizes.  `question` has the app and the platform, and gets the rest from the runs: the
 * size and parameters that were measured with most numbers of processes.  The parameters are put
 * into `params`, which has room for RC_REGRESSION_PARAMS_MAX. */
int rc_predict_curve_of_model(struct rc_db *db, struct rc_predict_source *source,
                              struct rc_question *question, struct rc_param *params,
                              struct rc_predict_curve *curve, struct rc_error *error);

/* The parallel efficiency of a run under the load of the curve, relative to its base. NAN for fewer
 * processes. */
double rc_predict_curve_efficiency(const struct rc_predict_curve *curve, double procs,
                                   double seconds);

#endif
