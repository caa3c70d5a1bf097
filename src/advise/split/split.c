// SPDX-License-Identifier: GPL-3.0-or-later
/* split.c - divisions of work by all policies, under the same scenarios.
 *
 * What a search gives is made whole by balancing once more: a division of w_i units is what
 * balances hosts that take 1 / w_i for a unit, and rc_split_balance_units() knows the best whole
 * one for these. */
#include "advise/split/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/split/optimal_division.h"
#include "advise/split/policy_comparison.h"
#include "advise/split/split_internal.h"
#include "base/error.h"
#include "base/progress_monitor.h"

static const char *const names[RC_POLICIES] = {"mean",     "vtf",     "95tf",     "tuned",  "last",
                                               "forecast", "optimal", "quantile", "current"};
static const double conservative = 2; /* the factor of 95TF: two standard deviations */
static const double share_least = 1e-9;
static const double nothing = 1e-9; /* of the time, that is no gain */
static const double apart = 4;      /* lengths of a run, after which times are independent */

const char *rc_split_policy_name(enum rc_policy policy)
{
    return names[policy];
}

struct making {
    const struct rc_split_question *question;
    struct rc_split *split;
    struct rc_balance_host *hosts; /* with the times of units of a policy */
    struct rc_balance_host *alone; /* with those when nothing else runs */
    double *times, *starts;
};

/* ---- times of a division ---- */

static int make_whole(struct making *making, struct rc_split_plan *plan, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    double least = (double)question->units * share_least;

    for (size_t h = 0; h < question->n_hosts; h++)
        making->hosts[h] =
            (struct rc_balance_host){1 / fmax(plan->work[h], least), 0, question->hosts[h].most};
    return rc_split_balance_units(making->hosts, question->n_hosts, question->units, plan->units,
                                  error);
}

static struct rc_optimal optimal_of(const struct making *making, double quantile)
{
    return (struct rc_optimal){.paths = making->split->paths,
                               .hosts = making->alone,
                               .total = (double)making->question->units,
                               .coupling = making->question->coupling,
                               .quantile = quantile};
}

/* What a plan of whole units costs, with the times left in `times`. */
static int cost_of(struct making *making, const struct rc_split_plan *plan, double quantile,
                   double *cost, struct rc_error *error)
{
    struct rc_optimal optimal = optimal_of(making, quantile);

    for (size_t h = 0; h < making->question->n_hosts; h++)
        plan->alone[h] = (double)plan->units[h];
    if (rc_split_optimal_times(&optimal, plan->alone, making->times, error))
        return -1;
    *cost = rc_split_optimal_cost(&optimal, making->times);
    return 0;
}

/* The times of the run, and of each host alone. */
static int find_times(struct making *making, struct rc_split_plan *plan, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    const struct rc_paths *paths = making->split->paths;
    double cost, *work = calloc(2 * question->n_hosts + 1, sizeof *work);
    const struct rc_paths_work one = {work, work + question->n_hosts};

    if (!work)
        return rc_error_no_memory(error);
    if (cost_of(making, plan, NAN, &cost, error) == 0)
        plan->time = rc_split_error_spread(&question->error, making->times,
                                           rc_split_paths_count(paths), error);
    for (size_t h = 0; h < question->n_hosts && plan->time; h++) {
        double sum = 0;

        work[h] = (double)plan->units[h] * question->hosts[h].unit;
        work[question->n_hosts + h] = question->hosts[h].fixed;
        for (size_t i = 0; i < rc_split_paths_count(paths); i++)
            sum += rc_split_paths_time(paths, i, RC_COUPLING_LOOSE, &one, NULL);
        plan->alone[h] = sum / (double)rc_split_paths_count(paths);
        work[h] = 0;
    }
    free(work);
    return plan->time ? 0 : -1;
}

static int get_room(const struct making *making, struct rc_split_plan *plan, struct rc_error *error)
{
    size_t n = making->question->n_hosts;

    plan->work = calloc(n, sizeof *plan->work);
    plan->units = calloc(n, sizeof *plan->units);
    plan->alone = calloc(n, sizeof *plan->alone);
    plan->factor = NAN;
    return plan->work && plan->units && plan->alone ? 0 : rc_error_no_memory(error);
}

/* ---- policies that balance ---- */

