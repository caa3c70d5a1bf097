// SPDX-License-Identifier: GPL-3.0-or-later
/* cut.h - a form made shorter by a ratio: which acts remain, and how much of them. */
#ifndef RC_MODEL_SKELETON_SHRINK_CUT_H
#define RC_MODEL_SKELETON_SHRINK_CUT_H

#include "model/skeleton/shrink/form.h"

/* What becomes of the act at a place. */
enum rc_cut_fate {
    RC_CUT_WHOLE,   /* it is done */
    RC_CUT_SMALL,   /* it is done for less than one, with smaller messages */
    RC_CUT_DROPPED, /* only its computing remains */
    RC_CUT_ENTRY    /* no act, but computing before a loop */
};

/* As in loops.h: a loop over the `value` items that follow, or (times 0) an act. */
struct rc_cut_item {
    uint32_t times;
    uint32_t value; /* of an act: the item of the form's loops where it stands; of an entry: which
                     * of the form's */
    enum rc_cut_fate fate;
    double share; /* how much of the act is meant to remain: its computing is multiplied by this */
    double size; /* its messages are multiplied by this; over 1 where they stand for dropped ones */
    size_t place; /* of an act: which one of the program it is, in the first iteration of the loops
                   * of the cut around it; of a loop: how many acts on the next iteration's are */
    /* Of acts: */
    double repeats;  /* in how many iterations of the loops of the cut around it it is done */
    uint32_t heir;   /* the item of an equal act that does the computing of this one, which is
                      * dropped; RC_CUT_NONE: it is done at its own place */
    uint32_t legacy; /* the first item of which this one is the heir; RC_CUT_NONE: of none */
    uint32_t next;   /* the next one with the same heir */
};

#define RC_CUT_NONE UINT32_MAX

static inline bool rc_skeleton_cut_is_act(const struct rc_cut_item *item)
{
    return !item->times && item->fate != RC_CUT_ENTRY;
}

struct rc_cut {
    struct rc_cut_item *items;
    size_t n;
};

/* Cuts a form down to 1/ratio of its length; ratio at least 1.  Sizes are over 1 only where
 * messages may be made longer, or are so long that their sends wait anyway.  Free `items` of the cut. */
int rc_skeleton_cut_make(const struct rc_form *form, double ratio, bool may_lengthen,
                         struct rc_cut *cut, struct rc_error *error);

/* The loop whose iterations make up most of the program: the item of the form's loops, and how many
 * iterations it makes in all.  False where no loop takes at least half of the time.  `share` is the
 * part of the time that it takes. */
struct rc_skeleton_cut_dominant {
    size_t item;
    double iterations;
    double share;
};
int rc_skeleton_cut_dominant(const struct rc_form *form, struct rc_skeleton_cut_dominant *dominant);

/* A ratio, at least 1, at which whole iterations of the dominant loop remain, so that nothing is
 * left over of them: the nearest one, if that is within an eighth, else the one given. */
double rc_skeleton_cut_even(const struct rc_form *form, double ratio);

/* How long the shortest good skeleton takes (section 4.5): RC_CUT_GOOD whole iterations of the
 * dominant loop, or all if it has fewer; 0 where there is none.  The paper asks for one, but large
 * errors were measured below four (docs/skeleton.md). */
enum { RC_CUT_GOOD = 4 };
double rc_skeleton_cut_shortest(const struct rc_form *form);

/* Whether a skeleton of so many seconds is shorter than that, by more than rounding makes of it. */
bool rc_skeleton_cut_is_short(double seconds, double shortest);

#endif
