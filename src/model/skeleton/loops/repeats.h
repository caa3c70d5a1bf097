// SPDX-License-Identifier: GPL-3.0-or-later
/* repeats.h - every maximal repetition of a string. */
#ifndef RC_MODEL_SKELETON_LOOPS_REPEATS_H
#define RC_MODEL_SKELETON_LOOPS_REPEATS_H

#include "model/skeleton/loops/string_hash.h"

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

#endif
