// SPDX-License-Identifier: GPL-3.0-or-later
/* door_mix.c - the answers of all families as one, recalibrated.
 *
 * Each family's own answer gets its factor and its weight by its record (mixture.h).  Then it is
 * asked what the same factors and weights would have made of the runs that came: each family's
 * prediction of such a run was kept as a distribution, and these are mixed as the present ones are.
 * How far that was from what came moves the ends of the interval (recalibrate.h); the middle is
 * where the families put it, each of which has its factor or has learnt. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "predict/correct.h"
#include "predict/door_internal.h"

enum { MIXED = 2 * RC_DOOR_REPLAYED }; /* draws that stand for an earlier mixture */
/* Runs that families of less than this weight have foretold teach nothing of the mixture. */
static const double weight_least = 0.5;

/* The parts that are mixed, and which family each is of. */
struct mix {
    struct rc_mixture_part parts[RC_DOOR_FAMILIES];
    int families[RC_DOOR_FAMILIES];
    struct rc_past_prediction *past[RC_DOOR_FAMILIES];
    size_t n;
};

static const double *own_draws(const struct rc_door *door, int family)
{
    return family == RC_DOOR_STRUCTURE && door->structural.learnt.n ? door->own
                                                                    : door->draws[family];
}

/* Slowdown factors that go out from the time of a model which learns have what it learnt, too. */
static bool learns(const struct rc_door *door, int family)
{
    return family == RC_DOOR_REGRESSION || (family == RC_DOOR_SLOWDOWN && door->slowed_regression);
}

/* What is known of a load that was said, no record tells. */
static int gather(struct rc_door *door, double start, const struct rc_door_answer *answer,
                  struct mix *mix, struct rc_error *error)
{
    for (int f = 0; f < RC_DOOR_FAMILIES; f++) {
        struct rc_mixture_part *part = &mix->parts[mix->n];

        if (!answer->parts[f].answered)
            continue;
        *part = (struct rc_mixture_part){.draws = own_draws(door, f),
                                         .n_draws = answer->parts[f].n_draws,
                                         .learns = learns(door, f),
                                         .prior = rc_predict_door_way(f)->prior};
        if (!answer->given &&
            rc_predict_door_own_record(door, f, start, &mix->past[mix->n], &part->n_past, error))
            return -1;
        part->past = mix->past[mix->n];
        mix->families[mix->n++] = f;
    }
    return 0;
}

/* ---- what it would have said ---- */

static void scale(const struct rc_past_prediction *past, double factor,
                  struct rc_past_prediction *said)
{
    *said = (struct rc_past_prediction){factor * past->predicted, factor * past->low,
                                        factor * past->high, past->came};
}

/* Mixes predictions of one run, n of them, by parts of `mix`.  Whether those have weight enough. */
static bool mix_past(const struct mix *mix, const struct rc_door_past *const *past,
                     struct rc_past_prediction *said)
{
    double mixed[MIXED], weight = 0;
    struct rc_mixture_part parts[RC_DOOR_FAMILIES];
    struct rc_predict_summary summary;
    size_t n = 0, last = 0;

    for (size_t i = 0; i < mix->n; i++)
        if (past[i]) {
            parts[n] = (struct rc_mixture_part){.draws = past[i]->draws,
                                                .n_draws = RC_DOOR_REPLAYED,
                                                .factor = mix->parts[i].factor,
                                                .weight = mix->parts[i].weight};
            weight += parts[n++].weight;
            last = i;
        }
    if (n == 0 || weight < weight_least)
        return false;
    if (n == 1) {
        scale(&past[last]->own, mix->parts[last].factor, said);
        return true;
    }
    for (size_t i = 0; i < n; i++)
        parts[i].weight /= weight;
    rc_predict_mixture_draw(parts, n, mixed, MIXED);
    rc_predict_summarise(mixed, MIXED, &summary);
    *said = (struct rc_past_prediction){summary.predicted, summary.lo90, summary.hi90,
                                        past[last]->own.came};
    return true;
}

