// SPDX-License-Identifier: GPL-3.0-or-later
/* interleaved.c - splits event groups of programs whose messages cross iterations.
 *
 * Why any set of interleaved groups may be left out, as it may of event groups.  Take the program
 * as it ran: its calls can be put into one order in which each comes after those that it waits for
 * and after those before it on its rank.  Of that order, leave out some interleaved groups.  A call
 * that is left waits for nobody but for others of its own interleaved group, which are left as well
 * and come before it as they did; one that completes several requests waits for those of them that
 * are left.  So the rest can be done in the same order, and if a program can be done in one order
 * it comes to its end in any (plan_check.c).  Messages still meet the receives that they met: on
 * each channel sends and receives are in the order that they had, and of each message both are left
 * or neither.  The rank must make what is left in its own order, whatever order the interleaved
 * groups are put in here: compose_interleaved.c does that. */
#include "model/skeleton/match/event_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/loops/loops.h"
#include "model/skeleton/loops/hash_map.h"

struct splitting {
    struct rc_group_calls calls; /* the event group at hand */
    uint32_t *set; /* by call: one of the same group with a lower number, or itself; in the end, the
                      * first one of it */
    uint32_t *when;  /* by first call of an interleaved group: when all its ends are there */
    uint64_t *order; /* interleaved groups in order: when, and the number of the first call */
    uint32_t n_order;
    uint32_t *place;               /* by first call: in `order` */
    struct rc_event_group *groups; /* what becomes of all event groups */
    size_t n_groups, group_room;
    struct rc_event_groups *from;
    size_t part_room;
    bool has_split;
    struct rc_error *error;
};

/* ---- numbers ---- */

static void splitting_free(struct splitting *splitting)
{
    struct rc_group_calls *calls = &splitting->calls;

    free(calls->first);
    free(calls->begun);
    free(calls->next);
    free(calls->time);
    free(splitting->set);
    free(splitting->when);
    free(splitting->order);
    free(splitting->place);
    calls->first = calls->begun = calls->next = calls->time = NULL;
    splitting->set = splitting->when = splitting->place = NULL;
    splitting->order = NULL;
    splitting->n_order = 0;
}

static int make_room(struct splitting *splitting)
{
    struct rc_group_calls *calls = &splitting->calls;
    size_t n = 1;

    calls->first = malloc((calls->n_parts + 1) * sizeof *calls->first);
    for (uint32_t p = 0; p < calls->n_parts; p++)
        n += calls->parts[p].end - calls->parts[p].begin;
    calls->begun = malloc(n * sizeof *calls->begun);
    calls->next = malloc(n * sizeof *calls->next);
    calls->time = calloc(n, sizeof *calls->time);
    splitting->set = malloc(n * sizeof *splitting->set);
    splitting->when = calloc(n, sizeof *splitting->when);
    splitting->order = malloc(n * sizeof *splitting->order);
    splitting->place = calloc(n, sizeof *splitting->place);
    if (!calls->first || !calls->begun || !calls->next || !calls->time || !splitting->set ||
        !splitting->when || !splitting->order || !splitting->place)
        return rc_error_no_memory(splitting->error);
    return 0;
}

static void number_calls(struct splitting *splitting)
{
    struct rc_group_calls *calls = &splitting->calls;

    calls->first[0] = 0;
    for (uint32_t p = 0; p < calls->n_parts; p++) {
        calls->part_of[calls->parts[p].rank] = p;
        calls->first[p + 1] = calls->first[p] + (calls->parts[p].end - calls->parts[p].begin);
    }
    memset(calls->begun, 0xff, calls->first[calls->n_parts] * sizeof *calls->begun);
    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p + 1]; i-- > calls->first[p];) {
            uint32_t done = rc_skeleton_group_link(calls, p, i)->done;

            splitting->set[i] = i;
            calls->next[i] = RC_PROGRAM_NONE;
            if (done == RC_PROGRAM_NONE)
                continue;
            done = rc_skeleton_group_number(calls, calls->parts[p].rank, done);
            calls->next[i] = calls->begun[done];
            calls->begun[done] = i;
        }
}

/* ---- sets of calls that belong together ---- */

static uint32_t first_of(const struct splitting *splitting, uint32_t number)
{
    uint32_t *set = splitting->set;

    while (set[number] != number)
        number = set[number] = set[set[number]];
    return number;
}

