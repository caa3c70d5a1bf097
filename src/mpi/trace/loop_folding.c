// SPDX-License-Identifier: BSD-2-Clause
/* loop_folding.c - finds the loops of a string of calls while it grows.
 *
 * The calls stand in a row.  Whenever the end of the row is
 *   - a loop, followed by one more copy of its body: the loop has gone round once more;
 *   - twice the same string of nodes: both become a loop of two;
 * and since that changes the end of the row, the same is asked again: loops become parts of the
 * bodies of outer loops.  The times of what is folded away are added to those of its position in
 * the body.  Unfolding always gives the calls back in their order.
 *
 * To ask costs a constant time.  A node has an id, by which equal nodes are known, and the row has
 * hashes of all its beginnings (polynomials, as in R. M. Karp and M. O. Rabin, "Efficient
 * randomized pattern-matching algorithms", IBM Journal of Research and Development 31, 1987), so
 * that any two stretches are compared by four numbers.  (What they find is then compared node by
 * node: that takes as long as the nodes took to come, and makes the result exact.)
 *   - `due` has, for each place, the loops whose body would end there again.
 *   - A string of L nodes that is there twice ends both times in the same g nodes, g being the
 *     greatest power of 16 up to L.  Tables by the hash of the last g nodes, for each such g, lead
 *     to the places where they were before, latest first.  Two places of one string of g nodes are
 *     more than g/2 apart, since what they enclose would have been folded otherwise; so there are
 *     at most 32 of them among the last 16 g, and all lengths up to the window's are found.
 *
 * All but the last node of the row are put into a table when it is asked, and taken back in the
 * opposite order (tables are stacks).  In a program's main loop that is mostly the first one only,
 * where a loop has the same slot however often it has gone round: the others' slots are new with
 * each round, and so far from the processor, whose caches the program has filled. */
#include "mpi/trace/loop_folding.h"

#include <string.h>

#include "mpi/trace/call_table.h"

enum { CANDIDATES_MAX = 40, DUE_MAX = 8 };

static const uint64_t base = 0xd1342543de82ef95u;
static const uint32_t grams[RC_FOLD_LEVELS] = {1, 16, 256, 4096};

/* ---- memory ---- */

/* Takes `size` bytes off the front of what is left of `memory`, which may be NULL. */
static void *take(char *memory, size_t *used, size_t size)
{
    size_t place = *used;

    *used += (size + 63) & ~(size_t)63;
    return memory ? memory + place : NULL;
}

static void pool_init(struct rc_fold_pool *pool, uint32_t maximum, char *memory, size_t *used)
{
    *pool = (struct rc_fold_pool){.used = 1, .maximum = maximum + 1};
    pool->links = take(memory, used, sizeof *pool->links * pool->maximum);
}

static size_t divide_up(struct rc_trace_fold *fold, const struct rc_trace_limits *limits,
                        char *memory)
{
    size_t used = 0;

    fold->window = fold->longest = limits->window;
    fold->slot_bits = rc_trace_symbols_slot_bits(limits->window);
    fold->row = take(memory, &used, sizeof *fold->row * fold->window);
    fold->powers = take(memory, &used, sizeof *fold->powers * fold->window);
    fold->due = take(memory, &used, sizeof *fold->due * fold->window);
    for (int i = 0; i < RC_FOLD_LEVELS; i++)
        fold->slots[i] = take(memory, &used, sizeof **fold->slots << fold->slot_bits);
    pool_init(&fold->node_pool, limits->nodes, memory, &used);
    pool_init(&fold->sample_pool, limits->samples, memory, &used);
    pool_init(&fold->time_pool, limits->times, memory, &used);
    fold->nodes = take(memory, &used, sizeof *fold->nodes * fold->node_pool.maximum);
    fold->samples = take(memory, &used, sizeof *fold->samples * fold->sample_pool.maximum);
    fold->times = take(memory, &used, sizeof *fold->times * fold->time_pool.maximum);
    return used;
}

size_t rc_trace_fold_size(const struct rc_trace_limits *limits)
{
    struct rc_trace_fold fold;

    return divide_up(&fold, limits, NULL);
}

void rc_trace_fold_init(struct rc_trace_fold *fold, const struct rc_trace_limits *limits,
                        void *memory)
{
    memset(fold, 0, sizeof *fold);
    divide_up(fold, limits, memory);
    fold->powers[0] = 1;
    for (uint32_t i = 1; i < fold->window; i++)
        fold->powers[i] = fold->powers[i - 1] * base;
}

/* ---- the row and its tables ---- */

static uint64_t prefix(const struct rc_trace_fold *fold, uint32_t length)
{
    return length > 0 ? fold->row[length - 1].prefix : 0;
}

/* Hash of the `length` nodes before place `end`. */
static uint64_t stretch(const struct rc_trace_fold *fold, uint32_t end, uint32_t length)
{
    return prefix(fold, end) - prefix(fold, end - length) * fold->powers[length];
}

/* The same for equal calls, and for loops of the same body however often they have gone round. */
static uint64_t shape(const struct rc_fold_node *node)
{
    return node->depth > 0 ? node->loop.hash + node->loop.length : node->id;
}

