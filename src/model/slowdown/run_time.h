// SPDX-License-Identifier: GPL-3.0-or-later
/* run_time.h - run time under contention as a value, and the causes of its variation. */
#ifndef RC_MODEL_SLOWDOWN_RUN_TIME_H
#define RC_MODEL_SLOWDOWN_RUN_TIME_H

#include "model/slowdown/contention_sim.h"
#include "model/slowdown/local_slowdown.h"
#include "stats/value/value.h"

/* A host with its competitors, for a simulation of a run of `dedicated` seconds on the idle
 * host.  With more competitors than can be simulated, the work is multiplied by `slowdown`
 * instead.  Returns the work, in seconds. */
double rc_slowdown_local_contention(const struct rc_local_host *local, double dedicated,
                                    double slowdown, struct rc_contention_host *host);

struct rc_slowdown_question {
    const struct rc_value *equation; /* slowdown of computing in the known dedicated run, by an
                                        equation (Eq. 1); NULL: from the simulation.  Then `sim` has
                                        only samples and seed */
    struct rc_contention_sim sim; /* `dedicated`: on idle hosts, with the same division of work */
    double dedicated;     /* seconds of the known dedicated run, whose division may differ */
    double communicating; /* share of communication in that time, in [0, 1] */
    double link;          /* its slowdown */
    double model_error;   /* sd of the method's relative error, >= 0 */
};

/* The answer; to be dropped with rc_slowdown_answer_drop(). */
struct rc_slowdown_answer {
    struct rc_value *slowdown; /* of the known dedicated run, without the method's error */
    struct rc_value *seconds;  /* with it */
    double spread;             /* sd / mean of the slowdown */
};
int rc_slowdown_ask(const struct rc_slowdown_question *question, const struct rc_monitor *monitor,
                    struct rc_slowdown_answer *answer, struct rc_error *error);
void rc_slowdown_answer_drop(struct rc_slowdown_answer *answer);

/* Causes of variation: numbers of competitors. */
struct rc_slowdown_doubts {
    size_t long_cycles; /* with cycles of more than a quarter of the run */
    double longest;     /* of these, seconds */
    size_t come_and_go;
    size_t ranges; /* with ranges of shares */
    size_t unknown;
};
void rc_slowdown_doubt(const struct rc_competitor *competitors, size_t n, double seconds,
                       struct rc_slowdown_doubts *doubts);

#endif
