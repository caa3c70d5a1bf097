// SPDX-License-Identifier: GPL-3.0-or-later
/* ahead.c - a run followed along futures of the loads that its model rests on.
 *
 * All draws go through time together: between two changes of any input, the model is evaluated once,
 * with a sample that has one draw for each future.  Distributions that do not change with time must
 * have the same draws every time, so each evaluation starts from the same random numbers. */
#include "structure/ahead.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "structure/forecasts.h"

enum {
    LOOKS_MAX = 4,        /* at futures that go further each time */
    CELLS_MAX = 1 << 24,  /* of all paths together */
    DRAWS_LEAST = 100
};
static const double margin = 1.5;       /* by which futures are longer than expected */
static const double beyond_most = 0.05; /* draws that may outlast the futures */
static const double patience = 1e6; /* times the futures' length: what takes longer never ends */
static const double stretch = 1.25; /* of the time beyond the futures, step by step */

struct ahead {
    struct rc_binding *binding;
    struct rc_value_rules rules; /* with random numbers of its own for each evaluation */
    uint64_t seed;
    bool once;       /* hosts wait for one another at the end alone */
    size_t n, n_open; /* draws, and those that have not ended */
    double *took;    /* seconds; NAN while it has not ended */
    double *done;    /* part of the run, so far */
    double *pace;    /* of the run, in a second */
};

static struct rc_evaluation *evaluate(struct ahead *ahead, struct rc_value **total,
                                      struct rc_error *error)
{
    struct rc_evaluation *evaluation = NULL;

    rc_random_destroy(ahead->rules.random);
    ahead->rules.random = rc_random_create(ahead->seed, 1);
    *total = NULL;
    if (!ahead->rules.random)
        rc_error_no_memory(error);
    else
        evaluation = rc_binding_evaluation(ahead->binding, RC_SAMPLE, &ahead->rules, error);
    if (evaluation)
        *total = rc_binding_total(ahead->binding, evaluation, error);
    return evaluation;
}

/* What a second gets each draw further, with inputs as they are set. */
static int find_pace(struct ahead *ahead, struct rc_error *error)
{
    struct rc_value *total, *sample = NULL;
    struct rc_evaluation *evaluation = evaluate(ahead, &total, error);
    const double *draws;
    size_t n = 0;

    if (total)
        sample = rc_value_convert(total, RC_SAMPLE, &ahead->rules, error);
    draws = sample ? rc_value_draws(sample, &n) : NULL;
    for (size_t i = 0; i < ahead->n && n > 0; i++) {
        double seconds = draws[n == ahead->n ? i : i % n];

        ahead->pace[i] = seconds > 0 && isfinite(seconds) ? 1 / seconds : seconds > 0 ? 0 : INFINITY;
    }
    rc_value_drop(sample);
    rc_value_drop(total);
    rc_evaluation_destroy(evaluation);
    return n > 0 ? 0 : -1;
}

/* ---- the means of inputs over the run ---- */

/* Adds so many seconds at the present levels to the integrals of draw i. */
static void integrate(struct ahead *ahead, size_t i, double seconds)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t s = 0; s < lane->n_series; s++)
            lane->sum[s * lane->n_draws + i] += lane->level[s * lane->n_draws + i] * seconds;
}

/* Puts means since the start in the place of what holds now: of draws that have ended, over their
 * own time, of the others until `t`. */
static void set_means(struct ahead *ahead, double t)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t k = 0; k < lane->n_series * ahead->n; k++) {
            double seconds = isnan(ahead->took[k % ahead->n]) ? t : ahead->took[k % ahead->n];

            if (seconds > 0)
                lane->level[k] = lane->sum[k] / seconds;
        }
}

/* ---- through time ---- */

static void set_levels(struct ahead *ahead, double t)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        rc_lane_set(lane, t);
}

