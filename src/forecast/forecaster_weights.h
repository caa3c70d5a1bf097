// SPDX-License-Identifier: GPL-3.0-or-later
/* forecaster_weights.h - weighs the forecasters of one horizon by their past errors at that
 * horizon. */
#ifndef RC_FORECAST_FORECASTER_WEIGHTS_H
#define RC_FORECAST_FORECASTER_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "forecast/forecaster.h"

/* Rules for weights; see forecaster_weights.c. */
enum { RC_FORECAST_SCHEMES = 4 };

/* What is kept of a forecast until it can be judged. */
struct rc_forecast_answers {
    double parts[RC_FORECAST_PARTS];
    double schemes[RC_FORECAST_SCHEMES];
};

struct rc_forecast_chooser {
    uint64_t n; /* forecasts judged */
    /* The mean absolute error of each, over a long and over a short time. */
    double losses[RC_FORECAST_PARTS], lately[RC_FORECAST_PARTS];
    /* How much better the third scheme would have done with a little more of it; sums, and of the
     * squares. */
    double regrets[RC_FORECAST_PARTS], squares[RC_FORECAST_PARTS];
    double schemes[RC_FORECAST_SCHEMES][RC_FORECAST_PARTS]; /* weights, each summing to 1 */
    double scheme_losses[RC_FORECAST_SCHEMES];
    double weights[RC_FORECAST_PARTS]; /* those of the answer; they sum to 1 */
};

/* Equal weights. */
void rc_forecast_chooser_init(struct rc_forecast_chooser *chooser);
/* Given the parts, fills in what each scheme answers; returns the answer. */
double rc_forecast_chooser_answer(const struct rc_forecast_chooser *chooser,
                                  struct rc_forecast_answers *answers);
/* Judges all by what came.  `overlap`: how many of the forecasts that are judged share a sample. */
void rc_forecast_chooser_judge(struct rc_forecast_chooser *chooser,
                               const struct rc_forecast_answers *answers, double came,
                               double overlap);

#endif
