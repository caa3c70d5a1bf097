// SPDX-License-Identifier: GPL-3.0-or-later
/* match.c - goes through the events of one rank after the other, as the rank itself did, with the
 * requests and communicators that it has at that moment.
 *
 * The k-th send of a channel (communicator, sender, receiver, tag) meets the k-th receive that was
 * posted on it, as MPI orders messages.  Whichever of the two is seen first makes the message, the
 * other one fills it in. */
#include "model/skeleton/match/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/match/match_state.h"

/* ---- messages ---- */

static struct rc_channel *channel_of(struct rc_matching *matching, struct rc_channel_key key)
{
    struct rc_channel *channel;

    HASH_FIND(hh, matching->channels, &key, sizeof key, channel);
    if (channel)
        return channel;
    channel = calloc(1, sizeof *channel);
    if (!channel) {
        rc_error_no_memory(matching->error);
        return NULL;
    }
    *channel = (struct rc_channel){.key = key,
                                   .last = RC_PROGRAM_NONE,
                                   .next_send = RC_PROGRAM_NONE,
                                   .next_receive = RC_PROGRAM_NONE,
                                   .probe = RC_PROGRAM_NONE};
    HASH_ADD(hh, matching->channels, key, sizeof channel->key, channel);
    return channel;
}

static int add_message(struct rc_matching *matching, struct rc_channel *channel, uint32_t *number)
{
    struct rc_match *match = matching->match;

    if (rc_array_room(&match->messages, match->n_messages + 1, &matching->message_room,
                      sizeof *match->messages, matching->error))
        return -1;
    *number = (uint32_t)match->n_messages++;
    match->messages[*number] = (struct rc_match_message){.communicator = channel->key.communicator,
                                                         .tag = channel->key.tag,
                                                         .sender = channel->key.sender,
                                                         .send = RC_PROGRAM_NONE,
                                                         .receiver = channel->key.receiver,
                                                         .receive = RC_PROGRAM_NONE,
                                                         .next = RC_PROGRAM_NONE};
    if (channel->last != RC_PROGRAM_NONE)
        match->messages[channel->last].next = *number;
    channel->last = *number;
    return 0;
}

/* The message at `*mine`, the first that this side has not yet had; a new one where all are had,
 * which is then also the first for the other side if that has had all. */
static int take_message(struct rc_matching *matching, struct rc_channel *channel, uint32_t *mine,
                        uint32_t *other, uint32_t *number)
{
    if (*mine != RC_PROGRAM_NONE) {
        *number = *mine;
        *mine = matching->match->messages[*mine].next;
        return 0;
    }
    if (add_message(matching, channel, number))
        return -1;
    if (*other == RC_PROGRAM_NONE)
        *other = *number;
    return 0;
}

/* The rank of the world that is `peer` in the communicator; -1 for none. */
static int64_t world_rank(const struct rc_matching *matching, uint32_t communicator, int32_t peer)
{
    const struct rc_match_communicator *members = matching->match->communicators + communicator;

    return peer >= 0 && (uint32_t)peer < members->n ? (int64_t)members->members[peer] : -1;
}

int rc_skeleton_matching_send(struct rc_matching *matching, uint32_t event,
                              const struct rc_trace_call *call)
{
    const struct rc_trace_message *sent = &call->message;
    struct rc_channel *channel;
    uint32_t communicator, message;
    int64_t peer;

    if (sent->peer < 0)
        return 0;
    if (rc_skeleton_matching_communicator(matching, call->communicator, &communicator))
        return -1;
    if (communicator == RC_MATCH_SELF)
        return 0;
    peer = world_rank(matching, communicator, sent->peer);
    if (peer < 0)
        return rc_error_set(matching->error,
                            "rank %u sends to rank %d of a communicator that has "
                            "none",
                            matching->rank, sent->peer);
    channel = channel_of(matching, (struct rc_channel_key){.communicator = communicator,
                                                           .sender = matching->rank,
                                                           .receiver = (uint32_t)peer,
                                                           .tag = sent->tag});
    if (!channel ||
        take_message(matching, channel, &channel->next_send, &channel->next_receive, &message))
        return -1;
    matching->match->messages[message].send = event;
    matching->match->messages[message].bytes = sent->count * sent->size;
    matching->match->messages[message].kind = (uint16_t)call->kind;
    matching->links[event].out = message;
    return 0;
}

/* The channel of what this rank receives; `*channel` is NULL where nothing is to be matched. */
static int find_incoming(struct rc_matching *matching, const struct rc_trace_call *call,
                         const struct rc_trace_message *from, struct rc_channel **channel)
{
    uint32_t communicator;
    int64_t sender;

    *channel = NULL;
    if (from->peer < 0)
        return 0;
    if (rc_skeleton_matching_communicator(matching, call->communicator, &communicator))
        return -1;
    if (communicator == RC_MATCH_SELF)
        return 0;
    sender = world_rank(matching, communicator, from->peer);
    if (sender < 0)
        return rc_error_set(matching->error,
                            "rank %u receives from rank %d of a communicator that "
                            "has none",
                            matching->rank, from->peer);
    *channel = channel_of(matching, (struct rc_channel_key){.communicator = communicator,
                                                            .sender = (uint32_t)sender,
                                                            .receiver = matching->rank,
                                                            .tag = from->tag});
    return *channel ? 0 : -1;
}

