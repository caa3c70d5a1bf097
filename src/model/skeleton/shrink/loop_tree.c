// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_tree.c - from event groups to loops of event groups.
 *
 * Clustering and folding are those of Sodhi, Subhlok and Xu, "Performance Prediction with
 * Skeletons", section 4.2, but for all ranks at once, which their section 6 calls coordinated
 * skeletons.  What is clustered is therefore not the call of a rank but the message, or the
 * collective call, with all who take part: both ends of a message get the same symbol. */
#include "model/skeleton/shrink/loop_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/shrink/call_symbols.h"
#include "model/skeleton/shrink/call_descriptions.h"
#include "model/skeleton/match/event_groups.h"
#include "model/skeleton/loops/hash_map.h"

enum {
    STEPS = 10, /* of the threshold, from 0 to its maximum */
    FEW = 64    /* event groups, of which no loop is expected */
};

struct finding {
    struct rc_loop_tree *tree;
    struct rc_cluster_calls calls;
    uint32_t *string; /* symbols of event groups */
    uint32_t *sample; /* for each symbol, its first event group */
    struct rc_error *error;
};

/* ---- symbols of event groups ---- */

/* Numbers of requests do not distinguish interleaved groups: those of a program that is a request
 * ahead alternate.  Nor does it matter which of several requests was done first: all are done in
 * the order of the first such event group. */
static uint64_t event_key(const struct finding *finding, const uint32_t *symbols, uint64_t hash,
                          const struct rc_event_group *group,
                          const struct rc_event_group_part *part, uint32_t event)
{
    const struct rc_loop_tree *tree = finding->tree;
    const struct rc_match_link *link = tree->match.links[part->rank] + event;
    const struct rc_trace_call *call =
        rc_skeleton_program_call(tree->program->rank + part->rank, event);
    uint32_t none = RC_PROGRAM_NONE,
             file = rc_skeleton_cluster_file_call(&finding->calls, part->rank, event);

    hash = rc_skeleton_hash(hash, (uint64_t)call->kind << 32 |
                                      (group->interleaved ? 0 : (uint32_t)call->request));
    hash = rc_skeleton_hash(hash, (uint64_t)(link->out == none ? none : symbols[link->out]) << 32 |
                                      (link->in == none ? none : symbols[link->in]));
    hash = rc_skeleton_hash(hash, link->collective == none
                                      ? none
                                      : symbols[tree->match.n_messages + link->collective]);
    if (file != none)
        hash = rc_skeleton_hash(hash, symbols[file]);
    if (!group->interleaved && rc_trace_kind_info(call->kind)->class == RC_TRACE_COMPLETES &&
        !rc_skeleton_match_is_for_any(call->kind))
        for (uint32_t i = 0; i < call->list_length && call->list[i] >= 0; i++)
            hash = rc_skeleton_hash(hash, (uint32_t)call->list[i]);
    return hash;
}

static uint64_t group_key(const struct finding *finding, const uint32_t *symbols,
                          const struct rc_event_group *group)
{
    const struct rc_loop_tree *tree = finding->tree;
    uint64_t hash = group->interleaved ? 2 : 1;

    for (uint32_t p = 0; p < group->n_parts; p++) {
        const struct rc_event_group_part *part = tree->groups.parts + group->first + p;

        hash = rc_skeleton_hash(hash, (uint64_t)part->rank << 32 | (part->end - part->begin));
        for (uint32_t event = part->begin; event < part->end; event++)
            hash = event_key(finding, symbols, hash, group, part, event);
    }
    return hash;
}

/* Gives each event group its symbol; a chance of n^2 / 2^64 that two which differ get the same is
 * taken. */
static int name_groups(struct finding *finding, const struct rc_clusters *clusters)
{
    struct rc_loop_tree *tree = finding->tree;
    struct rc_hash_map *map = rc_skeleton_map_create(finding->error);
    int result = map ? 0 : -1;

    tree->n_symbols = 0;
    for (size_t i = 0; !result && i < tree->groups.n; i++) {
        uint64_t key = group_key(finding, clusters->symbols, tree->groups.at + i);

        if (rc_skeleton_map_find(map, key, finding->string + i))
            continue;
        finding->sample[tree->n_symbols] = (uint32_t)i;
        finding->string[i] = tree->n_symbols;
        result = rc_skeleton_map_add(map, key, tree->n_symbols++, finding->error);
    }
    rc_skeleton_map_destroy(map);
    return result;
}

static uint32_t calls_in(const struct rc_event_groups *groups, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t p = 0; p < groups->at[group].n_parts; p++) {
        const struct rc_event_group_part *part = groups->parts + groups->at[group].first + p;

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
            left += calls_in(&finding->tree->groups, finding->sample[loops->items[i].value]);
    return left > 0 ? (double)finding->tree->program->events / left : 1;
}

/* ---- raising the threshold ---- */

/* Folds with one threshold on the sizes of `calls`; keeps the result where it is better than what
 * there is. */
