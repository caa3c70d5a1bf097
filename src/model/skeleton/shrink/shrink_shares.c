// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink_shares.c - what becomes of event groups of which less than one is left.
 *
 * Section 4.3 of the paper makes one of K equal operations, and scales the rest down.  Then there
 * is a call more for each operation of which something is left over, which is a lot where a program
 * has few of them; and what was computed while a message was under way is computed elsewhere.
 * Here,
 *
 * 1. of equal event groups as many are done as their shares come to, at the places where the sum of
 *    these passes whole numbers;
 * 2. for what is then left over one more is done or not, by what brings the number of calls of each
 *    kind closest to what it should be, first with what comes before in the program, and then again
 *    with all the rest.  It is always done where it is the only one, with messages long enough for
 *    their size to matter;
 * 3. where it is done, such messages are made smaller; where it is not, those of equal event groups
 *    are made longer by as much: by time or, if then too many or too few bytes are left between any
 *    two ranks, by bytes (shrink_bytes.c);
 * 4. computing of event groups that are dropped is done in equal event groups, call by call, so
 *    that what went on while messages were under way still does.  If there is none, it is done at
 *    its own place. */
#include "model/skeleton/shrink/shrink_bytes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

/* Equal event groups. */
struct equals {
    double shares;  /* what those come to of which less than one is left */
    double rest;    /* what is left over of that */
    double sum;     /* of the shares so far, from where the first is done */
    double limit;   /* how many are done */
    double done;    /* so far */
    double longest; /* bytes of the longest message of one */
    uint32_t kept;  /* the item that is done in most iterations, as it was; RC_SHRUNK_NONE: none */
    uint32_t partial; /* the first item of which less than one is left; RC_SHRUNK_NONE: none */
    uint32_t dropped; /* the first of those that no other does yet; they are linked */
    uint32_t last;    /* the latest of them that is done */
    uint32_t sized;   /* the item whose messages are smaller or longer; RC_SHRUNK_NONE: none */
    bool is_one_more; /* one is done for what is left over */
};

struct deciding {
    const struct rc_loop_tree *tree;
    struct rc_shrunk *shrunk;
    struct equals *equals;               /* by symbol */
    double all[RC_TRACE_KIND_COUNT];     /* calls of each kind in the program */
    double missing[RC_TRACE_KIND_COUNT]; /* calls that were dropped, less those done for shares */
    double few;                          /* so many calls of a kind are too few to be got right */
    bool may_lengthen;                   /* messages may be made longer */
};

/* A kind of which a rank makes fewer calls than this, times the ratio, cannot be got right within
 * 5 %: half a call more or less is as much. */
static const double few_calls = 10;

/* Decisions settle within a few rounds; they are not looked at again after so many. */
enum { rounds_most = 8 };

static bool is_partial(const struct rc_shrunk_item *item)
{
    return rc_skeleton_shrunk_is_group(item) && item->share < 1 - 1e-9;
}

static struct equals *equals_of(const struct deciding *deciding, const struct rc_shrunk_item *item)
{
    return deciding->equals + deciding->tree->leaves[item->value].symbol;
}

static const struct rc_trace_call *recorded(const struct rc_loop_tree *tree,
                                            const struct rc_loop_tree_call *call)
{
    return rc_skeleton_program_call(tree->program->rank + call->rank, call->event);
}

/* ---- looking through the shrunk tree ---- */

static double longest_message(const struct rc_loop_tree *tree, const struct rc_loop_tree_leaf *leaf)
{
    double longest = 0;

    for (uint32_t i = 0; i < leaf->n_calls; i++)
        longest =
            fmax(longest, fmax(tree->calls[leaf->first + i].out, tree->calls[leaf->first + i].in));
    return longest;
}

static void look_at_group(struct deciding *deciding, uint32_t number, double repeats)
{
    struct rc_shrunk_item *item = deciding->shrunk->items + number;
    const struct rc_loop_tree_leaf *leaf = deciding->tree->leaves + item->value;
    struct equals *equals = equals_of(deciding, item);

    item->repeats = repeats;
    if (equals->kept == RC_SHRUNK_NONE && equals->partial == RC_SHRUNK_NONE)
        equals->longest = longest_message(deciding->tree, leaf);
    if (!is_partial(item)) {
        if (equals->kept == RC_SHRUNK_NONE ||
            repeats > deciding->shrunk->items[equals->kept].repeats)
            equals->kept = number;
        return;
    }
    if (equals->partial == RC_SHRUNK_NONE)
        equals->partial = number;
    equals->shares += item->share;
}

static void look_at(struct deciding *deciding, size_t begin, size_t end, double repeats)
{
    const struct rc_shrunk_item *items = deciding->shrunk->items;

    for (size_t i = begin; i < end; i++) {
        if (items[i].times) {
            look_at(deciding, i + 1, i + 1 + items[i].value, repeats * items[i].times);
            i += items[i].value;
        } else if (rc_skeleton_shrunk_is_group(items + i)) {
            look_at_group(deciding, (uint32_t)i, repeats);
        }
    }
}

