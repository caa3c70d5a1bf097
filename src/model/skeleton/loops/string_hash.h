// SPDX-License-Identifier: GPL-3.0-or-later
/* string_hash.h - fingerprints of a string of symbols: how far do two places in it agree? */
#ifndef RC_MODEL_SKELETON_LOOPS_STRING_HASH_H
#define RC_MODEL_SKELETON_LOOPS_STRING_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_string_hash;

/* The string stays the caller's and must outlive this; n at most 2^30.  Another `seed` gives other
 * fingerprints.  NULL, with `error` set, where memory runs out.  Destroy with
 * rc_skeleton_string_hash_destroy(). */
struct rc_string_hash *rc_skeleton_string_hash_create(const uint32_t *string, uint32_t n,
                                                      uint64_t seed, struct rc_error *error);
void rc_skeleton_string_hash_destroy(struct rc_string_hash *hash);

/* How many symbols from `i` on equal those from `j` on; i < j <= n. */
uint32_t rc_skeleton_string_hash_forward(const struct rc_string_hash *hash, uint32_t i, uint32_t j);
/* How many symbols before `i` equal those before `j`; i < j <= n. */
uint32_t rc_skeleton_string_hash_backward(const struct rc_string_hash *hash, uint32_t i,
                                          uint32_t j);

/* A fingerprint of the `length` symbols from `i` on, also of the length.  Both this and the two
 * above err with a chance of about n / 2^61 a question, on strings that do not know the seed. */
uint64_t rc_skeleton_string_hash_of(const struct rc_string_hash *hash, uint32_t i, uint32_t length);

#endif
