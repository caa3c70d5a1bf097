// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_tree_prologues.c - what ranks compute before the loops of a loop tree.
 *
 * A rank computes before a loop where the computing before its first call in there takes longer in
 * the first iteration than in the others.  Only a call that stands in the loop itself, and not in
 * one inside of it, is looked at. */
#include "model/skeleton/shrink/loop_tree.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* By how much of the others the first one must be longer. */
static const double longer_part = 0.1;

struct search {
    struct rc_loop_tree *tree;
    const struct rc_loop_tree_opening *openings;
    bool *seen; /* by rank: its first call in the loop was met */
    size_t room;
    struct rc_error *error;
};

/* ---- first iterations ---- */

static size_t mark(const struct rc_loops_item *items, size_t n, bool is_first, bool *first,
                   size_t at)
{
    for (size_t i = 0; i < n; i++) {
        if (!items[i].times) {
            first[at++] = is_first;
            continue;
        }
        for (uint32_t round = 0; round < items[i].times; round++)
            at = mark(items + i + 1, items[i].value, round == 0, first, at);
        i += items[i].value;
    }
    return at;
}

void rc_skeleton_loop_tree_first_iterations(const struct rc_loops *loops, bool *first)
{
    mark(loops->items, loops->n, false, first, 0);
}

/* ---- prologues ---- */

static int add_prologue(struct search *search, size_t loop, struct rc_loop_tree_call *call)
{
    struct rc_loop_tree *tree = search->tree;
    const struct rc_loop_tree_opening *opening = search->openings + (call - tree->calls);
    double others, longer;

    if (opening->n <= 0 || call->n <= opening->n)
        return 0;
    others = (call->work - opening->work) / (call->n - opening->n);
    longer = opening->work / opening->n - others;
    if (longer <= longer_part * others)
        return 0;
    if (rc_array_room(&tree->prologues, tree->n_prologues + 1, &search->room,
                      sizeof *tree->prologues, search->error))
        return -1;
    tree->prologues[tree->n_prologues++] = (struct rc_loop_tree_prologue){
        .loop = loop, .rank = call->rank, .event = opening->event, .work = longer};
    call->work = others * call->n;
    return 0;
}

/* The ranks that take part in a loop inside of the one that is looked at. */
static void see_ranks(struct search *search, size_t begin, size_t end)
{
    const struct rc_loop_tree *tree = search->tree;

    for (size_t i = begin; i < end; i++)
        for (uint32_t c = 0; c < tree->leaves[i].n_calls; c++)
            search->seen[tree->calls[tree->leaves[i].first + c].rank] = true;
}

static int search_body(struct search *search, size_t loop)
{
    struct rc_loop_tree *tree = search->tree;
    const struct rc_loops_item *items = tree->loops.items;

    for (uint32_t r = 0; r < tree->program->ranks; r++)
        search->seen[r] = false;
    for (size_t i = loop + 1; i <= loop + items[loop].value; i++) {
        if (items[i].times) {
            see_ranks(search, i + 1, i + 1 + items[i].value);
            i += items[i].value;
            continue;
        }
        for (uint32_t c = 0; c < tree->leaves[i].n_calls; c++) {
            struct rc_loop_tree_call *call = tree->calls + tree->leaves[i].first + c;

            if (!search->seen[call->rank] && add_prologue(search, loop, call))
                return -1;
            search->seen[call->rank] = true;
        }
    }
    return 0;
}

int rc_skeleton_loop_tree_find_prologues(struct rc_loop_tree *tree,
                                         const struct rc_loop_tree_opening *openings,
                                         struct rc_error *error)
{
    struct search search = {.tree = tree, .openings = openings, .error = error};
    int result = 0;

    search.seen = calloc(tree->program->ranks + (size_t)1, sizeof *search.seen);
    if (!search.seen)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < tree->loops.n && !result; i++)
        if (tree->loops.items[i].times)
            result = search_body(&search, i);
    free(search.seen);
    return result;
}

size_t rc_skeleton_loop_tree_prologues_of(const struct rc_loop_tree *tree, size_t loop)
{
    size_t low = 0, high = tree->n_prologues;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (tree->prologues[middle].loop < loop)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