/* The predictions of the run at `past[first]`, by parts of `mix`; returns where the next run's
 * begin. */
static size_t gather_run(const struct rc_door *door, const struct mix *mix, size_t first,
                         const struct rc_door_past **past)
{
    size_t i = first;

    memset(past, 0, RC_DOOR_FAMILIES * sizeof *past);
    for (; i < door->n_past && door->past[i].run == door->past[first].run; i++)
        for (size_t k = 0; k < mix->n; k++)
            if (mix->families[k] == door->past[i].family &&
                rc_predict_door_teaches(door, &door->past[i]))
                past[k] = &door->past[i];
    return i;
}

static int learn(const struct rc_door *door, double start, const struct mix *mix,
                 struct rc_recalibration *learnt, struct rc_error *error)
{
    const struct rc_door_past *past[RC_DOOR_FAMILIES];
    struct rc_past_prediction *said = malloc((door->n_past + 1) * sizeof *said);
    size_t n = 0, next;
    int status;

    if (!said)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < door->n_past && door->past[i].end <= start; i = next) {
        next = gather_run(door, mix, i, past);
        n += mix_past(mix, past, &said[n]);
    }
    status = rc_predict_recalibrate_learn_ends(said, n, 0.9, learnt, error);
    free(said);
    return status;
}

/* ---- all together ---- */

/* One family alone: its draws are the door's. */
static void pass_through(struct rc_door *door, const struct mix *mix, struct rc_door_answer *answer)
{
    const struct rc_mixture_part *only = &mix->parts[0];
    const struct rc_door_part *part = &answer->parts[mix->families[0]];
    bool corrected = mix->families[0] == RC_DOOR_STRUCTURE && door->structural.learnt.n;
    struct rc_predict_summary *summary = &answer->summary;

    answer->n_draws = only->n_draws;
    for (size_t i = 0; i < only->n_draws; i++)
        door->mixed[i] = only->factor * only->draws[i];
    *summary = corrected ? door->structural.own : part->summary;
    summary->predicted *= only->factor;
    summary->mean *= only->factor;
    summary->lo90 *= only->factor;
    summary->hi90 *= only->factor;
}

static void join(struct rc_door *door, const struct mix *mix, struct rc_door_answer *answer)
{
    answer->draws = door->mixed;
    answer->n_draws = door->options.draws;
    for (size_t i = 0; i < mix->n; i++) {
        struct rc_door_part *part = &answer->parts[mix->families[i]];

        part->factor = mix->parts[i].factor;
        part->error = mix->parts[i].error;
        part->weight = mix->parts[i].weight;
        if (part->weight > answer->parts[answer->best].weight)
            answer->best = (size_t)mix->families[i];
    }
    if (mix->n == 1) {
        pass_through(door, mix, answer);
    } else {
        rc_predict_mixture_draw(mix->parts, mix->n, door->mixed, answer->n_draws);
        rc_predict_summarise(door->mixed, answer->n_draws, &answer->summary);
        answer->summary.cpu = answer->parts[RC_DOOR_REGRESSION].answered
                                  ? answer->parts[RC_DOOR_REGRESSION].summary.cpu
                                  : NAN;
        answer->summary.bw = answer->parts[RC_DOOR_REGRESSION].answered
                                 ? answer->parts[RC_DOOR_REGRESSION].summary.bw
                                 : NAN;
    }
    answer->mixed = answer->summary;
}

int rc_predict_door_mix(struct rc_door *door, double start, struct rc_door_answer *answer,
                        struct rc_error *error)
{
    struct mix mix = {.n = 0};
    int status = gather(door, start, answer, &mix, error);

    if (status == 0)
        status = rc_predict_mixture_weigh(mix.parts, mix.n, error);
    if (status == 0) {
        join(door, &mix, answer);
        if (!answer->given)
            status = learn(door, start, &mix, &answer->learnt, error);
    }
    if (status == 0)
        rc_predict_correct(&answer->learnt, door->mixed, answer->n_draws, &answer->summary);
    for (size_t i = 0; i < mix.n; i++)
        free(mix.past[i]);
    return status;
}
