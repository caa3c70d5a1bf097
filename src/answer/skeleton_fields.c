// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_fields.c - the fields of answers about skeletons. */
#include "answer/skeleton_fields.h"

#include "answer/trace_fields.h"
#include "base/json.h"
#include "model/skeleton/compose/compose.h"
#include "model/skeleton/shrink/shrink.h"

/* ---- the loops of a program ---- */

#define CALL struct rc_answer_skeleton_call

static bool has_to(const void *record)
{
    return ((const CALL *)record)->to >= 0;
}

static bool has_from(const void *record)
{
    return ((const CALL *)record)->from >= 0;
}

static bool has_root(const void *record)
{
    return ((const CALL *)record)->root >= 0;
}

static const struct rc_field call_fields[] = {
    {RC_FIELD(CALL, TEXT, call), .key = "call"},
    {RC_FIELD(CALL, INT64, to), .key = "to", .when = has_to},
    {RC_FIELD(CALL, INT64, from), .key = "from", .when = has_from},
    {RC_FIELD(CALL, INT64, root), .key = "root", .when = has_root},
    {RC_FIELD(CALL, NUMBER, bytes), .key = "bytes"},
    {RC_FIELD(CALL, NUMBER, computing), .key = "computing_s"},
    {RC_FIELD(CALL, NUMBER, seconds), .key = "time_s"},
    RC_FIELDS_END};

CALL rc_answer_skeleton_call_of(const struct rc_loop_tree *tree,
                                const struct rc_loop_tree_call *call)
{
    const struct rc_match_link *link = tree->match.links[call->rank] + call->event;
    const struct rc_match_message *messages = tree->match.messages;
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(tree->program->rank + call->rank, call->event);

    return (CALL){.call = rc_trace_kind_info(recorded->kind)->name,
                  .to = link->out == RC_PROGRAM_NONE ? -1 : (int64_t)messages[link->out].receiver,
                  .from = link->in == RC_PROGRAM_NONE ? -1 : (int64_t)messages[link->in].sender,
                  .root = link->collective == RC_PROGRAM_NONE ? -1 : recorded->root,
                  .bytes = call->out > 0 ? call->out : call->in,
                  .computing = call->work,
                  .seconds = call->inside};
}

bool rc_answer_skeleton_has_rank(const struct rc_loop_tree *tree, size_t begin, size_t end,
                                 uint32_t rank)
{
    for (size_t i = begin; i < end; i++)
        for (uint32_t c = 0; c < tree->leaves[i].n_calls; c++)
            if (tree->calls[tree->leaves[i].first + c].rank == rank)
                return true;
    return false;
}

double rc_answer_skeleton_before_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank)
{
    for (size_t i = rc_skeleton_loop_tree_prologues_of(tree, loop);
         i < tree->n_prologues && tree->prologues[i].loop == loop; i++)
        if (tree->prologues[i].rank == rank)
            return tree->prologues[i].work;
    return 0;
}

static json_t *items_json(const struct rc_loop_tree *tree, size_t begin, size_t end, uint32_t rank)
{
    json_t *list = json_array(), *loop;

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = tree->loops.items + i;
        const struct rc_loop_tree_leaf *leaf = tree->leaves + i;
        size_t body = i + 1 + item->value;

        for (uint32_t c = 0; c < leaf->n_calls; c++)
            if (tree->calls[leaf->first + c].rank == rank) {
                CALL call = rc_answer_skeleton_call_of(tree, tree->calls + leaf->first + c);

                json_array_append_new(list, rc_field_json(call_fields, &call));
            }
        if (!item->times)
            continue;
        if (rc_answer_skeleton_has_rank(tree, i + 1, body, rank)) {
            loop = json_object();
            rc_json_set(loop, "iterations", json_integer(item->times));
            rc_json_set(loop, "time_s",
                        rc_json_number(rc_skeleton_loop_tree_seconds(tree, i + 1, body)));
            rc_json_set(loop, "computing_s",
                        rc_json_number(rc_answer_skeleton_before_loop(tree, i, rank)));
            rc_json_set(loop, "body", items_json(tree, i + 1, body, rank));
            json_array_append_new(list, loop);
        }
        i += item->value;
    }
    return list;
}

#define SHOWN struct rc_answer_skeleton_shown

static json_t *loops_json(const void *record)
{
    const SHOWN *shown = record;

    return items_json(shown->tree, 0, shown->tree->loops.n, shown->rank);
}

static json_t *refusals_json(const void *record)
{
    return rc_answer_faults_json(&((const SHOWN *)record)->suitability->refusals);
}

static json_t *shown_notes_json(const void *record)
{
    return rc_answer_faults_json(&((const SHOWN *)record)->suitability->notes);
}

const struct rc_field rc_answer_skeleton_shown[] = {
    {RC_FIELD(SHOWN, TEXT, program), .key = "program"},
    {RC_FIELD(SHOWN, UINT32, procs), .key = "procs"},
    {RC_FIELD(SHOWN, NUMBER, seconds), .key = "time_s"},
    {RC_FIELD(SHOWN, SIZE, calls), .key = "calls"},
    {RC_FIELD(SHOWN, NUMBER, threshold), .key = "threshold_fraction"},
    {RC_FIELD(SHOWN, BOOL, by_time), .key = "by_time"},
    {RC_FIELD(SHOWN, UINT32, clusters), .key = "call_clusters"},
    {RC_FIELD(SHOWN, NUMBER, compression), .key = "compression"},
    {RC_FIELD(SHOWN, NUMBER, shortest), .key = "shortest_good_s"},
    {RC_FIELD(SHOWN, UINT32, rank), .key = "rank"},
    {.kind = RC_AS_COMPUTED, .key = "loops", .json = loops_json, .type = "objects"},
    {.kind = RC_AS_COMPUTED, .key = "refusals", .json = refusals_json, .type = "strings"},
    {.kind = RC_AS_COMPUTED, .key = "notes", .json = shown_notes_json, .type = "strings"},
    RC_FIELDS_END};

