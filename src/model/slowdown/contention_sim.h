// SPDX-License-Identifier: GPL-3.0-or-later
/* contention_sim.h - simulation of the contention for the cores of some hosts.
 *
 * Section 4.3 of Figueira and Berman: where a competitor's cycles are long against the run, what
 * the run meets is a matter of luck, and a factor for the long run errs.  So the run is followed,
 * many times over, through phases of its competitors that are drawn; how the results differ is the
 * width of the answer.  This also does what no equation does: weights (nice values, control
 * groups), several cores, competitors that come and go, shares that are known to lie in a range,
 * and programs whose hosts wait for one another at every step.
 *
 * Cores are shared like a fluid: all who compute get parts by their weights, nobody more than one
 * core. */
#ifndef RC_MODEL_SLOWDOWN_CONTENTION_SIM_H
#define RC_MODEL_SLOWDOWN_CONTENTION_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/slowdown/local_slowdown.h"
#include "stats/value/value.h"

enum {
    RC_CONTENTION_HOSTS_MAX = 4096,
    RC_CONTENTION_COMPETITORS_MAX =
        64, /* on a host; more of them vary little together: local_slowdown.h */
    RC_CONTENTION_SAMPLES_MAX = 1 << 20
};

struct rc_contention_host {
    struct rc_local_host local; /* shares are drawn from their ranges, once a run */
    double work; /* seconds that the program computes here when all is idle; a host with less than
                    others waits for them */
};

struct rc_contention_sim {
    const struct rc_contention_host *hosts;
    size_t n_hosts;
    double dedicated; /* seconds of the run when all is idle: the most work of a host, and what is
                         left is not slowed down */
    bool
        tight; /* hosts wait for one another all the time: the slowest at each moment sets the pace;
                   otherwise only at the end */
    size_t samples;
    uint64_t seed;
};

/* Plays it: a sample of slowdowns, each the seconds of a run by `dedicated`.  To be dropped. */
struct rc_value *rc_slowdown_contention_simulate(const struct rc_contention_sim *sim,
                                                 const struct rc_monitor *monitor,
                                                 struct rc_error *error);

/* How cores are shared: by weight, none above 1.  shares[i] is for weights[i]; of the first there are
 * `first`, and shares[0] is that of each. */
void rc_slowdown_core_shares(const double *weights, double first, size_t n, double cores,
                             double *shares);

#endif
