// SPDX-License-Identifier: GPL-3.0-or-later
/* fold.c - choosing which repetitions of a string become loops.
 *
 * Every loop of a folding lies in a repeat of the string (repeats.c).  For a stretch of the string,
 * from `begin` to before `end`, let cost(i) be the fewest symbols with which i to `end` can be
 * written,
 *
 *     cost(end) = 0,   cost(i) = min { 1 + cost(i + 1);  body(r) + cost(i + k p) }
 *
 * over all repeats r that hold i, their period p, and all k >= 2 with i + k p inside both repeat
 * and stretch.  body(r) is the cost of the loop's body, a stretch itself and at most half as long.
 * The stretches of bodies hold no repeats but those of the string, cut off at their borders.
 *
 * - The best k: best(i) is i + 2p or best(i + p), whichever end costs less.  A ring of p ends for
 *   each repeat that is open keeps what is needed, so that a repeat costs one step a place.  A
 *   place lies in O(log n) repeats.
 * - body(r) depends on where in the repeat the loop begins.  For short periods that is followed:
 *   each rotation is folded when it is about to be chosen.  For others body(r) is taken to be the
 *   less of the first and (unless the period is very long) the last one, and half a symbol more
 *   elsewhere: to begin where the repeat begins is mostly best.  Costs are in half symbols.
 * - When such a loop is written, it moves to the right over symbols that are not in a loop, as long
 *   as they belong to the repeat, to where the body is cheapest (`slide`).  It need not move to the
 *   left: of equal costs the earlier loop is taken.
 * - Costs of stretches are remembered by fingerprint: a body that occurs a thousand times is folded
 *   once.
 *
 * Invariants of solve(), when place i is treated from right to left:
 * 1. cost, ends and chosen are right for all places > i.
 * 2. `open` holds the repeats in which a loop of two bodies could begin at i + 1, each with a ring
 *    in which the slot (i' - low) mod p holds best(i') for the places i' from i + 1 to i + p.
 *
 * This is not quite the least: of 20000 random nests of up to 60 symbols, three came out one symbol
 * longer than what trying everything finds (tests/unit/test_loops.c tries some). */
#include "skeleton/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "skeleton/memo.h"
#include "skeleton/repeat_index.h"

#define PLAIN UINT32_MAX      /* no repeat: the symbol stands alone */
#define DEAR (UINT32_MAX / 2) /* more than any string costs */

enum {
    ROTATIONS_UP_TO = 64, /* periods of which every rotation is folded, where it matters */
    LAST_UP_TO = 4096,    /* periods of which also the last one in a repeat is folded */
    SLIDES_EACH = 4,      /* places that a loop may move, for each time it repeats */
    SLIDES_MOST = 64,     /* and at most */
    SYMBOL = 2,           /* what a symbol costs */
    DOUBT = 1,            /* what it costs that a body's cost is not known */
};

struct fold {
    const uint32_t *string;
    const struct rc_lce *lce;
    const struct rc_repeat *repeats;
    uint32_t *bodies; /* twice the cost of each repeat's body, one more for the last; 0 not known */
    struct rc_repeat_index *index;
    struct rc_memo *memo; /* the cost of a stretch, by fingerprint */
    struct rc_loops *loops;
    size_t capacity; /* of loops->items */
    struct rc_error *error;
};

/* A repeat, cut off at the borders of a stretch, in which loops may begin.  Places count from the
 * begin of the stretch. */
struct open_repeat {
    uint32_t low;  /* where it begins */
    uint32_t cost; /* of its body, at least */
    uint32_t period;
    uint32_t slot;  /* of the ring, for the next place to the left */
    uint32_t known; /* the slot at which the body costs that */
    uint32_t doubt; /* what is added elsewhere */
    uint32_t *ring; /* `period` ends of loops */
    /* For short periods, what the body costs that begins there, by slot; 0 while not known. */
    uint32_t *bodies;
    uint32_t repeat;
};

