// SPDX-License-Identifier: GPL-3.0-or-later
/* form.c - from acts to loops of acts.
 *
 * Clustering and folding are those of Sodhi, Subhlok and Xu, "Performance Prediction with
 * Skeletons", section 4.2, but for all ranks at once, which their section 6 calls coordinated
 * skeletons.  What is clustered is therefore not the call of a rank but the message, or the
 * collective call, with all who take part: both ends of a message get the same symbol. */
#include "model/skeleton/shrink/form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/shrink/cluster.h"
#include "model/skeleton/shrink/form_calls.h"
#include "model/skeleton/shrink/form_entries.h"
#include "model/skeleton/match/loose.h"
#include "model/skeleton/loops/memo.h"

enum {
    STEPS = 10, /* of the threshold, from 0 to its maximum */
    FEW = 64    /* acts, of which no loop is expected */
};

struct finding {
    struct rc_form *form;
    struct rc_form_calls calls;
    uint32_t *string; /* symbols of acts */
    uint32_t *sample; /* for each symbol, its first act */
    struct rc_error *error;
};

/* ---- symbols of acts ---- */

/* Numbers of requests do not tell loose acts apart: those of a program that is a request ahead
 * alternate.  Nor does it matter which of several requests was done first: all are done in the
 * order of the first such act. */
static uint64_t event_key(const struct finding *finding, const uint32_t *symbols, uint64_t hash,
                          const struct rc_act *act, const struct rc_act_part *part, uint32_t event)
{
    const struct rc_form *form = finding->form;
    const struct rc_match_link *link = form->match.links[part->rank] + event;
    const struct rc_trace_call *call =
        rc_skeleton_program_call(form->program->rank + part->rank, event);
    uint32_t none = RC_PROGRAM_NONE,
             file = rc_skeleton_form_file_call(&finding->calls, part->rank, event);

    hash = rc_skeleton_memo_mixed(hash, (uint64_t)call->kind << 32 |
                                            (act->loose ? 0 : (uint32_t)call->request));
    hash = rc_skeleton_memo_mixed(hash, (uint64_t)(link->out == none ? none : symbols[link->out])
                                                << 32 |
                                            (link->in == none ? none : symbols[link->in]));
    hash = rc_skeleton_memo_mixed(hash, link->collective == none
                                            ? none
                                            : symbols[form->match.n_messages + link->collective]);
    if (file != none)
        hash = rc_skeleton_memo_mixed(hash, symbols[file]);
    if (!act->loose && rc_trace_kind_info(call->kind)->class == RC_TRACE_COMPLETES &&
        !rc_skeleton_match_is_for_any(call->kind))
        for (uint32_t i = 0; i < call->list_length && call->list[i] >= 0; i++)
            hash = rc_skeleton_memo_mixed(hash, (uint32_t)call->list[i]);
    return hash;
}

static uint64_t act_key(const struct finding *finding, const uint32_t *symbols,
                        const struct rc_act *act)
{
    const struct rc_form *form = finding->form;
    uint64_t hash = act->loose ? 2 : 1;

    for (uint32_t p = 0; p < act->n_parts; p++) {
        const struct rc_act_part *part = form->acts.parts + act->first + p;

        hash = rc_skeleton_memo_mixed(hash, (uint64_t)part->rank << 32 | (part->end - part->begin));
        for (uint32_t event = part->begin; event < part->end; event++)
            hash = event_key(finding, symbols, hash, act, part, event);
    }
    return hash;
}

/* Gives each act its symbol; a chance of n^2 / 2^64 that two which differ get the same is taken. */
static int name_acts(struct finding *finding, const struct rc_clusters *clusters)
{
    struct rc_form *form = finding->form;
    struct rc_memo *memo = rc_skeleton_memo_create(finding->error);
    int result = memo ? 0 : -1;

    form->n_symbols = 0;
    for (size_t i = 0; !result && i < form->acts.n; i++) {
        uint64_t key = act_key(finding, clusters->symbols, form->acts.acts + i);

        if (rc_skeleton_memo_find(memo, key, finding->string + i))
            continue;
        finding->sample[form->n_symbols] = (uint32_t)i;
        finding->string[i] = form->n_symbols;
        result = rc_skeleton_memo_add(memo, key, form->n_symbols++, finding->error);
    }
    rc_skeleton_memo_destroy(memo);
    return result;
}

static uint32_t calls_in(const struct rc_acts *acts, uint32_t act)
{
    uint32_t n = 0;

    for (uint32_t p = 0; p < acts->acts[act].n_parts; p++) {
        const struct rc_act_part *part = acts->parts + acts->acts[act].first + p;

        n += part->end - part->begin;
    }
    return n;
}

/* Calls of the program for each call that stands in the loops. */
static double compression(const struct finding *finding, const struct rc_loops *loops)
{
    double left = 0;

    for (size_t i = 0; i < loops->n; i++)
        if (!loops->items[i].times)
            left += calls_in(&finding->form->acts, finding->sample[loops->items[i].value]);
    return left > 0 ? (double)finding->form->program->events / left : 1;
}

