// SPDX-License-Identifier: BSD-2-Clause
/* nearest_word.c - the word that a mistyped word was probably meant to be. */
#include "base/nearest_word.h"

#include <string.h>

/* Longer words are not compared: nobody mistypes that much by accident. */
enum { WORD_MAX = 40 };

/* Optimal string alignment: Levenshtein's distance with swaps of neighbours. */
unsigned rc_nearest_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    unsigned row[3][WORD_MAX + 1], best;

    if (la > WORD_MAX || lb > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[la % 3][lb];
}

const char *rc_nearest_word(const char *word, const char *const *candidates, size_t count,
                            size_t stride)
{
    const char *nearest = NULL, *at = (const char *)candidates;
    unsigned least = 0, distance;
    size_t length = strlen(word);

    for (size_t i = 0; i < count; i++, at += stride) {
        const char *candidate = *(const char *const *)at;

        distance = rc_nearest_distance(word, candidate);
        /* A word that was only begun is near, too. */
        if (length >= 2 && strncmp(word, candidate, length) == 0)
            distance = 1;
        if (!nearest || distance < least) {
            nearest = candidate;
            least = distance;
        }
    }
    return nearest && least <= 1 + length / 4 && least < length ? nearest : NULL;
}