/* A stretch while it is solved; places count from its begin. */
struct stretch {
    uint32_t begin, end; /* in the string */
    uint32_t *cost;      /* by place, then 0 for the end, then DEAR: no loop ends there */
    uint32_t *chosen;    /* the repeat of the loop that begins here, or PLAIN */
    uint32_t *ends;      /* and the place where that loop ends */
    struct open_repeat *open;
    size_t n_open, capacity;
    struct rc_repeat_cuts cuts; /* the repeats that go on past the end */
    size_t next_cut;
};

static int cost_of(struct fold *fold, uint32_t begin, uint32_t end, uint32_t *cost);

/* The cost of the first or the last period of a repeat, whichever is less. */
static int body_cost(struct fold *fold, uint32_t repeat, uint32_t *cost, int *is_last)
{
    const struct rc_repeat *at = fold->repeats + repeat;
    uint32_t *known = fold->bodies + repeat, last;

    if (!*known) {
        if (cost_of(fold, at->begin, at->begin + at->period, cost))
            return -1;
        *known = *cost * 2;
        if (at->period <= LAST_UP_TO) {
            if (cost_of(fold, at->end - at->period, at->end, &last))
                return -1;
            if (last < *cost)
                *known = last * 2 + 1;
        }
    }
    *cost = *known / 2;
    *is_last = *known & 1;
    return 0;
}

static int make_room(struct fold *fold, struct stretch *stretch)
{
    size_t capacity = stretch->capacity ? 2 * stretch->capacity : 8;
    struct open_repeat *larger;

    if (stretch->n_open < stretch->capacity)
        return 0;
    larger = realloc(stretch->open, capacity * sizeof *larger);
    if (!larger)
        return rc_error_no_memory(fold->error);
    stretch->open = larger;
    stretch->capacity = capacity;
    return 0;
}

/* The ring, and for short periods the costs of all rotations. */
static int take_ring(struct fold *fold, struct open_repeat *opened, uint32_t nowhere)
{
    uint32_t period = opened->period;
    uint32_t rotations = period > 2 && period <= ROTATIONS_UP_TO ? period : 0;

    opened->ring = malloc((period + rotations) * sizeof *opened->ring);
    if (!opened->ring)
        return rc_error_no_memory(fold->error);
    for (uint32_t slot = 0; slot < period; slot++)
        opened->ring[slot] = nowhere;
    if (rotations) {
        opened->bodies = opened->ring + period;
        memset(opened->bodies, 0, rotations * sizeof *opened->bodies);
    }
    return 0;
}

/* From here on, to the left, loops of this repeat may begin, and end at most at `high`. */
static int open_repeat(struct fold *fold, struct stretch *stretch, uint32_t repeat, uint32_t high)
{
    const struct rc_repeat *at = fold->repeats + repeat;
    uint32_t low = at->begin > stretch->begin ? at->begin : stretch->begin, period = at->period;
    struct open_repeat opened = {.low = low - stretch->begin, .period = period, .repeat = repeat};
    int is_last;

    if (high - low < 2 * period)
        return 0;
    if (make_room(fold, stretch) || body_cost(fold, repeat, &opened.cost, &is_last) ||
        take_ring(fold, &opened, stretch->end - stretch->begin + 1))
        return -1;
    opened.slot = (high - low) % period;
    opened.known =
        is_last ? (at->end - low) % period : period - 1 - (low - at->begin + period - 1) % period;
    opened.doubt = period > ROTATIONS_UP_TO ? DOUBT : 0;
    stretch->open[stretch->n_open++] = opened;
    return 0;
}

static int open_repeats_at(struct fold *fold, struct stretch *stretch, uint32_t i)
{
    const struct rc_repeat_cuts *cuts = &stretch->cuts;

    while (stretch->next_cut < cuts->n &&
           stretch->end - 2 * fold->repeats[cuts->repeats[stretch->next_cut]].period == i)
        if (open_repeat(fold, stretch, cuts->repeats[stretch->next_cut++], stretch->end))
            return -1;
    for (uint32_t repeat = rc_repeat_index_first(fold->index, i); repeat != RC_REPEAT_NONE;
         repeat = rc_repeat_index_next(fold->index, repeat))
        if (fold->repeats[repeat].end <= stretch->end &&
            open_repeat(fold, stretch, repeat, fold->repeats[repeat].end))
            return -1;
    return 0;
}

