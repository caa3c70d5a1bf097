// SPDX-License-Identifier: GPL-3.0-or-later
/* recalibrate.h - recalibration of predictions by the runs that followed earlier ones, for any
 * method.
 *
 * An interval contains the uncertainty that a method models.  What it does not model (such as the
 * error of the model itself) shows in the coverage of earlier intervals.  The prediction is
 * multiplied by the median ratio of run time to earlier predictions.  Each end of the interval
 * moves by the quantile of the earlier misses of that end, relative to the prediction.  Few misses
 * are not enough for the quantile of one end.  Then both ends are scaled by one factor: the quantile
 * of the distances of run times from their predictions, relative to that of the end (conformal
 * quantiles: Y. Romano, E. Patterson and E. Candes, "Conformalized quantile regression", 2019).  If the next run is like the earlier ones, the
 * interval has the right coverage. */
#ifndef RC_PREDICT_RECALIBRATE_H
#define RC_PREDICT_RECALIBRATE_H

#include "predict/run_time_distribution.h"

/* A past prediction and the run time that followed, all above 0. */
struct rc_past_prediction {
    double predicted, low, high, came;
};

enum {
    RC_RECALIBRATE_LEAST = 10, /* fewer do not count */
    RC_RECALIBRATE_ENDS = 19,  /* from that many on, each end moves by itself */
    RC_RECALIBRATE_MOST = 200  /* the latest that count */
};

/* What came over what was predicted, in the middle, as far as that is not chance: 1 where the
 * median is within one standard error of it, the median itself from three on, and in between by
 * degrees.  The times of few runs that vary much would otherwise mend what is not broken. `scratch`
 * has room for n >= 1 numbers. */
double rc_predict_past_factor(const struct rc_past_prediction *past, size_t n, double *scratch);

struct rc_recalibration {
    size_t n;         /* predictions that it was learned from; 0: nothing is changed */
    double factor;    /* rc_predict_past_factor() of them */
    double scale;     /* of the distances of both ends from the prediction; 1: unchanged */
    double low, high; /* by how much of the prediction the ends move outward, before all is
                         multiplied by the factor */
};

/* Learns from the latest of n predictions (by rising time) with intervals of probability `level`.
 * -1 where memory runs out. */
int rc_predict_recalibrate_learn(const struct rc_past_prediction *past, size_t n, double level,
                                 struct rc_recalibration *learnt, struct rc_error *error);
/* The same, of predictions whose middle is known to be right, or is to stay where it is: only the
 * ends move. */
int rc_predict_recalibrate_learn_ends(const struct rc_past_prediction *past, size_t n, double level,
                                      struct rc_recalibration *learnt, struct rc_error *error);

/* Changes a prediction.  0 < low <= predicted <= high stays so. */
void rc_predict_recalibrate(const struct rc_recalibration *learnt, double *predicted, double *low,
                            double *high);

/* Changes a summary as rc_predict_recalibrate() does, and its draws, which rise, with it: each side
 * of the one number is stretched to where its end goes, so that draws stay in order, and quantiles
 * go with the rest.  Nothing happens where nothing was learned. */
void rc_predict_correct(const struct rc_recalibration *learnt, double *draws, size_t n,
                        struct rc_predict_summary *summary);

/* Changes each of n predictions by those of the runs that had ended when its own began: as if each
 * had been made in its turn.  A run with an unknown start (NAN) is not changed and does not count
 * for others.  The order stays. */
struct rc_past_run {
    double start;
    struct rc_past_prediction prediction;
};
int rc_predict_recalibrate_in_turn(struct rc_past_run *runs, size_t n, double level,
                                   struct rc_error *error);

#endif
