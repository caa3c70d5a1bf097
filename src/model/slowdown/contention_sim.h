// SPDX-License-Identifier: GPL-3.0-or-later
/* contention_sim.h - simulation of the contention for the cores of some hosts.
 *
 * If cycles of competitors are long for the run, a factor for long runs is wrong (section 4.3 of
 * Figueira and Berman).  So the run is simulated many times with random phases of its
 * competitors, which gives the distribution of the slowdown.  The simulation also has what no
 * equation has: weights (nice values, control groups) on several cores, competitors that come
 * and go, ranges of shares, and programs whose hosts wait for one another at every step.
 *
 * Cores are shared like a fluid: each computing process gets a part by its weight, at most one
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
        64, /* on a host; the sum of more of them hardly varies: local_slowdown.h */
    RC_CONTENTION_SAMPLES_MAX = 1 << 20
};

struct rc_contention_host {
    struct rc_local_host local; /* shares are random in their ranges, once a run */
    double work; /* seconds of computing on the idle host; a host with less than others waits */
};

struct rc_contention_sim {
    const struct rc_contention_host *hosts;
    size_t n_hosts;
    double
        dedicated; /* seconds of the run on idle hosts: at least the most work of a host; the rest
                         is not slowed down */
    bool
        tight; /* hosts wait for one another all the time: the slowest at each moment sets the pace;
                   otherwise only at the end */
    size_t samples;
    uint64_t seed;
};

/* A sample of slowdowns: run times divided by `dedicated`.  To be dropped. */
struct rc_value *rc_slowdown_contention_simulate(const struct rc_contention_sim *sim,
                                                 const struct rc_monitor *monitor,
                                                 struct rc_error *error);

/* Divides cores by weight, with at most 1 for each.  shares[i] is for weights[i]; the first one
 * counts `first` times, and shares[0] is the share of each. */
void rc_slowdown_core_shares(const double *weights, double first, size_t n, double cores,
                             double *shares);

#endif
