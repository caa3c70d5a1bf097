// SPDX-License-Identifier: GPL-3.0-or-later
/* message_matching.c - what one event does to messages, requests and collective calls.
 *
 * The k-th send of a channel (communicator, sender, receiver, tag) meets the k-th receive that was
 * posted on it, as MPI orders messages.  Whichever of the two is seen first makes the message, the
 * other one fills it in. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/match/match_state.h"

enum { REQUESTS_MAX = 1 << 22 };

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

/* The channel of what this rank sends (or receives); NULL where nothing is to be matched. */
static int find_channel(struct rc_matching *matching, const struct rc_trace_call *call,
                        const struct rc_trace_message *message, bool sends,
                        struct rc_channel **channel)
{
    struct rc_channel_key key = {.tag = message->tag};
    int64_t peer;

    *channel = NULL;
    if (message->peer < 0)
        return 0;
    if (rc_skeleton_matching_communicator(matching, call->communicator, &key.communicator))
        return -1;
    if (key.communicator == RC_MATCH_SELF)
        return 0;
    peer = world_rank(matching, key.communicator, message->peer);
    if (peer < 0)
        return rc_error_set(matching->error, "rank %u %s rank %d of a communicator that has none",
                            matching->rank, sends ? "sends to" : "receives from", message->peer);
    key.sender = sends ? matching->rank : (uint32_t)peer;
    key.receiver = sends ? (uint32_t)peer : matching->rank;
    *channel = channel_of(matching, key);
    return *channel ? 0 : -1;
}

static int match_send(struct rc_matching *matching, uint32_t event,
                      const struct rc_trace_call *call)
{
    const struct rc_trace_message *sent = &call->message;
    struct rc_match_message *message;
    struct rc_channel *channel;
    uint32_t number;

    if (find_channel(matching, call, sent, true, &channel))
        return -1;
    if (!channel)
        return 0;
    if (take_message(matching, channel, &channel->next_send, &channel->next_receive, &number))
        return -1;
    message = matching->match->messages + number;
    message->send = event;
    message->bytes = sent->count * sent->size;
    message->kind = (uint16_t)call->kind;
    matching->links[event].out = number;
    return 0;
}

static unsigned freedom_of(const struct rc_trace_call *call)
{
    return (call->flags & RC_TRACE_ANY_SOURCE ? RC_MATCH_ANY_SOURCE : 0) |
           (call->flags & RC_TRACE_ANY_TAG ? RC_MATCH_ANY_TAG : 0);
}

