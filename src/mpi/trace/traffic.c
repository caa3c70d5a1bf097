// SPDX-License-Identifier: BSD-2-Clause
/* traffic.c - messages from one rank to another. */
#include "mpi/trace/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/trace/traffic_internal.h"

enum {
    REQUESTS_MAX = 1 << 20,
    /* Bytes of the members that identify a pair; what may be between them and the next is not. */
    PAIR_KEY = offsetof(struct rc_traffic_pair, to) + sizeof(uint32_t)
};

/* ---- the whole ---- */

struct rc_traffic *rc_trace_traffic_create(uint32_t ranks)
{
    struct rc_traffic *traffic = calloc(1, sizeof *traffic);

    if (!traffic)
        return NULL;
    traffic->ranks = ranks;
    traffic->groups = rc_trace_groups_create(ranks);
    if (ranks <= RC_TRAFFIC_DENSE_MAX)
        traffic->collective = calloc((size_t)ranks * ranks, sizeof *traffic->collective);
    if (!traffic->groups || (ranks <= RC_TRAFFIC_DENSE_MAX && !traffic->collective)) {
        rc_trace_traffic_destroy(traffic);
        return NULL;
    }
    return traffic;
}

void rc_trace_traffic_destroy(struct rc_traffic *traffic)
{
    struct rc_traffic_cell *cell, *next_cell;
    struct rc_traffic_together *together, *next_together;

    if (!traffic)
        return;
    HASH_ITER(hh, traffic->cells, cell, next_cell)
    {
        HASH_DEL(traffic->cells, cell);
        free(cell);
    }
    HASH_ITER(hh, traffic->together, together, next_together)
    {
        HASH_DEL(traffic->together, together);
        free(together);
    }
    rc_trace_communicators_end(&traffic->communicators);
    rc_trace_groups_destroy(traffic->groups);
    free(traffic->requests);
    free(traffic->collective);
    free(traffic->sorted);
    free(traffic);
}

int rc_trace_traffic_begin(struct rc_traffic *traffic, uint32_t rank, struct rc_traffic_size *sent,
                           struct rc_traffic_size *given)
{
    traffic->sent = sent;
    traffic->given = given;
    traffic->n_requests = 0;
    rc_trace_communicators_end(&traffic->communicators);
    return rc_trace_communicators_begin(&traffic->communicators, traffic->groups, rank);
}

void rc_trace_traffic_lost(struct rc_traffic *traffic)
{
    traffic->lost++;
}

void rc_trace_traffic_end(struct rc_traffic *traffic)
{
    uint32_t rank = traffic->communicators.rank;
    struct rc_traffic_together *together, *next;

    traffic->ranks_added++;
    HASH_ITER(hh, traffic->together, together, next)
    {
        if (together->current == 0)
            continue;
        if (together->seen++ == 0) {
            together->n = together->current;
            together->first = rank;
        } else if (together->current != together->n && together->other_n == 0) {
            together->other = rank;
            together->other_n = together->current;
        }
        together->current = 0;
    }
}

const struct rc_groups *rc_trace_traffic_groups(const struct rc_traffic *traffic)
{
    return traffic->groups;
}

const double *rc_trace_traffic_collective(const struct rc_traffic *traffic)
{
    return traffic->collective;
}

/* ---- pairs ---- */

static struct rc_traffic_pair *find_pair(struct rc_traffic *traffic, int group, uint32_t from,
                                         uint32_t to)
{
    struct rc_traffic_cell *cell;
    struct rc_traffic_pair key = {.group = group, .from = from, .to = to};

    HASH_FIND(hh, traffic->cells, &key, PAIR_KEY, cell);
    if (cell)
        return &cell->pair;
    if (traffic->full || HASH_COUNT(traffic->cells) >= RC_TRAFFIC_CELLS_MAX ||
        !(cell = calloc(1, sizeof *cell))) {
        traffic->full = true;
        return NULL;
    }
    cell->pair = key;
    HASH_ADD(hh, traffic->cells, pair, PAIR_KEY, cell);
    return &cell->pair;
}

