// SPDX-License-Identifier: GPL-3.0-or-later
/* match_communicator.c - communicators, and the collective calls on them.  The same communicator
 * has a number of its own on every rank.
 *
 * Ranks agree on a communicator by its members, by whether it has a topology, and by how many of
 * that kind a rank has at that moment: all members make and free them in the same order, so the
 * lowest that a rank does not have yet is the same for all. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/match/match_state.h"

enum { NUMBERS_MAX = 1 << 20, SELF = 1, UNKNOWN = 2 };

/* ---- communicators ---- */

static int add_communicator(struct rc_matching *matching, const uint32_t *members, uint32_t n,
                            bool has_topology, uint32_t *number)
{
    struct rc_match *match = matching->match;
    struct rc_match_communicator *communicators =
        realloc(match->communicators, (match->n_communicators + 1) * sizeof *communicators);
    struct rc_match_order *orders;
    struct rc_match_communicator *added;

    if (!communicators)
        return rc_error_no_memory(matching->error);
    match->communicators = communicators;
    orders = realloc(matching->orders, (match->n_communicators + 1) * sizeof *orders);
    if (!orders)
        return rc_error_no_memory(matching->error);
    matching->orders = orders;
    added = communicators + match->n_communicators;
    *added = (struct rc_match_communicator){.members = malloc((n + 1) * sizeof *members),
                                            .n = n,
                                            .has_topology = has_topology,
                                            .made = calloc(n + 1, sizeof *added->made)};
    orders[match->n_communicators] = (struct rc_match_order){0};
    *number = (uint32_t)match->n_communicators++;
    if (!added->members || !added->made)
        return rc_error_no_memory(matching->error);
    memcpy(added->members, members, n * sizeof *members);
    return 0;
}

static bool has_members(const struct rc_match_communicator *communicator, const uint32_t *members,
                        uint32_t n, bool has_topology)
{
    return communicator->n == n && !communicator->has_topology == !has_topology &&
           !memcmp(communicator->members, members, n * sizeof *members);
}

/* The lowest communicator of these members that the rank does not have. */
static int find_communicator(struct rc_matching *matching, const uint32_t *members, uint32_t n,
                             bool has_topology, uint32_t *number)
{
    struct rc_match *match = matching->match;

    for (size_t i = 0; i < match->n_communicators; i++)
        if (!matching->orders[i].in_use &&
            has_members(match->communicators + i, members, n, has_topology)) {
            *number = (uint32_t)i;
            return 0;
        }
    return add_communicator(matching, members, n, has_topology, number);
}

int rc_skeleton_matching_world(struct rc_matching *matching)
{
    uint32_t n = matching->program->ranks, number;
    uint32_t *members = malloc(n * sizeof *members);
    int result;

    if (!members)
        return rc_error_no_memory(matching->error);
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    result = add_communicator(matching, members, n, false, &number);
    free(members);
    return result;
}

/* ---- their numbers on a rank ---- */

void rc_skeleton_matching_begin_rank(struct rc_matching *matching)
{
    for (size_t i = 0; i < matching->match->n_communicators; i++) {
        matching->orders[i].at = 0;
        matching->orders[i].in_use = i == 0;
    }
    for (size_t i = 0; i < matching->n_numbers; i++)
        matching->numbers[i] = RC_PROGRAM_NONE;
    for (size_t i = 0; i < matching->n_requests; i++)
        matching->requests[i] = (struct rc_match_request){.event = RC_PROGRAM_NONE};
}

int rc_skeleton_matching_communicator(struct rc_matching *matching, int32_t number,
                                      uint32_t *communicator)
{
    if (number == 0) {
        *communicator = 0;
        return 0;
    }
    if (number == SELF) {
        *communicator = RC_MATCH_SELF;
        return 0;
    }
    if (number <= UNKNOWN || (size_t)number >= matching->n_numbers ||
        matching->numbers[number] == RC_PROGRAM_NONE)
        return rc_error_set(matching->error,
                            "rank %u uses a communicator whose creation is not in the trace",
                            matching->rank);
    *communicator = matching->numbers[number];
    return 0;
}

