// SPDX-License-Identifier: GPL-3.0-or-later
/* scenario_evaluation.c - a run followed along scenarios of the loads that its model rests on.
 *
 * All draws go through time together: between two changes of any input, the model is evaluated
 * once, with a sample that has one draw for each scenario.  Distributions that do not change with
 * time must have the same draws every time, so each evaluation has the same random numbers. */
#include "model/structural/scenario_evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "model/structural/input_forecasts.h"

enum {
    LOOKS_MAX = 4,       /* at scenarios that go further each time */
    CELLS_MAX = 1 << 24, /* of all paths together */
    DRAWS_LEAST = 100
};
static const double margin = 1.5;       /* by which scenarios are longer than expected */
static const double beyond_most = 0.05; /* draws that may outlast the scenarios */
static const double patience = 1e6; /* times the scenarios' length: what takes longer never ends */
static const double stretch = 1.25; /* of the time beyond the scenarios, step by step */

struct ahead {
    struct rc_binding *binding;
    struct rc_value_rules rules; /* with random numbers of its own for each evaluation */
    uint64_t seed;
    double parts;     /* of the run, after each of which hosts wait for one another; INFINITY: at
                         each instant the slowest counts */
    size_t n, n_open; /* draws, and those that have not ended */
    double *took;     /* seconds; NAN while it has not ended */
    double *done;     /* of the run or, where it has parts, of the part at hand, so far */
    double *ended;    /* parts that are done */
    double *since;    /* when the part at hand began */
    double *pace;     /* of the run, in a second */
    double *now_pace; /* the same, with inputs as they are rather than their means */
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
        evaluation =
            rc_structural_binding_evaluation(ahead->binding, RC_SAMPLE, &ahead->rules, error);
    if (evaluation)
        *total = rc_structural_binding_total(ahead->binding, evaluation, error);
    return evaluation;
}

/* What part of the run a second gets each draw, with inputs as they are set. */
static int find_pace(struct ahead *ahead, double *pace, struct rc_error *error)
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

        pace[i] = seconds > 0 && isfinite(seconds) ? 1 / seconds : seconds > 0 ? 0 : INFINITY;
    }
    rc_value_drop(sample);
    rc_value_drop(total);
    rc_value_evaluation_destroy(evaluation);
    return n > 0 ? 0 : -1;
}

/* ---- the means of inputs ---- */

/* Adds so many seconds at the present levels to what draw i had since the start. */
static void integrate(struct ahead *ahead, size_t i, double seconds)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t s = 0; s < lane->n_series; s++)
            lane->all[s * lane->n_draws + i] += lane->level[s * lane->n_draws + i] * seconds;
}

/* The same, of all draws, to what they had in the part at hand. */
static void integrate_parts(struct ahead *ahead, double seconds)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t k = 0; k < lane->n_series * ahead->n; k++)
            lane->sum[k] += lane->level[k] * seconds;
}

/* The part at hand has begun so many seconds ago. */
static void begin_part(struct ahead *ahead, size_t i, double seconds)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t s = 0; s < lane->n_series; s++) {
            size_t k = s * lane->n_draws + i;

            lane->sum[k] = lane->level[k] * seconds;
        }
}

/* Puts means over the part at hand, until `t`, in the place of what holds now. */
static void set_means(struct ahead *ahead, double t)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t k = 0; k < lane->n_series * ahead->n; k++) {
            double seconds = t - ahead->since[k % ahead->n];

            if (seconds > 0 && isnan(ahead->took[k % ahead->n]))
                lane->level[k] = lane->sum[k] / seconds;
        }
}

/* Puts means over each draw's own run there. */
static void set_means_of_runs(struct ahead *ahead)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        for (size_t k = 0; k < lane->n_series * ahead->n; k++)
            if (ahead->took[k % ahead->n] > 0)
                lane->level[k] = lane->all[k] / ahead->took[k % ahead->n];
}

/* ---- through time ---- */

static void set_levels(struct ahead *ahead, double t)
{
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        rc_structural_lane_set(lane, t);
}

