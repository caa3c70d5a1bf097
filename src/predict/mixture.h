// SPDX-License-Identifier: GPL-3.0-or-later
/* mixture.h - one distribution from those of several methods.
 *
 * The answer of each method is first multiplied by the median ratio of run time to prediction in
 * its track record (rc_predict_past_factor()), unless its model learns from runs by itself.  Its
 * weight is the inverse fourth power of its expected error after that: methods with similar errors
 * share the answer, and one with twice the error counts little.  The error that the width of the
 * method's own distribution implies, at least a tenth, counts as some predictions of the record.
 * It is at least that of methods that have learned from the app's runs, which show how much those
 * vary, up to a quarter: a narrow distribution without a record is no evidence.
 * It is multiplied by `prior` for a method that is known to have larger errors than others.
 *
 * Methods whose record is too short for a factor, and whose models have not learned from the app's
 * runs, have at most four fifths of the weight beside methods with such evidence, however narrow
 * their distributions are. */
#ifndef RC_PREDICT_MIXTURE_H
#define RC_PREDICT_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "predict/recalibrate.h"
#include "runcast.h"

struct rc_mixture_part {
    const double *draws;                   /* of the time, positive, by rising time */
    size_t n_draws;                        /* at least 1 */
    const struct rc_past_prediction *past; /* its record, by rising time */
    size_t n_past;
    bool learns;  /* its model has learned from the runs of its record since */
    double prior; /* how much more it errs than others as long as its record is too short for
                            a factor; 0: no more than they do */
    /* Filled in by rc_predict_mixture_weigh(). */
    double factor; /* rc_predict_past_factor(); 1 where the record is short, and where it learns */
    double error;  /* that is to be expected after that, relative, on average */
    double weight; /* they sum to 1 */
};

/* -1 where memory runs out. */
int rc_predict_mixture_weigh(struct rc_mixture_part *parts, size_t n, struct rc_error *error);

/* Fills `draws`, by rising time, with as many from each part as its weight says: evenly spaced
 * quantiles of it, without random numbers. */
void rc_predict_mixture_draw(const struct rc_mixture_part *parts, size_t n, double *draws,
                             size_t n_draws);

#endif