static struct rc_tuning_host tuning_of(const struct making *making, size_t host)
{
    const struct rc_split_fact *fact = &making->split->facts[host];

    return (struct rc_tuning_host){1 / making->question->hosts[host].unit, fact->mean, fact->sd};
}

static double factor_of(struct making *making, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    struct rc_tuning_host *hosts = calloc(question->n_hosts, sizeof *hosts);
    double *values = calloc(question->n_hosts, sizeof *values), factor = NAN;

    if (!hosts || !values) {
        rc_error_no_memory(error);
    } else {
        for (size_t h = 0; h < question->n_hosts; h++)
            hosts[h] = tuning_of(making, h);
        factor = rc_split_tuning_factor(&question->tuning, hosts, question->n_hosts, values);
        for (size_t h = 0; h < question->n_hosts; h++)
            making->split->facts[h].value = values[h];
    }
    free(hosts);
    free(values);
    return factor;
}

/* The seconds for a unit that a policy reckons with. */
static double pace_by(const struct making *making, enum rc_policy policy, double factor, size_t h)
{
    const struct rc_split_fact *fact = &making->split->facts[h];
    const struct rc_tuning_host tuning = tuning_of(making, h);
    double unit = making->question->hosts[h].unit;

    switch (policy) {
    case RC_POLICY_LAST:
        return unit / fmax(fact->last, RC_PATHS_LEAST);
    case RC_POLICY_FORECAST:
        return unit / fmax(fact->forecast, RC_PATHS_LEAST);
    default:
        return rc_split_tuning_unit(unit, &tuning, factor);
    }
}

static int balance_by(struct making *making, enum rc_policy policy, double factor,
                      struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    struct rc_split_plan *plan = &making->split->plans[policy];

    if (get_room(making, plan, error))
        return -1;
    for (size_t h = 0; h < question->n_hosts; h++)
        making->hosts[h] =
            (struct rc_balance_host){pace_by(making, policy, factor, h), question->hosts[h].fixed,
                                     question->hosts[h].most};
    plan->there = true;
    plan->factor = policy == RC_POLICY_LAST || policy == RC_POLICY_FORECAST ? (double)NAN : factor;
    if (rc_split_balance(making->hosts, question->n_hosts, (double)question->units, plan->work,
                         error))
        return -1;
    /* Fixed costs and paces are known here, so that whole units need no second balance. */
    return rc_split_balance_units(making->hosts, question->n_hosts, question->units, plan->units,
                                  error);
}

static int take_current(struct making *making, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    struct rc_split_plan *plan = &making->split->plans[RC_POLICY_CURRENT];
    double sum = 0;

    if (!question->current)
        return 0;
    if (get_room(making, plan, error))
        return -1;
    plan->there = true;
    for (size_t h = 0; h < question->n_hosts; h++)
        sum += question->current[h];
    for (size_t h = 0; h < question->n_hosts; h++)
        plan->work[h] = question->current[h] / sum * (double)question->units;
    return make_whole(making, plan, error);
}

/* ---- policies that search ---- */

/* All plans there are, as starts; returns how many. */
static size_t gather_starts(struct making *making)
{
    size_t n = making->question->n_hosts, count = 0;

    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (making->split->plans[policy].there)
            memcpy(making->starts + n * count++, making->split->plans[policy].work,
                   n * sizeof *making->starts);
    return count;
}

/* The simple plan that costs least, or NULL. */
static const struct rc_split_plan *
best_simple(struct making *making, const struct rc_optimal *optimal, struct rc_error *error)
{
    const struct rc_split_plan *best = NULL;
    double least = INFINITY;

    for (int policy = 0; policy < RC_POLICY_OPTIMAL; policy++) {
        const struct rc_split_plan *plan = &making->split->plans[policy];
        double cost;

        if (!plan->there)
            continue;
        if (rc_split_optimal_times(optimal, plan->work, making->times, error))
            return NULL;
        cost = rc_split_optimal_cost(optimal, making->times);
        if (cost < least) {
            least = cost;
            best = plan;
        }
    }
    return best;
}

/* What was found fits the scenarios that were drawn, also where these are so by chance: they come
 * from as many moments as the past has, and these are few where it is short.  So the plan goes only
 * a part of the way from the best simple one: 1 - (e / g)^2, where g is what it gains on average
 * over the scenarios, and e the standard error of that for so many moments (as James and Stein
 * shrink a mean). */