/* ---- raising the threshold ---- */

/* Folds with one threshold on the sizes of `calls`; keeps the result where it is better than what
 * there is. */
static int attempt(struct finding *finding, const struct rc_cluster_call *calls, double threshold,
                   uint32_t *n_clusters)
{
    struct rc_form *form = finding->form;
    struct rc_clusters clusters;
    struct rc_loops loops;
    double gained;
    int result;

    if (rc_skeleton_clusters_find(calls, finding->calls.n, threshold, &clusters, finding->error))
        return -1;
    if (threshold > 0 && clusters.n_symbols == *n_clusters) {
        rc_skeleton_clusters_free(&clusters);
        return 0;
    }
    *n_clusters = clusters.n_symbols;
    result = name_acts(finding, &clusters);
    rc_skeleton_clusters_free(&clusters);
    if (result || rc_skeleton_loops_find(finding->string, form->acts.n, &loops, finding->error))
        return -1;
    gained = compression(finding, &loops);
    if (form->loops.items && gained <= form->compression) {
        rc_skeleton_loops_free(&loops);
        return 0;
    }
    rc_skeleton_loops_free(&form->loops);
    form->loops = loops;
    form->compression = gained;
    form->threshold = threshold;
    form->by_time = calls != finding->calls.all;
    return 0;
}

static double acts_in(const struct rc_loops *loops, size_t begin, size_t end)
{
    double n = 0;

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = loops->items + i;

        if (!item->times) {
            n++;
            continue;
        }
        n += item->times * acts_in(loops, i + 1, i + 1 + item->value);
        i += item->value;
    }
    return n;
}

/* Whether most of what the program does is in one loop. */
static bool has_main_loop(const struct rc_form *form)
{
    const struct rc_loops *loops = &form->loops;

    for (size_t i = 0; i < loops->n; i++) {
        if (!loops->items[i].times)
            continue;
        if (acts_in(loops, i, i + 1 + loops->items[i].value) >= 0.5 * (double)form->acts.n)
            return true;
        i += loops->items[i].value;
    }
    return false;
}

/* Programs whose short messages are now longer, now shorter, have no main loop by the sizes of
 * these.  How long they take hardly differs: so their sizes are compared as times are, with what
 * could be sent in the latency added. */
static int fold_by_time(struct finding *finding)
{
    struct rc_form *form = finding->form;
    size_t n = finding->calls.n;
    struct rc_cluster_call *calls = malloc((n + 1) * sizeof *calls);
    uint32_t n_clusters = 0;
    int result = calls ? 0 : rc_error_no_memory(finding->error);

    for (size_t i = 0; calls && i < n; i++) {
        calls[i] = finding->calls.all[i];
        calls[i].bytes[0] += (uint64_t)RC_FORM_HALF_SPEED;
        calls[i].bytes[1] += (uint64_t)RC_FORM_HALF_SPEED;
    }
    for (int step = 1; !result && step <= STEPS && !has_main_loop(form); step++)
        result = attempt(finding, calls, RC_CLUSTERS_THRESHOLD_MAX * step / STEPS, &n_clusters);
    free(calls);
    return result;
}

static int fold(struct finding *finding, double wanted)
{
    struct rc_form *form = finding->form;
    uint32_t n_clusters = 0;

    for (int step = 0; step <= STEPS && (step == 0 || form->compression < wanted); step++)
        if (attempt(finding, finding->calls.all, RC_CLUSTERS_THRESHOLD_MAX * step / STEPS,
                    &n_clusters))
            return -1;
    return wanted > 1 && form->acts.n > FEW && !has_main_loop(form) ? fold_by_time(finding) : 0;
}

/* ---- averages ---- */

static double out_bytes(const struct finding *finding, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &finding->form->match;
    const struct rc_match_link *link = match->links[rank] + event;
    uint32_t file = rc_skeleton_form_file_call(&finding->calls, rank, event);

    if (link->out != RC_PROGRAM_NONE)
        return (double)match->messages[link->out].bytes;
    if (link->collective != RC_PROGRAM_NONE)
        return (double)finding->calls.all[match->n_messages + link->collective].bytes[0];
    return file != RC_PROGRAM_NONE ? (double)finding->calls.all[file].bytes[0] : 0;
}

static double in_bytes(const struct finding *finding, const struct rc_match_link *link)
{
    return link->in == RC_PROGRAM_NONE ? 0 : (double)finding->form->match.messages[link->in].bytes;
}

/* Adds an act to the sums of the place where it stands; `opening` are those of calls in the first
 * iteration of the innermost loop around it, or NULL where it is in another one. */
static void add_act(const struct finding *finding, uint32_t number, struct rc_form_leaf *leaf,
                    struct rc_form_opening *opening)
{
    struct rc_form *form = finding->form;
    const struct rc_act *act = form->acts.acts + number;
    struct rc_form_call *call = form->calls + leaf->first;

