// SPDX-License-Identifier: GPL-3.0-or-later
/* string_hash.c - longest common extensions by fingerprints.
 *
 * Karp and Rabin's fingerprints: the prefix of length k stands for a polynomial in a base B, modulo
 * the prime 2^61 - 1.  With P[k] for it, the blocks of length L at i and at j have the same
 * fingerprint where P[i + L] - P[j + L] = (P[i] - P[j]) B^L.  An extension is found by doubling the
 * block until one differs, and halving it from there; blocks are powers of two, so that 31 powers
 * of B are all that is kept.  Most extensions end within a few symbols, which are compared as they
 * are. */
#include "model/skeleton/loops/string_hash.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error.h"

#define PRIME ((UINT64_C(1) << 61) - 1)
enum {
    DIRECT = 16, /* symbols that are compared as they are, before fingerprints are asked */
    POWERS = 32,
    SHORT = 1024, /* lengths for which the power is kept too */
};

struct rc_string_hash {
    const uint32_t *string;
    uint32_t n;
    uint64_t *prefix;                 /* n + 1 of them */
    uint64_t powers[POWERS];          /* B^(2^k) */
    uint64_t short_powers[SHORT + 1]; /* B^k */
};

static uint64_t multiply(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

/* SplitMix64's mixing (Steele, Lea and Flood 2014): any seed becomes a base without pattern. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

struct rc_string_hash *rc_skeleton_string_hash_create(const uint32_t *string, uint32_t n,
                                                      uint64_t seed, struct rc_error *error)
{
    struct rc_string_hash *hash = malloc(sizeof *hash);
    uint64_t *prefix = malloc(((size_t)n + 1) * sizeof *prefix);

    if (!hash || !prefix) {
        free(hash);
        free(prefix);
        rc_error_no_memory(error);
        return NULL;
    }
    hash->string = string;
    hash->n = n;
    hash->prefix = prefix;
    /* Above every symbol, below the prime. */
    hash->powers[0] = (mix(seed) % (PRIME - (UINT64_C(1) << 33))) + (UINT64_C(1) << 32);
    for (int i = 1; i < POWERS; i++)
        hash->powers[i] = multiply(hash->powers[i - 1], hash->powers[i - 1]);
    hash->short_powers[0] = 1;
    for (int i = 1; i <= SHORT; i++)
        hash->short_powers[i] = multiply(hash->short_powers[i - 1], hash->powers[0]);
    prefix[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        prefix[i + 1] = add(multiply(prefix[i], hash->powers[0]), (uint64_t)string[i] + 1);
    return hash;
}

void rc_skeleton_string_hash_destroy(struct rc_string_hash *hash)
{
    if (!hash)
        return;
    free(hash->prefix);
    free(hash);
}

static int same_block(const struct rc_string_hash *hash, uint32_t i, uint32_t j, int power)
{
    const uint64_t *prefix = hash->prefix;
    uint32_t length = UINT32_C(1) << power;

    return subtract(prefix[i + length], prefix[j + length]) ==
           multiply(subtract(prefix[i], prefix[j]), hash->powers[power]);
}

uint32_t rc_skeleton_string_hash_forward(const struct rc_string_hash *hash, uint32_t i, uint32_t j)
{
    const uint32_t *s = hash->string;
    uint32_t limit = hash->n - j, length = 0, direct = limit < DIRECT ? limit : DIRECT;
    int power = 3;

    assert(i < j && j <= hash->n);
    while (length < direct && s[i + length] == s[j + length])
        length++;
    if (length < direct || length == limit)
        return length;
    while (limit - length >= UINT32_C(1) << power &&
           same_block(hash, i + length, j + length, power))
        length += UINT32_C(1) << power++;
    while (power-- > 0)
        if (limit - length >= UINT32_C(1) << power &&
            same_block(hash, i + length, j + length, power))
            length += UINT32_C(1) << power;
    return length;
}

static int same_block_before(const struct rc_string_hash *hash, uint32_t i, uint32_t j, int power)
{
    return same_block(hash, i - (UINT32_C(1) << power), j - (UINT32_C(1) << power), power);
}

uint32_t rc_skeleton_string_hash_backward(const struct rc_string_hash *hash, uint32_t i, uint32_t j)
{
    const uint32_t *s = hash->string;
    uint32_t limit = i, length = 0, direct = limit < DIRECT ? limit : DIRECT;
    int power = 3;

    assert(i < j && j <= hash->n);
    while (length < direct && s[i - length - 1] == s[j - length - 1])
        length++;
    if (length < direct || length == limit)
        return length;
    while (limit - length >= UINT32_C(1) << power &&
           same_block_before(hash, i - length, j - length, power))
        length += UINT32_C(1) << power++;
    while (power-- > 0)
        if (limit - length >= UINT32_C(1) << power &&
            same_block_before(hash, i - length, j - length, power))
            length += UINT32_C(1) << power;
    return length;
}

static uint64_t power(const struct rc_string_hash *hash, uint32_t exponent)
{
    uint64_t result = 1;

    if (exponent <= SHORT)
        return hash->short_powers[exponent];
    for (int bit = 0; exponent >> bit; bit++)
        if (exponent >> bit & 1)
            result = multiply(result, hash->powers[bit]);
    return result;
}

uint64_t rc_skeleton_string_hash_of(const struct rc_string_hash *hash, uint32_t i, uint32_t length)
{
    uint64_t shifted = multiply(hash->prefix[i], power(hash, length));

    return subtract(hash->prefix[i + length], shifted) ^ (uint64_t)length << 32;
}
