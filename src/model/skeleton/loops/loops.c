// SPDX-License-Identifier: GPL-3.0-or-later
/* loops.c - a string of symbols as nested loops.
 *
 * After Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", section 4.2.  Their Table 1
 * takes the longest repeated substring first, in O(N^3); that doubles loops (60 iterations of a
 * body are 30 of two bodies) and never looks into bodies, so it does not give the signatures that
 * the paper prints.  Here instead:
 *
 * 1. All maximal repetitions of the string are found (repeats.c).  Every loop of every folding lies
 *    in one, and each has its smallest period, so that no loop is doubled.
 * 2. Which of them become loops, and where they begin, is chosen for the fewest symbols, by dynamic
 *    programming over the places of the string and again within the bodies (loop_choice.c).
 * 3. Both ask fingerprints (string_hash.c), which err so rarely that nobody will see it; all the
 *    same the result is compared with the string, and found anew with other fingerprints if it
 *    differs. */
#include "model/skeleton/loops/loops.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/loops/repeats.h"

enum { ATTEMPTS = 4, DEEPEST = 32 }; /* a body is at most half as long as what it is in */

void rc_skeleton_loops_free(struct rc_loops *loops)
{
    free(loops->items);
    *loops = (struct rc_loops){0};
}

/* ---- walking through the string that the items stand for ---- */

struct walk {
    const struct rc_loops_item *items;
    size_t n;
    size_t at; /* the item to look at next */
    size_t depth;
    struct {
        size_t begin, end; /* of the body */
        uint32_t left;     /* times to go, after this one */
    } loops[DEEPEST];
};

/* The next item that is a symbol; n after the last, and also where loops are too deep. */
static size_t step(struct walk *walk)
{
    for (;;) {
        while (walk->depth && walk->at == walk->loops[walk->depth - 1].end) {
            if (walk->loops[walk->depth - 1].left-- > 0)
                walk->at = walk->loops[walk->depth - 1].begin;
            else
                walk->depth--;
        }
        if (walk->at >= walk->n)
            return walk->n;
        if (!walk->items[walk->at].times)
            return walk->at++;
        if (walk->depth == DEEPEST)
            return walk->n;
        walk->loops[walk->depth].begin = walk->at + 1;
        walk->loops[walk->depth].end = walk->at + 1 + walk->items[walk->at].value;
        walk->loops[walk->depth++].left = walk->items[walk->at++].times - 1;
    }
}

static int expands_to(const struct rc_loops *loops, const uint32_t *string, size_t n)
{
    struct walk walk = {.items = loops->items, .n = loops->n};

    for (size_t i = 0; i < n; i++) {
        size_t item = step(&walk);

        if (item == loops->n || loops->items[item].value != string[i])
            return 0;
    }
    return step(&walk) == loops->n;
}

void rc_skeleton_loops_places(const struct rc_loops *loops, uint32_t *places)
{
    struct walk walk = {.items = loops->items, .n = loops->n};

    for (size_t i = 0; i < loops->length; i++)
        places[i] = (uint32_t)step(&walk);
}

/* ---- finding ---- */

static int attempt(const uint32_t *string, uint32_t n, uint64_t seed, struct rc_loops *loops,
                   struct rc_error *error)
{
    struct rc_string_hash *hash = rc_skeleton_string_hash_create(string, n, seed, error);
    struct rc_repeats repeats = {0};
    int result = -1;

    if (hash && !rc_skeleton_repeats_find(string, n, hash, &repeats, error))
        result = rc_skeleton_fold(string, n, hash, &repeats, loops, error);
    free(repeats.at);
    rc_skeleton_string_hash_destroy(hash);
    return result;
}

int rc_skeleton_loops_find(const uint32_t *string, size_t n, struct rc_loops *loops,
                           struct rc_error *error)
{
    *loops = (struct rc_loops){0};
    if (n > RC_LOOPS_LONGEST)
        return rc_error_set(error, "cannot find loops: %zu symbols are too many", n);
    for (uint64_t seed = 1; seed <= ATTEMPTS; seed++) {
        loops->length = n;
        if (attempt(string, (uint32_t)n, seed, loops, error)) {
            rc_skeleton_loops_free(loops);
            return -1;
        }
        if (expands_to(loops, string, n))
            return 0;
        rc_skeleton_loops_free(loops);
    }
    return rc_error_set(error, "the loops that were found do not expand to the string");
}

/* ---- looking at them ---- */

size_t rc_skeleton_loops_length(const struct rc_loops_item *items, size_t begin, size_t end)
{
    size_t length = 0;

    for (size_t i = begin; i < end; i++) {
        if (!items[i].times) {
            length++;
            continue;
        }
        length += items[i].times * rc_skeleton_loops_length(items, i + 1, i + 1 + items[i].value);
        i += items[i].value;
    }
    return length;
}

double rc_skeleton_loops_compression(const struct rc_loops *loops)
{
    return loops->symbols ? (double)loops->length / (double)loops->symbols : 1;
}
