// SPDX-License-Identifier: GPL-3.0-or-later
/* repeats.h - every maximal repetition of a string, and which of them become loops. */
#ifndef RC_MODEL_SKELETON_LOOPS_REPEATS_H
#define RC_MODEL_SKELETON_LOOPS_REPEATS_H

#include "model/skeleton/loops/string_hash.h"
#include "model/skeleton/loops/loops.h"

/* The symbols from `begin` to before `end` repeat with `period`, the smallest one, at least twice
 * (perhaps not a whole number of times), and no symbol more on either side would. */
struct rc_repeat {
    uint32_t begin, end, period;
};

struct rc_repeats {
    struct rc_repeat *at;
    uint32_t n; /* fewer than there are symbols */
};

/* Finds all of them, each once, in no certain order.  The caller frees `at`. */
int rc_skeleton_repeats_find(const uint32_t *string, uint32_t n, const struct rc_string_hash *hash,
                             struct rc_repeats *repeats, struct rc_error *error);

/* ---- which repeats matter at a place ---- */

#define RC_REPEAT_NONE UINT32_MAX

struct rc_repeat_index;

/* The repeats stay the caller's and must outlive this; `n` is the length of the string.  NULL, with
 * `error` set, where memory runs out.  Destroy with rc_skeleton_repeat_index_destroy(). */
struct rc_repeat_index *rc_skeleton_repeat_index_create(const struct rc_repeats *repeats,
                                                        uint32_t n, struct rc_error *error);
void rc_skeleton_repeat_index_destroy(struct rc_repeat_index *index);

/* Goes through the repeats whose last two periods begin at `place`; RC_REPEAT_NONE at the end. */
uint32_t rc_skeleton_repeat_index_first(const struct rc_repeat_index *index, uint32_t place);
uint32_t rc_skeleton_repeat_index_next(const struct rc_repeat_index *index, uint32_t repeat);

struct rc_truncated_repeats {
    uint32_t *repeats;
    size_t n;
};

/* The repeats that go on past `end` and have at least two periods between `begin` and `end`, by
 * rising period.  The caller frees `cuts->repeats`. */
int rc_skeleton_repeat_index_truncated(const struct rc_repeat_index *index, uint32_t begin,
                                       uint32_t end, struct rc_truncated_repeats *truncated,
                                       struct rc_error *error);

/* ---- choosing which repetitions become loops ---- */

/* Folds the string, whose repeats and fingerprints are given, into `loops`, of which `items`, `n`
 * and `symbols` are set; the caller frees `items`, also on failure. */
int rc_skeleton_fold(const uint32_t *string, uint32_t n, const struct rc_string_hash *hash,
                     const struct rc_repeats *repeats, struct rc_loops *loops,
                     struct rc_error *error);

#endif
