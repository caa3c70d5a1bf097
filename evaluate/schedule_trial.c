// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule_trial.c - one run of a program, divided by every policy, all under the same load.
 *
 * Policies see samples of the past, and nothing else of the load.  What came is then followed
 * exactly.  The division in hindsight is searched for along what came itself, from the best of all
 * others, by moving parts of one host's work to another in steps that shrink. */
#include "schedule_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/split/optimal_division.h"
#include "base/error.h"
#include "base/random.h"

enum { ORACLE_CELLS = 240 };
static const double ahead = 3600; /* seconds of the load to come that are there to be followed */
static const double move_from = 0.3, move_to = 0.001; /* of a host's work, in hindsight */

struct trial {
    const struct rc_trial_case *its;
    double start;
    struct rc_follow_host hosts[RC_FOLLOW_HOSTS];
    struct rc_split_host asked[RC_FOLLOW_HOSTS];
    struct rc_balance_host alone[RC_FOLLOW_HOSTS];
    struct rc_sample *samples; /* of all hosts */
    struct rc_split split;
    struct rc_trial_result *results;
};

/* ---- what is seen ---- */

static int sample_host(struct trial *trial, size_t h, struct rc_error *error)
{
    const struct rc_trial_case *its = trial->its;
    size_t n = (size_t)(its->past / its->sample) + 1, step = 0;
    struct rc_sample *samples = trial->samples + h * n;
    struct rc_load_steps *steps = &trial->hosts[h].steps;

    if (rc_load_steps(its->loads[h], RC_LOAD_CPU, its->seed, its->names[h],
                      trial->start - its->past, trial->start + ahead, steps, error))
        return -1;
    for (size_t i = 0; i < n; i++) {
        double t = trial->start - (double)(n - 1 - i) * its->sample;

        while (step + 1 < steps->n && steps->items[step + 1].t <= t)
            step++;
        samples[i] = (struct rc_sample){t, steps->items[step].value};
    }
    trial->asked[h] =
        (struct rc_split_host){.unit = (double)its->program.iterations * its->program.operations /
                                       its->speeds[h],
                               .fixed = (double)its->program.iterations * its->program.messages,
                               .most = INFINITY,
                               .samples = samples,
                               .n_samples = n};
    trial->alone[h] =
        (struct rc_balance_host){trial->asked[h].unit, trial->asked[h].fixed, INFINITY};
    trial->hosts[h].speed = its->speeds[h];
    return 0;
}

static int look(struct trial *trial, struct rc_error *error)
{
    const struct rc_trial_case *its = trial->its;
    size_t n = (size_t)(its->past / its->sample) + 1;

    trial->samples = malloc(n * its->n_hosts * sizeof *trial->samples);
    if (!trial->samples)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < its->n_hosts; h++)
        if (sample_host(trial, h, error))
            return -1;
    return 0;
}

/* ---- what comes of it ---- */

static double follow(const struct trial *trial, const double *units)
{
    return rc_follow(&trial->its->program, trial->hosts, trial->its->n_hosts, trial->start, units);
}

static void take(struct trial *trial, int policy, const double *units)
{
    struct rc_trial_result *result = &trial->results[policy];

    result->there = true;
    memcpy(result->units, units, trial->its->n_hosts * sizeof *units);
    result->seconds = follow(trial, units);
}

static int divide(struct trial *trial, struct rc_error *error)
{
    const struct rc_trial_case *its = trial->its;
    struct rc_split_question question = {.hosts = trial->asked,
                                         .n_hosts = its->n_hosts,
                                         .at = trial->start,
                                         .units = its->units,
                                         .coupling = its->coupling,
                                         .quantile = NAN,
                                         .factor = NAN,
                                         .scenarios = its->draws,
                                         .seed = 1};
    double units[RC_FOLLOW_HOSTS];

    rc_split_tuning_rules_init(&question.tuning);
    if (rc_split_make(&question, &trial->split, NULL, error))
        return -1;
    for (int policy = 0; policy < RC_POLICIES; policy++) {
        if (!trial->split.plans[policy].there)
            continue;
        for (size_t h = 0; h < its->n_hosts; h++)
            units[h] = (double)trial->split.plans[policy].units[h];
        take(trial, policy, units);
    }
    return 0;
}

