// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink.c - from a loop tree to a shorter one.
 *
 * After Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", section 4.3: the iterations
 * of loops are divided by the ratio K; of what is left over, K equal operations anywhere become
 * one; the rest is scaled down.  Three things are done otherwise.
 *
 * 1. A loop with fewer than K iterations is not unrolled: c iterations by K are one iteration by
 *    K / c, which goes on into the loops of its body.  In the same way the remainder of a division
 *    is one iteration by K / remainder.  Nothing is unrolled, and a program stays as short as its
 *    form.
 * 2. What is left with a share of less than one is done, made smaller or dropped so that all kinds
 *    of calls, all bytes and all computing keep their numbers (shrink_shares.c).
 * 3. A share that is left over becomes a smaller message only as far as its size matters.  A
 *    message of B bytes takes as long as L + B / bandwidth; a share s of that is what a message of
 *    s B - (1 - s) h bytes takes, where h is how many bytes could be sent in the latency.
 *    The paper scales the bytes alone, and so has too much latency (it says so). */
#include "model/skeleton/shrink/shrink.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/shrink/shrink_bytes.h"

struct shrinking {
    const struct rc_loop_tree *tree;
    struct rc_shrunk *shrunk;
    size_t room;
    struct rc_error *error;
};

static struct rc_shrunk_item *add_item(struct shrinking *shrinking)
{
    struct rc_shrunk *shrunk = shrinking->shrunk;

    if (rc_array_room(&shrunk->items, shrunk->n + 1, &shrinking->room, sizeof *shrunk->items,
                      shrinking->error))
        return NULL;
    return shrunk->items + shrunk->n++;
}

static int add_group(struct shrinking *shrinking, size_t item, size_t place, double share)
{
    struct rc_shrunk_item *group = add_item(shrinking);

    if (!group)
        return -1;
    *group = (struct rc_shrunk_item){.value = (uint32_t)item,
                                     .share = share,
                                     .size = 1,
                                     .place = place,
                                     .done_by = RC_SHRUNK_NONE,
                                     .does_for = RC_SHRUNK_NONE,
                                     .next = RC_SHRUNK_NONE,
                                     .repeats = 1};
    return 0;
}

/* ---- dividing ---- */

/* Items of the loop tree. */
struct stretch {
    size_t begin, end;
    size_t place; /* of the first group in them: those of an iteration come after all before it */
};

static int divide(struct shrinking *shrinking, struct stretch stretch, double ratio);

/* A loop of `times` iterations of a body that stays as it is. */
static int keep_loop(struct shrinking *shrinking, struct stretch body, double times, size_t length)
{
    size_t loop = shrinking->shrunk->n;
    struct rc_shrunk_item *item;

    if (times < 1)
        return 0;
    if (times < 2)
        return divide(shrinking, body, 1);
    item = add_item(shrinking);
    if (!item)
        return -1;
    *item = (struct rc_shrunk_item){.times = (uint32_t)times, .place = length};
    if (divide(shrinking, body, 1))
        return -1;
    shrinking->shrunk->items[loop].value = (uint32_t)(shrinking->shrunk->n - loop - 1);
    return 0;
}

/* What is computed before a loop, however many of its iterations are left. */
static int add_prologues(struct shrinking *shrinking, size_t loop, double share)
{
    const struct rc_loop_tree *tree = shrinking->tree;

    for (size_t i = rc_skeleton_loop_tree_prologues_of(tree, loop);
         i < tree->n_prologues && tree->prologues[i].loop == loop; i++) {
        if (add_group(shrinking, i, 0, share))
            return -1;
        shrinking->shrunk->items[shrinking->shrunk->n - 1].fate = RC_SHRUNK_PROLOGUE;
    }
    return 0;
}

/* What is kept are the first iterations, and what is kept in part is the one after these. */
static int divide_loop(struct shrinking *shrinking, size_t loop, struct stretch body, size_t length,
                       double ratio)
{
    double iterations = shrinking->tree->loops.items[loop].times / ratio;
    double whole = floor(iterations + 1e-9), rest = iterations - whole;

    if (add_prologues(shrinking, loop, 1 / ratio) || keep_loop(shrinking, body, whole, length))
        return -1;
    body.place += (size_t)whole * length;
    return rest > 1e-9 ? divide(shrinking, body, 1 / rest) : 0;
}