SHOWN rc_answer_skeleton_shown_of(const struct rc_loop_tree *tree, uint32_t rank,
                                  const struct rc_suitability *suitability)
{
    return (SHOWN){.tree = tree,
                   .suitability = suitability,
                   .program = tree->program->name,
                   .procs = tree->program->ranks,
                   .seconds = tree->program->seconds,
                   .calls = rc_skeleton_program_calls_made(tree->program),
                   .threshold = tree->threshold,
                   .by_time = tree->by_time,
                   .clusters = tree->n_clusters,
                   .compression = tree->compression,
                   .shortest = rc_skeleton_shrink_shortest(tree),
                   .rank = rank};
}

/* ---- a skeleton that was built ---- */

#define BUILT struct rc_answer_skeleton_built

static json_t *built_notes_json(const void *record)
{
    return rc_answer_faults_json(&((const BUILT *)record)->suitability->notes);
}

const struct rc_field rc_answer_skeleton_built[] = {
    {RC_FIELD(BUILT, TEXT, file), .key = "file"},
    {RC_FIELD(BUILT, TEXT, program), .key = "program"},
    {RC_FIELD(BUILT, UINT32, ranks), .key = "procs"},
    {RC_FIELD(BUILT, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(BUILT, NUMBER, original), .key = "traced_time_s"},
    {RC_FIELD(BUILT, NUMBER, seconds), .key = "time_s"},
    {RC_FIELD(BUILT, NUMBER, shortest), .key = "shortest_good_s"},
    {RC_FIELD(BUILT, NUMBER, threshold), .key = "threshold_fraction"},
    {RC_FIELD(BUILT, BOOL, by_time), .key = "by_time"},
    {RC_FIELD(BUILT, UINT32, clusters), .key = "call_clusters"},
    {RC_FIELD(BUILT, NUMBER, compression), .key = "compression"},
    {RC_FIELD(BUILT, UINT64, calls), .key = "calls"},
    {RC_FIELD(BUILT, SIZE, original_calls), .key = "traced_calls"},
    {.kind = RC_AS_COMPUTED, .key = "notes", .json = built_notes_json, .type = "strings"},
    RC_FIELDS_END};

/* ---- runs of a skeleton ---- */

#define TRIALS struct rc_answer_skeleton_trials

TRIALS rc_answer_skeleton_trials_of(const struct rc_trials *trials, double original)
{
    return (TRIALS){.skeleton = trials->skeleton,
                    .seconds = rc_skeleton_trials_mean(trials),
                    .spread = rc_skeleton_trials_spread(trials),
                    .communicating = trials->communicating,
                    .trials = trials->n,
                    .original = original,
                    .is_short = rc_skeleton_trials_short(trials),
                    .startup = rc_skeleton_trials_startup(trials),
                    .ratio = original / rc_skeleton_trials_mean(trials),
                    .meant = trials->ratio};
}

static const struct rc_field interval_fields[] = {{RC_FIELD(TRIALS, NUMBER, level), .key = "level"},
                                                  {RC_FIELD(TRIALS, NUMBER, low), .key = "low"},
                                                  {RC_FIELD(TRIALS, NUMBER, high), .key = "high"},
                                                  RC_FIELDS_END};

static json_t *interval_json(const void *record)
{
    return rc_field_json(interval_fields, record);
}

const struct rc_field rc_answer_skeleton_measured[] = {
    {RC_FIELD(TRIALS, TEXT, skeleton), .key = "skeleton"},
    {RC_FIELD(TRIALS, NUMBER, seconds), .key = "skeleton_time_s"},
    {RC_FIELD(TRIALS, SIZE, trials), .key = "skeleton_runs"},
    {RC_FIELD(TRIALS, NUMBER, spread), .key = "relative_sd"},
    {RC_FIELD(TRIALS, NUMBER, communicating), .key = "communicating_fraction"},
    {RC_FIELD(TRIALS, NUMBER, original), .key = "traced_time_s"},
    {RC_FIELD(TRIALS, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(TRIALS, NUMBER, meant), .key = "intended_ratio"},
    {RC_FIELD(TRIALS, BOOL, is_short), .key = "too_short"},
    {RC_FIELD(TRIALS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

const struct rc_field rc_answer_skeleton_predicted[] = {
    {RC_FIELD(TRIALS, TEXT, skeleton), .key = "skeleton"},
    {RC_FIELD(TRIALS, NUMBER, predicted), .key = "predicted_s"},
    {RC_FIELD(TRIALS, NUMBER, mean), .key = "mean_s"},
    {RC_FIELD(TRIALS, NUMBER, sd), .key = "sd_s"},
    {.kind = RC_AS_COMPUTED, .key = "interval_s", .json = interval_json, .fields = interval_fields},
    {RC_FIELD(TRIALS, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(TRIALS, BOOL, measured), .key = "ratio_measured"},
    {RC_FIELD(TRIALS, BOOL, is_short), .key = "too_short"},
    {RC_FIELD(TRIALS, NUMBER, original), .key = "traced_time_s"},
    {RC_FIELD(TRIALS, NUMBER, seconds), .key = "skeleton_time_s"},
    {RC_FIELD(TRIALS, NUMBER, startup), .key = "startup_time_s"},
    {RC_FIELD(TRIALS, NUMBER, communicating), .key = "communicating_fraction"},
    {RC_FIELD(TRIALS, SIZE, trials), .key = "skeleton_runs"},
    {RC_FIELD(TRIALS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