/* The next change of any input after `t`. */
static double next_change(const struct ahead *ahead, double t)
{
    double until = INFINITY;

    for (const struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        until = fmin(until, rc_structural_lane_until(lane, t));
    return until;
}

static void end_draw(struct ahead *ahead, size_t i, double t, double seconds)
{
    integrate(ahead, i, seconds - t);
    ahead->took[i] = seconds;
    ahead->n_open--;
}

/* From `t` to `until`, at the pace of the instant. */
static int go_by_instants(struct ahead *ahead, double t, double until, struct rc_error *error)
{
    if (find_pace(ahead, ahead->pace, error))
        return -1;
    for (size_t i = 0; i < ahead->n; i++) {
        double rest = (1 - ahead->done[i]) / ahead->pace[i];

        if (!isnan(ahead->took[i]))
            continue;
        if (rest <= until - t && isfinite(rest)) {
            end_draw(ahead, i, t, t + rest);
        } else if (isfinite(until)) {
            ahead->done[i] += ahead->pace[i] * (until - t);
            integrate(ahead, i, until - t);
        }
    }
    return 0;
}

/* Draw i has done the part at hand before `until`: when that was, and what it does from then on,
 * with inputs that stay as they are. */
static void end_part(struct ahead *ahead, size_t i, double t, double until, double done)
{
    double fraction = isfinite(done) ? (1 - ahead->done[i]) / (done - ahead->done[i]) : 0;
    double ended = t + fraction * (until - t), part = 1 / (ahead->now_pace[i] * ahead->parts);
    double more = part > 0 ? floor((until - ended) / part) : INFINITY;

    ahead->ended[i]++;
    if (ahead->ended[i] + more >= ahead->parts) {
        end_draw(ahead, i, t, fmin(ended + fmax(ahead->parts - ahead->ended[i], 0) * part, until));
        return;
    }
    integrate(ahead, i, until - t);
    ahead->ended[i] += more;
    ahead->since[i] = more > 0 ? ended + more * part : ended; /* a part may be endless */
    ahead->done[i] = (until - ahead->since[i]) / part;
    begin_part(ahead, i, until - ahead->since[i]);
}

/* The same, where between two waits each host goes at its own pace, so that the means since the
 * last one count.  How much of a part is done never falls, and is taken to go straight between the
 * changes of inputs. */
static int go_by_parts(struct ahead *ahead, double t, double until, struct rc_error *error)
{
    if (find_pace(ahead, ahead->now_pace, error))
        return -1;
    integrate_parts(ahead, until - t);
    set_means(ahead, until);
    if (find_pace(ahead, ahead->pace, error))
        return -1;
    set_levels(ahead, t);
    for (size_t i = 0; i < ahead->n; i++) {
        double done = (until - ahead->since[i]) * ahead->pace[i] * ahead->parts;

        if (!isnan(ahead->took[i]))
            continue;
        if (done >= 1) {
            end_part(ahead, i, t, until, done);
            continue;
        }
        ahead->done[i] = fmax(ahead->done[i], done);
        integrate(ahead, i, until - t);
    }
    return 0;
}

/* Follows all draws to their ends, or until nobody can wait any longer. */
static int follow(struct ahead *ahead, double seconds, struct rc_error *error)
{
    double t = 0, furthest = patience * fmax(seconds, 1);

    ahead->n_open = ahead->n;
    for (size_t i = 0; i < ahead->n; i++) {
        ahead->took[i] = NAN;
        ahead->done[i] = ahead->ended[i] = ahead->since[i] = 0;
    }
    while (ahead->n_open > 0 && t < furthest) {
        double until = next_change(ahead, t);
        bool last = isinf(until), instants = isinf(ahead->parts);

        if (last && !instants)
            until = fmax(stretch * t, t + seconds / 64);
        set_levels(ahead, t);
        if (instants ? go_by_instants(ahead, t, until, error) : go_by_parts(ahead, t, until, error))
            return -1;
        if (last && instants)
            break;
        t = until;
    }
    return 0;
}

/* ---- how far to look ---- */

static size_t used_in(const struct rc_lane *lane)
{
    size_t n = 0;

    for (size_t s = 0; s < lane->n_series; s++)
        n += lane->series[s].used;
    return n;
}

static int look(struct ahead *ahead, double *seconds, struct rc_scenario_facts *facts,
                struct rc_value_rules *rules, struct rc_error *error)
{
    double known = INFINITY;
    size_t cells = 0;

    facts->n_steady = 0;
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next) {
        double reached = *seconds;
        bool steady = false;

        if (rc_structural_lane_look(lane, &reached, &steady, rules->random, error))
            return -1;
        if (steady)
            facts->n_steady += used_in(lane);
        else if (lane->n_series)
            known = fmin(known, reached);
        cells += lane->n_series * (lane->n_steps + 2);
    }
    facts->steady = facts->n_steady == facts->n_series;
    facts->seconds = isinf(known) ? 0 : known;
    if (cells > 0 && rules->draws > CELLS_MAX / cells)
        rules->draws = CELLS_MAX / cells > DRAWS_LEAST ? CELLS_MAX / cells : DRAWS_LEAST;
    ahead->rules.draws = ahead->n = rules->draws;
    for (struct rc_lane *lane = ahead->binding->lanes; lane; lane = lane->next)
        if (rc_structural_lane_draw(lane, ahead->n, rules->random, error))
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
    rc_error_set(error, "the run does not end under the forecast load");
    return rc_error_code(error, "structural.never-ends", NULL);
}

/* Looks and follows, until the scenarios go as far as nearly all draws do. */
static int look_and_follow(struct ahead *ahead, double seconds, struct rc_value_rules *rules,
                           struct rc_scenario_facts *facts, struct rc_error *error)
{
    for (int i = 0;; i++) {
        double last;

        if (look(ahead, &seconds, facts, rules, error) || follow(ahead, seconds, error))
            return -1;
        if (ahead->n_open > 0)
            return never_ends(error);
        last = late(ahead, ahead->pace);
        facts->run = ahead->pace[ahead->n / 2]; /* where they are in order now */
        if (last <= facts->seconds || facts->seconds < seconds || i + 1 == LOOKS_MAX)
            break;
        seconds = margin * last;
    }
    set_means_of_runs(ahead);
    return 0;
}

