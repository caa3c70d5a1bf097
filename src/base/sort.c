// SPDX-License-Identifier: GPL-3.0-or-later
/* sort.c - sorts numbers.
 *
 * Monte Carlo answers sort 10^5 samples and more, again and again, and qsort() spends most of its
 * time in the comparison. The bits of a double, with those of negative ones inverted, are ordered
 * like the numbers. So they are sorted as integers, by the lowest digit first, with the counts of
 * all digits made beforehand. Invariant: after pass i, keys are in the order of their lowest i + 1
 * digits, since each pass preserves the order of equal digits. */
#include "base/sort.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGIT_BITS = 11, /* counts of a digit fit the first cache */
    N_DIGITS = 6,    /* 66 bits */
    N_BINS = 1 << DIGIT_BITS,
    FEW = 1000, /* below, counting digits costs more than comparing */
};

#define SIGN (UINT64_C(1) << 63)

static uint64_t key_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double value_of(uint64_t key)
{
    uint64_t bits = key & SIGN ? key & ~SIGN : ~key;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* For qsort(): as the keys, so that the order is the same however many there are. */
static int compare_keys(const void *a, const void *b)
{
    uint64_t left = key_of(*(const double *)a), right = key_of(*(const double *)b);

    return (left > right) - (left < right);
}

static size_t digit(uint64_t key, unsigned pass)
{
    return (size_t)(key >> (pass * DIGIT_BITS)) & (N_BINS - 1);
}

/* One pass; `counts` of that digit become the start of each bin. */
static void distribute(const uint64_t *from, uint64_t *to, size_t n, unsigned pass, size_t *counts)
{
    size_t place = 0, count;

    for (size_t bin = 0; bin < N_BINS; bin++) {
        count = counts[bin];
        counts[bin] = place;
        place += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[digit(from[i], pass)]++] = from[i];
}

static void sort_keys(uint64_t *keys, uint64_t *spare, size_t n, size_t (*counts)[N_BINS],
                      double *values)
{
    uint64_t *other;

    for (size_t i = 0; i < n; i++) {
        keys[i] = key_of(values[i]);
        for (unsigned pass = 0; pass < N_DIGITS; pass++)
            counts[pass][digit(keys[i], pass)]++;
    }
    for (unsigned pass = 0; pass < N_DIGITS; pass++) {
        if (counts[pass][digit(keys[0], pass)] == n)
            continue; /* all have the same digit there */
        distribute(keys, spare, n, pass, counts[pass]);
        other = keys;
        keys = spare;
        spare = other;
    }
    for (size_t i = 0; i < n; i++) {
        assert(i == 0 || keys[i - 1] <= keys[i]);
        values[i] = value_of(keys[i]);
    }
}

void rc_sort_doubles(double *values, size_t n)
{
    uint64_t *keys = NULL;
    size_t(*counts)[N_BINS] = NULL;

    if (n >= FEW && n <= SIZE_MAX / (2 * sizeof *keys)) {
        keys = malloc(2 * n * sizeof *keys);
        counts = calloc(N_DIGITS, sizeof *counts);
    }
    if (keys && counts)
        sort_keys(keys, keys + n, n, counts, values);
    else if (n > 1)
        qsort(values, n, sizeof *values, compare_keys);
    free(counts);
    free(keys);
}
