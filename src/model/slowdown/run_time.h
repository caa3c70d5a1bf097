// SPDX-License-Identifier: GPL-3.0-or-later
/* run_time.h - how long a run takes beside competitors, as a value, and why that is as wide
 * as it is. */
#ifndef RC_MODEL_SLOWDOWN_RUN_TIME_H
#define RC_MODEL_SLOWDOWN_RUN_TIME_H

#include "model/slowdown/contention_sim.h"
#include "model/slowdown/local_slowdown.h"
#include "stats/value/value.h"

/* A host with its competitors, for a simulation of a run that takes `dedicated` seconds there when
 * nobody else does anything.  Where the competitors are more than a simulation takes, the work is
 * `slowdown` times as long instead.  Returns the work, in seconds. */
double rc_slowdown_local_contention(const struct rc_local_host *local, double dedicated,
                                    double slowdown, struct rc_contention_host *host);

/* A question of how long a run takes. */
struct rc_slowdown_question {
    struct rc_contention_sim
        sim;          /* `dedicated` is what the run takes on idle hosts, split as it is */
    double dedicated; /* seconds of the dedicated run that is known; it may be split otherwise */
    double communicating; /* the part of that time that goes by in communicating, in [0, 1] */
    double link;          /* slowdown of that part */
    double model_error;   /* sd of the method's own relative error, >= 0 */
};

/* The answer; to be dropped with rc_slowdown_answer_drop(). */
struct rc_slowdown_answer {
    struct rc_value *slowdown; /* of the dedicated run that is known, without the method's error */
    struct rc_value *seconds;  /* with it */
    double spread;             /* sd by mean of the slowdown */
};
int rc_slowdown_ask(const struct rc_slowdown_question *question, const struct rc_monitor *monitor,
                    struct rc_slowdown_answer *answer, struct rc_error *error);
void rc_slowdown_answer_drop(struct rc_slowdown_answer *answer);

/* Why an answer is as wide as it is: how many of some competitors there are of each kind. */
struct rc_slowdown_doubts {
    size_t long_cycles; /* cycles of more than a quarter of the run */
    double longest;     /* of these, seconds */
    size_t come_and_go;
    size_t ranges; /* shares that are known to lie in a range */
    size_t unknown;
};
void rc_slowdown_doubt(const struct rc_competitor *competitors, size_t n, double seconds,
                       struct rc_slowdown_doubts *doubts);

#endif