/* Where the best loop of this repeat ends that begins at `place`.  Without branches, as nothing
 * foretells which way they would go. */
static uint32_t best_end(const uint32_t *cost, struct open_repeat *open, uint32_t place)
{
    uint32_t *slot = open->ring + open->slot, shorter = place + 2 * open->period, longer = *slot;
    uint32_t best = cost[longer] <= cost[shorter] ? longer : shorter;

    *slot = best;
    open->slot = open->slot ? open->slot - 1 : open->period - 1;
    return best;
}

/* What a body costs that begins at `place`, of a repeat of which that is to be known. */
static int rotation_cost(struct fold *fold, const struct stretch *stretch,
                         const struct open_repeat *open, uint32_t place, uint32_t *cost)
{
    uint32_t *known = open->bodies + (place - open->low) % open->period;
    uint32_t i = stretch->begin + place;

    if (!*known && cost_of(fold, i, i + open->period, known))
        return -1;
    *cost = *known;
    return 0;
}

/* Costs first; of equal ones the shorter period, and any loop rather than none. */
static uint64_t rank_of(uint32_t cost, uint32_t period)
{
    return (uint64_t)cost << 32 | period;
}

static int choose(struct fold *fold, struct stretch *stretch, uint32_t place)
{
    const uint32_t *cost = stretch->cost;
    uint64_t least = rank_of(cost[place + 1] + SYMBOL, UINT32_MAX);
    uint32_t chosen = PLAIN, chosen_end = 0;

    for (size_t k = 0; k < stretch->n_open;) {
        struct open_repeat *open = stretch->open + k;
        uint32_t end, body = open->cost + (open->slot == open->known ? 0 : open->doubt);

        if (place < open->low) {
            free(open->ring);
            *open = stretch->open[--stretch->n_open];
            continue;
        }
        k++;
        end = best_end(cost, open, place);
        if (rank_of(body + cost[end], open->period) >= least)
            continue;
        if (open->bodies && rotation_cost(fold, stretch, open, place, &body))
            return -1;
        if (rank_of(body + cost[end], open->period) >= least)
            continue;
        least = rank_of(body + cost[end], open->period);
        chosen = open->repeat;
        chosen_end = end;
    }
    stretch->chosen[place] = chosen;
    stretch->ends[place] = chosen_end;
    stretch->cost[place] = (uint32_t)(least >> 32);
    return 0;
}

static int solve(struct fold *fold, struct stretch *stretch)
{
    uint32_t length = stretch->end - stretch->begin;
    int result;

    stretch->cost = malloc((3 * (size_t)length + 2) * sizeof *stretch->cost);
    if (!stretch->cost)
        return rc_error_no_memory(fold->error);
    stretch->chosen = stretch->cost + length + 2;
    stretch->ends = stretch->chosen + length;
    stretch->cost[length] = 0;
    stretch->cost[length + 1] = DEAR;
    result = rc_repeat_index_cuts(fold->index, stretch->begin, stretch->end, &stretch->cuts,
                                  fold->error);
    for (uint32_t place = length; place-- > 0 && !result;) {
        result = open_repeats_at(fold, stretch, stretch->begin + place);
        if (!result)
            result = choose(fold, stretch, place);
    }
    for (size_t k = 0; k < stretch->n_open; k++)
        free(stretch->open[k].ring);
    free(stretch->open);
    stretch->open = NULL;
    free(stretch->cuts.repeats);
    stretch->cuts.repeats = NULL;
    return result;
}

static int cost_of(struct fold *fold, uint32_t begin, uint32_t end, uint32_t *cost)
{
    struct stretch stretch = {.begin = begin, .end = end};
    uint64_t key;
    int result;

    *cost = SYMBOL * (end - begin);
    if (end - begin <= 2) /* a body is no repetition, so its symbols differ */
        return 0;
    key = rc_lce_fingerprint(fold->lce, begin, end - begin);
    if (rc_memo_find(fold->memo, key, cost))
        return 0;
    result = solve(fold, &stretch);
    if (!result) {
        *cost = stretch.cost[0];
        result = rc_memo_add(fold->memo, key, *cost, fold->error);
    }
    free(stretch.cost);
    return result;
}

