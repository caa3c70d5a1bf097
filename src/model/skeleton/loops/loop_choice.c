// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_choice.c - choosing which repetitions of a string become loops.
 *
 * The idea.  Every loop of every folding lies in a repeat of the string (repeats.c).  For a stretch
 * of the string, from `begin` to before `end`, let cost(i) be the fewest symbols with which i to
 * `end` can be written.  Dynamic programming from right to left gives
 *
 *     cost(end) = 0,   cost(i) = min { 1 + cost(i + 1);  body(i, p) + cost(i + k p) }
 *
 * over all repeats that hold i, their period p, and all k >= 2 with i + k p inside both repeat and
 * stretch.  body(i, p) is the cost of the loop's body, from i to i + p: a stretch itself, at most
 * half as long, in which there are no repeats but those of the string, cut off at its borders.
 * Costs of stretches are remembered by fingerprint, so that a body is folded once, however often it
 * occurs.
 *
 * The best k.  Of the loops that begin at i, the best ends at i + 2p or where the best one that
 * begins at i + p does.  So places a whole number of periods apart share one `struct rotation`.
 *
 * Which rotation of a body.  [a b c] many times is also a [b c a] ..., and where loops are inside,
 * some rotations cut them and cost more.  For short periods (ROTATIONS_UP_TO) all are tried.  With
 * a longer period loops may begin with some rotations only: those near the begin of the repeat,
 * those near its end, and some that cut no loop.  These are found by folding some periods without a
 * loop over them: where items begin at the same place of two periods, there is such a border
 * (`find_borders`), and the body that begins there costs what the items between cost.
 *
 * Invariants of solve(), when place i is treated, from right to left:
 * 1. cost, ends and chosen are right for all places > i.
 * 2. `open` holds the repeats with short periods in which a loop could begin at i.
 * 3. Each allowed rotation of the repeats with long periods is in the list of visits of its next
 *    place <= i, unless that is left of the repeat or of the stretch.
 * 4. The `end` of a rotation is that of the best loop at its last place > i.
 *
 * Time.  A place lies in few repeats with short periods, since those of about the same period
 * hardly overlap; and all repeats of a string of n symbols together have fewer than 3n periods
 * (Bannai et al., see repeats.c), of which at most 2 NEAR + BORDERS rotations each are visited.
 * What is not bounded by that is how many different bodies are folded; with long periods, where
 * only few rotations are, their lengths add up to a small multiple of n log n at most.
 *
 * The result need not be the shortest, but tests/unit/test_loops.c finds no nest up to 160 symbols
 * in which it is not. */
#include "model/skeleton/loops/repeats.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/loops/hash_map.h"

#define NONE UINT32_MAX
#define PLAIN UINT32_MAX                     /* no repeat: the symbol stands alone */
#define DEAR (UINT32_MAX / 2)                /* more than any string costs */
#define ROTATED UINT64_C(0x6a09e667f3bcc908) /* distinguishes keys of the map for rotations */

enum {
    ROTATIONS_UP_TO = 16, /* periods of which any rotation may become a body: the short ones */
    NEAR = 4,             /* rotations at each end of a repeat with a long period */
    NEAR_UP_TO = 1024,    /* one at each end, with periods above that */
    BORDERS = 8,          /* rotations that cut no loop */
    LOOK_AT = 1024,       /* symbols in which borders are looked for, if two periods are in them */
    UNKNOWN = 0,          /* what a body costs */
    CHEAPEST = 2,         /* what a body of more than two symbols costs, at least */
};

struct fold {
    const uint32_t *string;
    const struct rc_string_hash *hash;
    const struct rc_repeat *repeats;
    struct rc_repeat_index *index;
    struct rc_hash_map *map; /* by fingerprint: costs of stretches, and best rotations */
    struct rc_loops *loops;
    size_t room; /* of loops->items */
    struct rc_error *error;
};

/* For the places of a repeat that are a whole number of periods apart. */
struct rotation {
    uint32_t end;  /* of the best loop that begins at the next of them to the right */
    uint32_t body; /* what the body costs, or UNKNOWN */
};

/* A repeat with a short period, cut off at the borders of a stretch, in which loops may begin.
 * Places count from the begin of the stretch. */
struct open_repeat {
    uint32_t low; /* where it begins */
    uint32_t period;
    uint32_t repeat;
    uint32_t at; /* the rotation of the next place to the left */
    struct rotation *rotations;
};