/* The next change of any input after `t`. */
static double next_change(const struct ahead *ahead, double t)
{
    double until = INFINITY;

    for (const struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        until = fmin(until, rc_lane_until(lane, t));
    return until;
}

static void end_draw(struct ahead *ahead, size_t i, double seconds)
{
    ahead->took[i] = seconds;
    ahead->n_open--;
}

/* From `t` to `until`, at the pace of the instant. */
static int go_by_instants(struct ahead *ahead, double t, double until, struct rc_error *error)
{
    if (find_pace(ahead, error))
        return -1;
    for (size_t i = 0; i < ahead->n; i++) {
        double rest = (1 - ahead->done[i]) / ahead->pace[i];

        if (!isnan(ahead->took[i]))
            continue;
        if (rest <= until - t && isfinite(rest)) {
            integrate(ahead, i, rest);
            end_draw(ahead, i, t + rest);
        } else if (isfinite(until)) {
            ahead->done[i] += ahead->pace[i] * (until - t);
            integrate(ahead, i, until - t);
        }
    }
    return 0;
}

/* The same, at the pace of the means since the start: how much of a run that has lasted until then
 * is done, never falls, and is taken to go straight in between. */
static int go_by_means(struct ahead *ahead, double t, double until, struct rc_error *error)
{
    double *before = malloc((ahead->n + 1) * sizeof *before);

    if (!before)
        return rc_error_no_memory(error);
    memcpy(before, ahead->done, ahead->n * sizeof *before);
    for (size_t i = 0; i < ahead->n; i++)
        if (isnan(ahead->took[i]))
            integrate(ahead, i, until - t);
    set_means(ahead, until);
    if (find_pace(ahead, error)) {
        free(before);
        return -1;
    }
    set_levels(ahead, t);
    for (size_t i = 0; i < ahead->n; i++) {
        double part;

        if (!isnan(ahead->took[i]))
            continue;
        ahead->done[i] = fmax(before[i], until * ahead->pace[i]);
        if (ahead->done[i] < 1)
            continue;
        part = isfinite(ahead->done[i]) ? (1 - before[i]) / (ahead->done[i] - before[i]) : 0;
        integrate(ahead, i, (part - 1) * (until - t)); /* too much was added above */
        end_draw(ahead, i, t + part * (until - t));
    }
    free(before);
    return 0;
}

/* Follows all draws to their ends, or until nobody can wait any longer. */
static int follow(struct ahead *ahead, double seconds, struct rc_error *error)
{
    double t = 0, furthest = patience * fmax(seconds, 1);

    ahead->n_open = ahead->n;
    for (size_t i = 0; i < ahead->n; i++) {
        ahead->took[i] = NAN;
        ahead->done[i] = 0;
    }
    while (ahead->n_open > 0 && t < furthest) {
        double until = next_change(ahead, t);
        bool last = isinf(until);

        if (last && ahead->once)
            until = fmax(stretch * t, t + seconds / 64);
        set_levels(ahead, t);
        if (ahead->once ? go_by_means(ahead, t, until, error)
                        : go_by_instants(ahead, t, until, error))
            return -1;
        if (last && !ahead->once)
            break;
        t = until;
    }
    return 0;
}

/* ---- how far to look ---- */

static int look(struct ahead *ahead, double *seconds, struct rc_ahead_facts *facts,
                struct rc_value_rules *rules, struct rc_error *error)
{
    double known = *seconds;
    size_t cells = 0;

    facts->steady = false;
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next) {
        double reached = *seconds;

        if (rc_lane_look(lane, &reached, &facts->steady, rules->random, error))
            return -1;
        known = fmin(known, reached);
        cells += lane->n_series * (lane->n_steps + 2);
    }
    facts->seconds = known;
    if (cells > 0 && rules->draws > CELLS_MAX / cells)
        rules->draws = CELLS_MAX / cells > DRAWS_LEAST ? CELLS_MAX / cells : DRAWS_LEAST;
    ahead->rules.draws = ahead->n = rules->draws;
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        if (rc_lane_draw(lane, ahead->n, rules->random, error))
            return -1;
    return 0;
}

static double late(const struct ahead *ahead, double *sorted)
{
    memcpy(sorted, ahead->took, ahead->n * sizeof *sorted);
    rc_sort_doubles(sorted, ahead->n);
    return sorted[(size_t)((1 - beyond_most) * (double)(ahead->n - 1))];
}

static int never_ends(struct rc_error *error)
{
    rc_error_set(error, "under the load foreseen the run would not end");
    return rc_error_hint(error, "set other values with --set, or choose other hosts");
}

