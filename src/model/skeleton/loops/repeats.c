// SPDX-License-Identifier: GPL-3.0-or-later
/* repeats.c - every maximal repetition (a run, in its literature; here: a repeat) of a string, by
 * Lyndon words.
 *
 * The idea: Bannai, I, Inenaga, Nakashima, Takeda and Tsuruta, "The 'Runs' Theorem" (SIAM Journal
 * on Computing 46, 2017).  A Lyndon word is less than all its proper suffixes.  Take a repeat with
 * period p; for one of two orders of the symbols (the natural one and its reverse), the longest
 * Lyndon word that begins at some place inside has the length p.  So it suffices to look, for each
 * place and both orders, at the one period that is the length of the longest Lyndon word there, and
 * to see how far it holds on either side.  There are fewer repeats than symbols, and their
 * exponents add up to less than three times as many.
 *
 * The longest Lyndon word at i ends where the next smaller suffix begins (`next`), found from right
 * to left by jumping along those already known.
 *
 * Invariants, when place i is treated in a pass from right to left:
 * 1. next[j] is right for all j > i.
 * 2. recent[p] is the repeat with period p that was found last.  Two repeats of the same period
 *    overlap in fewer than p symbols, so that a word of length p inside this one belongs to no
 *    other, and two places inside it that are p apart agree up to its end.  Thus extensions within
 *    a long loop cost nothing. */
#include "model/skeleton/loops/repeats.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

struct stretch {
    uint32_t begin, end;
};

struct search {
    const uint32_t *string;
    uint32_t n;
    const struct rc_string_hash *hash;
    int reversed;           /* the order of symbols; the end is less than all in both */
    uint32_t *next;         /* where the next smaller suffix begins */
    struct stretch *recent; /* by period, up to n / 2 */
    struct rc_repeats *repeats;
    size_t room;
};

static int is_known(const struct search *search, uint32_t i, uint32_t j)
{
    uint32_t period = j - i;
    const struct stretch *recent = search->recent + period;

    return period <= search->n / 2 && recent->begin <= i && j <= recent->end;
}

static uint32_t agreement(const struct search *search, uint32_t i, uint32_t j)
{
    return is_known(search, i, j) ? search->recent[j - i].end - j
                                  : rc_skeleton_string_hash_forward(search->hash, i, j);
}

/* Whether the suffix at `i` is less than that at `j` > `i`; sets how far they agree. */
static int is_less(const struct search *search, uint32_t i, uint32_t j, uint32_t *agreed)
{
    *agreed = agreement(search, i, j);
    if (j + *agreed == search->n)
        return 0;
    return (search->string[i + *agreed] < search->string[j + *agreed]) != search->reversed;
}

static int keep(struct search *search, struct rc_repeat repeat, struct rc_error *error)
{
    struct rc_repeats *repeats = search->repeats;

    assert((repeat.end - repeat.begin) / 2 >= repeat.period);
    search->recent[repeat.period] = (struct stretch){repeat.begin, repeat.end};
    /* What ends where the string ends is found with both orders. */
    if (search->reversed && repeat.end == search->n)
        return 0;
    if (rc_array_room(&repeats->at, (size_t)repeats->n + 1, &search->room, sizeof *repeats->at,
                      error))
        return -1;
    repeats->at[repeats->n++] = repeat;
    return 0;
}

/* `agreed`: how far the string agrees from `i` and from `j` on. */
static int try_period(struct search *search, uint32_t i, uint32_t j, uint32_t agreed,
                      struct rc_error *error)
{
    uint32_t period = j - i, before;

    if (period > search->n / 2 || is_known(search, i, j))
        return 0;
    before = rc_skeleton_string_hash_backward(search->hash, i, j);
    if ((uint64_t)before + agreed < period)
        return 0;
    return keep(search, (struct rc_repeat){i - before, j + agreed, period}, error);
}

static int pass(struct search *search, struct rc_error *error)
{
    uint32_t n = search->n;

    for (uint32_t i = n; i-- > 0;) {
        uint32_t j = i + 1, agreed = 0;

        while (j < n && is_less(search, i, j, &agreed))
            j = search->next[j];
        assert(j > i && j <= n); /* invariant 1 */
        search->next[i] = j;
        if (try_period(search, i, j, j < n ? agreed : 0, error))
            return -1;
    }
    return 0;
}

int rc_skeleton_repeats_find(const uint32_t *string, uint32_t n, const struct rc_string_hash *hash,
                             struct rc_repeats *repeats, struct rc_error *error)
{
    struct search search = {.string = string, .n = n, .hash = hash, .repeats = repeats};
    int result = -1;

    *repeats = (struct rc_repeats){0};
    search.next = malloc(((size_t)n + 1) * sizeof *search.next);
    search.recent = malloc(((size_t)n / 2 + 1) * sizeof *search.recent);
    if (!search.next || !search.recent) {
        rc_error_no_memory(error);
        goto done;
    }
    for (uint32_t period = 0; period <= n / 2; period++)
        search.recent[period] = (struct stretch){UINT32_MAX, 0};
    for (search.reversed = 0; search.reversed < 2; search.reversed++)
        if (pass(&search, error))
            goto done;
    result = 0;
done:
    free(search.next);
    free(search.recent);
    if (result) {
        free(repeats->at);
        *repeats = (struct rc_repeats){0};
    }
    return result;
}
