// SPDX-License-Identifier: GPL-3.0-or-later
/* run_time_distribution.h - a regression model and the forecast load make a distribution of the run
 * time.
 *
 * Its spread has four sources: which member of the model is right, its coefficients, what the model
 * does not know (all three drawn by rc_regression_draw()), and the forecast load (forecast.h). */
#ifndef RC_PREDICT_RUN_TIME_DISTRIBUTION_H
#define RC_PREDICT_RUN_TIME_DISTRIBUTION_H

#include <stddef.h>

#include "base/random.h"
#include "predict/host_forecast.h"
#include "predict/question.h"
#include "model/regression/model.h"
#include "stats/value/value.h"

enum { RC_PREDICT_DRAWS = 1000, RC_PREDICT_DRAWS_MAX = 1 << 20 };

/* The load of a run, by statistic.  NAN: unknown. */
struct rc_predict_load {
    double cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS];
};

/* Puts something in place of what is unknown: the other statistic or, if there is none
 * either, idle hosts: a whole core, and the bandwidth that the model's runs had on
 * average. */
void rc_predict_load_complete(const struct rc_regression_model *model,
                              struct rc_predict_load *load);

/* The question as the model takes it, and the load as far as it is given. */
void rc_predict_ask_model(const struct rc_regression_model *model,
                          const struct rc_question *question, struct rc_regression_question *asked,
                          struct rc_predict_load *load);

struct rc_predict_summary {
    double predicted; /* the median */
    double mean, lo90, hi90;
    double cpu, bw; /* the load over the run, on average */
};

/* Sorts the draws, positive numbers, and sums them up; the load is left as it is. */
void rc_predict_summarise(double *draws, size_t n, struct rc_predict_summary *summary);

/* The time under a load that is known, which is complete.  Fills `draws`, by rising time.  What a
 * model by the paper's criterion predicts is its own number, rc_regression_seconds_at(), which may
 * be outside of the interval. */
void rc_predict_at_load(const struct rc_regression_model *model,
                        const struct rc_regression_question *question,
                        const struct rc_predict_load *load, struct rc_random *random, double *draws,
                        size_t n_draws, struct rc_predict_summary *summary);

/* The time under the forecast load; the question has passed rc_regression_question_check().  The
 * scenarios go as far as the run does: at first its time under the present load, then further while
 * more than one draw in 20 is not done by then.  `otherwise` is the load where the forecast knows
 * none; it is complete.  -1 where the run would not end under the forecast load. */
int rc_predict_ahead(const struct rc_regression_model *model,
                     const struct rc_regression_question *question,
                     struct rc_host_forecast *forecast, const struct rc_predict_load *otherwise,
                     struct rc_random *random, double *draws, size_t n_draws,
                     struct rc_predict_summary *summary, struct rc_error *error);

/* ---- for others that draw times ---- */

/* The i-th of n samples of a run: its work, to be done `*factor` times. */
typedef void rc_predict_next_work(void *data, size_t i, size_t n, struct rc_regression_work *work,
                                  double *factor);
/* As rc_predict_ahead(), for any work that takes about `seconds` under the load of now. */
int rc_predict_works_ahead(rc_predict_next_work *next, void *data, double seconds,
                           struct rc_host_forecast *forecast,
                           const struct rc_predict_load *otherwise, struct rc_random *random,
                           double *draws, size_t n_draws, struct rc_predict_summary *summary,
                           struct rc_error *error);

/* The paper's models can be wrong without bound; a time cannot. */
double rc_predict_as_time(double seconds);

/* The load of now as far as the forecast knows it, for a first guess; otherwise `otherwise`. */
void rc_predict_load_now(const struct rc_host_forecast *forecast,
                         const struct rc_predict_load *otherwise, struct rc_predict_load *now);

/* Fills `draws` with times under scenarios of the forecast, those that end first, and returns how
 * many they are; of the summary, only the load. */
typedef size_t rc_predict_drawing(void *data, double *draws, size_t n_draws,
                                  struct rc_predict_summary *summary);
/* Draws until the scenarios go as far as the times do.  `seconds` is what the run is expected to
 * take.  -1 as rc_predict_ahead(). */
int rc_predict_draw_ahead(struct rc_host_forecast *forecast, double seconds,
                          rc_predict_drawing *drawing, void *data, double *draws, size_t n_draws,
                          struct rc_predict_summary *summary, struct rc_error *error);

#endif