/* n messages between this rank and a peer. */
static void add_messages(struct rc_traffic *traffic, int32_t communicator,
                         const struct rc_trace_message *message, bool sends, uint64_t n)
{
    const struct rc_communicator *where;
    uint32_t me = traffic->communicators.rank;
    struct rc_traffic_pair *pair;
    int64_t peer;

    if (message->peer == RC_TRACE_NULL)
        return;
    peer = rc_trace_communicators_peer(&traffic->communicators, communicator, message->peer);
    where = rc_trace_communicators_get(&traffic->communicators, communicator);
    if (peer < 0 || !where) {
        traffic->unknown = rc_trace_traffic_sum(traffic->unknown, n);
        return;
    }
    pair =
        find_pair(traffic, where->group, sends ? me : (uint32_t)peer, sends ? (uint32_t)peer : me);
    if (!pair)
        return;
    if (sends)
        pair->bytes += (double)rc_trace_traffic_bytes(message->count, message->size) * (double)n;
    *(sends ? &pair->sent : &pair->received) =
        rc_trace_traffic_sum(sends ? pair->sent : pair->received, n);
}

static double add_sent(struct rc_traffic *traffic, int32_t communicator,
                       const struct rc_trace_message *message, uint64_t n)
{
    uint64_t bytes = rc_trace_traffic_bytes(message->count, message->size);

    if (message->peer == RC_TRACE_NULL)
        return 0;
    rc_trace_traffic_size_add(traffic->sent, bytes, n);
    add_messages(traffic, communicator, message, true, n);
    return (double)bytes * (double)n;
}

/* Where any source would do, the call that completes it shows which it was. */
static double add_received(struct rc_traffic *traffic, int32_t communicator,
                           const struct rc_trace_message *message, uint64_t n)
{
    if (message->peer == RC_TRACE_NULL)
        return 0;
    if (message->peer != RC_TRACE_ANY)
        add_messages(traffic, communicator, message, false, n);
    return (double)rc_trace_traffic_bytes(message->count, message->size) * (double)n;
}

/* What a call that sends, receives or does both moves, or what a request does that it made. */
static double add_moves(struct rc_traffic *traffic, unsigned kind, int32_t communicator,
                        const struct rc_trace_message *message, const struct rc_trace_message *from,
                        uint64_t n)
{
    switch (rc_trace_kind_info(kind)->class) {
    case RC_TRACE_SENDS:
        return add_sent(traffic, communicator, message, n);
    case RC_TRACE_RECEIVES:
        return add_received(traffic, communicator, message, n);
    case RC_TRACE_EXCHANGES:
        add_received(traffic, communicator, from, n);
        return add_sent(traffic, communicator, message, n);
    default:
        return 0;
    }
}

/* ---- requests ---- */

static void note_request(struct rc_traffic *traffic, const struct rc_trace_call *call)
{
    struct rc_traffic_request *more;
    uint32_t n;

    if (call->request < 0 || call->request >= REQUESTS_MAX)
        return;
    if ((uint32_t)call->request >= traffic->n_requests) {
        n = (uint32_t)call->request * 2 + 16;
        more = realloc(traffic->requests, n * sizeof *more);
        if (!more)
            return;
        memset(more + traffic->n_requests, 0, (n - traffic->n_requests) * sizeof *more);
        traffic->requests = more;
        traffic->n_requests = n;
    }
    traffic->requests[call->request] = (struct rc_traffic_request){
        .kind = call->kind,
        .flags = call->flags,
        .communicator = call->communicator,
        .message = call->message,
        .from = call->from,
        .known = true,
    };
}

static const struct rc_traffic_request *find_request(const struct rc_traffic *traffic,
                                                     int32_t number)
{
    return number >= 0 && (uint32_t)number < traffic->n_requests && traffic->requests[number].known
               ? &traffic->requests[number]
               : NULL;
}

static double start_request(struct rc_traffic *traffic, int32_t number, uint64_t n)
{
    const struct rc_traffic_request *request = find_request(traffic, number);

    if (!request)
        traffic->unknown = rc_trace_traffic_sum(traffic->unknown, n);
    return request ? add_moves(traffic, request->kind, request->communicator, &request->message,
                               &request->from, n)
                   : 0;
}