static uint32_t *slot_of(const struct rc_trace_fold *fold, int level, uint32_t place)
{
    uint64_t hash = level == 0 ? shape(&fold->nodes[fold->row[place].node])
                               : stretch(fold, place + 1, grams[level]);

    return &fold->slots[level][hash * 0x9e3779b97f4a7c15u >> (64 - fold->slot_bits)];
}

/* Puts all places before `end` into a level's table. */
static void enter_to(struct rc_trace_fold *fold, int level, uint32_t end)
{
    for (uint32_t place = fold->entered[level]; place < end; place++) {
        uint32_t *slot;

        if (place + 1 < grams[level])
            continue;
        slot = slot_of(fold, level, place);
        fold->row[place].earlier[level] = *slot;
        *slot = place + 1;
    }
    fold->entered[level] = end;
}

/* Takes all but the places before `end` out of the tables. */
static void leave_to(struct rc_trace_fold *fold, uint32_t end)
{
    for (int level = 0; level < RC_FOLD_LEVELS; level++)
        while (fold->entered[level] > end) {
            uint32_t place = --fold->entered[level];

            if (place + 1 >= grams[level])
                *slot_of(fold, level, place) = fold->row[place].earlier[level];
        }
}

static void set_prefix(struct rc_trace_fold *fold, uint32_t place)
{
    fold->row[place].prefix = prefix(fold, place) * base + fold->nodes[fold->row[place].node].id;
}

/* Puts a node at the end. */
static void push(struct rc_trace_fold *fold, uint32_t node)
{
    struct rc_fold_entry *entry = &fold->row[fold->length];
    const struct rc_fold_node *it = &fold->nodes[node];
    uint32_t due = fold->length + (it->depth > 0 ? it->loop.length : 0);

    entry->node = node;
    set_prefix(fold, fold->length);
    if (it->depth > 0 && due < fold->window) {
        entry->due_next = fold->due[due];
        fold->due[due] = fold->length + 1;
    }
    fold->length++;
}

/* Takes nodes from the end, without freeing them, until `length` are left, of which the last may
 * change. */
static void pop_to(struct rc_trace_fold *fold, uint32_t length)
{
    leave_to(fold, length > 0 ? length - 1 : 0);
    while (fold->length > length) {
        const struct rc_fold_entry *entry = &fold->row[--fold->length];
        const struct rc_fold_node *it = &fold->nodes[entry->node];
        uint32_t due = fold->length + (it->depth > 0 ? it->loop.length : 0);

        if (it->depth > 0 && due < fold->window)
            fold->due[due] = entry->due_next;
    }
}

/* ---- folding ---- */

static uint64_t loop_id(const struct rc_fold_node *loop)
{
    return rc_trace_mix(loop->loop.hash + loop->count * 0xda942042e4dd58b5u + loop->loop.length);
}

/* The loop at `place` has gone round once more: what is behind it becomes part of it. */
static bool absorb(struct rc_trace_fold *fold, uint32_t place)
{
    struct rc_fold_node *loop = &fold->nodes[fold->row[place].node];
    uint32_t child = loop->loop.first, end = fold->length;

    if (stretch(fold, end, loop->loop.length) != loop->loop.hash)
        return false;
    for (uint32_t i = place + 1; i < end; i++, child = fold->nodes[child].next)
        if (!rc_trace_fold_node_same(fold, child, fold->row[i].node))
            return false;
    if (rc_trace_fold_node_needs_times(loop) > rc_trace_fold_pool_left(&fold->time_pool)) {
        fold->starved = end - place;
        return false;
    }
    pop_to(fold, place + 1);
    child = loop->loop.first;
    for (uint32_t i = place + 1; i < end; i++, child = fold->nodes[child].next)
        rc_trace_fold_node_merge(fold, child, fold->row[i].node);
    loop->count++;
    loop->id = loop_id(loop);
    set_prefix(fold, place);
    return true;
}

static bool absorb_any(struct rc_trace_fold *fold)
{
    uint32_t place = fold->due[fold->length - 1];

    for (int i = 0; i < DUE_MAX && place > 0; i++) {
        if (absorb(fold, place - 1))
            return true;
        place = fold->row[place - 1].due_next;
    }
    return false;
}

/* Whether the last 2 * length nodes can be made a loop: the same twice, and memory for its
 * times. */
static bool can_fold(struct rc_trace_fold *fold, uint32_t length)
{
    uint32_t second = fold->length - length, first = second - length, samples = 0, times = 0;

    for (uint32_t i = 0; i < length; i++) {
        const struct rc_fold_node *it = &fold->nodes[fold->row[first + i].node];

        if (!rc_trace_fold_node_same(fold, fold->row[first + i].node, fold->row[second + i].node) ||
            it->depth >= RC_FOLD_DEPTH_MAX)
            return false;
        samples += rc_trace_fold_node_needs_samples(it);
        times += rc_trace_fold_node_needs_times(it);
    }
    if (samples <= rc_trace_fold_pool_left(&fold->sample_pool) &&
        times <= rc_trace_fold_pool_left(&fold->time_pool))
        return true;
    fold->starved = 2 * length;
    return false;
}

