// SPDX-License-Identifier: GPL-3.0-or-later
/* loose.c - splits acts of programs whose messages cross iterations.
 *
 * Why any set of loose acts may be left out, as it may of acts.  Take the program as it ran: its
 * calls can be put into one order in which each comes after those that it waits for and after those
 * before it on its rank.  Of that order, leave out some loose acts.  A call that is left waits for
 * nobody but for others of its own loose act, which are left as well and come before it as they
 * did; one that completes several requests waits for those of them that are left.  So the rest can
 * be done in the same order, and if a program can be done in one order it comes to its end in any
 * (plan_check.c).  Messages still meet the receives that they met: on each channel sends and
 * receives are in the order that they had, and of each message both are left or neither.  The rank
 * must make what is left in its own order, whatever order the loose acts are put in here:
 * compose_loose.c does that. */
#include "model/skeleton/match/loose.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/loops/loops.h"
#include "model/skeleton/match/loose_clock.h"
#include "model/skeleton/loops/memo.h"

struct splitting {
    struct rc_loose loose; /* the act at hand */
    uint32_t *set;   /* by call: a call of the same loose act with a lower number, or itself; in the
                      * end, the first one of it */
    uint32_t *when;  /* by first call of a loose act: when all its ends are there */
    uint64_t *order; /* loose acts in order: when, and the number of the first call */
    uint32_t n_order;
    uint32_t *place;     /* by first call: in `order` */
    struct rc_act *acts; /* what becomes of all acts */
    size_t n_acts, act_room;
    struct rc_acts *from;
    size_t part_room;
    bool has_split;
    struct rc_error *error;
};

/* ---- numbers ---- */

static void splitting_free(struct splitting *splitting)
{
    struct rc_loose *loose = &splitting->loose;

    free(loose->first);
    free(loose->begun);
    free(loose->next);
    free(loose->time);
    free(splitting->set);
    free(splitting->when);
    free(splitting->order);
    free(splitting->place);
    loose->first = loose->begun = loose->next = loose->time = NULL;
    splitting->set = splitting->when = splitting->place = NULL;
    splitting->order = NULL;
    splitting->n_order = 0;
}

static int make_room(struct splitting *splitting)
{
    struct rc_loose *loose = &splitting->loose;
    size_t n = 1;

    loose->first = malloc((loose->n_parts + 1) * sizeof *loose->first);
    for (uint32_t p = 0; p < loose->n_parts; p++)
        n += loose->parts[p].end - loose->parts[p].begin;
    loose->begun = malloc(n * sizeof *loose->begun);
    loose->next = malloc(n * sizeof *loose->next);
    loose->time = calloc(n, sizeof *loose->time);
    splitting->set = malloc(n * sizeof *splitting->set);
    splitting->when = calloc(n, sizeof *splitting->when);
    splitting->order = malloc(n * sizeof *splitting->order);
    splitting->place = calloc(n, sizeof *splitting->place);
    if (!loose->first || !loose->begun || !loose->next || !loose->time || !splitting->set ||
        !splitting->when || !splitting->order || !splitting->place)
        return rc_error_no_memory(splitting->error);
    return 0;
}

