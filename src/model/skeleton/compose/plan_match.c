// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_match.c - the two sides of messages, and the members of collective calls, come together. */
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/skeleton/compose/plan_walk.h"
#include "base/error.h"
#include "mpi/trace/trace.h"

enum { POSTS_MAX = 1 << 24 };

/* ---- messages ---- */

static struct walk_channel *channel_of(struct walk *walk, uint32_t source, uint32_t destination,
                                       int32_t tag, uint32_t communicator)
{
    struct walk_channel *channel, wanted;

    memset(&wanted.key, 0, sizeof wanted.key);
    wanted.key.communicator = communicator;
    wanted.key.source = source;
    wanted.key.destination = destination;
    wanted.key.tag = tag;
    HASH_FIND(hh, walk->channels, &wanted.key, sizeof wanted.key, channel);
    if (channel)
        return channel;
    channel = calloc(1, sizeof *channel);
    if (!channel) {
        rc_error_no_memory(walk->error);
        return NULL;
    }
    channel->key = wanted.key;
    HASH_ADD(hh, walk->channels, key, sizeof channel->key, channel);
    return channel;
}

void rc_skeleton_walk_free_channels(struct walk *walk)
{
    struct walk_channel *channel, *next;

    HASH_ITER(hh, walk->channels, channel, next)
    {
        HASH_DEL(walk->channels, channel);
        free(channel->posts);
        free(channel);
    }
}

static int add_post(struct walk *walk, struct walk_channel *channel, struct walk_post post)
{
    if (++walk->posts > POSTS_MAX)
        return rc_skeleton_walk_fault(walk, post.rank, "more than %d messages are in transit",
                                      POSTS_MAX);
    if (channel->n == channel->capacity) {
        size_t capacity = channel->capacity ? 2 * channel->capacity : 4;
        struct walk_post *posts = malloc(capacity * sizeof *posts);

        if (!posts)
            return rc_error_no_memory(walk->error);
        for (size_t i = 0; i < channel->n; i++)
            posts[i] = channel->posts[(channel->first + i) % channel->capacity];
        free(channel->posts);
        channel->posts = posts;
        channel->first = 0;
        channel->capacity = capacity;
    }
    channel->posts[(channel->first + channel->n++) % channel->capacity] = post;
    return 0;
}

static struct walk_post take_post(struct walk *walk, struct walk_channel *channel)
{
    struct walk_post post = channel->posts[channel->first];

    channel->first = (channel->first + 1) % channel->capacity;
    channel->n--;
    walk->posts--;
    return post;
}

/* The channel of a message that the call of a rank sends or receives. */
static struct walk_channel *channel_at(struct walk *walk, uint32_t rank,
                                       const struct rc_plan_message *message, bool receives)
{
    uint32_t communicator = walk->plan->ops[walk->ranks[rank].op].communicator;
    uint32_t peer = walk->plan->communicators[communicator].members[message->peer];

    return channel_of(walk, receives ? peer : rank, receives ? rank : peer, message->tag,
                      communicator);
}

int rc_skeleton_walk_come(struct walk *walk, uint32_t rank, const struct rc_plan_message *message,
                          uint32_t request, bool receives)
{
    struct walk_post post = {rank, request, message->bytes}, other;
    struct walk_channel *channel = channel_at(walk, rank, message, receives);

    if (!channel)
        return -1;
    if (channel->n == 0 || channel->receives == receives) {
        channel->receives = receives;
        if (!receives && channel->probed) {
            channel->probed = false;
            rc_skeleton_walk_wake(walk, channel->key.destination);
        }
        return add_post(walk, channel, post);
    }
    other = take_post(walk, channel);
    if (other.bytes != post.bytes)
        return rc_skeleton_walk_fault(walk, post.rank,
                                      "%" PRIu64 " bytes are %s, but rank %" PRIu32 " %s %" PRIu64,
                                      post.bytes, receives ? "received" : "sent", other.rank,
                                      receives ? "sends" : "receives", other.bytes);
    if (other.request != WALK_NONE)
        rc_skeleton_walk_done(walk, other.rank, other.request);
    if (post.request != WALK_NONE)
        rc_skeleton_walk_done(walk, post.rank, post.request);
    return 0;
}

int rc_skeleton_walk_probe(struct walk *walk, uint32_t rank, const struct rc_plan_message *in)
{
    struct walk_channel *channel = channel_at(walk, rank, in, true);

    if (!channel)
        return -1;
    if (channel->n > 0 && !channel->receives)
        return 1;
    channel->probed = true;
    return 0;
}