static int temper(struct making *making, const struct rc_optimal *optimal,
                  struct rc_split_plan *plan, struct rc_error *error)
{
    size_t n = rc_split_paths_count(optimal->paths);
    double *simple_times = malloc((n + 1) * sizeof *simple_times), gain = 0, squares = 0, weight;
    const struct rc_split_plan *simple = best_simple(making, optimal, error);

    if (!simple || !simple_times ||
        rc_split_optimal_times(optimal, simple->work, simple_times, error) ||
        rc_split_optimal_times(optimal, plan->work, making->times, error)) {
        free(simple_times);
        return simple_times ? -1 : rc_error_no_memory(error);
    }
    for (size_t i = 0; i < n; i++)
        gain += (simple_times[i] - making->times[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += pow(simple_times[i] - making->times[i] - gain, 2) / (double)n;
    free(simple_times);
    weight = gain > 0 ? fmax(1 - squares / (making->split->lengths / apart) / (gain * gain), 0) : 0;
    for (size_t h = 0; h < making->question->n_hosts; h++)
        plan->work[h] = simple->work[h] + weight * (plan->work[h] - simple->work[h]);
    making->split->weight =
        gain > nothing * rc_split_optimal_cost(optimal, making->times) ? weight : 1;
    making->split->weight_from = (enum rc_policy)(simple - making->split->plans);
    return 0;
}

/* Whole units can turn the order: the best of all whole plans is taken. */
static int take_best(struct making *making, struct rc_split_plan *plan, double quantile,
                     struct rc_error *error)
{
    double best, cost;

    if (cost_of(making, plan, quantile, &best, error))
        return -1;
    for (int policy = 0; policy < RC_POLICY_OPTIMAL; policy++) {
        const struct rc_split_plan *other = &making->split->plans[policy];

        if (!other->there)
            continue;
        if (cost_of(making, other, quantile, &cost, error))
            return -1;
        if (cost < best) {
            best = cost;
            memcpy(plan->units, other->units, making->question->n_hosts * sizeof *plan->units);
            memcpy(plan->work, other->work, making->question->n_hosts * sizeof *plan->work);
        }
    }
    return 0;
}

static int search_by(struct making *making, enum rc_policy policy, double quantile,
                     struct rc_error *error)
{
    struct rc_split_plan *plan = &making->split->plans[policy];
    struct rc_optimal optimal = optimal_of(making, quantile);
    size_t n_starts = gather_starts(making);

    if (get_room(making, plan, error) ||
        rc_split_optimal_find(&optimal, making->starts, n_starts, plan->work, error) ||
        (isnan(quantile) && making->split->scenarios > 1 &&
         temper(making, &optimal, plan, error)) ||
        make_whole(making, plan, error) || take_best(making, plan, quantile, error))
        return -1;
    plan->there = true;
    return 0;
}

/* ---- all of them ---- */

/* How often each plan is the fastest: Window of the dissertation, but with the same scenarios for
 * all policies, so that none needs neighbours. */
static int find_fastest(struct making *making, struct rc_error *error)
{
    struct rc_split *split = making->split;
    size_t n = rc_split_paths_count(split->paths), n_plans = 0;
    double *all = calloc(RC_POLICIES * n + 1, sizeof *all), shares[RC_POLICIES], cost;
    const double *times[RC_POLICIES];
    struct rc_split_plan *plans[RC_POLICIES];
    int status = all ? 0 : rc_error_no_memory(error);

    for (int policy = 0; policy < RC_POLICIES && !status; policy++) {
        if (!split->plans[policy].there)
            continue;
        plans[n_plans] = &split->plans[policy];
        status = cost_of(making, plans[n_plans], NAN, &cost, error);
        memcpy(all + n_plans * n, making->times, n * sizeof *all);
        times[n_plans] = all + n_plans * n;
        n_plans++;
    }
    if (!status) {
        rc_split_metrics_fastest(times, n_plans, n, shares);
        for (size_t i = 0; i < n_plans; i++)
            plans[i]->fastest = shares[i];
    }
    free(all);
    return status;
}

static int look_ahead(struct making *making, const struct rc_monitor *monitor,
                      struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    struct rc_split *split = making->split;

    if (rc_split_look_ahead(question, making->alone, split->plans[RC_POLICY_LAST].work,
                            making->times, split, error) ||
        balance_by(making, RC_POLICY_FORECAST, 0, error) ||
        search_by(making, RC_POLICY_OPTIMAL, NAN, error))
        return -1;
    if (rc_progress_monitor_check(monitor, error))
        return -1;
    if (!isnan(question->quantile) &&
        search_by(making, RC_POLICY_QUANTILE, question->quantile, error))
        return -1;
    if (find_fastest(making, error))
        return -1;
    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (split->plans[policy].there && find_times(making, &split->plans[policy], error))
            return -1;
    return 0;
}

static int make(struct making *making, const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    double factor;

    rc_split_look_back(question, making->split);
    factor = factor_of(making, error);
    if (isnan(factor) || balance_by(making, RC_POLICY_MEAN, 0, error) ||
        balance_by(making, RC_POLICY_VTF, factor, error) ||
        balance_by(making, RC_POLICY_95TF, conservative, error) ||
        balance_by(making, RC_POLICY_LAST, NAN, error) || take_current(making, error))
        return -1;
    if (!isnan(question->factor) && balance_by(making, RC_POLICY_TUNED, question->factor, error))
        return -1;
    return question->paces_only ? 0 : look_ahead(making, monitor, error);
}

static int begin(struct making *making, struct rc_error *error)
{
    const struct rc_split_question *question = making->question;
    size_t n = question->n_hosts;

    making->split->n_hosts = n;
    making->split->seconds = NAN;
    making->split->weight = 1;
    making->split->facts = calloc(n + 1, sizeof *making->split->facts);
    making->hosts = calloc(n + 1, sizeof *making->hosts);
    making->alone = calloc(n + 1, sizeof *making->alone);
    making->times = calloc(question->scenarios + 1, sizeof *making->times);
    making->starts = calloc(RC_POLICIES * n + 1, sizeof *making->starts);
    if (!making->split->facts || !making->hosts || !making->alone || !making->times ||
        !making->starts)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < n; h++)
        making->alone[h] =
            (struct rc_balance_host){question->hosts[h].unit, question->hosts[h].fixed,
                                     question->hosts[h].most};
    return 0;
}

int rc_split_make(const struct rc_split_question *question, struct rc_split *split,
                  const struct rc_monitor *monitor, struct rc_error *error)
{
    struct making making = {.question = question, .split = split};
    int status;

    if (question->n_hosts == 0)
        return rc_error_set(error, "no hosts");
    status = begin(&making, error) || make(&making, monitor, error) ? -1 : 0;
    free(making.hosts);
    free(making.alone);
    free(making.times);
    free(making.starts);
    return status;
}

void rc_split_free(struct rc_split *split)
{
    for (int policy = 0; policy < RC_POLICIES; policy++) {
        struct rc_split_plan *plan = &split->plans[policy];

        free(plan->work);
        free(plan->units);
        free(plan->alone);
        rc_value_drop(plan->time);
    }
    free(split->facts);
    rc_split_paths_destroy(split->paths);
    *split = (struct rc_split){0};
}

/* ---- what the hosts are asked ---- */

void rc_split_set_paces(struct rc_split_question *question, struct rc_split_host *hosts,
                        const double *speeds, double seconds, double high_power)
{
    double slowest = INFINITY, own = (double)question->units / (double)question->n_hosts;

    for (size_t h = 0; h < question->n_hosts; h++)
        slowest = fmin(slowest, speeds[h]);
    for (size_t h = 0; h < question->n_hosts; h++)
        hosts[h].unit = seconds / own * (slowest / speeds[h]);
    /* Power is units in a second. */
    question->tuning.high_power = high_power / slowest * own / seconds;
}

void rc_split_leave(struct rc_split_question *question, struct rc_split_host *hosts, double done)
{
    bool often = question->coupling == RC_COUPLING_TIGHT;

    for (size_t h = 0; h < question->n_hosts && often; h++) {
        hosts[h].unit *= 1 - done;
        hosts[h].fixed *= 1 - done;
    }
    if (!often)
        question->units = (int64_t)fmax(round((double)question->units * (1 - done)), 1);
}
