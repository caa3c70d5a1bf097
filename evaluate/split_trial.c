// SPDX-License-Identifier: GPL-3.0-or-later
/* split_trial.c - one division of work, under a load that is drawn. */
#include "split_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/split/optimal_division.h"

enum { UNITS = 10000, DRAWS = 400, FINE = 4096, SAMPLES_MAX = 1 << 17 };
static const double AHEAD = 40; /* times the idle time */

/* ---- loads ---- */

struct load {
    double until, level;
};

static double level_at(const struct rc_trial_world *world, struct load *load, double t)
{
    while (load->until <= t) {
        load->level = 0.2 + 0.8 * rc_random_uniform(world->random);
        load->until +=
            world->shortest + (world->longest - world->shortest) * rc_random_uniform(world->random);
    }
    return load->level;
}

/* The past of a host, as samples up to 0, and what comes, on a fine grid. */
static size_t make_load(const struct rc_trial_world *world, struct rc_sample *samples,
                        double *future, double fine)
{
    struct load load = {.until = -world->past - world->longest * rc_random_uniform(world->random)};
    size_t n = (size_t)(world->past / world->step);

    for (size_t i = 0; i <= n; i++) {
        double t = ((double)i - (double)n) * world->step;

        samples[i] = (struct rc_sample){t, level_at(world, &load, t)};
    }
    for (size_t j = 0; j < FINE; j++)
        future[j] = level_at(world, &load, ((double)j + 0.5) * fine);
    return n + 1;
}

/* ---- one trial ---- */

static void fail(const struct rc_error *error)
{
    fprintf(stderr, "evaluate-split: %s\n", error->text);
    exit(1);
}

/* The best division, had one known; as good as a search from all plans gets. */
static double hindsight(const struct rc_optimal *optimal, const struct rc_split *split,
                        struct rc_error *error)
{
    static double starts[(RC_POLICIES + 1) * RC_TRIAL_HOSTS], best[RC_TRIAL_HOSTS];
    size_t n = split->n_hosts, count = 0;
    double time = NAN;

    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (split->plans[policy].there)
            memcpy(starts + n * count++, split->plans[policy].work, n * sizeof *starts);
    if (rc_split_optimal_find(optimal, starts, count, best, error) ||
        rc_split_optimal_times(optimal, best, &time, error))
        fail(error);
    return time;
}

static void take_times(const struct rc_optimal *optimal, const struct rc_split *split, double *took)
{
    struct rc_error error;
    double work[RC_TRIAL_HOSTS];

    for (int policy = 0; policy < RC_POLICIES; policy++) {
        if (!split->plans[policy].there)
            continue;
        for (size_t h = 0; h < split->n_hosts; h++)
            work[h] = (double)split->plans[policy].units[h];
        if (rc_split_optimal_times(optimal, work, &took[policy], &error))
            fail(&error);
    }
}

void rc_trial_run(const struct rc_trial_world *world, double *took)
{
    static struct rc_sample samples[RC_TRIAL_HOSTS][SAMPLES_MAX];
    static double future[FINE];
    struct rc_split_host hosts[RC_TRIAL_HOSTS];
    struct rc_balance_host alone[RC_TRIAL_HOSTS];
    struct rc_error error = {.text = ""};
    double speed[RC_TRIAL_HOSTS], paces = 0;
    double fine = world->seconds * AHEAD / FINE;
    struct rc_paths *came = rc_split_paths_create(1, world->n_hosts, FINE, fine, &error);
    struct rc_split_question question = {.hosts = hosts,
                                         .n_hosts = world->n_hosts,
                                         .units = UNITS,
                                         .coupling = world->coupling,
                                         .quantile = world->quantile,
                                         .factor = NAN,
                                         .scenarios = DRAWS,
                                         .seed = 1};
    struct rc_optimal optimal = {.paths = came,
                                 .hosts = alone,
                                 .total = UNITS,
                                 .coupling = world->coupling,
                                 .quantile = NAN};
    struct rc_split split = {0};

    if (!came || world->past / world->step >= SAMPLES_MAX) {
        fprintf(stderr, "evaluate-split: too many samples\n");
        exit(1);
    }
    rc_split_tuning_rules_init(&question.tuning);
    for (size_t h = 0; h < world->n_hosts; h++)
        paces += speed[h] = 1 + rc_random_uniform(world->random);
    for (size_t h = 0; h < world->n_hosts; h++) {
        hosts[h] = (struct rc_split_host){.unit = world->seconds * paces / speed[h] / UNITS,
                                          .most = INFINITY,
                                          .samples = samples[h],
                                          .n_samples = make_load(world, samples[h], future, fine)};
        alone[h] = (struct rc_balance_host){hosts[h].unit, 0, INFINITY};
        rc_split_paths_set(came, 0, h, future);
    }
    rc_split_paths_ready(came);
    if (rc_split_make(&question, &split, NULL, &error))
        fail(&error);
    take_times(&optimal, &split, took);
    took[RC_POLICIES] = hindsight(&optimal, &split, &error);
    rc_split_free(&split);
    rc_split_paths_destroy(came);
}