static int set_number(struct rc_matching *matching, int32_t number, uint32_t communicator)
{
    if (number <= UNKNOWN || number >= NUMBERS_MAX)
        return rc_error_set(matching->error, "rank %u makes a communicator with the number %d",
                            matching->rank, number);
    if ((size_t)number >= matching->n_numbers) {
        size_t n = (size_t)number * 2 + 16;
        uint32_t *more = realloc(matching->numbers, n * sizeof *more);

        if (!more)
            return rc_error_no_memory(matching->error);
        for (size_t i = matching->n_numbers; i < n; i++)
            more[i] = RC_PROGRAM_NONE;
        matching->numbers = more;
        matching->n_numbers = n;
    }
    matching->numbers[number] = communicator;
    if (communicator != RC_MATCH_SELF)
        matching->orders[communicator].in_use = true;
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
        return rc_error_set(matching->error,
                            "rank %u uses a communicator of which it is not a member",
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

/* ---- making and freeing ---- */

/* The members that a call lists; how many, or -1 where the list is not one of ranks. */
static int64_t listed_members(const struct rc_matching *matching, const struct rc_trace_call *call,
                              bool *has_topology)
{
    uint32_t n = 0;

    while (n < call->list_length && call->list[n] >= 0)
        n++;
    *has_topology = n < call->list_length && call->list[n] == RC_TRACE_ANY;
    if (n < call->list_length && !*has_topology)
        return -1;
    for (uint32_t i = 0; i < n; i++)
        if ((uint32_t)call->list[i] >= matching->program->ranks)
            return -1;
    return n;
}

static bool has_same_list(const struct rc_trace_call *a, const struct rc_trace_call *b)
{
    return a->list_length == b->list_length &&
           (!a->list_length || !memcmp(a->list, b->list, a->list_length * sizeof *a->list));
}

static int make(struct rc_matching *matching, const struct rc_trace_call *call)
{
    uint32_t number, member = 0;
    bool has_topology;
    int64_t n = listed_members(matching, call, &has_topology);
    const uint32_t *members = (const uint32_t *)call->list;
    struct rc_match_communicator *made;

    if (n <= 0) {
        rc_error_set(matching->error, "rank %u creates an intercommunicator (%s)", matching->rank,
                     rc_trace_kind_info(call->kind)->name);
        return rc_error_hint(matching->error, "skeletons do not support intercommunicators");
    }
    if (n == 1 && members[0] == matching->rank)
        return set_number(matching, call->request, RC_MATCH_SELF);
    if (find_communicator(matching, members, (uint32_t)n, has_topology, &number) ||
        set_number(matching, call->request, number))
        return -1;
    made = matching->match->communicators + number;
    while (member < made->n && made->members[member] != matching->rank)
        member++;
    if (member == made->n)
        return 0;
    if (has_topology && made->made[member] && !has_same_list(made->made[member], call))
        made->changes = true;
    made->made[member] = call;
    return 0;
}

/* Behind the members stand RC_TRACE_ANY, the number of sources, these, and the destinations. */
int rc_skeleton_match_neighbours(const struct rc_match_communicator *communicator, uint32_t member,
                                 struct rc_skeleton_match_neighbours *neighbours,
                                 struct rc_error *error)
{
    const struct rc_trace_call *made = communicator->made[member];
    uint32_t n = communicator->n, rest;

    if (!made || made->list_length < n + 2 || made->list[n] != RC_TRACE_ANY)
        return rc_error_set(error, "the trace has no neighbours of rank %u",
                            communicator->members[member]);
    rest = made->list_length - n - 2;
    for (uint32_t i = 0; i < rest; i++)
        if (made->list[n + 2 + i] >= (int32_t)n)
            return rc_error_set(error, "rank %u has a neighbour that is not a rank",
                                communicator->members[member]);
    *neighbours = (struct rc_skeleton_match_neighbours){.sources = made->list + n + 2};
    neighbours->n_sources = made->list[n + 1] < 0 ? 0 : (uint32_t)made->list[n + 1];
    if (neighbours->n_sources > rest)
        neighbours->n_sources = rest;
    neighbours->destinations = neighbours->sources + neighbours->n_sources;
    neighbours->n_destinations = rest - neighbours->n_sources;
    return 0;
}

static int end(struct rc_matching *matching, uint32_t event, const struct rc_trace_call *call)
{
    uint32_t communicator = 0;

    if (rc_skeleton_matching_communicator(matching, call->communicator, &communicator))
        return -1;
    if (call->communicator > UNKNOWN)
        matching->numbers[call->communicator] = RC_PROGRAM_NONE;
    if (communicator == RC_MATCH_SELF)
        return 0;
    matching->orders[communicator].in_use = false;
    return rc_skeleton_matching_collective(matching, event, communicator, call->kind);
}

int rc_skeleton_matching_construct(struct rc_matching *matching, uint32_t event,
                                   const struct rc_trace_call *call)
{
    uint32_t parent = 0;

    if (call->kind == RC_TRACE_Comm_free || call->kind == RC_TRACE_Comm_disconnect)
        return end(matching, event, call);
    /* Only those who will be in the group make this one. */
    if (call->kind != RC_TRACE_Comm_create_group) {
        if (rc_skeleton_matching_communicator(matching, call->communicator, &parent) ||
            (parent != RC_MATCH_SELF &&
             rc_skeleton_matching_collective(matching, event, parent, call->kind)))
            return -1;
    }
    return call->request == RC_TRACE_NONE ? 0 : make(matching, call);
}

void rc_skeleton_matching_free(struct rc_matching *matching)
{
    struct rc_channel *channel, *next;

    HASH_ITER(hh, matching->channels, channel, next)
    {
        HASH_DEL(matching->channels, channel);
        free(channel);
    }
    for (size_t i = 0; matching->orders && i < matching->match->n_communicators; i++)
        free(matching->orders[i].collectives);
    free(matching->orders);
    free(matching->requests);
    free(matching->numbers);
}
