// SPDX-License-Identifier: GPL-3.0-or-later
/* timing_regress.h - the time of candidates by a regression model, under the forecast load of their
 * hosts and links.
 *
 * As rc_predict_ahead() does for one set of hosts: model and scenario are drawn, and the run
 * follows the scenario.  Scenarios are drawn once for all hosts of candidates that take about as
 * long; of each candidate, the minimum over its hosts counts.  Candidates that take less than a
 * quarter of the time of others have separate scenarios, of finer steps. */
#ifndef RC_ADVISE_PLACE_TIMING_REGRESS_H
#define RC_ADVISE_PLACE_TIMING_REGRESS_H

#include "advise/place/timing.h"
#include "predict/host_forecast_many.h"
#include "model/regression/model.h"

/* All that it points to must outlive the timing. */
struct rc_timing_regress_setup {
    const struct rc_regression_model *model;
    struct rc_regression_question
        question; /* but for p, which has passed rc_regression_question_check() */
    const struct rc_host_forecast_many *forecast;
    const double *weights; /* of each of the forecast's hosts, its speed as compared with those of
                              the model's runs */
    size_t n_hosts;
    uint64_t seed;
};

/* NULL where memory runs out.  Destroy with rc_place_timing_regress_destroy(). */
struct rc_timing *rc_place_timing_regress_create(const struct rc_timing_regress_setup *setup,
                                                 struct rc_error *error);
void rc_place_timing_regress_destroy(struct rc_timing *timing);

/* A model for a program with one known time on idle hosts: it only computes, with tight coupling.
 * In single_time_model.c.  NULL where memory runs out; destroy with rc_regression_model_destroy().
 */
struct rc_regression_model *rc_place_timing_plain_model(double seconds, struct rc_error *error);

#endif