/* A rotation of a repeat with a long period, which waits for its next place to be treated. */
struct visit {
    uint32_t low;
    uint32_t period;
    uint32_t repeat;
    uint32_t next; /* visit of the same place, or NONE */
    struct rotation rotation;
};

/* A stretch while it is solved; places count from its begin. */
struct stretch {
    uint32_t begin, end; /* in the string */
    uint32_t without;    /* a repeat that is not used, or RC_REPEAT_NONE */
    uint32_t *cost;      /* by place, then 0 for the end, then DEAR: no loop ends there */
    uint32_t *chosen;    /* the repeat of the loop that begins here, or PLAIN */
    uint32_t *ends;      /* and the place where that loop ends */
    uint32_t *visits_at; /* the first visit of each place, or NONE */
    struct visit *visits;
    uint32_t n_visits;
    size_t visit_room;
    uint32_t over; /* the first of the visits that are over, or NONE */
    struct open_repeat *open;
    uint32_t n_open;
    size_t open_room;
    struct rc_truncated_repeats truncated; /* the repeats that go on past the end */
    size_t next_truncated;
};

static int solve(struct fold *fold, struct stretch *stretch);
static int cost_of(struct fold *fold, uint32_t begin, uint32_t end, uint32_t *cost);

/* ---- which rotation of a long body is best ---- */

/* Where the item ends that begins at `place`. */
static uint32_t item_end(const struct stretch *stretch, uint32_t place)
{
    return stretch->chosen[place] == PLAIN ? place + 1 : stretch->ends[place];
}

/* The first place at or behind `from` where an item begins and where one does a period further on;
 * NONE if there is none before the last period. */
static uint32_t common_border(const struct stretch *stretch, uint32_t period, uint32_t *first,
                              uint32_t *second, uint32_t from)
{
    uint32_t length = stretch->end - stretch->begin;

    while (*second < length) {
        if (*first < from || *first + period < *second)
            *first = item_end(stretch, *first);
        else if (*second < *first + period)
            *second = item_end(stretch, *second);
        else
            return *first;
    }
    return NONE;
}

/* Remembers what folding some periods without a loop over them has shown: the borders in the middle
 * period, and what bodies cost that begin there. */
static int remember_borders(struct fold *fold, const struct stretch *periods, uint32_t period,
                            uint64_t key)
{
    uint32_t middle = ((periods->end - periods->begin) / period - 1) / 2 * period;
    uint32_t first = 0, second = 0, from = middle, known;

    for (unsigned k = 0; k < BORDERS; k++) {
        uint32_t border = common_border(periods, period, &first, &second, from);
        uint64_t body;

        if (border >= middle + period)
            return rc_skeleton_map_add(fold->map, key + k, NONE, fold->error);
        body = rc_skeleton_string_hash_of(fold->hash, periods->begin + border, period);
        if (rc_skeleton_map_add(fold->map, key + k, border - middle, fold->error) ||
            (!rc_skeleton_map_find(fold->map, body, &known) &&
             rc_skeleton_map_add(fold->map, body,
                                 periods->cost[border] - periods->cost[border + period],
                                 fold->error)))
            return -1;
        from = border + 1;
    }
    return 0;
}

/* How far they are from the begin of the repeat; up to BORDERS of them, then NONE. */
static int find_borders(struct fold *fold, uint32_t repeat, uint32_t *borders)
{
    const struct rc_repeat *at = fold->repeats + repeat;
    uint32_t length = at->end - at->begin, period = at->period, times = length / period;
    struct stretch periods = {.begin = at->begin, .without = repeat};
    uint64_t key = rc_skeleton_string_hash_of(fold->hash, at->begin, period) ^ ROTATED;
    int result = 0;

    borders[0] = NONE;
    if (length == 2 * period)
        return 0;
    if (times > 2 && times > LOOK_AT / period)
        times = LOOK_AT / period > 2 ? LOOK_AT / period : 2;
    periods.end = at->begin + times * period;
    if (!rc_skeleton_map_find(fold->map, key, borders)) {
        result = solve(fold, &periods) || remember_borders(fold, &periods, period, key) ? -1 : 0;
        free(periods.cost);
    }
    for (unsigned k = 0; k < BORDERS && !result; k++)
        if (!rc_skeleton_map_find(fold->map, key + k, borders + k) || borders[k] == NONE)
            break;
    return result;
}

/* ---- repeats with long periods ---- */