static void unite(struct splitting *splitting, uint32_t a, uint32_t b)
{
    a = first_of(splitting, a);
    b = first_of(splitting, b);
    splitting->set[a > b ? a : b] = a > b ? b : a;
}

/* Whether a call begins a request that has to do with no other rank: one of MPI_PROC_NULL. */
static bool is_bare(const struct rc_group_calls *calls, uint32_t part, uint32_t number)
{
    const struct rc_match_link *link = rc_skeleton_group_link(calls, part, number);

    return link->done != RC_PROGRAM_NONE && rc_skeleton_match_is_local(link);
}

/* How many requests a call completes that are not bare: 2 where they are several. */
static int completes(const struct rc_group_calls *calls, uint32_t part, uint32_t number)
{
    int n = 0;

    for (uint32_t i = calls->begun[number]; n < 2 && i != RC_PROGRAM_NONE; i = calls->next[i])
        n += !is_bare(calls, part, i);
    return n;
}

/* A call that completes requests of several interleaved groups belongs to one of these alone, and
 * bare requests go with it. */
static bool is_shared(const struct rc_group_calls *calls, uint32_t part, uint32_t number)
{
    if (is_bare(calls, part, number))
        number = rc_skeleton_group_number(calls, calls->parts[part].rank,
                                          rc_skeleton_group_link(calls, part, number)->done);
    return completes(calls, part, number) > 1;
}

static void unite_with_others(struct splitting *splitting, uint32_t part, uint32_t number)
{
    const struct rc_group_calls *calls = &splitting->calls;
    const struct rc_match *match = calls->match;
    const struct rc_match_link *link = rc_skeleton_group_link(calls, part, number);

    if (link->out != RC_PROGRAM_NONE)
        unite(splitting, number,
              rc_skeleton_group_number(calls, match->messages[link->out].receiver,
                                       match->messages[link->out].receive));
    if (link->collective != RC_PROGRAM_NONE) {
        const struct rc_match_collective *at = match->collectives + link->collective;

        unite(splitting, number,
              rc_skeleton_group_number(calls, match->communicators[at->communicator].members[0],
                                       match->members[at->first]));
    }
    if (is_shared(calls, part, number))
        return;
    for (uint32_t i = calls->begun[number]; i != RC_PROGRAM_NONE; i = calls->next[i])
        unite(splitting, number, i);
}

static void unite_all(struct splitting *splitting)
{
    const struct rc_group_calls *calls = &splitting->calls;

    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p]; i < calls->first[p + 1]; i++)
            unite_with_others(splitting, p, i);
}

/* ---- their order ---- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t key_of(const struct splitting *splitting, uint32_t first)
{
    return (uint64_t)splitting->when[first] << 32 | first;
}

/* By the moment at which all ends of the messages are there; of equals, by rank. */
static void put_in_order(struct splitting *splitting)
{
    const struct rc_group_calls *calls = &splitting->calls;

    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p]; i < calls->first[p + 1]; i++) {
            uint32_t first = first_of(splitting, i),
                     arrival = rc_skeleton_group_arrival(calls, p, i);

            if (!completes(calls, p, i) && !is_bare(calls, p, i) &&
                arrival > splitting->when[first])
                splitting->when[first] = arrival;
        }
    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p]; i < calls->first[p + 1]; i++)
            if (splitting->set[i] == i && !is_shared(calls, p, i) &&
                !rc_skeleton_group_is_alone(calls, p, i))
                splitting->order[splitting->n_order++] = key_of(splitting, i);
    qsort(splitting->order, splitting->n_order, sizeof *splitting->order, compare_keys);
    for (uint32_t k = 0; k < splitting->n_order; k++)
        splitting->place[(uint32_t)splitting->order[k]] = k;
}

/* The latest of the interleaved groups whose requests a call completes, or a bare one's completion
 * does. */
static uint32_t latest_begun(const struct splitting *splitting, uint32_t part, uint32_t number)
{
    const struct rc_group_calls *calls = &splitting->calls;
    uint32_t latest = RC_PROGRAM_NONE;

    if (is_bare(calls, part, number))
        number = rc_skeleton_group_number(calls, calls->parts[part].rank,
                                          rc_skeleton_group_link(calls, part, number)->done);
    for (uint32_t i = calls->begun[number]; i != RC_PROGRAM_NONE; i = calls->next[i]) {
        uint32_t first = first_of(splitting, i);

        if (!is_bare(calls, part, i) &&
            (latest == RC_PROGRAM_NONE || splitting->place[first] > splitting->place[latest]))
            latest = first;
    }
    return latest;
}