static unsigned freedom_of(const struct rc_trace_call *call)
{
    return (call->flags & RC_TRACE_ANY_SOURCE ? RC_MATCH_ANY_SOURCE : 0) |
           (call->flags & RC_TRACE_ANY_TAG ? RC_MATCH_ANY_TAG : 0);
}

int rc_skeleton_matching_receive(struct rc_matching *matching, uint32_t event,
                                 const struct rc_trace_call *call,
                                 const struct rc_trace_message *from, unsigned freedom)
{
    struct rc_channel *channel;
    uint32_t number;

    if (find_incoming(matching, call, from, &channel))
        return -1;
    if (!channel)
        return 0;
    if (take_message(matching, channel, &channel->next_receive, &channel->next_send, &number))
        return -1;
    matching->match->messages[number].receive = event;
    matching->match->messages[number].freedom =
        (uint16_t)(freedom | freedom_of(call) | channel->freedom);
    matching->links[event].in = number;
    if (channel->probe != RC_PROGRAM_NONE && channel->probe < event)
        matching->links[channel->probe].done = event;
    channel->probe = RC_PROGRAM_NONE;
    channel->freedom = 0;
    return 0;
}

/* Of several probes that find the same message, the last one counts. */
int rc_skeleton_matching_probe(struct rc_matching *matching, uint32_t event,
                               const struct rc_trace_call *call)
{
    struct rc_channel *channel;

    if (find_incoming(matching, call, &call->message, &channel))
        return -1;
    if (!channel)
        return 0;
    channel->probe = event;
    channel->freedom |= freedom_of(call);
    return 0;
}

/* ---- collective calls ---- */

static int add_collective(struct rc_matching *matching, uint32_t communicator, unsigned kind,
                          uint32_t *number)
{
    struct rc_match *match = matching->match;
    uint32_t n = match->communicators[communicator].n;

    if (rc_array_room(&match->collectives, match->n_collectives + 1, &matching->collective_room,
                      sizeof *match->collectives, matching->error) ||
        rc_array_room(&match->members, match->n_members + n, &matching->member_room,
                      sizeof *match->members, matching->error))
        return -1;
    for (uint32_t i = 0; i < n; i++)
        match->members[match->n_members + i] = RC_PROGRAM_NONE;
    *number = (uint32_t)match->n_collectives++;
    match->collectives[*number] = (struct rc_match_collective){.communicator = communicator,
                                                               .kind = kind,
                                                               .first = match->n_members};
    match->n_members += n;
    return 0;
}

/* Which member of the communicator this rank is. */
static uint32_t member_of(const struct rc_matching *matching, uint32_t communicator)
{
    const struct rc_match_communicator *members = matching->match->communicators + communicator;
    uint32_t i = 0;

    if (matching->rank < members->n && members->members[matching->rank] == matching->rank)
        return matching->rank; /* as in the world */
    while (i < members->n && members->members[i] != matching->rank)
        i++;
    return i;
}

/* The rank's next collective call on the communicator. */
int rc_skeleton_matching_collective(struct rc_matching *matching, uint32_t event,
                                    uint32_t communicator, unsigned kind)
{
    struct rc_match_order *order = matching->orders + communicator;
    struct rc_match *match = matching->match;
    uint32_t member = member_of(matching, communicator), number = 0;

    if (member == match->communicators[communicator].n)
        return rc_error_set(matching->error, "rank %u uses a communicator that it is not in",
                            matching->rank);
    if (order->at == order->n) {
        if (rc_array_room(&order->collectives, order->n + 1, &order->room,
                          sizeof *order->collectives, matching->error) ||
            add_collective(matching, communicator, kind, &number))
            return -1;
        order->collectives[order->n++] = number;
    }
    number = order->collectives[order->at++];
    if (match->collectives[number].kind != kind)
        return rc_error_set(matching->error, "rank %u calls %s where another rank calls %s",
                            matching->rank, rc_trace_kind_info(kind)->name,
                            rc_trace_kind_info(match->collectives[number].kind)->name);
    match->members[match->collectives[number].first + member] = event;
    matching->links[event].collective = number;
    return 0;
}

/* ---- ranks ---- */

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
            rc_error_set(error, "neighbours, to whom %s is made, change while the program runs",
                         rc_trace_kind_info(collective->kind)->name);
            return rc_error_hint(error, "programs like that have no skeleton");
        }
        for (uint32_t m = 0; m < group->n; m++)
            if (match->members[collective->first + m] == RC_PROGRAM_NONE)
                return rc_error_set(error, "rank %u does not make a call of %s that others make",
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
