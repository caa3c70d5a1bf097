// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_fields.c - the fields of answers about skeletons. */
#include "answer/skeleton_fields.h"

#include "answer/trace_fields.h"
#include "base/json.h"
#include "model/skeleton/compose/compose.h"
#include "model/skeleton/shrink/shrink.h"

/* ---- what a program does ---- */

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
    {RC_FIELD(CALL, NUMBER, computing), .key = "computing"},
    {RC_FIELD(CALL, NUMBER, seconds), .key = "seconds"},
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
            rc_json_set(loop, "times", json_integer(item->times));
            rc_json_set(loop, "seconds",
                        rc_json_number(rc_skeleton_loop_tree_seconds(tree, i + 1, body)));
            rc_json_set(loop, "computing",
                        rc_json_number(rc_answer_skeleton_before_loop(tree, i, rank)));
            rc_json_set(loop, "body", items_json(tree, i + 1, body, rank));
            json_array_append_new(list, loop);
        }
        i += item->value;
    }
    return list;
}

#define PROGRAM struct rc_program
static const struct rc_field program_fields[] = {{RC_FIELD(PROGRAM, CHARS, name), .key = "program"},
                                                 {RC_FIELD(PROGRAM, UINT32, ranks), .key = "ranks"},
                                                 {RC_FIELD(PROGRAM, NUMBER, seconds),
                                                  .key = "seconds"},
                                                 RC_FIELDS_END};

#define TREE struct rc_loop_tree
static const struct rc_field tree_fields[] = {
    {RC_FIELD(TREE, NUMBER, threshold), .key = "threshold"},
    {RC_FIELD(TREE, BOOL, by_time), .key = "by_time"},
    {RC_FIELD(TREE, NUMBER, compression), .key = "compression"},
    RC_FIELDS_END};

json_t *rc_answer_skeleton_show(const struct rc_loop_tree *tree, uint32_t rank)
{
    size_t calls = rc_skeleton_program_calls_made(tree->program);
    json_t *object = rc_field_json(program_fields, tree->program);
    struct rc_suitability suitability;

    rc_json_set(object, "calls", json_integer((json_int_t)calls));
    rc_field_add(object, tree_fields, tree);
    rc_json_set(object, "shortest", rc_json_number(rc_skeleton_shrink_shortest(tree)));
    rc_json_set(object, "rank", json_integer(rank));
    rc_json_set(object, "signature", items_json(tree, 0, tree->loops.n, rank));
    rc_skeleton_suitability_check(tree, 0, &suitability);
    rc_json_set(object, "refusals", rc_answer_faults_json(&suitability.refusals));
    rc_json_set(object, "notes", rc_answer_faults_json(&suitability.notes));
    rc_skeleton_suitability_free(&suitability);
    return object;
}

/* ---- a skeleton that was built ---- */

#define BUILT struct rc_answer_skeleton_built
const struct rc_field rc_answer_skeleton_built[] = {
    {RC_FIELD(BUILT, TEXT, file), .key = "file"},
    {RC_FIELD(BUILT, TEXT, program), .key = "program"},
    {RC_FIELD(BUILT, UINT32, ranks), .key = "ranks"},
    {RC_FIELD(BUILT, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(BUILT, NUMBER, original), .key = "original"},
    {RC_FIELD(BUILT, NUMBER, seconds), .key = "seconds"},
    {RC_FIELD(BUILT, NUMBER, shortest), .key = "shortest"},
    {RC_FIELD(BUILT, NUMBER, threshold), .key = "threshold"},
    {RC_FIELD(BUILT, BOOL, by_time), .key = "by_time"},
    {RC_FIELD(BUILT, NUMBER, compression), .key = "compression"},
    {RC_FIELD(BUILT, UINT64, calls), .key = "calls"},
    {RC_FIELD(BUILT, SIZE, original_calls), .key = "original_calls"},
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
                    .ratio = original / rc_skeleton_trials_mean(trials),
                    .meant = trials->ratio};
}

const struct rc_field rc_answer_skeleton_measured[] = {
    {RC_FIELD(TRIALS, TEXT, skeleton), .key = "skeleton"},
    {RC_FIELD(TRIALS, NUMBER, seconds), .key = "seconds"},
    {RC_FIELD(TRIALS, SIZE, trials), .key = "trials"},
    {RC_FIELD(TRIALS, NUMBER, spread), .key = "spread"},
    {RC_FIELD(TRIALS, NUMBER, communicating), .key = "communicating"},
    {RC_FIELD(TRIALS, NUMBER, original), .key = "original"},
    {RC_FIELD(TRIALS, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(TRIALS, NUMBER, meant), .key = "meant"},
    {RC_FIELD(TRIALS, BOOL, is_short), .key = "short"},
    RC_FIELDS_END};

const struct rc_field rc_answer_skeleton_predicted[] = {
    {RC_FIELD(TRIALS, TEXT, skeleton), .key = "skeleton"},
    {RC_FIELD(TRIALS, NUMBER, predicted), .key = "predicted"},
    {RC_FIELD(TRIALS, NUMBER, sd), .key = "sd"},
    {RC_FIELD(TRIALS, NUMBER, low), .key = "low"},
    {RC_FIELD(TRIALS, NUMBER, high), .key = "high"},
    {RC_FIELD(TRIALS, NUMBER, level), .key = "level"},
    {RC_FIELD(TRIALS, NUMBER, ratio), .key = "ratio"},
    {RC_FIELD(TRIALS, BOOL, measured), .key = "measured"},
    {RC_FIELD(TRIALS, BOOL, is_short), .key = "short"},
    {RC_FIELD(TRIALS, NUMBER, original), .key = "original"},
    {RC_FIELD(TRIALS, NUMBER, seconds), .key = "seconds"},
    {RC_FIELD(TRIALS, NUMBER, communicating), .key = "communicating"},
    {RC_FIELD(TRIALS, SIZE, trials), .key = "trials"},
    RC_FIELDS_END};