/* Gives each call its interleaved group.  Those that stand alone go with the next one of their
 * rank, or with the one before where there is none. */
static void settle(struct splitting *splitting)
{
    const struct rc_group_calls *calls = &splitting->calls;

    for (uint32_t p = 0; p < calls->n_parts; p++) {
        uint32_t next = RC_PROGRAM_NONE, begin = calls->first[p], i = calls->first[p + 1];

        while (i-- > begin) {
            if (is_shared(calls, p, i))
                next = latest_begun(splitting, p, i);
            else if (!rc_skeleton_group_is_alone(calls, p, i))
                next = first_of(splitting, i);
            if (next != RC_PROGRAM_NONE)
                splitting->set[i] = next;
        }
        for (i = calls->first[p + 1]; i > begin && rc_skeleton_group_is_alone(calls, p, i - 1);)
            i--;
        for (; i > begin && i < calls->first[p + 1]; i++)
            splitting->set[i] = splitting->set[i - 1];
    }
}

/* ---- whether it pays ---- */

/* For each interleaved group a number that says which ranks make which kinds of calls in it. */
static void add_keys(const struct splitting *splitting, uint64_t *keys)
{
    const struct rc_group_calls *calls = &splitting->calls;

    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p]; i < calls->first[p + 1]; i++) {
            const struct rc_program_rank *rank = calls->program->rank + calls->parts[p].rank;
            uint64_t *key = keys + splitting->place[splitting->set[i]];

            *key ^= (uint64_t)p << 32 |
                    rc_skeleton_program_call(rank, rc_skeleton_group_event(calls, p, i))->kind;
            *key = (*key + 1) * UINT64_C(0x9e3779b97f4a7c15);
            *key ^= *key >> 29;
        }
}

static int name_all(const uint64_t *keys, uint32_t n, uint32_t *string, uint32_t *n_symbols,
                    struct rc_error *error)
{
    struct rc_hash_map *map = rc_skeleton_map_create(error);
    int result = map ? 0 : -1;

    *n_symbols = 0;
    for (uint32_t k = 0; !result && k < n; k++) {
        if (rc_skeleton_map_find(map, keys[k], string + k))
            continue;
        string[k] = *n_symbols;
        result = rc_skeleton_map_add(map, keys[k], (*n_symbols)++, error);
    }
    rc_skeleton_map_destroy(map);
    return result;
}

/* Whether loops make the string of interleaved groups much shorter, or so many are equal that a few
 * can stand for all wherever they are.  Ranks and kinds of calls are looked at, sizes are not. */
static int pays(const struct splitting *splitting, bool *found)
{
    uint32_t n = splitting->n_order, n_symbols = 0;
    uint64_t *keys = calloc((size_t)n + 1, sizeof *keys);
    uint32_t *string = malloc(((size_t)n + 1) * sizeof *string);
    struct rc_loops loops = {0};
    int result = keys && string ? 0 : rc_error_no_memory(splitting->error);

    if (!result) {
        add_keys(splitting, keys);
        result = name_all(keys, n, string, &n_symbols, splitting->error) ||
                         rc_skeleton_loops_find(string, n, &loops, splitting->error)
                     ? -1
                     : 0;
    }
    if (!result)
        *found = rc_skeleton_loops_compression(&loops) >= RC_INTERLEAVED_COMPRESSION ||
                 n >= RC_INTERLEAVED_EQUAL * n_symbols;
    rc_skeleton_loops_free(&loops);
    free(keys);
    free(string);
    return result;
}

/* ---- new event groups ---- */

static int add_group(struct splitting *splitting, const struct rc_event_group *group)
{
    if (rc_array_room(&splitting->groups, splitting->n_groups + 1, &splitting->group_room,
                      sizeof *splitting->groups, splitting->error))
        return -1;
    splitting->groups[splitting->n_groups++] = *group;
    return 0;
}