static void wait_at(struct stretch *stretch, uint32_t visit, uint32_t place)
{
    stretch->visits[visit].next = stretch->visits_at[place];
    stretch->visits_at[place] = visit;
}

static int new_visit(struct fold *fold, struct stretch *stretch, uint32_t *visit)
{
    *visit = stretch->over;
    if (*visit != NONE) {
        stretch->over = stretch->visits[*visit].next;
        return 0;
    }
    if (rc_array_room(&stretch->visits, (size_t)stretch->n_visits + 1, &stretch->visit_room,
                      sizeof *stretch->visits, fold->error))
        return -1;
    *visit = stretch->n_visits++;
    return 0;
}

/* Loops may begin `offset` after `low` and whole periods further on.  Places are in the string. */
static int allow_rotation(struct fold *fold, struct stretch *stretch, uint32_t repeat, uint32_t low,
                          uint32_t high, uint32_t offset)
{
    uint32_t period = fold->repeats[repeat].period, room = high - low - 2 * period, visit;
    struct rotation rotation = {.end = stretch->end - stretch->begin + 1};

    if (offset > room)
        return 0;
    if (cost_of(fold, low + offset, low + offset + period, &rotation.body) ||
        new_visit(fold, stretch, &visit))
        return -1;
    low -= stretch->begin;
    stretch->visits[visit] =
        (struct visit){.low = low, .period = period, .repeat = repeat, .rotation = rotation};
    wait_at(stretch, visit, low + offset + (room - offset) / period * period);
    return 0;
}

/* Adds an offset unless it is there. */
static void add_offset(uint32_t *offsets, unsigned *n, uint32_t offset)
{
    for (unsigned k = 0; k < *n; k++)
        if (offsets[k] == offset)
            return;
    offsets[(*n)++] = offset;
}

static int open_long(struct fold *fold, struct stretch *stretch, uint32_t repeat, uint32_t low,
                     uint32_t high)
{
    uint32_t period = fold->repeats[repeat].period, before = low - fold->repeats[repeat].begin;
    uint32_t last = (high - low) % period, borders[BORDERS], offsets[2 * NEAR + BORDERS];
    uint32_t near = period <= NEAR_UP_TO ? NEAR : 1;
    unsigned n = 0;

    if (find_borders(fold, repeat, borders))
        return -1;
    for (unsigned k = 0; k < near; k++) {
        add_offset(offsets, &n, k);
        add_offset(offsets, &n, (last + period - k) % period);
    }
    for (unsigned k = 0; k < BORDERS && borders[k] != NONE; k++)
        add_offset(offsets, &n, (borders[k] + period - before % period) % period);
    for (unsigned k = 0; k < n; k++)
        if (allow_rotation(fold, stretch, repeat, low, high, offsets[k]))
            return -1;
    return 0;
}

/* ---- repeats with short periods ---- */

static int open_short(struct fold *fold, struct stretch *stretch, uint32_t repeat, uint32_t low,
                      uint32_t high)
{
    uint32_t period = fold->repeats[repeat].period;
    struct rotation none = {stretch->end - stretch->begin + 1, period <= 2 ? period : UNKNOWN};
    struct open_repeat opened = {low - stretch->begin, period, repeat, (high - low) % period, NULL};

    if (rc_array_room(&stretch->open, (size_t)stretch->n_open + 1, &stretch->open_room,
                      sizeof *stretch->open, fold->error))
        return -1;
    opened.rotations = malloc(period * sizeof *opened.rotations);
    if (!opened.rotations)
        return rc_error_no_memory(fold->error);
    for (uint32_t i = 0; i < period; i++)
        opened.rotations[i] = none;
    stretch->open[stretch->n_open++] = opened;
    return 0;
}

/* From here on, to the left, loops of this repeat may begin, and end at most at `high`. */
static int open_repeat(struct fold *fold, struct stretch *stretch, uint32_t repeat, uint32_t high)
{
    const struct rc_repeat *at = fold->repeats + repeat;
    uint32_t low = at->begin > stretch->begin ? at->begin : stretch->begin;

    if (high - low < 2 * at->period || repeat == stretch->without)
        return 0;
    return at->period > ROTATIONS_UP_TO ? open_long(fold, stretch, repeat, low, high)
                                        : open_short(fold, stretch, repeat, low, high);
}