static int attempt(struct finding *finding, const struct rc_cluster_call *calls, double threshold,
                   uint32_t *n_clusters)
{
    struct rc_loop_tree *tree = finding->tree;
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
    result = name_groups(finding, &clusters);
    rc_skeleton_clusters_free(&clusters);
    if (result || rc_skeleton_loops_find(finding->string, tree->groups.n, &loops, finding->error))
        return -1;
    gained = compression(finding, &loops);
    if (tree->loops.items && gained <= tree->compression) {
        rc_skeleton_loops_free(&loops);
        return 0;
    }
    rc_skeleton_loops_free(&tree->loops);
    tree->loops = loops;
    tree->compression = gained;
    tree->threshold = threshold;
    tree->n_clusters = *n_clusters;
    tree->by_time = calls != finding->calls.all;
    return 0;
}

/* Whether most of what the program does is in one loop. */
static bool has_main_loop(const struct rc_loop_tree *tree)
{
    const struct rc_loops *loops = &tree->loops;

    for (size_t i = 0; i < loops->n; i++) {
        if (!loops->items[i].times)
            continue;
        if (2 * rc_skeleton_loops_length(loops->items, i, i + 1 + loops->items[i].value) >=
            tree->groups.n)
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
    struct rc_loop_tree *tree = finding->tree;
    size_t n = finding->calls.n;
    struct rc_cluster_call *calls = malloc((n + 1) * sizeof *calls);
    uint32_t n_clusters = 0;
    int result = calls ? 0 : rc_error_no_memory(finding->error);

    for (size_t i = 0; calls && i < n; i++) {
        calls[i] = finding->calls.all[i];
        calls[i].bytes[0] += (uint64_t)RC_LOOP_TREE_HALF_SPEED;
        calls[i].bytes[1] += (uint64_t)RC_LOOP_TREE_HALF_SPEED;
    }
    for (int step = 1; !result && step <= STEPS && !has_main_loop(tree); step++)
        result = attempt(finding, calls, RC_CLUSTERS_THRESHOLD_MAX * step / STEPS, &n_clusters);
    free(calls);
    return result;
}

/* Folds with the given threshold, or raises it where it is NaN. */
static int fold(struct finding *finding, double wanted, double threshold)
{
    struct rc_loop_tree *tree = finding->tree;
    uint32_t n_clusters = 0;

    if (!isnan(threshold))
        return attempt(finding, finding->calls.all, threshold, &n_clusters);

    for (int step = 0; step <= STEPS && (step == 0 || tree->compression < wanted); step++)
        if (attempt(finding, finding->calls.all, RC_CLUSTERS_THRESHOLD_MAX * step / STEPS,
                    &n_clusters))
            return -1;
    return wanted > 1 && tree->groups.n > FEW && !has_main_loop(tree) ? fold_by_time(finding) : 0;
}

/* ---- averages ---- */

static double out_bytes(const struct finding *finding, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &finding->tree->match;
    const struct rc_match_link *link = match->links[rank] + event;
    uint32_t file = rc_skeleton_cluster_file_call(&finding->calls, rank, event);

    if (link->out != RC_PROGRAM_NONE)
        return (double)match->messages[link->out].bytes;
    if (link->collective != RC_PROGRAM_NONE)
        return (double)finding->calls.all[match->n_messages + link->collective].bytes[0];
    return file != RC_PROGRAM_NONE ? (double)finding->calls.all[file].bytes[0] : 0;
}

static double in_bytes(const struct finding *finding, const struct rc_match_link *link)
{
    return link->in == RC_PROGRAM_NONE ? 0 : (double)finding->tree->match.messages[link->in].bytes;
}

/* Adds an event group to the sums of the place where it stands; `opening` are those of calls in the
 * first iteration of the innermost loop around it, or NULL where it is in another one. */
static void add_group(const struct finding *finding, uint32_t number,
                      struct rc_loop_tree_leaf *leaf, struct rc_loop_tree_opening *opening)
{
    struct rc_loop_tree *tree = finding->tree;
    const struct rc_event_group *group = tree->groups.at + number;
    struct rc_loop_tree_call *call = tree->calls + leaf->first;

    for (uint32_t p = 0; p < group->n_parts; p++) {
        const struct rc_event_group_part *part = tree->groups.parts + group->first + p;

        for (uint32_t event = part->begin; event < part->end; event++, call++) {
            const struct rc_program_position *position =
                rc_program_position(tree->program->rank + part->rank, event);

            if (call->n == 0) {
                call->rank = part->rank;
                call->event = event;
            }
            if (opening) {
                struct rc_loop_tree_opening *first = opening + (call - tree->calls);

                first->n++;
                first->work += position->work;
                first->event = event;
            }
            call->n++;
            call->work += position->work;
            call->wall += position->wall;
            call->inside += position->inside;
            call->read += position->read;
            call->written += position->written;
            call->out += out_bytes(finding, part->rank, event);
            call->in += in_bytes(finding, tree->match.links[part->rank] + event);
            leaf->seconds += position->work + position->inside;
        }
    }
}

static void divide_sums(struct rc_loop_tree *tree)
{
    for (size_t i = 0; i < tree->loops.n; i++)
        if (tree->leaves[i].n_calls)
            tree->leaves[i].seconds /= tree->calls[tree->leaves[i].first].n * tree->program->ranks;
    for (size_t i = 0; i < tree->n_calls; i++) {
        struct rc_loop_tree_call *call = tree->calls + i;

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
    struct rc_loop_tree *tree = finding->tree;
    uint32_t *places = malloc((tree->groups.n + 1) * sizeof *places);
    struct rc_loop_tree_opening *openings = NULL;
    bool *first = calloc(tree->groups.n + 1, sizeof *first);
    int result = -1;

    tree->leaves = calloc(tree->loops.n + 1, sizeof *tree->leaves);
    if (!places || !first || !tree->leaves)
        goto no_memory;
    rc_skeleton_loops_places(&tree->loops, places);
    rc_skeleton_loop_tree_first_iterations(&tree->loops, first);
    for (size_t k = tree->groups.n; k-- > 0;) {
        tree->leaves[places[k]].group = (uint32_t)k;
        tree->leaves[places[k]].symbol = tree->loops.items[places[k]].value;
    }
    tree->n_symbols = 0;
    for (size_t i = 0; i < tree->loops.n; i++) {
        if (tree->loops.items[i].times)
            continue;
        if (tree->leaves[i].symbol >= tree->n_symbols)
            tree->n_symbols = tree->leaves[i].symbol + 1;
        tree->leaves[i].first = tree->n_calls;
        tree->leaves[i].n_calls = calls_in(&tree->groups, tree->leaves[i].group);
        tree->n_calls += tree->leaves[i].n_calls;
    }
    tree->calls = calloc(tree->n_calls + 1, sizeof *tree->calls);
    openings = calloc(tree->n_calls + 1, sizeof *openings);
    if (!tree->calls || !openings)
        goto no_memory;
    for (size_t k = 0; k < tree->groups.n; k++)
        add_group(finding, (uint32_t)k, tree->leaves + places[k], first[k] ? openings : NULL);
    /* Ranks do not go through loops of interleaved groups together, and so none is entered. */
    result = tree->groups.interleaved
                 ? 0
                 : rc_skeleton_loop_tree_find_prologues(tree, openings, finding->error);
    divide_sums(tree);
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

static int find(const struct rc_program *program, double wanted, double threshold,
                struct rc_loop_tree *tree, struct rc_error *error)
{
    struct finding finding = {.tree = tree, .error = error};
    int result = -1;

    *tree = (struct rc_loop_tree){.program = program};
    if (rc_skeleton_match_find(program, &tree->match, error) ||
        rc_skeleton_nondeterminism_find(program, &tree->match, &tree->nondeterminism, error) ||
        rc_skeleton_event_groups_find(program, &tree->match, &tree->groups, error) ||
        rc_skeleton_interleaved_split(program, &tree->match, &tree->groups, error) ||
        rc_skeleton_cluster_calls_find(tree, &finding.calls, error))
        goto done;
    finding.string = malloc((tree->groups.n + 1) * sizeof *finding.string);
    finding.sample = malloc((tree->groups.n + 1) * sizeof *finding.sample);
    if (!finding.string || !finding.sample) {
        rc_error_no_memory(error);
        goto done;
    }
    if (!fold(&finding, wanted, threshold) && !average(&finding))
        result = 0;
done:
    rc_skeleton_cluster_calls_free(&finding.calls);
    free(finding.string);
    free(finding.sample);
    if (result)
        rc_skeleton_loop_tree_free(tree);
    return result;
}

int rc_skeleton_loop_tree_find(const struct rc_program *program, double wanted,
                               struct rc_loop_tree *tree, struct rc_error *error)
{
    return find(program, wanted, NAN, tree, error);
}

int rc_skeleton_loop_tree_find_at(const struct rc_program *program, double threshold,
                                  struct rc_loop_tree *tree, struct rc_error *error)
{
    return find(program, 0, threshold, tree, error);
}

void rc_skeleton_loop_tree_free(struct rc_loop_tree *tree)
{
    rc_skeleton_loops_free(&tree->loops);
    free(tree->leaves);
    free(tree->calls);
    free(tree->prologues);
    rc_skeleton_event_groups_free(&tree->groups);
    rc_skeleton_match_free(&tree->match);
    *tree = (struct rc_loop_tree){0};
}

double rc_skeleton_loop_tree_seconds(const struct rc_loop_tree *tree, size_t begin, size_t end)
{
    double sum = 0;

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = tree->loops.items + i;

        if (!item->times) {
            sum += tree->leaves[i].seconds;
            continue;
        }
        sum += item->times * rc_skeleton_loop_tree_seconds(tree, i + 1, i + 1 + item->value);
        i += item->value;
    }
    return sum;
}
