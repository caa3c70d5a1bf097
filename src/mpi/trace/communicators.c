// SPDX-License-Identifier: BSD-2-Clause
/* communicators.c - which processes the communicators of a trace have. */
#include "mpi/trace/traffic.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

enum {
    MEMBERS_MAX = 1 << 24, /* of all groups together */
    NUMBERS_MAX = 1 << 16, /* of communicators of one rank */
    FIRST_MADE = 3,        /* the first number that a rank gives */
    NUMBER_SELF = 1
};

struct entry {
    struct rc_group group;
    int number;
    UT_hash_handle hh; /* by the members, those of the other side, and their number */
};

struct rc_groups {
    uint32_t ranks;
    struct entry **entries;
    int count, room;
    size_t members; /* of all */
    struct entry *by_members;
};

/* ---- groups ---- */

/* Takes `members` over, which has n + n_remote of them, and memory for one number more: the key
 * ends with how many are on the other side, since others may have the same processes without
 * sides. */
static int add_group(struct rc_groups *groups, uint32_t *members, uint32_t n, uint32_t n_remote)
{
    size_t whole = (size_t)n + n_remote;
    struct entry *entry = NULL, **more;

    members[whole] = n_remote;
    HASH_FIND(hh, groups->by_members, members, (whole + 1) * sizeof *members, entry);
    if (entry) {
        free(members);
        return entry->number;
    }
    if (groups->count == groups->room) {
        more = realloc(groups->entries, (size_t)(groups->room * 2 + 8) * sizeof *more);
        if (more) {
            groups->entries = more;
            groups->room = groups->room * 2 + 8;
        }
    }
    entry = groups->count < groups->room && groups->members + whole <= MEMBERS_MAX
                ? calloc(1, sizeof *entry)
                : NULL;
    if (!entry) {
        free(members);
        return RC_GROUP_UNKNOWN;
    }
    entry->group = (struct rc_group){members, n, n_remote};
    entry->number = groups->count;
    groups->entries[groups->count++] = entry;
    groups->members += whole;
    HASH_ADD_KEYPTR(hh, groups->by_members, members, (whole + 1) * sizeof *members, entry);
    return entry->number;
}

struct rc_groups *rc_trace_groups_create(uint32_t ranks)
{
    struct rc_groups *groups = calloc(1, sizeof *groups);
    uint32_t *members = malloc(((size_t)ranks + 1) * sizeof *members);

    if (!groups || !members) {
        free(groups);
        free(members);
        return NULL;
    }
    groups->ranks = ranks;
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    if (add_group(groups, members, ranks, 0) != RC_GROUP_WORLD) {
        rc_trace_groups_destroy(groups);
        return NULL;
    }
    return groups;
}

void rc_trace_groups_destroy(struct rc_groups *groups)
{
    if (!groups)
        return;
    HASH_CLEAR(hh, groups->by_members);
    for (int i = 0; i < groups->count; i++) {
        free(groups->entries[i]->group.members);
        free(groups->entries[i]);
    }
    free(groups->entries);
    free(groups);
}

int rc_trace_groups_count(const struct rc_groups *groups)
{
    return groups->count;
}

const struct rc_group *rc_trace_groups_get(const struct rc_groups *groups, int group)
{
    return group >= 0 && group < groups->count ? &groups->entries[group]->group : NULL;
}

/* ---- the communicators of a rank ---- */

static int reserve(struct rc_communicators *communicators, int32_t number)
{
    uint32_t n = communicators->n;
    struct rc_communicator *more;

    if (number < 0 || number >= NUMBERS_MAX)
        return -1;
    if ((uint32_t)number < n)
        return 0;
    n = (uint32_t)number + 16;
    more = realloc(communicators->items, n * sizeof *more);
    if (!more)
        return -1;
    communicators->items = more;
    for (uint32_t i = communicators->n; i < n; i++)
        more[i] = (struct rc_communicator){.group = RC_GROUP_UNKNOWN};
    communicators->n = n;
    return 0;
}

int rc_trace_communicators_begin(struct rc_communicators *communicators, struct rc_groups *groups,
                                 uint32_t rank)
{
    uint32_t *self = malloc(2 * sizeof *self);

    *communicators = (struct rc_communicators){.groups = groups, .rank = rank};
    if (!self || reserve(communicators, FIRST_MADE) != 0) {
        free(self);
        return -1;
    }
    *self = rank;
    communicators->items[0].group = RC_GROUP_WORLD;
    communicators->items[NUMBER_SELF].group = add_group(groups, self, 1, 0);
    return 0;
}