int rc_skeleton_walk_rest(struct walk *walk)
{
    struct walk_channel *channel, *next;

    HASH_ITER(hh, walk->channels, channel, next)
    {
        if (channel->n == 0)
            continue;
        return rc_error_set(
            walk->error,
            "%zu messages from rank %" PRIu32 " to rank %" PRIu32 " with tag %" PRId32 " are %s",
            channel->n, channel->key.source, channel->key.destination, channel->key.tag,
            channel->receives ? "waited for and never sent" : "sent and never received");
    }
    return 0;
}

/* ---- collective calls ---- */

static const int64_t *list_of(const struct walk *walk, const struct rc_skeleton_plan_op *op)
{
    return walk->plan->lists + op->list;
}

static int differ(struct walk *walk, uint32_t rank, uint32_t other)
{
    return rc_skeleton_walk_fault(walk, rank, "its sizes do not fit those of rank %" PRIu32, other);
}

/* What rank `a` of the communicator gives to `b`, its `place`th destination. */
static uint64_t given(const struct walk *walk, const struct rc_skeleton_plan_op *op, uint32_t place)
{
    return rc_skeleton_plan_kind(op->kind).lists_given ? (uint64_t)list_of(walk, op)[place]
                                                       : op->out.bytes;
}

static uint64_t taken(const struct walk *walk, const struct rc_skeleton_plan_op *op, uint32_t place,
                      uint32_t sources)
{
    if (rc_skeleton_plan_kind(op->kind).class == RC_PLAN_NEIGHBOURS_V)
        return (uint64_t)list_of(walk, op)[op->list_length - sources + place];
    return op->in.bytes;
}

/* The sizes that `rank` gives to its destinations are those that they take, in order. */
static int check_neighbours_of(struct walk *walk, const struct rc_plan_communicator *c,
                               const uint32_t *ops, uint32_t rank)
{
    const uint32_t *to = c->destinations + c->destination_first[rank];

    for (uint32_t i = 0; i < rc_skeleton_plan_destinations(c, rank); i++) {
        uint32_t nth = 0, seen = 0, other = to[i], sources;

        if (other == (uint32_t)RC_TRACE_NULL)
            continue;
        for (uint32_t j = 0; j < i; j++)
            nth += to[j] == other; /* it is the nth time that it is a destination */
        sources = rc_skeleton_plan_sources(c, other);
        for (uint32_t j = 0;; j++) {
            if (j == sources)
                return rc_skeleton_walk_fault(walk, c->members[rank],
                                              "rank %" PRIu32 " does not have it as a neighbour",
                                              c->members[other]);
            if (c->sources[c->source_first[other] + j] != rank || seen++ < nth)
                continue;
            if (given(walk, &walk->plan->ops[ops[rank]], i) !=
                taken(walk, &walk->plan->ops[ops[other]], j, sources))
                return differ(walk, c->members[rank], c->members[other]);
            break;
        }
    }
    return 0;
}

static int check_neighbours(struct walk *walk, const struct rc_plan_communicator *c,
                            const uint32_t *ops)
{
    uint64_t sources = 0, destinations = 0;

    if (!c->source_first)
        return rc_skeleton_walk_fault(walk, c->members[0], "its communicator has no neighbours");
    for (uint32_t i = 0; i < c->n; i++) {
        const struct rc_skeleton_plan_op *op = &walk->plan->ops[ops[i]];
        struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);

        if (is.class == RC_PLAN_NEIGHBOURS_V &&
            op->list_length !=
                rc_skeleton_plan_sources(c, i) + (uint64_t)rc_skeleton_plan_destinations(c, i) &&
            (is.lists_given || op->list_length != rc_skeleton_plan_sources(c, i)))
            return rc_skeleton_walk_fault(walk, c->members[i],
                                          "its list is not as long as its neighbours");
    }
    for (uint32_t i = 0; i < c->n; i++)
        if (check_neighbours_of(walk, c, ops, i))
            return -1;
    for (uint32_t i = 0; i < c->source_first[c->n]; i++)
        sources += c->sources[i] != (uint32_t)RC_TRACE_NULL;
    for (uint32_t i = 0; i < c->destination_first[c->n]; i++)
        destinations += c->destinations[i] != (uint32_t)RC_TRACE_NULL;
    if (sources != destinations)
        return rc_skeleton_walk_fault(walk, c->members[0], "not all sources are destinations");
    return 0;
}

