// SPDX-License-Identifier: GPL-3.0-or-later
/* memory_file_use.c - what was noted of memory and files goes to the positions of a program.
 *
 * A note is about the gaps between two calls that are known by what they are, a position is a place
 * in the program.  A position takes the note of its call and the one that was made before it. */
#include "model/skeleton/match/recorded_program_internal.h"

#include <math.h>
#include <stdlib.h>

#include <uthash.h>

#include "base/error.h"
#include "model/skeleton/loops/hash_map.h"

static uint64_t add_call(uint64_t hash, const struct rc_trace_call *call)
{
    hash = rc_skeleton_hash(hash, (uint64_t)call->kind << 32 | (uint32_t)call->communicator);
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)call->message.peer << 32 |
                                      (uint32_t)call->message.tag);
    hash = rc_skeleton_hash(hash, call->message.count);
    return rc_skeleton_hash(hash, (uint64_t)(uint32_t)call->root << 32 | (uint32_t)call->request);
}

static uint64_t pair_key(const struct rc_trace_call *before, const struct rc_trace_call *after)
{
    return add_call(add_call(1, before), after);
}

static void set_position(struct rc_program_position *position, const struct rc_trace_note *note)
{
    if (note->footprints)
        position->footprint = note->footprint;
    if (note->files) {
        position->read = (double)note->read / (double)note->files;
        position->written = (double)note->written / (double)note->files;
    }
}

/* For each position, the note of the first call before it that has one. */
static int apply(struct rc_program_rank *rank, const struct rc_trace_note *notes,
                 const struct rc_hash_map *map, struct rc_error *error)
{
    uint32_t *last = malloc((rank->n_positions + 1) * sizeof *last);

    if (!last)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < rank->n_positions; i++)
        last[i] = RC_PROGRAM_NONE;
    for (size_t e = 1; e < rank->n_events; e++) {
        uint32_t before = rank->positions[rank->events[e - 1]].call;
        struct rc_program_position *position = rank->positions + rank->events[e];
        const struct rc_trace_note *note;
        uint32_t number;

        if (last[rank->events[e]] == before || position->footprint)
            continue;
        last[rank->events[e]] = before;
        if (!rc_skeleton_map_find(map, pair_key(rank->calls + before, rank->calls + position->call),
                                  &number))
            continue;
        note = notes + number;
        if (rc_trace_same_but_list(&note->before, rank->calls + before) &&
            rc_trace_same_but_list(&note->after, rank->calls + position->call))
            set_position(position, note);
    }
    free(last);
    return 0;
}

int rc_skeleton_program_apply_notes(struct rc_program_rank *rank, const struct rc_trace_note *notes,
                                    size_t n, struct rc_error *error)
{
    struct rc_hash_map *map = rc_skeleton_map_create(error); /* of notes, by pairs of calls */
    int result = map ? 0 : -1;
    uint32_t there;

    for (size_t i = 0; !result && i < n; i++) {
        uint64_t key = pair_key(&notes[i].before, &notes[i].after);

        if (!rc_skeleton_map_find(map, key, &there))
            result = rc_skeleton_map_add(map, key, (uint32_t)i, error);
    }
    if (!result)
        result = apply(rank, notes, map, error);
    rc_skeleton_map_destroy(map);
    return result;
}

/* ---- footprints that other positions have ---- */

/* What computes for less than this goes over little memory. */
static const double least_work = 100e-6;

struct shared {
    uint64_t key;
    double sum, work, n;
    UT_hash_handle hh;
};

static uint64_t add_kind(uint64_t hash, const struct rc_trace_call *call)
{
    hash = rc_skeleton_hash(hash, (uint64_t)call->kind << 32 | call->message.size);
    return rc_skeleton_hash(hash, call->message.count);
}

static int add_shared(struct shared **all, uint64_t key, const struct rc_program_position *position,
                      struct rc_error *error)
{
    struct shared *found;

    HASH_FIND(hh, *all, &key, sizeof key, found);
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            return rc_error_no_memory(error);
        found->key = key;
        HASH_ADD(hh, *all, key, sizeof key, found);
    }
    found->sum += (double)position->footprint;
    found->work += position->work;
    found->n++;
    return 0;
}

/* What computes for less time goes over less, in proportion. */
static void take_shared(struct shared *all, uint64_t key, struct rc_program_position *position)
{
    struct shared *found;

    HASH_FIND(hh, all, &key, sizeof key, found);
    if (found)
        position->footprint =
            (uint64_t)(found->sum / found->n * fmin(position->work / (found->work / found->n), 1));
}

/* Adds what is known of a rank (`give`), or sets what is not.  A position counts once, with the
 * call that is first before it. */
static int share(struct rc_program_rank *rank, struct shared **all, bool give,
                 struct rc_error *error)
{
    bool *seen = calloc(rank->n_positions + 1, sizeof *seen);
    int result = 0;

    if (!seen)
        return rc_error_no_memory(error);
    for (size_t e = 1; e < rank->n_events && result == 0; e++) {
        struct rc_program_position *position = rank->positions + rank->events[e];
        uint64_t key;

        if (seen[rank->events[e]])
            continue;
        seen[rank->events[e]] = true;
        if (position->work < least_work || (position->footprint > 0) != give)
            continue;
        key = add_kind(add_kind(1, rc_skeleton_program_call(rank, e - 1)),
                       rc_skeleton_program_call(rank, e));
        if (give)
            result = add_shared(all, key, position, error);
        else
            take_shared(*all, key, position);
    }
    free(seen);
    return result;
}

int rc_skeleton_program_share_footprints(struct rc_program *program, struct rc_error *error)
{
    struct shared *all = NULL, *it, *next;
    int result = 0;

    for (uint32_t i = 0; i < program->ranks && result == 0; i++)
        result = share(program->rank + i, &all, true, error);
    for (uint32_t i = 0; i < program->ranks && result == 0; i++)
        result = share(program->rank + i, &all, false, error);
    HASH_ITER(hh, all, it, next)
    {
        HASH_DEL(all, it);
        free(it);
    }
    return result;
}