static void count_calls(struct deciding *deciding)
{
    for (size_t i = 0; i < deciding->tree->n_calls; i++) {
        const struct rc_loop_tree_call *call = deciding->tree->calls + i;

        deciding->all[recorded(deciding->tree, call)->kind] += call->n;
    }
}

/* ---- how many of equal event groups are done ---- */

/* Adds so many times the calls of an event group to what is missing. */
static void miss(struct deciding *deciding, const struct rc_loop_tree_leaf *leaf, double times)
{
    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_loop_tree_call *call = deciding->tree->calls + leaf->first + i;

        deciding->missing[recorded(deciding->tree, call)->kind] += times;
    }
}

/* How far the numbers of the kinds of calls of an event group are off: squares of parts of all of a
 * kind, for each call of the event group. */
static double distance(const struct deciding *deciding, const struct rc_loop_tree_leaf *leaf)
{
    double sum = 0;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        unsigned kind = recorded(deciding->tree, deciding->tree->calls + leaf->first + i)->kind;
        double part = deciding->missing[kind] / fmax(deciding->all[kind], deciding->few);

        sum += part * part;
    }
    return sum;
}

/* Whether one more is done for what is left over; what is missing is brought up to date. */
static bool is_one_more(struct deciding *deciding, const struct rc_loop_tree_leaf *leaf,
                        double rest)
{
    double dropped;

    miss(deciding, leaf, rest);
    dropped = distance(deciding, leaf);
    miss(deciding, leaf, -1);
    if (distance(deciding, leaf) <= dropped)
        return true;
    miss(deciding, leaf, 1);
    return false;
}

/* The part of the length of a message that takes so much less time, where `latency` is how many
 * bytes could be sent in that; nothing or less: no message does. */
static double smaller_size(double bytes, double share, double latency)
{
    return bytes > 0 ? (share * bytes - (1 - share) * latency) / bytes : 0;
}

/* By what part a message is longer that takes so much more time.  Where messages are made smaller
 * in as many places as others are made longer, bytes stay the same in all. */
static double additional_size(double bytes, double share, double latency)
{
    return share * (bytes + latency) / bytes;
}

static bool is_long(const struct equals *equals)
{
    return smaller_size(equals->longest, equals->rest, RC_LOOP_TREE_HALF_SPEED) > 0;
}

/* Whether one must be done: it is the only one, with messages that take time. */
static bool is_needed(const struct equals *equals)
{
    return equals->shares + 1e-9 < 1 && equals->kept == RC_SHRUNK_NONE && is_long(equals);
}

/* The first round is for what must be done, the second for what may be. */
static void decide_rest(struct deciding *deciding, struct equals *equals, bool first_round)
{
    const struct rc_loop_tree_leaf *leaf =
        deciding->tree->leaves + deciding->shrunk->items[equals->partial].value;

    if (equals->is_one_more || first_round != is_needed(equals))
        return;
    if (first_round)
        miss(deciding, leaf, equals->rest - 1);
    equals->is_one_more = first_round || is_one_more(deciding, leaf, equals->rest);
    if (!equals->is_one_more)
        return;
    equals->limit++;
    equals->sum = 1 - equals->rest;
}

static void decide_rests(struct deciding *deciding, bool first_round)
{
    for (size_t i = 0; i < deciding->shrunk->n; i++) {
        const struct rc_shrunk_item *item = deciding->shrunk->items + i;
        struct equals *equals;

        if (!is_partial(item) || (equals = equals_of(deciding, item))->partial != i)
            continue;
        if (first_round) {
            equals->limit = floor(equals->shares + 1e-9);
            equals->rest = fmax(equals->shares - equals->limit, 0);
        }
        if (equals->rest > 1e-9)
            decide_rest(deciding, equals, first_round);
    }
}

/* Whether one more is done of some event group, or is not any longer, now that it is known what
 * comes after it. */
static bool decide_again(struct deciding *deciding)
{
    bool changed = false;

    for (size_t i = 0; i < deciding->shrunk->n; i++) {
        const struct rc_shrunk_item *item = deciding->shrunk->items + i;
        struct equals *equals;
        bool was;

        if (!is_partial(item) || (equals = equals_of(deciding, item))->partial != i ||
            equals->rest <= 1e-9 || is_needed(equals))
            continue;
        was = equals->is_one_more;
        equals->limit -= was;
        equals->sum = 0;
        equals->is_one_more = false;
        miss(deciding, deciding->tree->leaves + item->value, (was ? 1 : 0) - equals->rest);
        decide_rest(deciding, equals, false);
        changed = changed || equals->is_one_more != was;
    }
    return changed;
}

/* ---- at which places ---- */