static double start(struct rc_traffic *traffic, const struct rc_trace_call *call, uint64_t n)
{
    double bytes = 0;

    if (call->kind == RC_TRACE_Cancel)
        traffic->cancelled = rc_trace_traffic_sum(traffic->cancelled, n);
    if (call->kind == RC_TRACE_Start)
        bytes = start_request(traffic, call->request, n);
    for (uint32_t i = 0; call->kind == RC_TRACE_Startall && i < call->list_length; i++)
        bytes += start_request(traffic, call->list[i], n);
    return bytes;
}

/* A request that was completed; where it was for any source or tag, `*actual` are the source and
 * tag that it got, and moves on. */
static void complete_request(struct rc_traffic *traffic, int32_t number, const int32_t **actual,
                             const int32_t *end, uint64_t n)
{
    const struct rc_traffic_request *request = find_request(traffic, number);
    struct rc_trace_message message;
    bool exchanges;

    if (!request || !(request->flags & (RC_TRACE_ANY_SOURCE | RC_TRACE_ANY_TAG)) ||
        end - *actual < 2)
        return;
    exchanges = rc_trace_kind_info(request->kind)->class == RC_TRACE_EXCHANGES;
    message = exchanges ? request->from : request->message;
    if (message.peer == RC_TRACE_ANY) {
        message.peer = (*actual)[0];
        add_received(traffic, request->communicator, &message, n);
    }
    *actual += 2;
}

static void complete(struct rc_traffic *traffic, const struct rc_trace_call *call, uint64_t n)
{
    const int32_t *end, *actual = call->list;

    /* Without a list, nothing of it was for any source; and asking is not completing. */
    if (call->list_length == 0 || call->kind == RC_TRACE_Request_get_status)
        return;
    end = call->list + call->list_length;
    while (actual < end && *actual != RC_TRACE_ANY)
        actual++;
    if (actual == end)
        return;
    actual++;
    if (call->list[0] == RC_TRACE_ANY)
        complete_request(traffic, call->request, &actual, end, n);
    for (const int32_t *number = call->list; *number != RC_TRACE_ANY; number++)
        complete_request(traffic, *number, &actual, end, n);
}

/* ---- calls ---- */

static double take(struct rc_traffic *traffic, const struct rc_trace_call *call, uint64_t n)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(call->kind);

    switch (info->class) {
    case RC_TRACE_SENDS:
    case RC_TRACE_RECEIVES:
    case RC_TRACE_EXCHANGES:
        if (info->manner != RC_TRACE_BLOCKING)
            note_request(traffic, call);
        return info->manner == RC_TRACE_PERSISTENT
                   ? 0
                   : add_moves(traffic, call->kind, call->communicator, &call->message, &call->from,
                               n);
    case RC_TRACE_STARTS:
        return start(traffic, call, n);
    case RC_TRACE_COMPLETES:
        complete(traffic, call, n);
        return 0;
    case RC_TRACE_CONSTRUCTS:
        rc_trace_communicators_construct(&traffic->communicators, call);
        return 0;
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_NEIGHBOURS:
        if (info->manner != RC_TRACE_BLOCKING)
            note_request(traffic, call);
        return rc_trace_traffic_collect(traffic, call, n);
    case RC_TRACE_ONE_SIDED:
    case RC_TRACE_FILES:
        return (double)rc_trace_traffic_bytes(call->message.count, call->message.size) * (double)n;
    default:
        return 0;
    }
}

double rc_trace_traffic_call(struct rc_traffic *traffic, const struct rc_trace_call *call,
                             uint64_t n)
{
    if (call->flags & RC_TRACE_FAILED) {
        traffic->failed = rc_trace_traffic_sum(traffic->failed, n);
        return 0;
    }
    return take(traffic, call, n);
}

bool rc_trace_traffic_waits(const struct rc_traffic *traffic, const struct rc_trace_call *call)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(call->kind);
    const struct rc_communicator *where =
        rc_trace_communicators_get(&traffic->communicators, call->communicator);
    const struct rc_group *group =
        where ? rc_trace_groups_get(traffic->groups, where->group) : NULL;

    if (call->kind == RC_TRACE_Finalize)
        return true;
    return (info->class == RC_TRACE_COLLECTS || info->class == RC_TRACE_ROOTED) &&
           info->manner == RC_TRACE_BLOCKING && (!group || group->n + group->n_remote > 1);
}