/* Adds the interleaved groups, with a part for each call. */
static int add_interleaved_groups(struct splitting *splitting, const struct rc_event_group *group)
{
    const struct rc_group_calls *calls = &splitting->calls;
    struct rc_event_groups *from = splitting->from;
    uint32_t n = calls->first[calls->n_parts];
    size_t begin = splitting->n_groups, at = from->n_parts;

    for (uint32_t k = 0; k < splitting->n_order; k++)
        if (add_group(splitting,
                      &(struct rc_event_group){.level = group->level, .interleaved = true}))
            return -1;
    for (uint32_t i = 0; i < n; i++)
        splitting->groups[begin + splitting->place[splitting->set[i]]].n_parts++;
    for (size_t k = begin; k < splitting->n_groups; k++) {
        splitting->groups[k].first = at;
        at += splitting->groups[k].n_parts;
        splitting->groups[k].n_parts = 0;
    }
    for (uint32_t p = 0; p < calls->n_parts; p++)
        for (uint32_t i = calls->first[p]; i < calls->first[p + 1]; i++) {
            struct rc_event_group *to =
                splitting->groups + begin + splitting->place[splitting->set[i]];
            uint32_t event = rc_skeleton_group_event(calls, p, i);

            from->parts[to->first + to->n_parts++] = (struct rc_event_group_part){
                .rank = calls->parts[p].rank, .begin = event, .end = event + 1};
        }
    from->n_parts = at;
    return 0;
}

/* Splits an event group, or adds it as it is where nothing comes of that. */
static int split(struct splitting *splitting, const struct rc_event_group *group)
{
    struct rc_group_calls *calls = &splitting->calls;
    bool worth = false;
    int result = -1;

    calls->parts = splitting->from->parts + group->first;
    calls->n_parts = group->n_parts;
    if (make_room(splitting))
        goto done;
    number_calls(splitting);
    if (rc_skeleton_group_set_times(calls, splitting->error))
        goto done;
    unite_all(splitting);
    put_in_order(splitting);
    settle(splitting);
    if (splitting->n_order > 1 && pays(splitting, &worth))
        goto done;
    if (!worth) {
        result = add_group(splitting, group);
        goto done;
    }
    splitting->has_split = true;
    result = add_interleaved_groups(splitting, group);
done:
    splitting_free(splitting);
    return result;
}

/* ---- which event groups ---- */

/* How many calls there are in an event group; 0 where it is not looked into. */
static size_t large(const struct rc_program *program, const struct rc_event_groups *groups,
                    const struct rc_event_group *group)
{
    size_t n = 0, most = 0;

    for (uint32_t p = 0; p < group->n_parts; p++) {
        const struct rc_event_group_part *part = groups->parts + group->first + p;

        n += part->end - part->begin;
        if (part->end - part->begin > most)
            most = part->end - part->begin;
    }
    return most >= RC_INTERLEAVED_CALLS &&
                   (double)n >= RC_INTERLEAVED_PART * (double)program->events
               ? n
               : 0;
}

int rc_skeleton_interleaved_split(const struct rc_program *program, const struct rc_match *match,
                                  struct rc_event_groups *groups, struct rc_error *error)
{
    struct splitting splitting = {.calls = {.program = program, .match = match},
                                  .from = groups,
                                  .error = error};
    size_t calls = 0, n_parts = groups->n_parts;
    int result;

    for (size_t i = 0; i < groups->n; i++)
        calls += large(program, groups, groups->at + i);
    if (calls == 0)
        return 0;
    splitting.part_room = groups->n_parts;
    splitting.calls.part_of = malloc(program->ranks * sizeof *splitting.calls.part_of);
    result = splitting.calls.part_of ? 0 : rc_error_no_memory(error);
    if (!result)
        result = rc_array_room(&groups->parts, groups->n_parts + calls, &splitting.part_room,
                               sizeof *groups->parts, error);
    for (size_t i = 0; !result && i < groups->n; i++)
        result = large(program, groups, groups->at + i) ? split(&splitting, groups->at + i)
                                                        : add_group(&splitting, groups->at + i);
    free(splitting.calls.part_of);
    if (result || !splitting.has_split) {
        groups->n_parts = n_parts;
        free(splitting.groups);
        return result;
    }
    free(groups->at);
    groups->at = splitting.groups;
    groups->n = splitting.n_groups;
    groups->interleaved = true;
    return 0;
}
