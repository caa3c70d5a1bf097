// SPDX-License-Identifier: GPL-3.0-or-later
/* local_estimate.h - local slowdowns as values: what is known of them, with their width. */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_ESTIMATE_H
#define RC_MODEL_SLOWDOWN_LOCAL_ESTIMATE_H

#include "model/slowdown/local_slowdown.h"
#include "stats/value/value.h"

/* How a local slowdown was found, besides the two models of local_slowdown.h. */
enum rc_local_method { RC_LOCAL_BY_PAPER, RC_LOCAL_BY_QUEUE, RC_LOCAL_BY_SIMULATION };
extern const char *const rc_slowdown_local_methods[]; /* their names */

/* The local slowdown by the model `model` or, where that knows nothing of competitors with weights, by
 * the queue or, where that does not either, as the mean of a simulation whose cycles are short against
 * the run.  `*method` (or NULL) says which.  As rc_slowdown_local_compute() otherwise. */
int rc_slowdown_local_find(const struct rc_local_host *host, enum rc_local_model model,
                           struct rc_local *local, enum rc_local_method *method,
                           struct rc_error *error);

/* The local slowdown, and what each model says of it. */
struct rc_local_answers {
    struct rc_local models[RC_LOCAL_MODELS]; /* a slowdown of NAN: this one does not apply */
    struct rc_local answer;
    enum rc_local_method method; /* of the answer */
};
/* Computes all of them; the answer is that of `model` alone where `only`, and otherwise found.  `why`
 * says why the last of the models that do not apply does not.  To be freed after success. */
int rc_slowdown_local_answers(const struct rc_local_host *host, enum rc_local_model model,
                              bool only, struct rc_local_answers *answers, struct rc_error *why,
                              struct rc_error *error);
void rc_slowdown_local_answers_free(struct rc_local_answers *answers);

/* The same as a value: a point, or the interval between what the low ends
 * and the high ends of the competitors' shares come to.  NULL on failure. */
struct rc_value *rc_slowdown_local_value(const struct rc_local_host *host,
                                         enum rc_local_model model, struct rc_error *error);

#endif
