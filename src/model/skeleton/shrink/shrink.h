// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink.h - a loop tree made shorter by a ratio: which event groups remain, and how much. */
#ifndef RC_MODEL_SKELETON_SHRINK_SHRINK_H
#define RC_MODEL_SKELETON_SHRINK_SHRINK_H

#include "model/skeleton/shrink/loop_tree.h"

/* What becomes of the event group at a place. */
enum rc_shrunk_fate {
    RC_SHRUNK_WHOLE,   /* it is done */
    RC_SHRUNK_SMALL,   /* it is done for less than one, with smaller messages */
    RC_SHRUNK_DROPPED, /* only its computing remains */
    RC_SHRUNK_PROLOGUE /* no event group, but computing before a loop */
};

/* As in loops.h: a loop over the `value` items that follow, or (times 0) an event group. */
struct rc_shrunk_item {
    uint32_t times;
    uint32_t value; /* of a group: the item of the tree's loops; of a prologue: its number */
    enum rc_shrunk_fate fate;
    double share; /* how much of the group remains: its computing is multiplied by this */
    double size; /* its messages are multiplied by this; over 1 where they stand for dropped ones */
    size_t place; /* of a group: which one of the program it is, in the first iteration of the loops
                   * around it; of a loop: how many groups on those of the next iteration are */
    /* Of event groups: */
    double repeats;    /* in how many iterations of the loops around it it is done */
    uint32_t done_by;  /* the item of an equal group that does the computing of this one, which is
                      * dropped; RC_SHRUNK_NONE: it is done at its own place */
    uint32_t does_for; /* the first item whose computing this one does; RC_SHRUNK_NONE: of none */
    uint32_t next;     /* the next one that the same one does */
};

#define RC_SHRUNK_NONE UINT32_MAX

/* Whether an item is an event group: no loop, and no prologue. */
static inline bool rc_skeleton_shrunk_is_group(const struct rc_shrunk_item *item)
{
    return !item->times && item->fate != RC_SHRUNK_PROLOGUE;
}

struct rc_shrunk {
    struct rc_shrunk_item *items;
    size_t n;
};

/* Shrinks a loop tree down to 1/ratio of its length; ratio at least 1.  Sizes are over 1 only where
 * messages may be made longer, or are so long that their sends wait anyway.  Free `items` of the
 * shrunk tree. */
int rc_skeleton_shrink(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                       struct rc_shrunk *shrunk, struct rc_error *error);

/* The loop whose iterations make up most of the program: the item of the loop tree's loops, and how
 * many iterations it makes in all.  False where no loop takes at least half of the time.  `share`
 * is the part of the time that it takes. */
struct rc_skeleton_shrink_dominant {
    size_t item;
    double iterations;
    double share;
};
int rc_skeleton_shrink_dominant(const struct rc_loop_tree *tree,
                                struct rc_skeleton_shrink_dominant *dominant);

/* A ratio, at least 1, at which whole iterations of the dominant loop remain, so that nothing is
 * left over of them: the nearest one, if that is within an eighth, else the one given. */
double rc_skeleton_shrink_even(const struct rc_loop_tree *tree, double ratio);

/* How long the shortest good skeleton takes (section 4.5): RC_SHRINK_GOOD whole iterations of the
 * dominant loop, or all if it has fewer; 0 where there is none.  The paper asks for one, but large
 * errors were measured below four (docs/explanation/skeletons.md). */
enum { RC_SHRINK_GOOD = 4 };
double rc_skeleton_shrink_shortest(const struct rc_loop_tree *tree);

/* Whether a skeleton of so many seconds is shorter than that, by more than rounding makes of it. */
bool rc_skeleton_shrink_is_short(double seconds, double shortest);

#endif
