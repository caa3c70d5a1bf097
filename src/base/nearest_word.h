// SPDX-License-Identifier: BSD-2-Clause
/* nearest_word.h - the word that a mistyped word was probably meant to be. */
#ifndef RC_BASE_NEAREST_WORD_H
#define RC_BASE_NEAREST_WORD_H

#include <stddef.h>

/* The number of letters to insert, delete, replace or swap to get from `a` to `b`. */
unsigned rc_nearest_distance(const char *a, const char *b);

/* The candidate nearest to a mistyped `word`, of `count` candidates that are `stride` bytes apart;
 * NULL if none is near. */
const char *rc_nearest_word(const char *word, const char *const *candidates, size_t count,
                            size_t stride);

#endif
