// SPDX-License-Identifier: GPL-3.0-or-later
/* program_unsuccessful.c - takes calls that did nothing out of a program. */
#include "model/skeleton/match/recorded_program_internal.h"

#include <stdbool.h>

#include "base/array.h"
#include "model/skeleton/loops/hash_map.h"

struct passing {
    struct rc_program_rank *rank;
    struct rc_hash_map *joined; /* positions, by those that they stand for */
    size_t position_room, spread_room;
    /* Of the calls that are passed over at the moment: */
    uint64_t key; /* which they are; 0 for none */
    struct rc_program_position sum;
    double eighths[RC_PROGRAM_EIGHTHS]; /* of their computing, in seconds */
    bool is_spread;
    struct rc_error *error;
};

static bool failed(const struct rc_trace_call *call)
{
    return call->flags & RC_TRACE_FAILED;
}

static bool found_nothing(const struct rc_trace_call *call)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(call->kind);

    return !(call->flags & RC_TRACE_DONE) && info->manner == RC_TRACE_NONBLOCKING &&
           (info->class == RC_TRACE_COMPLETES || info->class == RC_TRACE_PROBES);
}

static void add(struct passing *passing, uint32_t number)
{
    const struct rc_program_position *position = passing->rank->positions + number;
    struct rc_program_position *sum = &passing->sum;

    passing->key = rc_skeleton_hash(passing->key, number + UINT64_C(1));
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        passing->eighths[i] +=
            position->work *
            (position->spread == RC_PROGRAM_NONE ? 1 : passing->rank->spreads[position->spread][i]);
    passing->is_spread = passing->is_spread || position->spread != RC_PROGRAM_NONE;
    sum->call = position->call;
    sum->work += position->work;
    sum->wall += position->wall;
    sum->inside += position->inside;
    sum->read += position->read;
    sum->written += position->written;
    if (position->footprint > sum->footprint)
        sum->footprint = position->footprint;
}

static void begin_anew(struct passing *passing)
{
    passing->key = 0;
    passing->sum = (struct rc_program_position){0};
    passing->is_spread = false;
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        passing->eighths[i] = 0;
}

static int keep_spread(struct passing *passing)
{
    struct rc_program_rank *rank = passing->rank;

    passing->sum.spread = RC_PROGRAM_NONE;
    if (!passing->is_spread || passing->sum.work <= 0)
        return 0;
    if (rc_array_room(&rank->spreads, rank->n_spreads + 1, &passing->spread_room,
                      sizeof *rank->spreads, passing->error))
        return -1;
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        rank->spreads[rank->n_spreads][i] = passing->eighths[i] / passing->sum.work;
    passing->sum.spread = (uint32_t)rank->n_spreads++;
    return 0;
}

/* The position of a call with all that was passed over before it. */
static int join(struct passing *passing, uint32_t number, uint32_t *joined)
{
    struct rc_program_rank *rank = passing->rank;
    int result = 0;

    add(passing, number);
    if (!rc_skeleton_map_find(passing->joined, passing->key, joined)) {
        if (keep_spread(passing) ||
            rc_array_room(&rank->positions, rank->n_positions + 1, &passing->position_room,
                          sizeof *rank->positions, passing->error))
            return -1;
        rank->positions[rank->n_positions] = passing->sum;
        *joined = (uint32_t)rank->n_positions++;
        result = rc_skeleton_map_add(passing->joined, passing->key, *joined, passing->error);
    }
    begin_anew(passing);
    return result;
}

int rc_skeleton_program_drop_unsuccessful(struct rc_program_rank *rank, size_t *passed,
                                          struct rc_error *error)
{
    struct passing passing = {.rank = rank,
                              .joined = rc_skeleton_map_create(error),
                              .position_room = rank->n_positions,
                              .spread_room = rank->n_spreads,
                              .error = error};
    int result = passing.joined ? 0 : -1;
    size_t kept = 0;

    *passed = 0;
    for (size_t e = 0; !result && e < rank->n_events; e++) {
        const struct rc_trace_call *call = rc_skeleton_program_call(rank, e);

        if (failed(call) || found_nothing(call)) {
            *passed += !failed(call);
            add(&passing, rank->events[e]);
            continue;
        }
        rank->events[kept] = rank->events[e];
        if (passing.key)
            result = join(&passing, rank->events[e], rank->events + kept);
        kept++;
    }
    if (!result) {
        rank->tail += passing.sum.work;
        rank->n_events = kept;
    }
    rc_skeleton_map_destroy(passing.joined);
    return result;
}
