// SPDX-License-Identifier: GPL-3.0-or-later
/* match_event.c - what one event does to messages, requests and collective calls. */
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/match/match_state.h"

enum { REQUESTS_MAX = 1 << 22 };

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

/* The source and the tag that a receive had in the end, which completing calls tell one after the
 * other. */
struct told {
    const int32_t *at, *end;
};

bool rc_skeleton_match_is_for_any(unsigned kind)
{
    switch (kind) {
    case RC_TRACE_Waitany:
    case RC_TRACE_Waitsome:
    case RC_TRACE_Testany:
    case RC_TRACE_Testsome:
        return true;
    default:
        return false;
    }
}

static int complete(struct rc_matching *matching, uint32_t event, const struct rc_trace_call *call,
                    int32_t number, struct told *told)
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
    if (told->end - told->at < 2)
        return 0;
    from = (struct rc_trace_message){.peer = told->at[0], .tag = told->at[1]};
    told->at += 2;
    return rc_skeleton_matching_receive(matching, begun, asked, &from, freedom);
}

static int complete_all(struct rc_matching *matching, uint32_t event,
                        const struct rc_trace_call *call)
{
    uint32_t n = 0, after;
    struct told told = {0};

    while (n < call->list_length && call->list[n] != RC_TRACE_ANY)
        n++;
    after = n + (n < call->list_length);
    if (after < call->list_length)
        told = (struct told){.at = call->list + after, .end = call->list + call->list_length};
    if (call->request >= 0)
        return complete(matching, event, call, call->request, &told);
    for (uint32_t i = 0; i < n; i++)
        if (complete(matching, event, call, call->list[i], &told))
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
        return rc_skeleton_matching_send(matching, event, call);
    case RC_TRACE_RECEIVES:
        return is_open(call)
                   ? 0
                   : rc_skeleton_matching_receive(matching, event, call, &call->message, 0);
    case RC_TRACE_EXCHANGES:
        if (rc_skeleton_matching_send(matching, event, call))
            return -1;
        return rc_skeleton_matching_receive(matching, event, call, &call->from, 0);
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
    struct told nothing = {0};

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
        return rc_skeleton_matching_probe(matching, event, call);
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
