// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_small_runs.c - the times that killed small runs would have had. */
#include "model/scaling/killed_small_runs.h"

#include <math.h>

#include "base/normal.h"

enum { STEPS = 200 };
static const double enough = 1e-9; /* a relative change of the mean to end with */

static bool belongs(const struct rc_scaling_group *group, const struct rc_scaling_run *run)
{
    return run->procs == group->procs && rc_scaling_mesh_equal(&run->mesh, &group->mesh);
}

/* The mean of the values above `bound` of a normal distribution. */
static double mean_above(double bound, double mean, double sd)
{
    return mean + sd * rc_normal_mean_above((bound - mean) / sd);
}

/* The EM algorithm: the mean gives the expected times of the killed runs, and these the mean. */
static double find_mean(const struct rc_scaling_group *group, double noise,
                        const struct rc_scaling_run *killed, size_t n)
{
    double mean = group->mean;

    for (int step = 0; step < STEPS; step++) {
        double sum = group->mean * (double)group->n, count = (double)group->n, had = mean;

        for (size_t i = 0; i < n; i++)
            if (belongs(group, &killed[i])) {
                sum += mean_above(killed[i].seconds, mean, noise * mean);
                count++;
            }
        mean = sum / count;
        if (fabs(mean - had) < enough * mean)
            break;
    }
    return mean;
}

size_t rc_scaling_killed_estimate(const struct rc_scaling_samples *samples,
                                  struct rc_scaling_run *killed, size_t n)
{
    double noise = fmax(rc_scaling_samples_noise(samples).sd, enough);
    double means[RC_SCALING_GROUPS_MAX];
    size_t left = 0;

    for (size_t k = 0; k < samples->n_groups; k++)
        means[k] = find_mean(&samples->groups[k], noise, killed, n);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < samples->n_groups && !belongs(&samples->groups[k], &killed[i]))
            k++;
        if (k == samples->n_groups)
            continue;
        killed[left] = killed[i];
        killed[left].seconds = mean_above(killed[i].seconds, means[k], noise * means[k]);
        left++;
    }
    return left;
}