/* Makes a loop of the last 2 * length nodes. */
static void fold_twice(struct rc_trace_fold *fold, uint32_t length)
{
    uint32_t second = fold->length - length, first = second - length, number;
    struct rc_fold_node loop = {.count = 2};

    loop.loop.hash = stretch(fold, second, length);
    loop.loop.length = length;
    loop.loop.first = fold->row[first].node;
    pop_to(fold, first);
    for (uint32_t i = first; i < second; i++) {
        struct rc_fold_node *it = &fold->nodes[fold->row[i].node];

        rc_trace_fold_node_merge(fold, fold->row[i].node, fold->row[i + length].node);
        it->next = i + 1 < second ? fold->row[i + 1].node : 0;
        loop.loop.positions += it->depth > 0 ? it->loop.positions : 1;
        loop.depth = it->depth + 1 > loop.depth ? it->depth + 1 : loop.depth;
    }
    loop.id = loop_id(&loop);
    number = rc_trace_fold_node_take(fold);
    fold->nodes[number] = loop;
    push(fold, number);
}

/* The shortest string that the row ends in twice becomes a loop. */
static bool fold_any(struct rc_trace_fold *fold)
{
    uint32_t last = fold->length - 1;

    for (int i = 0; i < RC_FOLD_LEVELS && 2 * grams[i] <= fold->length; i++) {
        uint32_t place, most = grams[i] * RC_FOLD_STEP;

        enter_to(fold, i, last);
        place = *slot_of(fold, i, last);
        /* What was not there before is not the end of anything longer that was. */
        if (place == 0)
            return false;
        for (int tries = 0; tries < CANDIDATES_MAX && place > 0; tries++) {
            uint32_t length = last - (place - 1);

            if (length >= most || length > fold->longest || 2 * length > fold->length)
                break;
            if (length >= grams[i] &&
                stretch(fold, last + 1, length) == stretch(fold, place, length)) {
                if (!can_fold(fold, length))
                    return false;
                fold_twice(fold, length);
                return true;
            }
            place = fold->row[place - 1].earlier[i];
        }
    }
    return false;
}

void rc_trace_fold_again(struct rc_trace_fold *fold)
{
    /* Only a want that nothing else could be done about counts. */
    do
        fold->starved = 0;
    while (fold->length > 1 && (absorb_any(fold) || fold_any(fold)));
}

/* Whether the call goes on with a loop of itself alone, which is then done: no node is needed. */
static bool goes_on(struct rc_trace_fold *fold, uint32_t symbol,
                    const struct rc_trace_sample *sample)
{
    struct rc_fold_node *loop = &fold->nodes[fold->row[fold->length - 1].node], *child;

    if (loop->depth != 1 || loop->loop.length != 1 ||
        rc_trace_fold_node_needs_times(loop) > rc_trace_fold_pool_left(&fold->time_pool))
        return false;
    child = &fold->nodes[loop->loop.first];
    if (child->call.symbol != symbol)
        return false;
    rc_trace_fold_node_add(fold, child, sample);
    loop->count++;
    loop->id = loop_id(loop);
    set_prefix(fold, fold->length - 1);
    return true;
}

void rc_trace_fold_add(struct rc_trace_fold *fold, uint32_t symbol, uint64_t hash,
                       const struct rc_trace_sample *sample)
{
    struct rc_fold_node *it;
    uint32_t node;

    if (fold->length == 0 || !goes_on(fold, symbol, sample)) {
        node = rc_trace_fold_node_take(fold);
        it = &fold->nodes[node];
        it->id = hash;
        it->depth = 0;
        it->count = 1;
        it->call.symbol = symbol;
        it->call.n = 1;
        it->call.one = *sample;
        push(fold, node);
    }
    rc_trace_fold_again(fold);
}

/* ---- freeing memory ---- */

uint32_t rc_trace_fold_cut(const struct rc_trace_fold *fold)
{
    uint32_t half = (fold->length + 1) / 2;

    /* A loop whose next round is under way had better stay, and with it all behind it. */
    for (uint32_t i = 0; i < half; i++) {
        const struct rc_fold_node *it = &fold->nodes[fold->row[i].node];

        if (it->depth > 0 && it->loop.length > fold->length - 1 - i)
            return i > fold->length / 8 ? i : half;
    }
    return half;
}

void rc_trace_fold_drop(struct rc_trace_fold *fold, uint32_t count)
{
    uint32_t length = fold->length;

    for (uint32_t i = 0; i < count; i++)
        rc_trace_fold_node_free(fold, fold->row[i].node);
    for (int i = 0; i < RC_FOLD_LEVELS; i++)
        memset(fold->slots[i], 0, sizeof **fold->slots << fold->slot_bits);
    memset(fold->due, 0, sizeof *fold->due * fold->window);
    memset(fold->entered, 0, sizeof fold->entered);
    fold->length = 0;
    for (uint32_t i = count; i < length; i++)
        push(fold, fold->row[i].node);
}
