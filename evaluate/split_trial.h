// SPDX-License-Identifier: GPL-3.0-or-later
/* split_trial.h - policies of src/advise/split/split.h under a load that is drawn, beside the best
 * division in hindsight. */
#ifndef RC_EVALUATE_SPLIT_TRIAL_H
#define RC_EVALUATE_SPLIT_TRIAL_H

#include "advise/split/split.h"
#include "base/random.h"

enum { RC_TRIAL_HOSTS = 64 };

/* The availability of each host jumps to a level anywhere between 0.2 and 1, and stays there for
 * `shortest` to `longest` seconds.  Hosts are unlike: the fastest is up to twice as fast as the
 * slowest. */
struct rc_trial_world {
    size_t n_hosts; /* at most RC_TRIAL_HOSTS */
    double shortest, longest;
    double seconds; /* that the work takes when it is balanced and the hosts are idle */
    double step;    /* seconds between two samples */
    double past;    /* seconds before the run that were seen, at most 65535 steps */
    enum rc_split_coupling coupling;
    double quantile; /* of the policy of that name; NAN: it is not tried */
    struct rc_random *random;
};

/* How long a run took by each policy, and (at RC_POLICIES) by the best division in hindsight; 0
 * for policies that are not tried.  Ends the program where it fails. */
void rc_trial_run(const struct rc_trial_world *world, double *took);

#endif