static void search_in_hindsight(struct trial *trial)
{
    struct rc_trial_result best = {.seconds = INFINITY};
    size_t n = trial->its->n_hosts;

    for (int policy = 0; policy < RC_TRIAL_POLICIES; policy++)
        if (trial->results[policy].there && trial->results[policy].seconds < best.seconds)
            best = trial->results[policy];
    for (double step = move_from; step > move_to;) {
        double before = best.seconds;

        for (size_t i = 0; i < n * n; i++) {
            struct rc_trial_result tried = best;
            double part = step * best.units[i / n];

            tried.units[i / n] -= part;
            tried.units[i % n] += part;
            tried.seconds = follow(trial, tried.units);
            if (tried.seconds < best.seconds)
                best = tried;
        }
        step *= best.seconds < before ? 1 : 0.5;
    }
    trial->results[RC_TRIAL_HINDSIGHT] = best;
}

/* ---- who knows how the load is drawn ---- */

/* A stay lasts evenly between two limits, and is known not to have ended yet. */
static void draw_load(const struct trial *trial, size_t h, double step, struct rc_random *random,
                      double *values)
{
    const struct rc_load_shape *shape = &trial->its->loads[h]->shapes[RC_LOAD_CPU];
    const struct rc_load_steps *steps = &trial->hosts[h].steps;
    double low = shape->dwell.low, high = shape->dwell.high, level, until;
    size_t now = 0;

    while (now + 1 < steps->n && steps->items[now + 1].t <= trial->start)
        now++;
    level = steps->items[now].value;
    until = fmax(low, trial->start - steps->items[now].t);
    until += (high - until) * rc_random_uniform(random) - (trial->start - steps->items[now].t);
    for (size_t j = 0; j < ORACLE_CELLS; j++) {
        while (until <= ((double)j + 0.5) * step) {
            level = shape->levels[rc_random_below(random, shape->n_levels)] +
                    shape->spread * (2 * rc_random_uniform(random) - 1);
            until += low + (high - low) * rc_random_uniform(random);
        }
        values[j] = fmin(level, 1);
    }
}

static struct rc_paths *draw_loads(const struct trial *trial, struct rc_error *error)
{
    const struct rc_trial_case *its = trial->its;
    double step = trial->split.seconds / ORACLE_CELLS, values[ORACLE_CELLS];
    struct rc_paths *paths =
        rc_split_paths_create(its->draws, its->n_hosts, ORACLE_CELLS, step, error);
    struct rc_random *random = rc_random_create(1, 1);

    for (size_t i = 0; paths && random && i < its->draws; i++)
        for (size_t h = 0; h < its->n_hosts; h++) {
            draw_load(trial, h, step, random, values);
            rc_split_paths_set(paths, i, h, values);
        }
    if (paths && random)
        rc_split_paths_ready(paths);
    rc_random_destroy(random);
    return paths;
}

static int ask_oracle(struct trial *trial, struct rc_error *error)
{
    const struct rc_trial_case *its = trial->its;
    double starts[RC_POLICIES * RC_FOLLOW_HOSTS], best[RC_FOLLOW_HOSTS];
    size_t n_starts = 0;
    struct rc_paths *paths;
    struct rc_optimal optimal;
    int status;

    for (size_t h = 0; h < its->n_hosts; h++)
        if (its->loads[h]->kind == RC_LOAD_REPLAY || its->loads[h]->shapes[RC_LOAD_CPU].again > 0)
            return 0; /* nobody knows */
    paths = draw_loads(trial, error);
    if (!paths)
        return -1;
    for (int policy = 0; policy < RC_POLICY_OPTIMAL; policy++)
        if (trial->split.plans[policy].there)
            memcpy(starts + its->n_hosts * n_starts++, trial->split.plans[policy].work,
                   its->n_hosts * sizeof *starts);
    optimal = (struct rc_optimal){.paths = paths,
                                  .hosts = trial->alone,
                                  .total = (double)its->units,
                                  .coupling = its->coupling,
                                  .quantile = NAN};
    status = rc_split_optimal_find(&optimal, starts, n_starts, best, error);
    if (status == 0)
        take(trial, RC_TRIAL_ORACLE, best);
    rc_split_paths_destroy(paths);
    return status;
}

int rc_trial_make(const struct rc_trial_case *its, double start,
                  struct rc_trial_result results[RC_TRIAL_POLICIES], struct rc_error *error)
{
    struct trial trial = {.its = its, .start = start, .results = results};
    int status;

    memset(results, 0, RC_TRIAL_POLICIES * sizeof *results);
    status = look(&trial, error) || divide(&trial, error) || ask_oracle(&trial, error) ? -1 : 0;
    if (status == 0)
        search_in_hindsight(&trial);
    rc_split_free(&trial.split);
    free(trial.samples);
    for (size_t h = 0; h < its->n_hosts; h++)
        rc_load_steps_free(&trial.hosts[h].steps);
    return status;
}