void rc_trace_communicators_end(struct rc_communicators *communicators)
{
    for (uint32_t i = 0; i < communicators->n; i++)
        free(communicators->items[i].neighbours);
    free(communicators->items);
    *communicators = (struct rc_communicators){0};
}

/* How many numbers of a list are ranks of the program, from `from` on. */
static uint32_t count_ranks(const struct rc_trace_call *call, uint32_t from, uint32_t ranks)
{
    uint32_t at = from;

    while (at < call->list_length && call->list[at] >= 0 && (uint32_t)call->list[at] < ranks)
        at++;
    return at - from;
}

/* The group of a list of ranks and, after RC_TRACE_NONE, those of the other side; `*end` is where
 * it ends. */
static int read_group(struct rc_groups *groups, const struct rc_trace_call *call, uint32_t *end)
{
    uint32_t n = count_ranks(call, 0, groups->ranks), n_remote = 0;
    bool swap, sides = n < call->list_length && call->list[n] == RC_TRACE_NONE;
    uint32_t *members;

    if (sides)
        n_remote = count_ranks(call, n + 1, groups->ranks);
    *end = n + (sides ? 1 : 0) + n_remote;
    if (n == 0 || (sides && n_remote == 0) ||
        (*end < call->list_length && call->list[*end] != RC_TRACE_ANY))
        return RC_GROUP_UNKNOWN;
    members = malloc(((size_t)n + n_remote + 1) * sizeof *members);
    if (!members)
        return RC_GROUP_UNKNOWN;
    swap = sides && call->list[n + 1] < call->list[0];
    for (uint32_t i = 0; i < n; i++)
        members[swap ? n_remote + i : i] = (uint32_t)call->list[i];
    for (uint32_t i = 0; i < n_remote; i++)
        members[swap ? i : n + i] = (uint32_t)call->list[n + 1 + i];
    return swap ? add_group(groups, members, n_remote, n) : add_group(groups, members, n, n_remote);
}

/* The neighbours that stand in the list from `at` on: a number of sources, these, and the rest. */
static void read_topology(struct rc_communicator *communicator, const struct rc_trace_call *call,
                          uint32_t at)
{
    uint32_t n = call->list_length > at + 1 ? call->list_length - at - 2 : 0;
    int32_t *copy;

    if (at + 1 >= call->list_length || call->list[at + 1] < 0 || (uint32_t)call->list[at + 1] > n)
        return;
    copy = malloc(((size_t)n + 1) * sizeof *copy);
    if (!copy)
        return;
    memcpy(copy, call->list + at + 2, n * sizeof *copy);
    communicator->neighbours = copy;
    communicator->n_sources = (uint32_t)call->list[at + 1];
    communicator->n_destinations = n - communicator->n_sources;
}

void rc_trace_communicators_construct(struct rc_communicators *communicators,
                                      const struct rc_trace_call *call)
{
    struct rc_communicator *communicator;
    uint32_t end;

    if (call->list_length == 0 || call->request < FIRST_MADE ||
        reserve(communicators, call->request) != 0)
        return;
    communicator = &communicators->items[call->request];
    free(communicator->neighbours);
    *communicator = (struct rc_communicator){.group = RC_GROUP_UNKNOWN};
    communicator->group = read_group(communicators->groups, call, &end);
    if (communicator->group != RC_GROUP_UNKNOWN && end < call->list_length)
        read_topology(communicator, call, end);
}

const struct rc_communicator *
rc_trace_communicators_get(const struct rc_communicators *communicators, int32_t number)
{
    if (number < 0 || (uint32_t)number >= communicators->n ||
        communicators->items[number].group == RC_GROUP_UNKNOWN)
        return NULL;
    return &communicators->items[number];
}

int64_t rc_trace_communicators_peer(const struct rc_communicators *communicators, int32_t number,
                                    int32_t peer)
{
    const struct rc_communicator *communicator = rc_trace_communicators_get(communicators, number);
    const struct rc_group *group =
        communicator ? rc_trace_groups_get(communicators->groups, communicator->group) : NULL;
    uint32_t from = 0, n;

    if (!group || peer < 0)
        return -1;
    n = group->n;
    for (uint32_t i = 0; group->n_remote > 0 && i < group->n; i++)
        if (group->members[i] == communicators->rank) { /* then its peers are on the other side */
            from = group->n;
            n = group->n_remote;
            break;
        }
    return (uint32_t)peer < n ? (int64_t)group->members[from + (uint32_t)peer] : -1;
}