/* Looks and follows, until the futures go as far as nearly all draws do. */
static int look_and_follow(struct ahead *ahead, double seconds, struct rc_value_rules *rules,
                           struct rc_ahead_facts *facts, struct rc_error *error)
{
    for (int i = 0;; i++) {
        double last;

        if (look(ahead, &seconds, facts, rules, error) || follow(ahead, seconds, error))
            return -1;
        if (ahead->n_open > 0)
            return never_ends(error);
        last = late(ahead, ahead->pace);
        if (last <= facts->seconds || facts->seconds < seconds || i + 1 == LOOKS_MAX)
            break;
        seconds = margin * last;
    }
    set_means(ahead, 0);
    return 0;
}

/* ---- answering ---- */

/* What the total takes with inputs at their present means; series that it does not use are left
 * out. */
static int begin(struct rc_binding *binding, double *seconds, struct rc_ahead_facts *facts,
                 struct rc_error *error)
{
    rc_lane_forget(binding);
    for (struct rc_lane *lane = binding->lanes; lane; lane = lane->next)
        for (size_t s = 0; s < lane->n_series; s++)
            lane->series[s].used = false;
    if (rc_binding_without(binding, NULL, seconds, error))
        return -1;
    *facts = (struct rc_ahead_facts){.newest = INFINITY};
    for (const struct rc_lane *lane = binding->lanes; lane; lane = lane->next) {
        for (size_t s = 0; s < lane->n_series; s++)
            facts->n_series += lane->series[s].used;
        facts->newest = fmin(facts->newest, rc_prospect_newest(lane->prospect));
    }
    if (facts->n_series == 0)
        facts->newest = NAN;
    return 0;
}

static struct rc_value *answer_ahead(struct rc_binding *binding, int as, double seconds,
                                     struct rc_value_rules *rules,
                                     struct rc_evaluation **evaluation,
                                     struct rc_ahead_facts *facts, struct rc_error *error)
{
    const struct rc_task *total = &binding->tasks[0];
    struct ahead ahead = {.binding = binding, .rules = *rules, .n = rules->draws};
    struct rc_value *value = NULL, *kind = NULL;

    ahead.seed = rc_random_below(rules->random, UINT64_MAX);
    ahead.rules.random = NULL;
    ahead.once = total->ways[total->chosen].item->waits == RC_WAITS_ONCE;
    ahead.took = malloc(rules->draws * sizeof *ahead.took);
    ahead.done = malloc(rules->draws * sizeof *ahead.done);
    ahead.pace = malloc(rules->draws * sizeof *ahead.pace);
    if (!ahead.took || !ahead.done || !ahead.pace)
        rc_error_no_memory(error);
    else if (look_and_follow(&ahead, fmax(margin * seconds, 1e-3), rules, facts, error) == 0)
        value = rc_value_sample(ahead.took, ahead.n, error);
    if (value)
        *evaluation = rc_binding_evaluation(binding, RC_SAMPLE, rules, error);
    if (value && *evaluation) /* so that it has what explanations ask for */
        rc_value_drop(rc_binding_total(binding, *evaluation, error));
    if (value && as >= 0 && as != RC_SAMPLE) {
        kind = rc_value_convert(value, (enum rc_value_kind)as, rules, error);
        rc_value_drop(value);
        value = kind;
    }
    rc_random_destroy(ahead.rules.random);
    free(ahead.took);
    free(ahead.done);
    free(ahead.pace);
    return value;
}

struct rc_value *rc_binding_answer(struct rc_binding *binding, int as,
                                   struct rc_value_rules *rules,
                                   struct rc_evaluation **evaluation,
                                   struct rc_ahead_facts *facts, struct rc_error *error)
{
    double seconds = NAN;

    *evaluation = NULL;
    *facts = (struct rc_ahead_facts){.newest = NAN};
    if (binding->lanes && begin(binding, &seconds, facts, error))
        return NULL;
    if (facts->n_series > 0 && rules->random)
        return answer_ahead(binding, as, seconds, rules, evaluation, facts, error);
    *evaluation = rc_binding_evaluation(binding, as, rules, error);
    return *evaluation ? rc_binding_total(binding, *evaluation, error) : NULL;
}