static int open_repeats_at(struct fold *fold, struct stretch *stretch, uint32_t i)
{
    const struct rc_truncated_repeats *truncated = &stretch->truncated;

    while (stretch->next_truncated < truncated->n &&
           stretch->end - 2 * fold->repeats[truncated->repeats[stretch->next_truncated]].period ==
               i)
        if (open_repeat(fold, stretch, truncated->repeats[stretch->next_truncated++], stretch->end))
            return -1;
    for (uint32_t repeat = rc_skeleton_repeat_index_first(fold->index, i); repeat != RC_REPEAT_NONE;
         repeat = rc_skeleton_repeat_index_next(fold->index, repeat))
        if (fold->repeats[repeat].end <= stretch->end &&
            open_repeat(fold, stretch, repeat, fold->repeats[repeat].end))
            return -1;
    return 0;
}

/* ---- the choice at a place ---- */

struct choice {
    uint64_t rank; /* less is better */
    uint32_t repeat, end;
};

/* Costs first; of equal ones the shorter period, and any loop rather than none. */
static uint64_t rank_of(uint32_t cost, uint32_t period)
{
    return (uint64_t)cost << 32 | period;
}

static void consider(struct choice *choice, uint64_t rank, uint32_t repeat, uint32_t end)
{
    if (rank < choice->rank)
        *choice = (struct choice){rank, repeat, end};
}

/* Moves on to the loops that begin at `place`.  Without branches, as nothing predicts which way
 * they would go. */
static void advance(struct rotation *rotation, const uint32_t *cost, uint32_t place,
                    uint32_t period)
{
    uint32_t shorter = place + 2 * period, longer = rotation->end;

    rotation->end = cost[longer] <= cost[shorter] ? longer : shorter;
    assert((rotation->end - place) % period == 0); /* invariant 4 */
}

static int consider_short(struct fold *fold, struct stretch *stretch, uint32_t place,
                          struct choice *choice)
{
    const uint32_t *cost = stretch->cost;
    uint32_t i = stretch->begin + place;

    for (uint32_t k = 0; k < stretch->n_open;) {
        struct open_repeat *open = stretch->open + k;
        struct rotation *rotation = open->rotations + open->at;
        uint32_t period = open->period;

        if (place < open->low) {
            free(open->rotations);
            *open = stretch->open[--stretch->n_open];
            continue;
        }
        k++;
        assert(place + 2 * period <= stretch->end - stretch->begin); /* invariant 2 */
        open->at = open->at ? open->at - 1 : period - 1;
        advance(rotation, cost, place, period);
        if (rank_of(CHEAPEST + cost[rotation->end], period) >= choice->rank && period > 2)
            continue;
        if (rotation->body == UNKNOWN && cost_of(fold, i, i + period, &rotation->body))
            return -1;
        consider(choice, rank_of(rotation->body + cost[rotation->end], period), open->repeat,
                 rotation->end);
    }
    return 0;
}

static void consider_long(struct stretch *stretch, uint32_t place, struct choice *choice)
{
    uint32_t next;

    for (uint32_t at = stretch->visits_at[place]; at != NONE; at = next) {
        struct visit *visit = stretch->visits + at;
        struct rotation *rotation = &visit->rotation;

        next = visit->next;
        assert(place >= visit->low); /* invariant 3 */
        advance(rotation, stretch->cost, place, visit->period);
        consider(choice, rank_of(rotation->body + stretch->cost[rotation->end], visit->period),
                 visit->repeat, rotation->end);
        if (place - visit->low >= visit->period) {
            wait_at(stretch, at, place - visit->period);
        } else {
            visit->next = stretch->over;
            stretch->over = at;
        }
    }
}

static int choose(struct fold *fold, struct stretch *stretch, uint32_t place)
{
    struct choice choice = {rank_of(stretch->cost[place + 1] + 1, UINT32_MAX), PLAIN, 0};

    if (consider_short(fold, stretch, place, &choice))
        return -1;
    consider_long(stretch, place, &choice);
    stretch->chosen[place] = choice.repeat;
    stretch->ends[place] = choice.end;
    stretch->cost[place] = (uint32_t)(choice.rank >> 32);
    assert(stretch->cost[place] <= stretch->cost[place + 1] + 1); /* invariant 1 */
    return 0;
}

/* ---- stretches ---- */

