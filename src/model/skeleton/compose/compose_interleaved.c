// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_interleaved.c - plans of programs with interleaved groups.
 *
 * The calls of interleaved groups are among each other, so they cannot be put down event group
 * after event group.  Instead the shrunk tree says which event groups of the program remain, one by
 * one; their calls are sorted by rank, and by their place there, as the rank made them; and what
 * each rank is then to do is folded into loops once more.  Of each place of these loops the
 * computing is averaged.  What was posted ahead is posted ahead still, since the event groups that
 * remain of a loop are neighbours.
 *
 * Loops of different ranks need not go together: messages meet by their order. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/loops/hash_map.h"

/* More tags than this become one for each place, or no two iterations would be the same. */
enum { TAGS_MAX = 64 };

/* A call that a rank is to make, or whose computing it does. */
struct note {
    uint32_t event;
    uint32_t call; /* of the loop tree; RC_PROGRAM_NONE: it completes a request, and must be made */
    uint32_t item; /* of the shrunk tree */
    uint32_t op;   /* of the plan */
};

struct notes {
    struct note *at;
    size_t n, room;
};

struct interleaving {
    struct rc_composer *composer;
    struct notes *ranks;
};

/* ---- which calls remain ---- */

static int add_note(struct interleaving *state, uint32_t rank, struct note note)
{
    struct notes *notes = state->ranks + rank;

    if (rc_array_room(&notes->at, notes->n + 1, &notes->room, sizeof *notes->at,
                      state->composer->error))
        return -1;
    notes->at[notes->n++] = note;
    return 0;
}

static int note_group(struct interleaving *state, uint32_t number, size_t place)
{
    const struct rc_loop_tree *tree = state->composer->tree;
    const struct rc_shrunk_item *item = state->composer->shrunk->items + number;
    const struct rc_event_group *group = tree->groups.at + place;
    uint32_t call = (uint32_t)tree->leaves[item->value].first;

    for (uint32_t p = 0; p < group->n_parts; p++) {
        const struct rc_event_group_part *part = tree->groups.parts + group->first + p;

        for (uint32_t event = part->begin; event < part->end; event++) {
            uint32_t done = tree->match.links[part->rank][event].done;

            if (add_note(state, part->rank,
                         (struct note){.event = event, .call = call++, .item = number}))
                return -1;
            if (group->interleaved && item->fate != RC_SHRUNK_DROPPED && done != RC_PROGRAM_NONE &&
                add_note(state, part->rank, (struct note){.event = done, .call = RC_PROGRAM_NONE}))
                return -1;
        }
    }
    return 0;
}

/* `further` event groups on from where the items say. */
static int note_items(struct interleaving *state, size_t begin, size_t end, size_t further)
{
    const struct rc_shrunk_item *items = state->composer->shrunk->items;

    for (size_t i = begin; i < end; i++) {
        if (!items[i].times) {
            if (note_group(state, (uint32_t)i, items[i].place + further))
                return -1;
            continue;
        }
        for (uint32_t k = 0; k < items[i].times; k++)
            if (note_items(state, i + 1, i + 1 + items[i].value, further + k * items[i].place))
                return -1;
        i += items[i].value;
    }
    return 0;
}

static int compare_notes(const void *a, const void *b)
{
    const struct note *x = a, *y = b;

    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* ---- what is done for them ---- */

static uint64_t op_key(const struct rc_plan *plan, const struct rc_skeleton_plan_op *op)
{
    uint64_t hash = rc_skeleton_hash((uint64_t)op->kind << 32 | op->started, op->communicator);

    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)op->root << 32 | (uint32_t)op->request);
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)op->out.peer << 32 | (uint32_t)op->out.tag);
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)op->in.peer << 32 | (uint32_t)op->in.tag);
    hash = rc_skeleton_hash(rc_skeleton_hash(hash, op->out.bytes), op->in.bytes);
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)op->file << 32 | op->list_length);
    for (uint32_t i = 0; i < op->list_length; i++)
        hash = rc_skeleton_hash(hash, (uint64_t)plan->lists[op->list + i]);
    return hash;
}

/* Adds the op of a call, unless there is one like it.  The chance that two which differ are taken
 * for one is as in loop_tree.c. */
static int add_op(struct interleaving *state, struct rc_hash_map *map,
                  const struct rc_loop_tree_call *call, struct note *note, double size)
{
    struct rc_composer *composer = state->composer;
    struct rc_plan *plan = composer->plan;
    size_t n_lists = plan->n_lists;
    uint64_t key;

    if (rc_skeleton_compose_op(composer, call, note->event, size, &note->op))
        return -1;
    if (note->op == RC_PLAN_NO_OP)
        return 0;
    key = op_key(plan, plan->ops + note->op);
    if (!rc_skeleton_map_find(map, key, &note->op))
        return rc_skeleton_map_add(map, key, note->op, state->composer->error);
    plan->n_ops--;
    plan->n_lists = n_lists;
    return 0;
}

/* Of several notes about a call the first one that is about its computing; it must be made where
 * any says so. */
static int set_op(struct interleaving *state, uint32_t rank, struct rc_hash_map *map, size_t at)
{
    const struct notes *notes = state->ranks + rank;
    struct note *note = notes->at + at;
    struct rc_loop_tree_call waits = {.rank = rank, .event = note->event};
    const struct rc_shrunk_item *item = state->composer->shrunk->items + note->item;
    bool must = at + 1 < notes->n && note[1].event == note->event;

    note->op = RC_PLAN_NO_OP;
    if (at > 0 && note[-1].event == note->event)
        return 0;
    if (note->call == RC_PROGRAM_NONE)
        return add_op(state, map, &waits, note, 1);
    if (item->fate == RC_SHRUNK_DROPPED && !must)
        return 0;
    return add_op(state, map, state->composer->tree->calls + note->call, note, item->size);
}

