// SPDX-License-Identifier: GPL-3.0-or-later
/* local_estimate.h - local slowdowns as values with their uncertainty. */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_ESTIMATE_H
#define RC_MODEL_SLOWDOWN_LOCAL_ESTIMATE_H

#include "model/slowdown/local_slowdown.h"
#include "stats/value/value.h"

/* How a local slowdown was computed. */
enum rc_local_method { RC_LOCAL_BY_PAPER, RC_LOCAL_BY_QUEUE, RC_LOCAL_BY_SIMULATION };
extern const char *const rc_slowdown_local_methods[]; /* their names */

/* The local slowdown by `model`.  With weights, by the queueing model or, if that does not
 * apply, as the mean of a simulation with short cycles.  `*method` (or NULL) gets the method.
 * Otherwise like rc_slowdown_local_compute(). */
int rc_slowdown_local_find(const struct rc_local_host *host, enum rc_local_model model,
                           struct rc_local *local, enum rc_local_method *method,
                           struct rc_error *error);

/* The local slowdown, and that of each model. */
struct rc_local_answers {
    struct rc_local models[RC_LOCAL_MODELS]; /* slowdown NAN: the model does not apply */
    struct rc_local answer;
    enum rc_local_method method; /* of the answer */
};
/* Computes all of them.  `only`: the answer must be by `model`.  `why` gets the reason for which
 * the last model does not apply.  To be freed after success. */
int rc_slowdown_local_answers(const struct rc_local_host *host, enum rc_local_model model,
                              bool only, struct rc_local_answers *answers, struct rc_error *why,
                              struct rc_error *error);
void rc_slowdown_local_answers_free(struct rc_local_answers *answers);

/* The same as a value: a point, or the interval from the low to the high ends of the competitors'
 * shares.  NULL on failure. */
struct rc_value *rc_slowdown_local_value(const struct rc_local_host *host,
                                         enum rc_local_model model, struct rc_error *error);

#endif