static int check_alltoall(struct walk *walk, const struct rc_plan_communicator *c,
                          const uint32_t *ops)
{
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = 0; j < c->n; j++)
            if (list_of(walk, &walk->plan->ops[ops[i]])[j] !=
                list_of(walk, &walk->plan->ops[ops[j]])[c->n + i])
                return differ(walk, c->members[i], c->members[j]);
    return 0;
}

/* The list of rank `keeper` says what `rank` says of itself. */
static bool listed(const struct walk *walk, const struct rc_skeleton_plan_op *op,
                   const struct rc_skeleton_plan_op *keeper, uint32_t rank,
                   enum rc_plan_class class)
{
    uint64_t own = class == RC_PLAN_SCATTER_V ? op->in.bytes : op->out.bytes;

    return keeper->list_length > rank && (uint64_t)list_of(walk, keeper)[rank] == own;
}

static bool fits(const struct walk *walk, const struct rc_plan_communicator *c, const uint32_t *ops,
                 uint32_t rank, enum rc_plan_class class)
{
    const struct rc_skeleton_plan_op *op = &walk->plan->ops[ops[rank]],
                                     *first = &walk->plan->ops[ops[0]];

    switch (class) {
    case RC_PLAN_COLLECT:
        return rc_trace_kind_blocking(op->kind) == RC_TRACE_Barrier ||
               op->kind == RC_TRACE_Comm_dup ||
               rc_skeleton_plan_part(op) == rc_skeleton_plan_part(first);
    case RC_PLAN_GATHER_V:
    case RC_PLAN_SCATTER_V:
        return listed(walk, op, &walk->plan->ops[ops[op->root]], rank, class);
    case RC_PLAN_ALLGATHER_V:
        return listed(walk, op, first, rank, class) &&
               memcmp(list_of(walk, op), list_of(walk, first), c->n * sizeof(int64_t)) == 0;
    case RC_PLAN_REDUCE_SCATTER:
        return memcmp(list_of(walk, op), list_of(walk, first), c->n * sizeof(int64_t)) == 0;
    default:
        return true;
    }
}

static int check_sizes(struct walk *walk, const struct rc_plan_communicator *c, const uint32_t *ops)
{
    enum rc_plan_class class = rc_skeleton_plan_kind(walk->plan->ops[ops[0]].kind).class;

    if (class == RC_PLAN_NEIGHBOURS || class == RC_PLAN_NEIGHBOURS_V)
        return check_neighbours(walk, c, ops);
    if (class == RC_PLAN_ALLTOALL_V)
        return check_alltoall(walk, c, ops);
    for (uint32_t i = 0; i < c->n; i++)
        if (!fits(walk, c, ops, i, class))
            return differ(walk, c->members[i], c->members[i ? 0 : c->n - 1]);
    return 0;
}

static int add_meeting(struct walk *walk, struct walk_communicator *own, uint32_t members)
{
    struct walk_meeting *meeting;

    if (own->n == own->capacity) {
        size_t capacity = own->capacity ? 2 * own->capacity : 2;
        struct walk_meeting *meetings = calloc(capacity, sizeof *meetings);

        if (!meetings)
            return rc_error_no_memory(walk->error);
        for (size_t i = 0; i < own->capacity; i++)
            meetings[i] = own->meetings[(own->start + i) % own->capacity];
        free(own->meetings);
        own->meetings = meetings;
        own->start = 0;
        own->capacity = capacity;
    }
    meeting = &own->meetings[(own->start + own->n) % own->capacity];
    if (!meeting->ops)
        meeting->ops = malloc(2 * members * sizeof *meeting->ops);
    if (!meeting->ops)
        return rc_error_no_memory(walk->error);
    meeting->requests = meeting->ops + members;
    meeting->arrived = 0;
    memset(meeting->ops, 0xff, members * sizeof *meeting->ops);
    own->n++;
    return 0;
}

/* All have come to the first of the meetings. */
static int end_meeting(struct walk *walk, struct walk_communicator *own,
                       const struct rc_plan_communicator *c)
{
    struct walk_meeting *meeting = &own->meetings[own->start];

    if (check_sizes(walk, c, meeting->ops))
        return -1;
    for (uint32_t i = 0; i < c->n; i++)
        rc_skeleton_walk_done(walk, c->members[i], meeting->requests[i]);
    own->start = (own->start + 1) % own->capacity;
    own->n--;
    own->first++;
    return 0;
}