static int set_ops(struct interleaving *state, uint32_t rank)
{
    struct notes *notes = state->ranks + rank;
    struct rc_hash_map *map = rc_skeleton_map_create(state->composer->error);
    int result = map ? 0 : -1;

    qsort(notes->at, notes->n, sizeof *notes->at, compare_notes);
    rc_skeleton_compose_begin_part(state->composer);
    for (size_t i = 0; !result && i < notes->n; i++)
        result = set_op(state, rank, map, i);
    rc_skeleton_map_destroy(map);
    return result;
}

/* ---- loops again ---- */

static uint32_t first_call(const struct interleaving *state, const struct note *note)
{
    const struct rc_shrunk_item *item = state->composer->shrunk->items + note->item;

    return (uint32_t)state->composer->tree->leaves[item->value].first;
}

/* Adds up the computing at each item of the loops; what comes after the last call still waits. */
static void add_up_works(struct interleaving *state, uint32_t rank, const uint32_t *places,
                         struct rc_plan_work *works, uint32_t *counts)
{
    const struct notes *notes = state->ranks + rank;
    struct rc_plan_work *waiting = &state->composer->pending[rank].waiting;
    size_t k = 0;

    for (size_t i = 0; i < notes->n; i++) {
        const struct note *note = notes->at + i;

        if (note->call != RC_PROGRAM_NONE)
            rc_skeleton_compose_wait(state->composer, note->item,
                                     note->call - first_call(state, note));
        if (note->op == RC_PLAN_NO_OP)
            continue;
        rc_skeleton_compose_add_up(works + places[k], waiting);
        rc_skeleton_compose_no_work(waiting);
        counts[places[k++]]++;
    }
}

static int write_down(struct interleaving *state, uint32_t rank, const struct rc_loops *loops,
                      const struct rc_plan_work *works, const uint32_t *counts)
{
    struct rc_plan_work *waiting = &state->composer->pending[rank].waiting, rest = *waiting;

    for (size_t i = 0; i < loops->n; i++) {
        const struct rc_loops_item *item = loops->items + i;

        if (item->times) {
            if (rc_skeleton_compose_add_item(state->composer, rank, item->times, item->value))
                return -1;
            continue;
        }
        *waiting = works[i];
        waiting->seconds /= counts[i];
        waiting->read /= counts[i];
        waiting->written /= counts[i];
        if (rc_skeleton_compose_add_step(state->composer, rank, item->value))
            return -1;
    }
    *waiting = rest;
    return 0;
}

static int fold(struct interleaving *state, uint32_t rank)
{
    const struct notes *notes = state->ranks + rank;
    uint32_t *string = malloc((notes->n + 1) * sizeof *string), *counts = NULL;
    struct rc_plan_work *works = NULL;
    struct rc_loops loops = {0};
    size_t n = 0;
    int result = -1;

    for (size_t i = 0; string && i < notes->n; i++)
        if (notes->at[i].op != RC_PLAN_NO_OP)
            string[n++] = notes->at[i].op;
    if (string && rc_skeleton_loops_find(string, n, &loops, state->composer->error))
        goto done;
    works = malloc((loops.n + 1) * sizeof *works);
    counts = calloc(loops.n + 1, sizeof *counts);
    if (!string || !works || !counts) {
        rc_error_no_memory(state->composer->error);
        goto done;
    }
    for (size_t i = 0; i < loops.n; i++)
        rc_skeleton_compose_no_work(works + i);
    rc_skeleton_loops_places(&loops, string);
    add_up_works(state, rank, string, works, counts);
    result = write_down(state, rank, &loops, works, counts);
done:
    rc_skeleton_loops_free(&loops);
    free(string);
    free(works);
    free(counts);
    return result;
}

/* ---- */

static int count_tags(const struct rc_match *match, uint32_t *n, struct rc_error *error)
{
    struct rc_hash_map *map = rc_skeleton_map_create(error);
    int result = map ? 0 : -1;
    uint32_t known;

    *n = 0;
    for (size_t i = 0; !result && *n <= TAGS_MAX && i < match->n_messages; i++)
        if (!rc_skeleton_map_find(map, (uint64_t)match->messages[i].tag + 2, &known))
            result = rc_skeleton_map_add(map, (uint64_t)match->messages[i].tag + 2, (*n)++, error);
    rc_skeleton_map_destroy(map);
    return result;
}

int rc_skeleton_compose_interleaved(struct rc_composer *composer)
{
    const struct rc_loop_tree *tree = composer->tree;
    struct interleaving state = {.composer = composer};
    uint32_t tags;
    int result;

    state.ranks = calloc(tree->program->ranks, sizeof *state.ranks);
    if (!state.ranks)
        return rc_error_no_memory(composer->error);
    result = count_tags(&tree->match, &tags, composer->error);
    composer->one_tag = !result && tags > TAGS_MAX;
    if (!result)
        result = note_items(&state, 0, composer->shrunk->n, 0);
    for (uint32_t r = 0; !result && r < tree->program->ranks; r++)
        result = set_ops(&state, r) || fold(&state, r) ? -1 : 0;
    for (uint32_t r = 0; r < tree->program->ranks; r++)
        free(state.ranks[r].at);
    free(state.ranks);
    return result;
}
