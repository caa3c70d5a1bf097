// SPDX-License-Identifier: GPL-3.0-or-later
/* repeat_index.h - which repeats of a string matter at a place. */
#ifndef RC_MODEL_SKELETON_LOOPS_REPEAT_INDEX_H
#define RC_MODEL_SKELETON_LOOPS_REPEAT_INDEX_H

#include "model/skeleton/loops/repeats.h"

#define RC_REPEAT_NONE UINT32_MAX

struct rc_repeat_index;

/* The repeats stay the caller's and must outlive this; `n` is the length of the string.  NULL, with
 * `error` set, where memory runs out.  Destroy with rc_skeleton_repeat_index_destroy(). */
struct rc_repeat_index *rc_skeleton_repeat_index_create(const struct rc_repeats *repeats,
                                                        uint32_t n, struct rc_error *error);
void rc_skeleton_repeat_index_destroy(struct rc_repeat_index *index);

/* Goes through the repeats whose last two periods begin at `place`; RC_REPEAT_NONE after the last.
 */
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

#endif