    for (uint32_t p = 0; p < act->n_parts; p++) {
        const struct rc_act_part *part = form->acts.parts + act->first + p;

        for (uint32_t event = part->begin; event < part->end; event++, call++) {
            const struct rc_program_position *position =
                rc_program_position(form->program->rank + part->rank, event);

            if (call->n == 0) {
                call->rank = part->rank;
                call->event = event;
            }
            if (opening)
                rc_skeleton_form_opening_add(opening + (call - form->calls), event, position->work);
            call->n++;
            call->work += position->work;
            call->wall += position->wall;
            call->inside += position->inside;
            call->read += position->read;
            call->written += position->written;
            call->out += out_bytes(finding, part->rank, event);
            call->in += in_bytes(finding, form->match.links[part->rank] + event);
            leaf->seconds += position->work + position->inside;
        }
    }
}

static void divide_sums(struct rc_form *form)
{
    for (size_t i = 0; i < form->loops.n; i++)
        if (form->leaves[i].n_calls)
            form->leaves[i].seconds /= form->calls[form->leaves[i].first].n * form->program->ranks;
    for (size_t i = 0; i < form->n_calls; i++) {
        struct rc_form_call *call = form->calls + i;

        call->work /= call->n;
        call->wall /= call->n;
        call->inside /= call->n;
        call->read /= call->n;
        call->written /= call->n;
        call->out /= call->n;
        call->in /= call->n;
    }
}

static int average(struct finding *finding)
{
    struct rc_form *form = finding->form;
    uint32_t *places = malloc((form->acts.n + 1) * sizeof *places);
    struct rc_form_opening *openings = NULL;
    bool *first = calloc(form->acts.n + 1, sizeof *first);
    int result = -1;

    form->leaves = calloc(form->loops.n + 1, sizeof *form->leaves);
    if (!places || !first || !form->leaves)
        goto no_memory;
    rc_skeleton_loops_places(&form->loops, places);
    rc_skeleton_form_first_iterations(&form->loops, first);
    for (size_t k = form->acts.n; k-- > 0;) {
        form->leaves[places[k]].act = (uint32_t)k;
        form->leaves[places[k]].symbol = form->loops.items[places[k]].value;
    }
    form->n_symbols = 0;
    for (size_t i = 0; i < form->loops.n; i++) {
        if (form->loops.items[i].times)
            continue;
        if (form->leaves[i].symbol >= form->n_symbols)
            form->n_symbols = form->leaves[i].symbol + 1;
        form->leaves[i].first = form->n_calls;
        form->leaves[i].n_calls = calls_in(&form->acts, form->leaves[i].act);
        form->n_calls += form->leaves[i].n_calls;
    }
    form->calls = calloc(form->n_calls + 1, sizeof *form->calls);
    openings = calloc(form->n_calls + 1, sizeof *openings);
    if (!form->calls || !openings)
        goto no_memory;
    for (size_t k = 0; k < form->acts.n; k++)
        add_act(finding, (uint32_t)k, form->leaves + places[k], first[k] ? openings : NULL);
    /* Ranks do not go through loops of loose acts together, and so none is entered. */
    result = form->acts.loose ? 0 : rc_skeleton_form_find_entries(form, openings, finding->error);
    divide_sums(form);
    goto done;
no_memory:
    rc_error_no_memory(finding->error);
done:
    free(places);
    free(first);
    free(openings);
    return result;
}

/* ---- */

int rc_skeleton_form_find(const struct rc_program *program, double wanted, struct rc_form *form,
                          struct rc_error *error)
{
    struct finding finding = {.form = form, .error = error};
    int result = -1;

    *form = (struct rc_form){.program = program};
    if (rc_skeleton_match_find(program, &form->match, error) ||
        rc_skeleton_first_come_find(program, &form->match, &form->first_come, error) ||
        rc_skeleton_acts_find(program, &form->match, &form->acts, error) ||
        rc_skeleton_loose_split(program, &form->match, &form->acts, error) ||
        rc_skeleton_form_calls_find(form, &finding.calls, error))
        goto done;
    finding.string = malloc((form->acts.n + 1) * sizeof *finding.string);
    finding.sample = malloc((form->acts.n + 1) * sizeof *finding.sample);
    if (!finding.string || !finding.sample) {
        rc_error_no_memory(error);
        goto done;
    }
    if (!fold(&finding, wanted) && !average(&finding))
        result = 0;
done:
    rc_skeleton_form_calls_free(&finding.calls);
    free(finding.string);
    free(finding.sample);
    if (result)
        rc_skeleton_form_free(form);
    return result;
}

void rc_skeleton_form_free(struct rc_form *form)
{
    rc_skeleton_loops_free(&form->loops);
    free(form->leaves);
    free(form->calls);
    free(form->entries);
    rc_skeleton_acts_free(&form->acts);
    rc_skeleton_match_free(&form->match);
    *form = (struct rc_form){0};
}

double rc_skeleton_form_seconds(const struct rc_form *form, size_t begin, size_t end)
{
    double sum = 0;

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = form->loops.items + i;

        if (!item->times) {
            sum += form->leaves[i].seconds;
            continue;
        }
        sum += item->times * rc_skeleton_form_seconds(form, i + 1, i + 1 + item->value);
        i += item->value;
    }
    return sum;
}
