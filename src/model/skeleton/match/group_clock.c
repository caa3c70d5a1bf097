// SPDX-License-Identifier: GPL-3.0-or-later
/* group_clock.c - when each call of an event group is made, on a clock that knows no computing.
 *
 * A call takes one tick, and waits for those that it needs: a receive for its message to be sent, a
 * send for its receive to be posted, a collective call for all its members; a call that completes
 * requests waits for what these need.  Calls that belong to no other take no time, so that it does
 * not matter how often a program asks in vain whether a message has come.
 *
 * Why a send waits: else a rank that only sends would run away from those that receive, and what
 * belongs to one iteration would not be at about the same time.  With it, ranks that have to do
 * with each other go equally fast.  Times are then sums and maxima of what was before, which repeat
 * where the program does, after a while, perhaps not every iteration but every few (as is known of
 * linear systems in the max-plus algebra).  That is all that the order of interleaved groups needs.
 *
 * A program may rely on sends that do not wait.  Where nobody can go on, sends are let through. */
#include "model/skeleton/match/event_groups.h"

#include <stdlib.h>

#include "base/error.h"

/* What is let through where nobody can go on. */
enum force { NOTHING, SENDS, ALL };

/* The rank of a part, on its way. */
struct cursor {
    uint32_t at, end; /* numbers of calls */
    uint32_t latest;  /* of what the call at its place has waited for */
    uint32_t begun;   /* the next request that it completes */
    bool has_come;    /* to the call at its place */
    bool is_queued;
    enum force force;
};

/* A collective call. */
struct gathering {
    uint32_t come;
    uint32_t latest;
};

struct clock {
    struct rc_group_calls *calls;
    struct cursor *cursors;       /* by part */
    struct gathering *gatherings; /* by collective call of the program */
    uint32_t *queue;              /* parts that may go on, in a ring */
    uint32_t head, n_queued;
};

bool rc_skeleton_group_is_alone(const struct rc_group_calls *calls, uint32_t part, uint32_t number)
{
    const struct rc_match_link *link = rc_skeleton_group_link(calls, part, number);

    return rc_skeleton_match_is_local(link) && link->done == RC_PROGRAM_NONE &&
           calls->begun[number] == RC_PROGRAM_NONE;
}

static void enqueue(struct clock *clock, uint32_t rank)
{
    uint32_t part = clock->calls->part_of[rank], n = clock->calls->n_parts;
    struct cursor *cursor = clock->cursors + part;

    if (cursor->is_queued || cursor->at == cursor->end)
        return;
    cursor->is_queued = true;
    clock->queue[(clock->head + clock->n_queued++) % n] = part;
}

/* ---- coming to a call ---- */

static void come_to_gathering(struct clock *clock, uint32_t number, uint32_t arrival)
{
    const struct rc_match *match = clock->calls->match;
    const struct rc_match_communicator *group =
        match->communicators + match->collectives[number].communicator;
    struct gathering *gathering = clock->gatherings + number;

    if (arrival > gathering->latest)
        gathering->latest = arrival;
    if (++gathering->come == group->n)
        for (uint32_t m = 0; m < group->n; m++)
            enqueue(clock, group->members[m]);
}

static void come_to(struct clock *clock, uint32_t part)
{
    const struct rc_group_calls *calls = clock->calls;
    struct cursor *cursor = clock->cursors + part;
    const struct rc_match_link *link = rc_skeleton_group_link(calls, part, cursor->at);

    cursor->has_come = true;
    cursor->latest = rc_skeleton_group_arrival(calls, part, cursor->at);
    cursor->begun = calls->begun[cursor->at];
    if (link->out != RC_PROGRAM_NONE)
        enqueue(clock, calls->match->messages[link->out].receiver);
    if (link->in != RC_PROGRAM_NONE)
        enqueue(clock, calls->match->messages[link->in].sender);
    if (link->collective != RC_PROGRAM_NONE)
        come_to_gathering(clock, link->collective, cursor->latest);
}

/* ---- waiting ---- */

static void wait_until(struct cursor *cursor, uint32_t time)
{
    if (time > cursor->latest)
        cursor->latest = time;
}

static bool has_met(const struct clock *clock, struct cursor *cursor, uint32_t rank, uint32_t event,
                    enum force force)
{
    uint32_t number = rc_skeleton_group_number(clock->calls, rank, event);
    uint32_t part = clock->calls->part_of[rank];
    const struct cursor *other = clock->cursors + part;