static void number_calls(struct splitting *splitting)
{
    struct rc_loose *loose = &splitting->loose;

    loose->first[0] = 0;
    for (uint32_t p = 0; p < loose->n_parts; p++) {
        loose->part_of[loose->parts[p].rank] = p;
        loose->first[p + 1] = loose->first[p] + (loose->parts[p].end - loose->parts[p].begin);
    }
    memset(loose->begun, 0xff, loose->first[loose->n_parts] * sizeof *loose->begun);
    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p + 1]; i-- > loose->first[p];) {
            uint32_t done = rc_skeleton_loose_link(loose, p, i)->done;

            splitting->set[i] = i;
            loose->next[i] = RC_PROGRAM_NONE;
            if (done == RC_PROGRAM_NONE)
                continue;
            done = rc_skeleton_loose_number(loose, loose->parts[p].rank, done);
            loose->next[i] = loose->begun[done];
            loose->begun[done] = i;
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
static bool is_bare(const struct rc_loose *loose, uint32_t part, uint32_t number)
{
    const struct rc_match_link *link = rc_skeleton_loose_link(loose, part, number);

    return link->done != RC_PROGRAM_NONE && link->out == RC_PROGRAM_NONE &&
           link->in == RC_PROGRAM_NONE && link->collective == RC_PROGRAM_NONE;
}

/* How many requests a call completes that are not bare: 2 where they are several. */
static int completes(const struct rc_loose *loose, uint32_t part, uint32_t number)
{
    int n = 0;

    for (uint32_t i = loose->begun[number]; n < 2 && i != RC_PROGRAM_NONE; i = loose->next[i])
        n += !is_bare(loose, part, i);
    return n;
}

/* A call that completes requests of several loose acts belongs to one of these alone, and bare
 * requests go with it. */
static bool is_shared(const struct rc_loose *loose, uint32_t part, uint32_t number)
{
    if (is_bare(loose, part, number))
        number = rc_skeleton_loose_number(loose, loose->parts[part].rank,
                                          rc_skeleton_loose_link(loose, part, number)->done);
    return completes(loose, part, number) > 1;
}

static void unite_with_others(struct splitting *splitting, uint32_t part, uint32_t number)
{
    const struct rc_loose *loose = &splitting->loose;
    const struct rc_match *match = loose->match;
    const struct rc_match_link *link = rc_skeleton_loose_link(loose, part, number);

    if (link->out != RC_PROGRAM_NONE)
        unite(splitting, number,
              rc_skeleton_loose_number(loose, match->messages[link->out].receiver,
                                       match->messages[link->out].receive));
    if (link->collective != RC_PROGRAM_NONE) {
        const struct rc_match_collective *at = match->collectives + link->collective;

        unite(splitting, number,
              rc_skeleton_loose_number(loose, match->communicators[at->communicator].members[0],
                                       match->members[at->first]));
    }
    if (is_shared(loose, part, number))
        return;
    for (uint32_t i = loose->begun[number]; i != RC_PROGRAM_NONE; i = loose->next[i])
        unite(splitting, number, i);
}

static void unite_all(struct splitting *splitting)
{
    const struct rc_loose *loose = &splitting->loose;

    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p]; i < loose->first[p + 1]; i++)
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
    const struct rc_loose *loose = &splitting->loose;

    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p]; i < loose->first[p + 1]; i++) {
            uint32_t first = first_of(splitting, i),
                     arrival = rc_skeleton_loose_arrival(loose, p, i);

            if (!completes(loose, p, i) && !is_bare(loose, p, i) &&
                arrival > splitting->when[first])
                splitting->when[first] = arrival;
        }
    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p]; i < loose->first[p + 1]; i++)
            if (splitting->set[i] == i && !is_shared(loose, p, i) &&
                !rc_skeleton_loose_is_alone(loose, p, i))
                splitting->order[splitting->n_order++] = key_of(splitting, i);
    qsort(splitting->order, splitting->n_order, sizeof *splitting->order, compare_keys);
    for (uint32_t k = 0; k < splitting->n_order; k++)
        splitting->place[(uint32_t)splitting->order[k]] = k;
}

/* The latest of the loose acts whose requests a call completes, or a bare one's completion does. */
static uint32_t latest_begun(const struct splitting *splitting, uint32_t part, uint32_t number)
{
    const struct rc_loose *loose = &splitting->loose;
    uint32_t latest = RC_PROGRAM_NONE;

    if (is_bare(loose, part, number))
        number = rc_skeleton_loose_number(loose, loose->parts[part].rank,
                                          rc_skeleton_loose_link(loose, part, number)->done);
    for (uint32_t i = loose->begun[number]; i != RC_PROGRAM_NONE; i = loose->next[i]) {
        uint32_t first = first_of(splitting, i);

        if (!is_bare(loose, part, i) &&
            (latest == RC_PROGRAM_NONE || splitting->place[first] > splitting->place[latest]))
            latest = first;
    }
    return latest;
}

