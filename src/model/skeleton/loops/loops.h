// SPDX-License-Identifier: GPL-3.0-or-later
/* loops.h - a string of symbols as nested loops: sequences and repetitions. */
#ifndef RC_MODEL_SKELETON_LOOPS_LOOPS_H
#define RC_MODEL_SKELETON_LOOPS_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "runcast.h"

/* The longest string that is taken. */
#define RC_LOOPS_LONGEST ((size_t)1 << 30)

/* A symbol, or a loop: then its body are the `value` items that follow it, loops among them with
 * theirs.  What comes after the body comes after the loop. */
struct rc_loops_item {
    uint32_t times; /* 0: a symbol; else how often the body is repeated, at least twice */
    uint32_t value; /* the symbol, or how many items the body has */
};

struct rc_loops {
    struct rc_loops_item *items;
    size_t n;       /* of items */
    size_t symbols; /* of items that are symbols: a loop's body counts once */
    size_t length;  /* of the string */
};

/* Folds `string` into loops.  What is repeated in a row becomes a loop, also within bodies; no body
 * is itself a repetition.  Of several ways, one with few symbols is taken, then with short bodies,
 * then with loops that begin early.  The result expands to exactly the string: that is checked.
 * Time grows as n, times log n at worst.  Free with rc_skeleton_loops_free(); on failure there is
 * nothing to free. */
int rc_skeleton_loops_find(const uint32_t *string, size_t n, struct rc_loops *loops,
                           struct rc_error *error);
void rc_skeleton_loops_free(struct rc_loops *loops);

/* For each place of the string, the item that stands for it, which is a symbol; `places` has room
 * for `length`. */
void rc_skeleton_loops_places(const struct rc_loops *loops, uint32_t *places);

/* How many symbols of the string the items from `begin` to before `end` stand for. */
size_t rc_skeleton_loops_length(const struct rc_loops_item *items, size_t begin, size_t end);

/* How many symbols of the string one symbol of the loops stands for: length / symbols, the
 * compression Q.  1 for an empty string. */
double rc_skeleton_loops_compression(const struct rc_loops *loops);

#endif
