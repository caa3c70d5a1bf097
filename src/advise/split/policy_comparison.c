// SPDX-License-Identifier: GPL-3.0-or-later
/* policy_comparison.c - Window and Compare, and the mean and sd of the times. */
#include "advise/split/policy_comparison.h"

#include <math.h>

enum rc_metrics_verdict rc_split_metrics_compare(double before, double seconds, double after)
{
    if (seconds < before && seconds < after)
        return RC_METRICS_BETTER;
    return seconds > before && seconds > after ? RC_METRICS_WORSE : RC_METRICS_MIXED;
}

/* A policy that has two runs of a window, both the fastest, has won it once. */
static void judge_window(const struct rc_metrics_run *window, size_t width,
                         struct rc_metrics_policy *policies)
{
    double least = INFINITY;

    for (size_t i = 0; i < width; i++)
        least = fmin(least, window[i].seconds);
    for (size_t i = 0; i < width; i++) {
        size_t same = 0;

        while (same < i &&
               (window[same].policy != window[i].policy || window[same].seconds > least))
            same++;
        if (window[i].seconds <= least && same == i)
            policies[window[i].policy].windows++;
    }
}

void rc_split_metrics_fastest(const double *const *times, size_t n_policies, size_t n,
                              double *shares)
{
    for (size_t p = 0; p < n_policies; p++)
        shares[p] = 0;
    for (size_t i = 0; i < n; i++) {
        double least = INFINITY;

        for (size_t p = 0; p < n_policies; p++)
            least = fmin(least, times[p][i]);
        for (size_t p = 0; p < n_policies; p++)
            shares[p] += times[p][i] <= least ? 1 / (double)n : 0;
    }
}

static void sum_times(const struct rc_metrics_run *runs, size_t n, struct rc_metrics_policy *policy,
                      size_t which)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        if (runs[i].policy == which) {
            policy->runs++;
            sum += runs[i].seconds;
        }
    policy->mean = policy->runs > 0 ? sum / (double)policy->runs : (double)NAN;
    for (size_t i = 0; i < n; i++)
        if (runs[i].policy == which)
            squares += (runs[i].seconds - policy->mean) * (runs[i].seconds - policy->mean);
    policy->sd = policy->runs > 1 ? sqrt(squares / (double)(policy->runs - 1)) : (double)NAN;
}

size_t rc_split_metrics_sum(const struct rc_metrics_run *runs, size_t n,
                            struct rc_metrics_policy *policies, size_t n_policies)
{
    size_t windows = n < n_policies ? 0 : n - n_policies + 1;

    for (size_t i = 0; i < n_policies; i++) {
        policies[i] = (struct rc_metrics_policy){0};
        sum_times(runs, n, &policies[i], i);
    }
    for (size_t i = 0; i < windows; i++)
        judge_window(&runs[i], n_policies, policies);
    for (size_t i = 1; i + 1 < n; i++)
        policies[runs[i].policy].verdicts[rc_split_metrics_compare(
            runs[i - 1].seconds, runs[i].seconds, runs[i + 1].seconds)]++;
    return windows;
}