static int allocate(struct fold *fold, struct stretch *stretch)
{
    uint32_t length = stretch->end - stretch->begin;

    stretch->cost = malloc((3 * (size_t)length + 2) * sizeof *stretch->cost);
    stretch->visits_at = malloc(length * sizeof *stretch->visits_at);
    if (!stretch->cost || !stretch->visits_at)
        return rc_error_no_memory(fold->error);
    stretch->chosen = stretch->cost + length + 2;
    stretch->ends = stretch->chosen + length;
    stretch->cost[length] = 0;
    stretch->cost[length + 1] = DEAR;
    for (uint32_t place = 0; place < length; place++)
        stretch->visits_at[place] = NONE;
    stretch->over = NONE;
    return 0;
}

/* Finds costs, choices and ends for all places.  The caller frees `cost`, also on failure. */
static int solve(struct fold *fold, struct stretch *stretch)
{
    uint32_t length = stretch->end - stretch->begin;
    int result = allocate(fold, stretch);

    if (!result)
        result = rc_skeleton_repeat_index_truncated(fold->index, stretch->begin, stretch->end,
                                                    &stretch->truncated, fold->error);
    for (uint32_t place = length; place-- > 0 && !result;) {
        result = open_repeats_at(fold, stretch, stretch->begin + place);
        if (!result)
            result = choose(fold, stretch, place);
    }
    for (uint32_t k = 0; k < stretch->n_open; k++)
        free(stretch->open[k].rotations);
    free(stretch->open);
    free(stretch->visits);
    free(stretch->visits_at);
    free(stretch->truncated.repeats);
    return result;
}

static int cost_of(struct fold *fold, uint32_t begin, uint32_t end, uint32_t *cost)
{
    struct stretch stretch = {.begin = begin, .end = end, .without = RC_REPEAT_NONE};
    uint64_t key;
    int result;

    *cost = end - begin;
    if (end - begin <= 2) /* a body is no repetition, so its symbols differ */
        return 0;
    key = rc_skeleton_string_hash_of(fold->hash, begin, end - begin);
    if (rc_skeleton_map_find(fold->map, key, cost))
        return 0;
    result = solve(fold, &stretch);
    if (!result) {
        *cost = stretch.cost[0];
        result = rc_skeleton_map_add(fold->map, key, *cost, fold->error);
    }
    free(stretch.cost);
    return result;
}

/* ---- writing what was chosen ---- */

static int add_item(struct fold *fold, uint32_t times, uint32_t value)
{
    struct rc_loops *loops = fold->loops;

    if (rc_array_room(&loops->items, loops->n + 1, &fold->room, sizeof *loops->items, fold->error))
        return -1;
    loops->items[loops->n++] = (struct rc_loops_item){times, value};
    loops->symbols += times == 0;
    return 0;
}

static int write_stretch(struct fold *fold, uint32_t begin, uint32_t end);

/* The loop that begins at `*place`; moves `*place` past it. */
static int write_loop(struct fold *fold, const struct stretch *stretch, uint32_t *place)
{
    uint32_t period = fold->repeats[stretch->chosen[*place]].period;
    uint32_t i = stretch->begin + *place, end = stretch->ends[*place];
    size_t head = fold->loops->n;

    if (add_item(fold, (end - *place) / period, 0) || write_stretch(fold, i, i + period))
        return -1;
    fold->loops->items[head].value = (uint32_t)(fold->loops->n - head - 1);
    *place = end;
    return 0;
}

static int write_stretch(struct fold *fold, uint32_t begin, uint32_t end)
{
    struct stretch stretch = {.begin = begin, .end = end, .without = RC_REPEAT_NONE};
    uint32_t place = 0;
    int result;

    if (end - begin == 1)
        return add_item(fold, 0, fold->string[begin]);
    result = solve(fold, &stretch);
    while (!result && place < end - begin) {
        if (stretch.chosen[place] == PLAIN)
            result = add_item(fold, 0, fold->string[begin + place++]);
        else
            result = write_loop(fold, &stretch, &place);
    }
    free(stretch.cost);
    return result;
}

int rc_skeleton_fold(const uint32_t *string, uint32_t n, const struct rc_string_hash *hash,
                     const struct rc_repeats *repeats, struct rc_loops *loops,
                     struct rc_error *error)
{
    struct fold fold = {
        .string = string, .hash = hash, .repeats = repeats->at, .loops = loops, .error = error};
    int result = -1;

    fold.index = rc_skeleton_repeat_index_create(repeats, n, error);
    fold.map = rc_skeleton_map_create(error);
    if (fold.index && fold.map)
        result = write_stretch(&fold, 0, n);
    rc_skeleton_repeat_index_destroy(fold.index);
    rc_skeleton_map_destroy(fold.map);
    return result;
}