/* Whoever came before to this meeting must have made the same call. */
static int check_same(struct walk *walk, uint32_t rank, const struct rc_plan_communicator *c,
                      const struct walk_meeting *meeting)
{
    const struct rc_skeleton_plan_op *op = &walk->plan->ops[walk->ranks[rank].op];

    for (uint32_t i = 0; i < c->n; i++) {
        const struct rc_skeleton_plan_op *other;

        if (meeting->ops[i] == WALK_NONE)
            continue;
        other = &walk->plan->ops[meeting->ops[i]];
        if (other->kind != op->kind)
            return rc_skeleton_walk_fault(walk, rank, "rank %" PRIu32 " makes a %s there",
                                          c->members[i], rc_trace_kind_info(other->kind)->name);
        if (rc_skeleton_plan_kind(op->kind).rooted && other->root != op->root)
            return rc_skeleton_walk_fault(walk, rank,
                                          "the root of rank %" PRIu32 " there is %" PRId32,
                                          c->members[i], other->root);
        return 0;
    }
    return 0;
}

int rc_skeleton_walk_meet(struct walk *walk, uint32_t rank, uint32_t request)
{
    uint32_t communicator = walk->plan->ops[walk->ranks[rank].op].communicator;
    const struct rc_plan_communicator *c = &walk->plan->communicators[communicator];
    struct walk_communicator *own = &walk->communicators[communicator];
    uint32_t here = own->rank_of[rank];
    struct walk_meeting *meeting;
    uint64_t number = own->next[here]++;

    while (number >= own->first + own->n)
        if (add_meeting(walk, own, c->n))
            return -1;
    meeting = &own->meetings[(own->start + (number - own->first)) % own->capacity];
    if (check_same(walk, rank, c, meeting))
        return -1;
    meeting->ops[here] = walk->ranks[rank].op;
    meeting->requests[here] = request;
    if (++meeting->arrived < c->n)
        return 0;
    assert(number == own->first); /* who comes last to one came last to those before it */
    return end_meeting(walk, own, c);
}

/* ---- what is said of a walk ---- */

static int add_message(char *text, size_t size, const char *word, const struct rc_plan_message *m)
{
    if (m->peer == RC_TRACE_NULL)
        return snprintf(text, size, " %s nobody", word);
    return snprintf(text, size, " %s %" PRId32 " (tag %" PRId32 ", %" PRIu64 " bytes)", word,
                    m->peer, m->tag, m->bytes);
}

void rc_skeleton_walk_describe(const struct rc_plan *plan, uint32_t number, char *text, size_t size)
{
    const struct rc_skeleton_plan_op *op = &plan->ops[number];
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    unsigned shown = is.class == RC_PLAN_START ? op->started : op->kind;
    bool out = is.class == RC_PLAN_SEND || is.class == RC_PLAN_EXCHANGE ||
               (is.class == RC_PLAN_START && shown != RC_TRACE_Recv_init);
    bool in = is.class == RC_PLAN_RECEIVE || is.class == RC_PLAN_EXCHANGE ||
              is.class == RC_PLAN_PROBE || (is.class == RC_PLAN_START && !out);
    int n = snprintf(text, size, "%s", rc_trace_kind_info(shown)->name);

    if (out)
        n += add_message(text + n, size - (size_t)n, "to", &op->out);
    if (in && (size_t)n < size)
        n += add_message(text + n, size - (size_t)n, "from", &op->in);
    if (op->communicator > 0 && is.class != RC_PLAN_WAIT && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, " on communicator %" PRIu32, op->communicator);
}

int rc_skeleton_walk_fault(struct walk *walk, uint32_t rank, const char *format, ...)
{
    char call[160], what[200];
    va_list arguments;

    rc_skeleton_walk_describe(walk->plan, walk->ranks[rank].op, call, sizeof call);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return rc_error_set(walk->error, "rank %" PRIu32 ", step %" PRIu32 ", %s: %s", rank,
                        walk->ranks[rank].step, call, what);
}

void rc_skeleton_walk_wake(struct walk *walk, uint32_t rank)
{
    if (walk->ranks[rank].queued)
        return;
    walk->ranks[rank].queued = true;
    walk->ready[(walk->ready_first + walk->ready_n++) % walk->plan->ranks] = rank;
}

void rc_skeleton_walk_done(struct walk *walk, uint32_t rank, uint32_t request)
{
    struct walk_rank *r = &walk->ranks[rank];

    r->requests[request].state = WALK_DONE;
    if (!r->requests[request].awaited)
        return;
    r->requests[request].awaited = false;
    r->requests[request].state = WALK_FREE;
    if (--r->waits == 0)
        rc_skeleton_walk_wake(walk, rank);
}
