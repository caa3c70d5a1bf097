// SPDX-License-Identifier: GPL-3.0-or-later
/* combine.c - the answers of all methods as one, recalibrated.
 *
 * Each method's own answer gets its factor and its weight by its track record (mixture.h).  Then
 * the same factors and weights are applied to the runs that came: each method's prediction of such
 * a run was stored as a distribution, and these are mixed as the present ones are.  How far that
 * was from the run time moves the ends of the interval (recalibrate.h); the middle is where the
 * methods put it, each of which has its factor or has learned. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "predict/mixture.h"
#include "predict/predictor_internal.h"

enum { MIXED = 2 * RC_TRACK_SAMPLES }; /* samples that stand for an earlier mixture */
/* Runs that were predicted by methods of less than this weight do not count for the mixture. */
static const double weight_least = 0.5;

/* The parts that are mixed, and which method each is of. */
struct mix {
    struct rc_mixture_part parts[RC_METHODS];
    int methods[RC_METHODS];
    struct rc_past_prediction *past[RC_METHODS];
    size_t n;
};

static int gather(struct rc_predictor *predictor, double start,
                  const struct rc_predict_answer *answer, struct mix *mix, struct rc_error *error)
{
    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_answer *own = &answer->methods[m].answer;
        struct rc_mixture_part *part = &mix->parts[mix->n];

        if (!answer->methods[m].answered)
            continue;
        *part = (struct rc_mixture_part){.draws = own->own ? own->own_samples : own->samples,
                                         .n_draws = own->n_samples,
                                         .learns = own->learns,
                                         .prior = rc_methods[m]->prior};
        /* No track record is of a load that is given. */
        if (!answer->given &&
            rc_predict_track_own(&predictor->record, m, start, rc_methods[m]->is_present,
                                 predictor->methods[m].state, &mix->past[mix->n], &part->n_past,
                                 error))
            return -1;
        part->past = mix->past[mix->n];
        mix->methods[mix->n++] = m;
    }
    return 0;
}

/* ---- what it would have predicted ---- */

static void scale(const struct rc_past_prediction *past, double factor,
                  struct rc_past_prediction *said)
{
    *said = (struct rc_past_prediction){factor * past->predicted, factor * past->low,
                                        factor * past->high, past->came};
}

/* Mixes predictions of one run, n of them, by parts of `mix`.  Whether those have weight enough. */
static bool mix_past(const struct mix *mix, const struct rc_track_entry *const *past,
                     struct rc_past_prediction *said)
{
    double mixed[MIXED], weight = 0;
    struct rc_mixture_part parts[RC_METHODS];
    struct rc_predict_summary summary;
    size_t n = 0, last = 0;

    for (size_t i = 0; i < mix->n; i++)
        if (past[i]) {
            parts[n] = (struct rc_mixture_part){.draws = past[i]->samples,
                                                .n_draws = RC_TRACK_SAMPLES,
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

/* The predictions of the run of entry `first`, by parts of `mix`; returns where the next run's
 * begin. */
static size_t gather_run(const struct rc_predictor *predictor, const struct mix *mix, size_t first,
                         const struct rc_track_entry **past)
{
    const struct rc_track_record *record = &predictor->record;
    size_t i = first;

    memset(past, 0, RC_METHODS * sizeof *past);
    for (; i < record->n && record->entries[i].run == record->entries[first].run; i++) {
        const struct rc_track_entry *entry = &record->entries[i];

        for (size_t k = 0; k < mix->n; k++) {
            int method = mix->methods[k];
            rc_track_filter *counts = rc_methods[method]->is_present;

            if (method == entry->method &&
                (!counts || counts(predictor->methods[method].state, entry)))
                past[k] = entry;
        }
    }
    return i;
}

static int learn(const struct rc_predictor *predictor, double start, const struct mix *mix,
                 struct rc_recalibration *learnt, struct rc_error *error)
{
    const struct rc_track_record *record = &predictor->record;
    const struct rc_track_entry *past[RC_METHODS];
    struct rc_past_prediction *said = malloc((record->n + 1) * sizeof *said);
    size_t n = 0, next;
    int status;

    if (!said)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < record->n && record->entries[i].end <= start; i = next) {
        next = gather_run(predictor, mix, i, past);
        n += mix_past(mix, past, &said[n]);
    }
    status = rc_predict_recalibrate_learn_ends(said, n, 0.9, learnt, error);
    free(said);
    return status;
}

/* ---- all together ---- */

/* One method alone: its samples are the answer's. */
static void pass_through(struct rc_predictor *predictor, const struct mix *mix,
                         struct rc_predict_answer *answer)
{
    const struct rc_mixture_part *only = &mix->parts[0];
    const struct rc_method_answer *own = &answer->methods[mix->methods[0]].answer;
    struct rc_predict_summary *summary = &answer->summary;

    answer->n_samples = only->n_draws;
    for (size_t i = 0; i < only->n_draws; i++)
        predictor->combined[i] = only->factor * only->draws[i];
    *summary = own->own ? *own->own : own->summary;
    summary->predicted *= only->factor;
    summary->mean *= only->factor;
    summary->lo90 *= only->factor;
    summary->hi90 *= only->factor;
}

/* Of the first method that knows it. */
static void take_load(struct rc_predict_answer *answer)
{
    answer->summary.cpu = answer->summary.bw = NAN;
    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_predict_summary *own = &answer->methods[m].answer.summary;

        if (!answer->methods[m].answered || (isnan(own->cpu) && isnan(own->bw)))
            continue;
        answer->summary.cpu = own->cpu;
        answer->summary.bw = own->bw;
        return;
    }
}

static void join(struct rc_predictor *predictor, const struct mix *mix,
                 struct rc_predict_answer *answer)
{
    answer->samples = predictor->combined;
    answer->n_samples = predictor->options.samples;
    for (size_t i = 0; i < mix->n; i++) {
        struct rc_method_report *report = &answer->methods[mix->methods[i]];

        report->factor = mix->parts[i].factor;
        report->error = mix->parts[i].error;
        report->weight = mix->parts[i].weight;
        if (report->weight > answer->methods[answer->best].weight)
            answer->best = (size_t)mix->methods[i];
    }
    if (mix->n == 1) {
        pass_through(predictor, mix, answer);
    } else {
        rc_predict_mixture_draw(mix->parts, mix->n, predictor->combined, answer->n_samples);
        rc_predict_summarise(predictor->combined, answer->n_samples, &answer->summary);
        take_load(answer);
    }
    answer->combined = answer->summary;
}

int rc_predict_combine(struct rc_predictor *predictor, double start,
                       struct rc_predict_answer *answer, struct rc_error *error)
{
    struct mix mix = {.n = 0};
    int status = gather(predictor, start, answer, &mix, error);

    if (status == 0)
        status = rc_predict_mixture_weigh(mix.parts, mix.n, error);
    if (status == 0) {
        join(predictor, &mix, answer);
        if (!answer->given)
            status = learn(predictor, start, &mix, &answer->learnt, error);
    }
    if (status == 0)
        rc_predict_correct(&answer->learnt, predictor->combined, answer->n_samples,
                           &answer->summary);
    for (size_t i = 0; i < RC_METHODS; i++)
        free(mix.past[i]);
    return status;
}