/* Gives each call its loose act.  Those that stand alone go with the next one of their rank, or
 * with the one before where there is none. */
static void settle(struct splitting *splitting)
{
    const struct rc_loose *loose = &splitting->loose;

    for (uint32_t p = 0; p < loose->n_parts; p++) {
        uint32_t next = RC_PROGRAM_NONE, begin = loose->first[p], i = loose->first[p + 1];

        while (i-- > begin) {
            if (is_shared(loose, p, i))
                next = latest_begun(splitting, p, i);
            else if (!rc_skeleton_loose_is_alone(loose, p, i))
                next = first_of(splitting, i);
            if (next != RC_PROGRAM_NONE)
                splitting->set[i] = next;
        }
        for (i = loose->first[p + 1]; i > begin && rc_skeleton_loose_is_alone(loose, p, i - 1);)
            i--;
        for (; i > begin && i < loose->first[p + 1]; i++)
            splitting->set[i] = splitting->set[i - 1];
    }
}

/* ---- whether it pays ---- */

/* For each loose act a number that says which ranks make which kinds of calls in it. */
static void add_keys(const struct splitting *splitting, uint64_t *keys)
{
    const struct rc_loose *loose = &splitting->loose;

    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p]; i < loose->first[p + 1]; i++) {
            const struct rc_program_rank *rank = loose->program->rank + loose->parts[p].rank;
            uint64_t *key = keys + splitting->place[splitting->set[i]];

            *key ^= (uint64_t)p << 32 |
                    rc_skeleton_program_call(rank, rc_skeleton_loose_event(loose, p, i))->kind;
            *key = (*key + 1) * UINT64_C(0x9e3779b97f4a7c15);
            *key ^= *key >> 29;
        }
}

static int name_all(const uint64_t *keys, uint32_t n, uint32_t *string, uint32_t *n_symbols,
                    struct rc_error *error)
{
    struct rc_memo *memo = rc_skeleton_memo_create(error);
    int result = memo ? 0 : -1;

    *n_symbols = 0;
    for (uint32_t k = 0; !result && k < n; k++) {
        if (rc_skeleton_memo_find(memo, keys[k], string + k))
            continue;
        string[k] = *n_symbols;
        result = rc_skeleton_memo_add(memo, keys[k], (*n_symbols)++, error);
    }
    rc_skeleton_memo_destroy(memo);
    return result;
}

/* Whether loops make the string of loose acts much shorter, or so many are equal that a few can
 * stand for all wherever they are.  Ranks and kinds of calls are looked at, sizes are not. */
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
        *found = rc_skeleton_loops_compression(&loops) >= RC_LOOSE_COMPRESSION ||
                 n >= RC_LOOSE_EQUAL * n_symbols;
    rc_skeleton_loops_free(&loops);
    free(keys);
    free(string);
    return result;
}

/* ---- new acts ---- */

static int add_act(struct splitting *splitting, const struct rc_act *act)
{
    if (rc_array_room(&splitting->acts, splitting->n_acts + 1, &splitting->act_room,
                      sizeof *splitting->acts, splitting->error))
        return -1;
    splitting->acts[splitting->n_acts++] = *act;
    return 0;
}

