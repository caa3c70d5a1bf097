// SPDX-License-Identifier: GPL-3.0-or-later
/* policy_comparison.h - which of several policies did better, from runs that were made in turn.
 *
 * J. M. Schopf's dissertation (see time_balancing.h), section 5.C.1: policies alternate, so a run
 * has nearly the same load as its neighbours, and is compared with these alone. */
#ifndef RC_ADVISE_SPLIT_POLICY_COMPARISON_H
#define RC_ADVISE_SPLIT_POLICY_COMPARISON_H

#include <stddef.h>

struct rc_metrics_run {
    size_t policy; /* from 0 */
    double seconds;
};

/* A run compared with the one before and the one after it.  One as fast as a neighbour is mixed. */
enum rc_metrics_verdict {
    RC_METRICS_BETTER,
    RC_METRICS_MIXED,
    RC_METRICS_WORSE,
    RC_METRICS_VERDICTS
};
enum rc_metrics_verdict rc_split_metrics_compare(double before, double seconds, double after);

struct rc_metrics_policy {
    size_t windows;                       /* of as many runs in a row as there are policies (three
                                             in the dissertation), in which its run was fastest;
                                             where two are, both have won */
    size_t verdicts[RC_METRICS_VERDICTS]; /* of its runs that have two neighbours */
    size_t runs;
    double mean, sd; /* of the seconds; NAN where there are none (sd: not two) */
};

/* Window where all policies have the same load: the share of `n` loads under which each policy is
 * the fastest, in `shares`.  times[p] has the seconds of policy p under each load.  Where several
 * are the fastest, all of them are. */
void rc_split_metrics_fastest(const double *const *times, size_t n_policies, size_t n,
                              double *shares);

/* Sums up runs, in the order in which they were made, by policy, of which there are `n_policies`.
 * Returns how many windows there are. */
size_t rc_split_metrics_sum(const struct rc_metrics_run *runs, size_t n,
                            struct rc_metrics_policy *policies, size_t n_policies);

#endif
