// SPDX-License-Identifier: GPL-3.0-or-later
/* event_matching.c - goes through the events of one rank after the other, as the rank itself did,
 * with the requests and communicators that it has at that moment (message_matching.c,
 * match_communicator.c). */
#include "model/skeleton/match/event_matching.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/match/match_state.h"

static int match_rank(struct rc_matching *matching, uint32_t number)
{
    const struct rc_program_rank *rank = matching->program->rank + number;

    matching->rank = number;
    matching->links = malloc((rank->n_events + 1) * sizeof *matching->links);
    if (!matching->links)
        return rc_error_no_memory(matching->error);
    memset(matching->links, 0xff, (rank->n_events + 1) * sizeof *matching->links);
    matching->match->links[number] = matching->links;
    rc_skeleton_matching_begin_rank(matching);
    for (size_t event = 0; event < rank->n_events; event++)
        if (rc_skeleton_matching_event(matching, (uint32_t)event,
                                       rc_skeleton_program_call(rank, event)))
            return -1;
    return 0;
}

/* Plans have no calls that begin to send and to receive at once. */
static bool is_foreign(const struct rc_trace_call *call)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(call->kind);

    return info->class == RC_TRACE_EXCHANGES && info->manner != RC_TRACE_BLOCKING;
}

/* Whether a message has two ends, and both can be had: a receive that was begun must be completed,
 * too, where it does not matter whether a send was. */
static bool is_whole(const struct rc_program *program, const struct rc_match *match,
                     const struct rc_match_message *message)
{
    const struct rc_trace_call *send, *receive;

    if (message->send == RC_PROGRAM_NONE || message->receive == RC_PROGRAM_NONE)
        return false;
    send = rc_skeleton_program_call(program->rank + message->sender, message->send);
    receive = rc_skeleton_program_call(program->rank + message->receiver, message->receive);
    return !is_foreign(send) && !is_foreign(receive) &&
           (receive->request < 0 ||
            match->links[message->receiver][message->receive].done != RC_PROGRAM_NONE);
}

/* Messages that are not whole are linked to nothing. */
static void drop_unmatched(const struct rc_program *program, struct rc_match *match)
{
    for (size_t i = 0; i < match->n_messages; i++) {
        const struct rc_match_message *message = match->messages + i;

        if (is_whole(program, match, message))
            continue;
        match->unmatched++;
        if (message->send != RC_PROGRAM_NONE)
            match->links[message->sender][message->send].out = RC_PROGRAM_NONE;
        if (message->receive != RC_PROGRAM_NONE)
            match->links[message->receiver][message->receive].in = RC_PROGRAM_NONE;
    }
}

static int check_collectives(const struct rc_match *match, struct rc_error *error)
{
    for (size_t i = 0; i < match->n_collectives; i++) {
        const struct rc_match_collective *collective = match->collectives + i;
        const struct rc_match_communicator *group = match->communicators + collective->communicator;

        if (group->changes && rc_trace_kind_info(collective->kind)->class == RC_TRACE_NEIGHBOURS) {
            rc_error_set(error, "the neighbours of %s change during the run",
                         rc_trace_kind_info(collective->kind)->name);
            return rc_error_hint(error, "skeletons do not support changing topologies");
        }
        for (uint32_t m = 0; m < group->n; m++)
            if (match->members[collective->first + m] == RC_PROGRAM_NONE)
                return rc_error_set(error, "rank %u does not take part in a call of %s",
                                    group->members[m], rc_trace_kind_info(collective->kind)->name);
    }
    return 0;
}

int rc_skeleton_match_find(const struct rc_program *program, struct rc_match *match,
                           struct rc_error *error)
{
    struct rc_matching matching = {.program = program, .match = match, .error = error};
    int result;

    *match = (struct rc_match){.ranks = program->ranks};
    match->links = calloc(program->ranks, sizeof *match->links);
    result = match->links ? rc_skeleton_matching_world(&matching) : rc_error_no_memory(error);
    for (uint32_t i = 0; !result && i < program->ranks; i++)
        result = match_rank(&matching, i);
    rc_skeleton_matching_free(&matching);
    if (!result)
        result = check_collectives(match, error);
    if (result)
        rc_skeleton_match_free(match);
    else
        drop_unmatched(program, match);
    return result;
}

void rc_skeleton_match_free(struct rc_match *match)
{
    for (uint32_t i = 0; match->links && i < match->ranks; i++)
        free(match->links[i]);
    for (size_t i = 0; i < match->n_communicators; i++) {
        free(match->communicators[i].members);
        free(match->communicators[i].made);
    }
    free(match->links);
    free(match->messages);
    free(match->collectives);
    free(match->members);
    free(match->communicators);
    *match = (struct rc_match){0};
}
