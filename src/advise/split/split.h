// SPDX-License-Identifier: GPL-3.0-or-later
/* split.h - how much of a program's work each host gets, by several policies, and how long the run
 * then takes under the forecast load.
 *
 * mean, vtf and 95tf are the dissertation's (time_balancing.h, tuning_factor.h): they balance times
 * that follow from the availability over the last minutes.  last and forecast balance with the last
 * availability, and with the mean of its forecast for the run.  optimal and quantile look for the
 * division whose time is least, on average or at a quantile, over drawn scenarios of all hosts
 * together (optimal_division.h).
 *
 * All policies are tried on the same scenarios, so that they can be compared. */
#ifndef RC_ADVISE_SPLIT_SPLIT_H
#define RC_ADVISE_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advise/split/division_times.h"
#include "advise/split/split_error.h"
#include "advise/split/tuning_factor.h"
#include "runcast.h"
#include "stats/value/value.h"

enum rc_policy {
    RC_POLICY_MEAN,
    RC_POLICY_VTF,
    RC_POLICY_95TF,
    RC_POLICY_TUNED, /* with a factor that is given */
    RC_POLICY_LAST,
    RC_POLICY_FORECAST,
    RC_POLICY_OPTIMAL,
    RC_POLICY_QUANTILE,
    RC_POLICY_CURRENT, /* a division that is given, as it is */
    RC_POLICIES
};
const char *rc_split_policy_name(enum rc_policy policy);

struct rc_split_host {
    double unit;  /* seconds for a unit of work when nothing else runs; where `paces_only`, only
                     how they compare counts */
    double fixed; /* seconds that do not depend on the work */
    double most;  /* units that it has room for; INFINITY: any number */
    const struct rc_sample *samples; /* of its availability, by rising time, up to `at` */
    size_t n_samples;                /* 0: all of a core is taken to be there */
};

struct rc_split_question {
    const struct rc_split_host *hosts;
    size_t n_hosts;
    double at;       /* when the run starts, or goes on */
    int64_t units;   /* of work, that cannot be divided */
    bool paces_only; /* how long the run takes is not known: policies that rest on the forecast load
                        have no answer */
    enum rc_split_coupling coupling;
    double quantile; /* in 0..1; NAN: that policy is not asked */
    struct rc_tuning_rules tuning;
    double factor;         /* of RC_POLICY_TUNED; NAN: that policy is not asked */
    const double *current; /* shares of RC_POLICY_CURRENT, which need not sum to 1; NULL: none */
    struct rc_split_error error; /* of the times of units, which all have alike; divisions are
                                    compared without it */
    size_t scenarios;            /* scenarios of the forecast load */
    uint64_t seed;
};

struct rc_split_plan {
    bool there;   /* was asked, and has an answer */
    double *work; /* units of each host, before they were made whole */
    int64_t *units;
    double factor;         /* of the policies that have one; else NAN */
    struct rc_value *time; /* a sample, with the question's error in it; NULL where paces only are
                              known */
    double fastest; /* share of the scenarios in which no other plan is faster; NAN as `time` */
    double *alone;  /* expected seconds until each host finishes alone; NULL as `time` */
};

/* What a host is like. */
struct rc_split_fact {
    bool known;            /* there are samples */
    double mean, sd;       /* of the availability over the window */
    double last, forecast; /* the last one; the forecast mean over the run, or NAN */
    double value;          /* that it calls for in Figure 5.3 */
};

/* Start from {0}; free with rc_split_free(). */
struct rc_split {
    size_t n_hosts;
    struct rc_split_fact *facts;
    struct rc_split_plan plans[RC_POLICIES];
    size_t scenarios; /* that there were memory for */
    double seconds;   /* how far the scenarios go; INFINITY: hosts are taken to stay as they are */
    bool steady;      /* ... since the past is too short to know how they change */
    double lengths; /* of such scenarios that fit into the past of all hosts, one after the other */
    double weight;  /* that `optimal` goes, in 0..1, to the best division on these scenarios, ... */
    enum rc_policy weight_from; /* ... from that of this policy; 1 where it goes all of
                                it, or there is nothing to gain */
    struct rc_paths *paths;     /* the scenarios; NULL where paces only are known */
};
void rc_split_free(struct rc_split *split);

/* -1, with a hint where there is one, where hosts are none or have no room. */
int rc_split_make(const struct rc_split_question *question, struct rc_split *split,
                  const struct rc_monitor *monitor, struct rc_error *error);

/* ---- what the hosts are asked ---- */

/* Sets `unit` of the question's hosts from their speeds, in any unit: with the same work on each of
 * them, idle, the slowest takes `seconds`.  `high_power` (NAN: none) is a speed, and becomes that
 * of the question's rules. */
void rc_split_set_paces(struct rc_split_question *question, struct rc_split_host *hosts,
                        const double *speeds, double seconds, double high_power);

/* Leaves the remaining work of a run of which the share `done` (below 1) is done.  With tight
 * coupling, all units remain, for fewer iterations; with loose coupling, fewer units remain, at
 * least one. */
void rc_split_leave(struct rc_split_question *question, struct rc_split_host *hosts, double done);

/* ---- where samples come from ---- */

/* The samples of a host's CPU before `at`, as far as they are useful; none (0) where the newest
 * is over a day old.  `n_hosts` share the memory that there is.  To be freed by the caller. */
int rc_split_read(struct rc_db *db, const char *host, double at, size_t n_hosts,
                  struct rc_sample **samples, size_t *n_samples, struct rc_error *error);

#endif