static int divide(struct shrinking *shrinking, struct stretch stretch, double ratio)
{
    const struct rc_loops_item *items = shrinking->tree->loops.items;

    for (size_t i = stretch.begin; i < stretch.end; i++) {
        struct stretch body = {i + 1, i + 1 + items[i].value, stretch.place};
        size_t length;

        if (!items[i].times) {
            if (add_group(shrinking, i, stretch.place++, 1 / ratio))
                return -1;
            continue;
        }
        length = rc_skeleton_loops_length(items, body.begin, body.end);
        if (divide_loop(shrinking, i, body, length, ratio))
            return -1;
        stretch.place += items[i].times * length;
        i += items[i].value;
    }
    return 0;
}

int rc_skeleton_shrink(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                       struct rc_shrunk *shrunk, struct rc_error *error)
{
    struct shrinking shrinking = {.tree = tree, .shrunk = shrunk, .error = error};
    int result;

    *shrunk = (struct rc_shrunk){0};
    result = divide(&shrinking, (struct stretch){.end = tree->loops.n}, fmax(ratio, 1)) ||
                     rc_skeleton_shrink_decide(tree, ratio, may_lengthen, shrunk, error)
                 ? -1
                 : 0;
    if (!result)
        return 0;
    free(shrunk->items);
    *shrunk = (struct rc_shrunk){0};
    return -1;
}

/* ---- the shortest good one ---- */

/* A loop counts where it takes this part of what it is looked for in. */
static const double dominant_part = 0.8;

/* The loop that takes most of the time of some items, or `end`; and which part of it. */
static size_t largest_loop(const struct rc_loop_tree *tree, size_t begin, size_t end, double *part)
{
    const struct rc_loops_item *items = tree->loops.items;
    double all = rc_skeleton_loop_tree_seconds(tree, begin, end), most = 0;
    size_t largest = end;

    for (size_t i = begin; i < end; i++) {
        double seconds;

        if (!items[i].times)
            continue;
        seconds =
            items[i].times * rc_skeleton_loop_tree_seconds(tree, i + 1, i + 1 + items[i].value);
        if (seconds > most) {
            most = seconds;
            largest = i;
        }
        i += items[i].value;
    }
    *part = all > 0 ? most / all : 0;
    return largest;
}

/* Goes down into a loop as long as one loop makes up nearly all of its body. */
int rc_skeleton_shrink_dominant(const struct rc_loop_tree *tree,
                                struct rc_skeleton_shrink_dominant *dominant)
{
    const struct rc_loops_item *items = tree->loops.items;
    size_t end = tree->loops.n, loop;
    double part;

    loop = largest_loop(tree, 0, end, &part);
    if (loop == end || part < 0.5)
        return 0;
    *dominant = (struct rc_skeleton_shrink_dominant){.item = loop, .iterations = 1, .share = part};
    for (;;) {
        dominant->item = loop;
        dominant->iterations *= items[loop].times;
        end = loop + 1 + items[loop].value;
        loop = largest_loop(tree, loop + 1, end, &part);
        if (loop == end || part < dominant_part)
            return 1;
        dominant->share *= part;
    }
}

double rc_skeleton_shrink_even(const struct rc_loop_tree *tree, double ratio)
{
    static const double near = 0.125; /* so that it always is where four or more remain */
    struct rc_skeleton_shrink_dominant dominant;
    double left, whole;

    if (!rc_skeleton_shrink_dominant(tree, &dominant))
        return ratio;
    left = dominant.iterations / ratio;
    whole = fmin(round(left), dominant.iterations);
    return whole >= 1 && fabs(left / whole - 1) <= near ? dominant.iterations / whole : ratio;
}

bool rc_skeleton_shrink_is_short(double seconds, double shortest)
{
    return seconds < (1 - 1e-9) * shortest;
}

double rc_skeleton_shrink_shortest(const struct rc_loop_tree *tree)
{
    struct rc_skeleton_shrink_dominant dominant;

    if (!rc_skeleton_shrink_dominant(tree, &dominant))
        return 0;
    return tree->program->seconds * fmin(1, RC_SHRINK_GOOD / dominant.iterations);
}