static void hand_over(struct deciding *deciding, struct equals *equals, uint32_t to)
{
    struct rc_shrunk_item *items = deciding->shrunk->items;
    uint32_t item, next;

    for (item = equals->dropped; item != RC_SHRUNK_NONE; item = next) {
        next = items[item].next;
        items[item].done_by = to;
        items[item].next = items[to].does_for;
        items[to].does_for = item;
    }
    equals->dropped = RC_SHRUNK_NONE;
}

/* One is done where the sum of shares passes a whole number; the first, if it stands for what is
 * left over, is made smaller. */
static void decide_group(struct deciding *deciding, uint32_t number)
{
    struct rc_shrunk_item *item = deciding->shrunk->items + number;
    struct equals *equals = equals_of(deciding, item);

    equals->sum += item->share;
    if (equals->sum < 1 - 1e-9 || equals->done >= equals->limit) {
        item->fate = RC_SHRUNK_DROPPED;
        item->next = equals->dropped;
        equals->dropped = number;
        return;
    }
    equals->sum -= 1;
    if (equals->done++ == 0 && equals->is_one_more && is_long(equals)) {
        item->fate = RC_SHRUNK_SMALL;
        equals->sized = number;
    }
    hand_over(deciding, equals, number);
    equals->last = number;
}

/* What comes after the last one that was done. */
static void settle(struct deciding *deciding, struct equals *equals)
{
    uint32_t to = equals->kept != RC_SHRUNK_NONE ? equals->kept : equals->last;

    if (to == RC_SHRUNK_NONE) {
        for (uint32_t i = equals->dropped, next; i != RC_SHRUNK_NONE; i = next) {
            next = deciding->shrunk->items[i].next;
            deciding->shrunk->items[i].next = RC_SHRUNK_NONE;
        }
        return;
    }
    hand_over(deciding, equals, to);
    if (equals->rest > 1e-9 && !equals->is_one_more && is_long(equals))
        equals->sized = to;
}

/* ---- how long their messages are ---- */

static void set_sizes(struct deciding *deciding, double latency)
{
    for (uint32_t s = 0; s < deciding->tree->n_symbols; s++) {
        const struct equals *equals = deciding->equals + s;
        struct rc_shrunk_item *item;

        if (equals->sized == RC_SHRUNK_NONE)
            continue;
        item = deciding->shrunk->items + equals->sized;
        item->size =
            equals->is_one_more
                ? smaller_size(equals->longest, equals->rest, latency)
                : 1 + additional_size(equals->longest, equals->rest, latency) / item->repeats;
        if (!deciding->may_lengthen &&
            !rc_skeleton_shrink_waits(deciding->tree, deciding->tree->leaves + item->value))
            item->size = fmin(item->size, 1);
    }
}

/* So much may the bytes between two ranks be off for the sake of time. */
static const double bytes_off = 0.01;

static int decide_sizes(struct deciding *deciding, struct rc_error *error)
{
    struct rc_shrunk_bytes *bytes =
        rc_skeleton_shrink_bytes_create(deciding->tree, deciding->shrunk, deciding->may_lengthen,
                                        error);

    if (!bytes)
        return -1;
    set_sizes(deciding, RC_LOOP_TREE_HALF_SPEED);
    if (rc_skeleton_shrink_bytes_off(bytes) > bytes_off) {
        set_sizes(deciding, 0);
        if (rc_skeleton_shrink_bytes_off(bytes) > bytes_off)
            rc_skeleton_shrink_bytes_mend(bytes);
    }
    rc_skeleton_shrink_bytes_destroy(bytes);
    return 0;
}

int rc_skeleton_shrink_decide(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                              struct rc_shrunk *shrunk, struct rc_error *error)
{
    struct deciding deciding = {.tree = tree,
                                .shrunk = shrunk,
                                .few = few_calls * ratio * tree->program->ranks,
                                .may_lengthen = may_lengthen};
    int result;

    deciding.equals = malloc((tree->n_symbols + 1) * sizeof *deciding.equals);
    if (!deciding.equals)
        return rc_error_no_memory(error);
    for (uint32_t s = 0; s < tree->n_symbols; s++)
        deciding.equals[s] = (struct equals){.kept = RC_SHRUNK_NONE,
                                             .partial = RC_SHRUNK_NONE,
                                             .dropped = RC_SHRUNK_NONE,
                                             .last = RC_SHRUNK_NONE,
                                             .sized = RC_SHRUNK_NONE};
    look_at(&deciding, 0, shrunk->n, 1);
    count_calls(&deciding);
    decide_rests(&deciding, true);
    decide_rests(&deciding, false);
    for (int round = 0; round < rounds_most && decide_again(&deciding); round++)
        ;
    for (size_t i = 0; i < shrunk->n; i++)
        if (is_partial(shrunk->items + i))
            decide_group(&deciding, (uint32_t)i);
    for (uint32_t s = 0; s < tree->n_symbols; s++)
        if (deciding.equals[s].partial != RC_SHRUNK_NONE)
            settle(&deciding, deciding.equals + s);
    result = decide_sizes(&deciding, error);
    free(deciding.equals);
    return result;
}