    if (other->at < number || (other->at == number && !other->has_come))
        return cursor->force >= force;
    wait_until(cursor, rc_skeleton_group_arrival(clock->calls, part, number));
    return true;
}

/* Whether all that a call needs is there. */
static bool has_all(const struct clock *clock, struct cursor *cursor, uint32_t part,
                    uint32_t number)
{
    const struct rc_match *match = clock->calls->match;
    const struct rc_match_link *link = rc_skeleton_group_link(clock->calls, part, number);

    if (link->out != RC_PROGRAM_NONE && !has_met(clock, cursor, match->messages[link->out].receiver,
                                                 match->messages[link->out].receive, SENDS))
        return false;
    if (link->in != RC_PROGRAM_NONE && !has_met(clock, cursor, match->messages[link->in].sender,
                                                match->messages[link->in].send, ALL))
        return false;
    if (link->collective != RC_PROGRAM_NONE) {
        const struct rc_match_collective *at = match->collectives + link->collective;

        if (clock->gatherings[link->collective].come < match->communicators[at->communicator].n)
            return cursor->force == ALL;
        wait_until(cursor, clock->gatherings[link->collective].latest);
    }
    return true;
}

static bool can_pass(const struct clock *clock, struct cursor *cursor, uint32_t part)
{
    const struct rc_group_calls *calls = clock->calls;
    const struct rc_trace_call *call =
        rc_skeleton_program_call(calls->program->rank + calls->parts[part].rank,
                                 rc_skeleton_group_event(calls, part, cursor->at));

    if (rc_trace_kind_info(call->kind)->manner == RC_TRACE_BLOCKING &&
        !has_all(clock, cursor, part, cursor->at))
        return false;
    for (; cursor->begun != RC_PROGRAM_NONE; cursor->begun = calls->next[cursor->begun])
        if (!has_all(clock, cursor, part, cursor->begun))
            return false;
    return true;
}

/* Goes as far as the rank can; how many calls that is. */
static size_t go_on(struct clock *clock, uint32_t part)
{
    struct rc_group_calls *calls = clock->calls;
    struct cursor *cursor = clock->cursors + part;
    size_t passed = 0;

    for (; cursor->at < cursor->end; cursor->at++, passed++) {
        if (!cursor->has_come)
            come_to(clock, part);
        if (!can_pass(clock, cursor, part))
            break;
        calls->time[cursor->at] =
            cursor->latest + !rc_skeleton_group_is_alone(calls, part, cursor->at);
        cursor->has_come = false;
        cursor->force = NOTHING;
    }
    return passed;
}

static size_t go_on_all(struct clock *clock, enum force force)
{
    size_t passed = 0;

    for (uint32_t p = 0; p < clock->calls->n_parts; p++) {
        clock->cursors[p].force = force;
        enqueue(clock, clock->calls->parts[p].rank);
    }
    while (clock->n_queued > 0) {
        uint32_t part = clock->queue[clock->head];

        clock->head = (clock->head + 1) % clock->calls->n_parts;
        clock->n_queued--;
        clock->cursors[part].is_queued = false;
        passed += go_on(clock, part);
    }
    return passed;
}

int rc_skeleton_group_set_times(struct rc_group_calls *calls, struct rc_error *error)
{
    struct clock clock = {.calls = calls};
    uint32_t n = calls->n_parts;
    size_t left = calls->first[n];
    int result = 0;

    clock.cursors = calloc(n, sizeof *clock.cursors);
    clock.queue = calloc(n, sizeof *clock.queue);
    clock.gatherings = calloc(calls->match->n_collectives + 1, sizeof *clock.gatherings);
    if (!clock.cursors || !clock.queue || !clock.gatherings) {
        result = rc_error_no_memory(error);
        left = 0;
    }
    for (uint32_t p = 0; left > 0 && p < n; p++)
        clock.cursors[p] = (struct cursor){.at = calls->first[p], .end = calls->first[p + 1]};
    for (enum force force = NOTHING; left > 0;) {
        size_t passed = go_on_all(&clock, force);

        left -= passed;
        force = force == SENDS && passed == 0 ? ALL : SENDS;
    }
    free(clock.cursors);
    free(clock.queue);
    free(clock.gatherings);
    return result;
}