/* Adds the loose acts, with a part for each call. */
static int add_loose_acts(struct splitting *splitting, const struct rc_act *act)
{
    const struct rc_loose *loose = &splitting->loose;
    struct rc_acts *from = splitting->from;
    uint32_t n = loose->first[loose->n_parts];
    size_t begin = splitting->n_acts, at = from->n_parts;

    for (uint32_t k = 0; k < splitting->n_order; k++)
        if (add_act(splitting, &(struct rc_act){.level = act->level, .loose = true}))
            return -1;
    for (uint32_t i = 0; i < n; i++)
        splitting->acts[begin + splitting->place[splitting->set[i]]].n_parts++;
    for (size_t k = begin; k < splitting->n_acts; k++) {
        splitting->acts[k].first = at;
        at += splitting->acts[k].n_parts;
        splitting->acts[k].n_parts = 0;
    }
    for (uint32_t p = 0; p < loose->n_parts; p++)
        for (uint32_t i = loose->first[p]; i < loose->first[p + 1]; i++) {
            struct rc_act *to = splitting->acts + begin + splitting->place[splitting->set[i]];
            uint32_t event = rc_skeleton_loose_event(loose, p, i);

            from->parts[to->first + to->n_parts++] = (struct rc_act_part){
                .rank = loose->parts[p].rank, .begin = event, .end = event + 1};
        }
    from->n_parts = at;
    return 0;
}

/* Splits an act, or adds it as it is where nothing comes of that. */
static int split(struct splitting *splitting, const struct rc_act *act)
{
    struct rc_loose *loose = &splitting->loose;
    bool worth = false;
    int result = -1;

    loose->parts = splitting->from->parts + act->first;
    loose->n_parts = act->n_parts;
    if (make_room(splitting))
        goto done;
    number_calls(splitting);
    if (rc_skeleton_loose_set_times(loose, splitting->error))
        goto done;
    unite_all(splitting);
    put_in_order(splitting);
    settle(splitting);
    if (splitting->n_order > 1 && pays(splitting, &worth))
        goto done;
    if (!worth) {
        result = add_act(splitting, act);
        goto done;
    }
    splitting->has_split = true;
    result = add_loose_acts(splitting, act);
done:
    splitting_free(splitting);
    return result;
}

/* ---- which acts ---- */

/* How many calls there are in an act; 0 where it is not looked into. */
static size_t large(const struct rc_program *program, const struct rc_acts *acts,
                    const struct rc_act *act)
{
    size_t n = 0, most = 0;

    for (uint32_t p = 0; p < act->n_parts; p++) {
        const struct rc_act_part *part = acts->parts + act->first + p;

        n += part->end - part->begin;
        if (part->end - part->begin > most)
            most = part->end - part->begin;
    }
    return most >= RC_LOOSE_CALLS && (double)n >= RC_LOOSE_PART * (double)program->events ? n : 0;
}

int rc_skeleton_loose_split(const struct rc_program *program, const struct rc_match *match,
                            struct rc_acts *acts, struct rc_error *error)
{
    struct splitting splitting = {.loose = {.program = program, .match = match},
                                  .from = acts,
                                  .error = error};
    size_t calls = 0, n_parts = acts->n_parts;
    int result;

    for (size_t i = 0; i < acts->n; i++)
        calls += large(program, acts, acts->acts + i);
    if (calls == 0)
        return 0;
    splitting.part_room = acts->n_parts;
    splitting.loose.part_of = malloc(program->ranks * sizeof *splitting.loose.part_of);
    result = splitting.loose.part_of ? 0 : rc_error_no_memory(error);
    if (!result)
        result = rc_array_room(&acts->parts, acts->n_parts + calls, &splitting.part_room,
                               sizeof *acts->parts, error);
    for (size_t i = 0; !result && i < acts->n; i++)
        result = large(program, acts, acts->acts + i) ? split(&splitting, acts->acts + i)
                                                      : add_act(&splitting, acts->acts + i);
    free(splitting.loose.part_of);
    if (result || !splitting.has_split) {
        acts->n_parts = n_parts;
        free(splitting.acts);
        return result;
    }
    free(acts->acts);
    acts->acts = splitting.acts;
    acts->n = splitting.n_acts;
    acts->loose = true;
    return 0;
}
