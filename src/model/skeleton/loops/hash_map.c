// SPDX-License-Identifier: GPL-3.0-or-later
/* hash_map.c - numbers by fingerprint: an open table that doubles when it is two thirds full.  12
 * bytes an entry, where a table of linked entries would take five times that. */
#include "model/skeleton/loops/hash_map.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error.h"

struct rc_hash_map {
    uint64_t *keys; /* 0 where there is none; a key of 0 is kept as 1 */
    uint32_t *values;
    unsigned bits; /* 2^bits places */
    size_t n;
};

/* Multiplying spreads keys over the high bits (Knuth, volume 3, section 6.4). */
static size_t place_of(const struct rc_hash_map *map, uint64_t key)
{
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - map->bits));

    while (map->keys[place] && map->keys[place] != key)
        place = (place + 1) & mask;
    return place;
}

static int allocate(struct rc_hash_map *map, unsigned bits, struct rc_error *error)
{
    map->bits = bits;
    map->keys = calloc((size_t)1 << bits, sizeof *map->keys);
    map->values = malloc(((size_t)1 << bits) * sizeof *map->values);
    if (map->keys && map->values)
        return 0;
    free(map->keys);
    free(map->values);
    return rc_error_no_memory(error);
}

struct rc_hash_map *rc_skeleton_map_create(struct rc_error *error)
{
    struct rc_hash_map *map = calloc(1, sizeof *map);

    if (!map) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (allocate(map, 8, error)) {
        free(map);
        return NULL;
    }
    return map;
}

void rc_skeleton_map_destroy(struct rc_hash_map *map)
{
    if (!map)
        return;
    free(map->keys);
    free(map->values);
    free(map);
}

int rc_skeleton_map_find(const struct rc_hash_map *map, uint64_t key, uint32_t *value)
{
    size_t place = place_of(map, key ? key : 1);

    if (!map->keys[place])
        return 0;
    *value = map->values[place];
    return 1;
}

static int grow(struct rc_hash_map *map, struct rc_error *error)
{
    struct rc_hash_map larger = {.n = map->n};

    if (allocate(&larger, map->bits + 1, error))
        return -1;
    for (size_t i = 0; i < (size_t)1 << map->bits; i++)
        if (map->keys[i]) {
            size_t place = place_of(&larger, map->keys[i]);

            larger.keys[place] = map->keys[i];
            larger.values[place] = map->values[i];
        }
    free(map->keys);
    free(map->values);
    *map = larger;
    return 0;
}

int rc_skeleton_map_add(struct rc_hash_map *map, uint64_t key, uint32_t value,
                        struct rc_error *error)
{
    size_t place;

    if (map->n >= ((size_t)2 << map->bits) / 3 && grow(map, error))
        return -1;
    key = key ? key : 1;
    place = place_of(map, key);
    assert(!map->keys[place]);
    map->keys[place] = key;
    map->values[place] = value;
    map->n++;
    return 0;
}
