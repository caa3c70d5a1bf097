// SPDX-License-Identifier: GPL-3.0-or-later
/* split.c - tries the policies of 'runcast split' under loads that are drawn.
 *
 * usage: evaluate-split TRIALS HOSTS SHORTEST LONGEST SECONDS tight|loose [SEED [STEP [PAST]]]
 *
 * Levels of availability last for SHORTEST to LONGEST seconds (split_trial.h).  Each trial has
 * loads of its own, and PAST hours (default: 24) before it, of which a sample is seen every STEP
 * seconds (default: 5).  SECONDS is what the work takes when it is balanced and the hosts are idle.
 * For each policy, and for the best division in hindsight, a line: how long the runs took on
 * average, that as compared with `mean`, how much of the gap from `mean` to hindsight it closes,
 * and by how much `optimal` is behind it, with the standard error of that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "split_trial.h"

static void show(const double *sums, const double *squares, int trials)
{
    double mean = sums[RC_POLICY_MEAN], gap = mean - sums[RC_POLICIES];

    printf("policy,seconds,change,closed,optimal_behind,error\n");
    for (int policy = 0; policy <= RC_POLICIES; policy++) {
        double behind = sums[RC_POLICY_OPTIMAL] - sums[policy];

        if (sums[policy] > 0)
            printf("%s,%.2f,%.4f,%.3f,%.4f,%.4f\n",
                   policy < RC_POLICIES ? rc_split_policy_name((enum rc_policy)policy)
                                        : "hindsight",
                   sums[policy], sums[policy] / mean - 1, (mean - sums[policy]) / gap,
                   behind / sums[policy],
                   sqrt(fmax(squares[policy] - behind * behind, 0) / trials) / sums[policy]);
    }
}

int main(int argc, char **argv)
{
    struct rc_trial_world world;
    double sums[RC_POLICIES + 1] = {0}, squares[RC_POLICIES + 1] = {0};
    int trials;

    if (argc < 7) {
        fprintf(stderr, "usage: evaluate-split TRIALS HOSTS SHORTEST LONGEST SECONDS tight|loose "
                        "[SEED [STEP [PAST]]]\n");
        return 2;
    }
    trials = atoi(argv[1]);
    world = (struct rc_trial_world){
        .n_hosts = (size_t)atoi(argv[2]),
        .shortest = atof(argv[3]),
        .longest = atof(argv[4]),
        .seconds = atof(argv[5]),
        .coupling = strcmp(argv[6], "loose") == 0 ? RC_COUPLING_LOOSE : RC_COUPLING_TIGHT,
        .quantile = 0.9,
        .step = argc > 8 ? atof(argv[8]) : 5,
        .past = 3600 * (argc > 9 ? atof(argv[9]) : 24),
        .random = rc_random_create(argc > 7 ? (uint64_t)atoi(argv[7]) : 1, 0)};
    for (int i = 0; i < trials; i++) {
        double took[RC_POLICIES + 1] = {0};

        rc_trial_run(&world, took);
        for (int policy = 0; policy <= RC_POLICIES; policy++) {
            double behind = took[RC_POLICY_OPTIMAL] - took[policy];

            sums[policy] += took[policy] / trials;
            squares[policy] += behind * behind / trials;
        }
    }
    show(sums, squares, trials);
    rc_random_destroy(world.random);
    return 0;
}
