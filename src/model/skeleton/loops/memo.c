// SPDX-License-Identifier: GPL-3.0-or-later
/* memo.c - numbers by fingerprint: an open table that doubles when it is two thirds full.  12 bytes
 * an entry, where a table of linked entries would take five times that. */
#include "model/skeleton/loops/memo.h"

#include <stdlib.h>

#include "base/error.h"

struct rc_memo {
    uint64_t *keys; /* 0 where there is none; a key of 0 is kept as 1 */
    uint32_t *values;
    unsigned bits; /* 2^bits places */
    size_t n;
};

/* Multiplying spreads keys over the high bits (Knuth, volume 3, section 6.4). */
static size_t place_of(const struct rc_memo *memo, uint64_t key)
{
    size_t mask = ((size_t)1 << memo->bits) - 1;
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - memo->bits));

    while (memo->keys[place] && memo->keys[place] != key)
        place = (place + 1) & mask;
    return place;
}

static int allocate(struct rc_memo *memo, unsigned bits, struct rc_error *error)
{
    memo->bits = bits;
    memo->keys = calloc((size_t)1 << bits, sizeof *memo->keys);
    memo->values = malloc(((size_t)1 << bits) * sizeof *memo->values);
    if (memo->keys && memo->values)
        return 0;
    free(memo->keys);
    free(memo->values);
    return rc_error_no_memory(error);
}

struct rc_memo *rc_skeleton_memo_create(struct rc_error *error)
{
    struct rc_memo *memo = calloc(1, sizeof *memo);

    if (!memo) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (allocate(memo, 8, error)) {
        free(memo);
        return NULL;
    }
    return memo;
}

void rc_skeleton_memo_destroy(struct rc_memo *memo)
{
    if (!memo)
        return;
    free(memo->keys);
    free(memo->values);
    free(memo);
}

int rc_skeleton_memo_find(const struct rc_memo *memo, uint64_t key, uint32_t *value)
{
    size_t place = place_of(memo, key ? key : 1);

    if (!memo->keys[place])
        return 0;
    *value = memo->values[place];
    return 1;
}

static int grow(struct rc_memo *memo, struct rc_error *error)
{
    struct rc_memo larger = {.n = memo->n};

    if (allocate(&larger, memo->bits + 1, error))
        return -1;
    for (size_t i = 0; i < (size_t)1 << memo->bits; i++)
        if (memo->keys[i]) {
            size_t place = place_of(&larger, memo->keys[i]);

            larger.keys[place] = memo->keys[i];
            larger.values[place] = memo->values[i];
        }
    free(memo->keys);
    free(memo->values);
    *memo = larger;
    return 0;
}

int rc_skeleton_memo_add(struct rc_memo *memo, uint64_t key, uint32_t value, struct rc_error *error)
{
    size_t place;

    if (memo->n >= ((size_t)2 << memo->bits) / 3 && grow(memo, error))
        return -1;
    key = key ? key : 1;
    place = place_of(memo, key);
    memo->keys[place] = key;
    memo->values[place] = value;
    memo->n++;
    return 0;
}