/* ---- answering ---- */

/* What the total takes with inputs at their present means; series that it does not use are left
 * out. */
static int begin(struct rc_binding *binding, double *seconds, struct rc_scenario_facts *facts,
                 struct rc_error *error)
{
    rc_structural_lane_forget(binding);
    for (struct rc_lane *lane = binding->lanes; lane; lane = lane->next)
        for (size_t s = 0; s < lane->n_series; s++)
            lane->series[s].used = false;
    if (rc_structural_binding_without(binding, NULL, seconds, error))
        return -1;
    *facts = (struct rc_scenario_facts){.newest = INFINITY};
    for (const struct rc_lane *lane = binding->lanes; lane; lane = lane->next) {
        facts->n_series += used_in(lane);
        facts->newest = fmin(facts->newest, rc_forecast_series_scenarios_newest(lane->scenarios));
    }
    if (facts->n_series == 0)
        facts->newest = NAN;
    return 0;
}

/* After how many parts of the run hosts wait for one another; NAN, with the error, where that
 * cannot be told. */
static double parts_of(struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_task *total = &binding->tasks[0];
    const struct rc_item *item = total->alternatives[total->chosen].item;
    double parts = item->waits == RC_WAITS_ONCE ? 1 : INFINITY;

    if (!item->times)
        return parts;
    if (rc_structural_binding_number(binding, item->times, NULL, 0, &parts, error))
        return NAN;
    if (parts < 1 - 1e-9) {
        rc_error_at(error, binding->model->files[item->file].name, item->line, item->column,
                    "'waits' is %g; it must be at least 1", parts);
        return NAN;
    }
    return round(parts);
}

static int get_room(struct ahead *ahead, struct rc_error *error)
{
    double **arrays[] = {&ahead->took,  &ahead->done, &ahead->ended,
                         &ahead->since, &ahead->pace, &ahead->now_pace};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = calloc(ahead->n + 1, sizeof **arrays[i])))
            return rc_error_no_memory(error);
    return 0;
}

static void end(struct ahead *ahead)
{
    rc_random_destroy(ahead->rules.random);
    free(ahead->took);
    free(ahead->done);
    free(ahead->ended);
    free(ahead->since);
    free(ahead->pace);
    free(ahead->now_pace);
}

static struct rc_value *answer_ahead(struct rc_binding *binding, int as, double seconds,
                                     struct rc_value_rules *rules,
                                     struct rc_evaluation **evaluation,
                                     struct rc_scenario_facts *facts, struct rc_error *error)
{
    struct ahead ahead = {.binding = binding, .rules = *rules, .n = rules->draws};
    struct rc_value *value = NULL, *kind = NULL;

    ahead.seed = rc_random_below(rules->random, UINT64_MAX);
    ahead.rules.random = NULL;
    ahead.parts = parts_of(binding, error);
    if (!isnan(ahead.parts) && get_room(&ahead, error) == 0 &&
        look_and_follow(&ahead, fmax(margin * seconds, 1e-3), rules, facts, error) == 0)
        value = rc_value_sample(ahead.took, ahead.n, error);
    if (value)
        *evaluation = rc_structural_binding_evaluation(binding, RC_SAMPLE, rules, error);
    if (value && *evaluation) /* so that it has what explanations ask for */
        rc_value_drop(rc_structural_binding_total(binding, *evaluation, error));
    if (value && as >= 0 && as != RC_SAMPLE) {
        kind = rc_value_convert(value, (enum rc_value_kind)as, rules, error);
        rc_value_drop(value);
        value = kind;
    }
    end(&ahead);
    return value;
}

/* Takes the value over. */
static struct rc_value *as_time(struct rc_value *value, struct rc_error *error)
{
    if (!value || rc_value_mean(value) > 0)
        return value;
    rc_error_set(error, "the result is %g s, not a positive time", rc_value_mean(value));
    rc_error_hint(error, "look for negative or too large inputs");
    rc_value_drop(value);
    return NULL;
}

struct rc_value *rc_structural_binding_answer(struct rc_binding *binding, int as,
                                              struct rc_value_rules *rules,
                                              struct rc_evaluation **evaluation,
                                              struct rc_scenario_facts *facts,
                                              struct rc_error *error)
{
    double seconds = NAN;

    *evaluation = NULL;
    *facts = (struct rc_scenario_facts){.newest = NAN};
    if (binding->lanes && begin(binding, &seconds, facts, error))
        return NULL;
    if (facts->n_series > 0 && rules->random)
        return as_time(answer_ahead(binding, as, seconds, rules, evaluation, facts, error), error);
    *evaluation = rc_structural_binding_evaluation(binding, as, rules, error);
    return *evaluation ? as_time(rc_structural_binding_total(binding, *evaluation, error), error)
                       : NULL;
}
