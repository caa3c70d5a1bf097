// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule_trial.h - one run of a program, divided by every policy, all under the same load. */
#ifndef RC_EVALUATE_SCHEDULE_TRIAL_H
#define RC_EVALUATE_SCHEDULE_TRIAL_H

#include "advise/split/split.h"
#include "testbed/load/platform_load.h"
#include "schedule_follow.h"

enum {
    RC_TRIAL_HINDSIGHT = RC_POLICIES, /* had one known */
    RC_TRIAL_ORACLE, /* knows how the load is drawn, and what it is now, not what will be drawn */
    RC_TRIAL_POLICIES
};

struct rc_trial_case {
    size_t n_hosts;
    char *names[RC_FOLLOW_HOSTS];
    double speeds[RC_FOLLOW_HOSTS];
    struct rc_load *loads[RC_FOLLOW_HOSTS];
    uint64_t seed;
    struct rc_follow_program program;
    int64_t units;
    enum rc_split_coupling coupling;
    double sample, past; /* seconds between samples, and of the past that is seen */
    size_t draws;
};

struct rc_trial_result {
    bool there;
    double seconds;
    double units[RC_FOLLOW_HOSTS];
};

/* A run that starts at `start` of the load's time; -1 with an error where there is none. */
int rc_trial_make(const struct rc_trial_case *trial, double start,
                  struct rc_trial_result results[RC_TRIAL_POLICIES], struct rc_error *error);

#endif
