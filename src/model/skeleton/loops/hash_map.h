// SPDX-License-Identifier: GPL-3.0-or-later
/* hash_map.h - numbers by fingerprint. */
#ifndef RC_MODEL_SKELETON_LOOPS_HASH_MAP_H
#define RC_MODEL_SKELETON_LOOPS_HASH_MAP_H

#include <stdint.h>

#include "runcast.h"

struct rc_hash_map;

/* The fingerprint of all that one stands for, and of one more number. */
static inline uint64_t rc_skeleton_hash(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 31;
}

/* NULL, with `error` set, where memory runs out.  Destroy with rc_skeleton_map_destroy(). */
struct rc_hash_map *rc_skeleton_map_create(struct rc_error *error);
void rc_skeleton_map_destroy(struct rc_hash_map *map);

/* Whether the key is there; then sets `value`. */
int rc_skeleton_map_find(const struct rc_hash_map *map, uint64_t key, uint32_t *value);
/* The key is not there yet. */
int rc_skeleton_map_add(struct rc_hash_map *map, uint64_t key, uint32_t value,
                        struct rc_error *error);

#endif
