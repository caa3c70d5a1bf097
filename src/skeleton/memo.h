// SPDX-License-Identifier: GPL-3.0-or-later
/* memo.h - numbers by fingerprint. */
#ifndef RC_SKELETON_MEMO_H
#define RC_SKELETON_MEMO_H

#include <stdint.h>

#include "runcast.h"

struct rc_memo;

/* NULL, with `error` set, where memory runs out.  Destroy with rc_memo_destroy(). */
struct rc_memo *rc_memo_create(struct rc_error *error);
void rc_memo_destroy(struct rc_memo *memo);

/* Whether the key is there; then sets `value`. */
int rc_memo_find(const struct rc_memo *memo, uint64_t key, uint32_t *value);
/* The key is not there yet. */
int rc_memo_add(struct rc_memo *memo, uint64_t key, uint32_t value, struct rc_error *error);

#endif