/* ---- writing what was chosen ---- */

static int add_item(struct fold *fold, uint32_t times, uint32_t value)
{
    struct rc_loops *loops = fold->loops;

    if (loops->n == fold->capacity) {
        size_t capacity = fold->capacity ? fold->capacity + fold->capacity / 2 : 16;
        struct rc_loops_item *larger = realloc(loops->items, capacity * sizeof *larger);

        if (!larger)
            return rc_error_no_memory(fold->error);
        loops->items = larger;
        fold->capacity = capacity;
    }
    loops->items[loops->n++] = (struct rc_loops_item){times, value};
    loops->symbols += times == 0;
    return 0;
}

/* How far to the right the loop at `place` should move.  The candidates are so few, for the length
 * of the loop, that looking at them all takes no longer than looking at the loop. */
static int slide(struct fold *fold, const struct stretch *stretch, uint32_t place,
                 uint32_t *distance)
{
    const struct rc_repeat *repeat = fold->repeats + stretch->chosen[place];
    uint32_t high = repeat->end < stretch->end ? repeat->end : stretch->end;
    uint32_t i = stretch->begin + place, end = stretch->ends[place], least, cost;
    uint32_t most = high - stretch->begin - end;
    uint64_t worthwhile = SLIDES_EACH * (uint64_t)((end - place) / repeat->period);

    *distance = 0;
    if (!most || stretch->chosen[end] != PLAIN)
        return 0;
    if (cost_of(fold, i, i + repeat->period, &least))
        return -1;
    for (uint32_t d = 1; d <= most && d <= worthwhile && d <= SLIDES_MOST; d++) {
        if (stretch->chosen[end + d - 1] != PLAIN)
            break;
        if (cost_of(fold, i + d, i + d + repeat->period, &cost))
            return -1;
        if (cost < least) {
            least = cost;
            *distance = d;
        }
    }
    return 0;
}

static int write_stretch(struct fold *fold, uint32_t begin, uint32_t end);

/* The loop that begins at `*place`; moves `*place` past it. */
static int write_loop(struct fold *fold, const struct stretch *stretch, uint32_t *place)
{
    uint32_t period = fold->repeats[stretch->chosen[*place]].period;
    uint32_t i = stretch->begin + *place, end = stretch->ends[*place], distance;
    size_t head;

    if (slide(fold, stretch, *place, &distance))
        return -1;
    for (uint32_t d = 0; d < distance; d++)
        if (add_item(fold, 0, fold->string[i + d]))
            return -1;
    head = fold->loops->n;
    if (add_item(fold, (end - *place) / period, 0) ||
        write_stretch(fold, i + distance, i + distance + period))
        return -1;
    fold->loops->items[head].value = (uint32_t)(fold->loops->n - head - 1);
    *place = end + distance;
    return 0;
}

static int write_stretch(struct fold *fold, uint32_t begin, uint32_t end)
{
    struct stretch stretch = {.begin = begin, .end = end};
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

int rc_fold(const uint32_t *string, uint32_t n, const struct rc_lce *lce,
            const struct rc_repeats *repeats, struct rc_loops *loops, struct rc_error *error)
{
    struct fold fold = {
        .string = string, .lce = lce, .repeats = repeats->at, .loops = loops, .error = error};
    int result = -1;

    fold.bodies = calloc((size_t)repeats->n + 1, sizeof *fold.bodies);
    fold.index = rc_repeat_index_create(repeats, n, error);
    fold.memo = rc_memo_create(error);
    if (!fold.bodies)
        rc_error_no_memory(error);
    if (fold.bodies && fold.index && fold.memo)
        result = write_stretch(&fold, 0, n);
    free(fold.bodies);
    rc_repeat_index_destroy(fold.index);
    rc_memo_destroy(fold.memo);
    return result;
}