/* `call` says which communicator and what else it would have taken, `from` what it received. */
static int match_receive(struct rc_matching *matching, uint32_t event,
                         const struct rc_trace_call *call, const struct rc_trace_message *from,
                         unsigned freedom)
{
    struct rc_channel *channel;
    uint32_t number;

    if (find_channel(matching, call, from, false, &channel))
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
static int match_probe(struct rc_matching *matching, uint32_t event,
                       const struct rc_trace_call *call)
{
    struct rc_channel *channel;

    if (find_channel(matching, call, &call->message, false, &channel))
        return -1;
    if (!channel)
        return 0;
    channel->probe = event;
    channel->freedom |= freedom_of(call);
    return 0;
}

/* ---- requests ---- */

static struct rc_match_request *request_at(struct rc_matching *matching, int32_t number)
{
    if (number < 0 || number >= REQUESTS_MAX)
        return NULL;
    if ((size_t)number >= matching->n_requests) {
        size_t n = (size_t)number * 2 + 64;
        struct rc_match_request *more = realloc(matching->requests, n * sizeof *more);

        if (!more)
            return NULL;
        for (size_t i = matching->n_requests; i < n; i++)
            more[i] = (struct rc_match_request){.event = RC_PROGRAM_NONE};
        matching->requests = more;
        matching->n_requests = n;
    }
    return matching->requests + number;
}

/* Whether the message of a receive is only known when it is there. */
static bool is_open(const struct rc_trace_call *call)
{
    return call->message.peer == RC_TRACE_ANY || call->message.tag == RC_TRACE_ANY;
}

/* The source and the tag that a receive had in the end, which completing calls list one after the
 * other. */
struct sources {
    const int32_t *at, *end;
};

bool rc_skeleton_match_is_for_any(unsigned kind)
{
    return kind == RC_TRACE_Waitany || kind == RC_TRACE_Waitsome || kind == RC_TRACE_Testany ||
           kind == RC_TRACE_Testsome;
}

static int complete(struct rc_matching *matching, uint32_t event, const struct rc_trace_call *call,
                    int32_t number, struct sources *sources)
{
    struct rc_match_request *request = request_at(matching, number);
    unsigned freedom = rc_skeleton_match_is_for_any(call->kind) ? RC_MATCH_ANY_REQUEST : 0;
    const struct rc_trace_call *asked;
    struct rc_trace_message from;
    uint32_t begun;

    if (!request || request->event == RC_PROGRAM_NONE)
        return 0;
    begun = request->event;
    asked = request->asked;
    matching->links[begun].done = event;
    request->event = RC_PROGRAM_NONE;
    if (rc_trace_kind_info(asked->kind)->class != RC_TRACE_RECEIVES)
        return 0;
    if (!is_open(asked)) {
        if (matching->links[begun].in != RC_PROGRAM_NONE)
            matching->match->messages[matching->links[begun].in].freedom |= (uint16_t)freedom;
        return 0;
    }
    if (sources->end - sources->at < 2)
        return 0;
    from = (struct rc_trace_message){.peer = sources->at[0], .tag = sources->at[1]};
    sources->at += 2;
    return match_receive(matching, begun, asked, &from, freedom);
}

static int complete_all(struct rc_matching *matching, uint32_t event,
                        const struct rc_trace_call *call)
{
    uint32_t n = 0, after;
    struct sources sources = {0};

    while (n < call->list_length && call->list[n] != RC_TRACE_ANY)
        n++;
    after = n + (n < call->list_length);
    if (after < call->list_length)
        sources = (struct sources){.at = call->list + after, .end = call->list + call->list_length};
    if (call->request >= 0)
        return complete(matching, event, call, call->request, &sources);
    for (uint32_t i = 0; i < n; i++)
        if (complete(matching, event, call, call->list[i], &sources))
            return -1;
    return 0;
}

/* ---- sends and receives ---- */

/* The messages of a call that is made, or whose persistent request is started. */
static int begin_messages(struct rc_matching *matching, uint32_t event,
                          const struct rc_trace_call *call)
{
    switch (rc_trace_kind_info(call->kind)->class) {
    case RC_TRACE_SENDS:
        return match_send(matching, event, call);
    case RC_TRACE_RECEIVES:
        return is_open(call) ? 0 : match_receive(matching, event, call, &call->message, 0);
    case RC_TRACE_EXCHANGES:
        if (match_send(matching, event, call))
            return -1;
        return match_receive(matching, event, call, &call->from, 0);
    default:
        return 0;
    }
}

static int begin(struct rc_matching *matching, uint32_t event, const struct rc_trace_call *call)
{
    enum rc_trace_manner manner = rc_trace_kind_info(call->kind)->manner;
    struct rc_match_request *request;

    if (manner != RC_TRACE_BLOCKING) {
        request = request_at(matching, call->request);
        if (!request)
            return rc_error_set(matching->error,
                                "rank %u: a request without a number, or no "
                                "memory for it",
                                matching->rank);
        *request =
            (struct rc_match_request){.event =
                                          manner == RC_TRACE_PERSISTENT ? RC_PROGRAM_NONE : event,
                                      .asked = call,
                                      .persistent = manner == RC_TRACE_PERSISTENT};
    }
    return manner == RC_TRACE_PERSISTENT ? 0 : begin_messages(matching, event, call);
}

/* Starts a persistent request, or gives one up: who frees an active one trusts that it ends, and
 * so that call counts as its completion. */
static int start_or_end(struct rc_matching *matching, uint32_t event,
                        const struct rc_trace_call *call)
{
    struct rc_match_request *request = request_at(matching, call->request);
    struct sources nothing = {0};

    if (!request)
        return 0;
    if (call->kind == RC_TRACE_Request_free)
        return complete(matching, event, call, call->request, &nothing);
    if ((call->kind != RC_TRACE_Start && call->kind != RC_TRACE_Startall) || !request->persistent)
        return 0;
    request->event = event;
    return begin_messages(matching, event, request->asked);
}

/* ---- all together ---- */

static int collective(struct rc_matching *matching, uint32_t event,
                      const struct rc_trace_call *call)
{
    uint32_t communicator;

    if (rc_skeleton_matching_communicator(matching, call->communicator, &communicator))
        return -1;
    if (communicator != RC_MATCH_SELF &&
        rc_skeleton_matching_collective(matching, event, communicator, call->kind))
        return -1;
    return rc_trace_kind_info(call->kind)->manner == RC_TRACE_BLOCKING
               ? 0
               : begin(matching, event, call);
}

int rc_skeleton_matching_event(struct rc_matching *matching, uint32_t event,
                               const struct rc_trace_call *call)
{
    switch (rc_trace_kind_info(call->kind)->class) {
    case RC_TRACE_SENDS:
    case RC_TRACE_RECEIVES:
    case RC_TRACE_EXCHANGES:
        return begin(matching, event, call);
    case RC_TRACE_PROBES:
        return match_probe(matching, event, call);
    case RC_TRACE_COMPLETES:
        return complete_all(matching, event, call);
    case RC_TRACE_STARTS:
        return start_or_end(matching, event, call);
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_NEIGHBOURS:
        return collective(matching, event, call);
    case RC_TRACE_CONSTRUCTS:
        return rc_skeleton_matching_construct(matching, event, call);
    default:
        return 0;
    }
}
