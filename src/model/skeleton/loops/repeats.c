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

/* ---- which repeats of a string matter at a place ----
 *
 * Two questions are answered: which repeats have room for their last two periods from here on
 * (lists by place), and which would, cut off at an end, still have two.  For the second the string
 * is divided into blocks; for each block there is the list of the repeats that could be cut off
 * inside it, which are those with more than two periods.  Repeats that are long for their period
 * are in the lists of many blocks, but a place lies in few repeats, so that all lists together stay
 * short. */

enum { BLOCK = 64 };

struct rc_repeat_index {
    const struct rc_repeat *repeats;
    uint32_t *first; /* by place */
    uint32_t *next;  /* by repeat */
    size_t *blocks;  /* where each block's list begins; one more than there are blocks */
    uint32_t *block_lists;
};

/* The blocks in which cutting the repeat off would leave two periods and lose something. */
static int truncation_blocks(const struct rc_repeat *repeat, uint32_t *from, uint32_t *to)
{
    uint32_t earliest = repeat->begin + 2 * repeat->period;

    if (earliest >= repeat->end)
        return 0;
    *from = earliest / BLOCK;
    *to = (repeat->end - 1) / BLOCK;
    return 1;
}

static int list_by_block(struct rc_repeat_index *index, uint32_t n_repeats, uint32_t n,
                         struct rc_error *error)
{
    size_t n_blocks = (size_t)n / BLOCK + 1;
    uint32_t from, to;

    index->blocks = calloc(n_blocks + 2, sizeof *index->blocks);
    if (!index->blocks)
        return rc_error_no_memory(error);
    /* Counted two places on and added up, so that filling moves the begins to where they belong. */
    for (uint32_t repeat = 0; repeat < n_repeats; repeat++)
        if (truncation_blocks(index->repeats + repeat, &from, &to))
            for (uint32_t block = from; block <= to; block++)
                index->blocks[block + 2]++;
    for (size_t block = 0; block < n_blocks; block++)
        index->blocks[block + 2] += index->blocks[block + 1];
    index->block_lists = malloc((index->blocks[n_blocks + 1] + 1) * sizeof *index->block_lists);
    if (!index->block_lists)
        return rc_error_no_memory(error);
    for (uint32_t repeat = 0; repeat < n_repeats; repeat++)
        if (truncation_blocks(index->repeats + repeat, &from, &to))
            for (uint32_t block = from; block <= to; block++)
                index->block_lists[index->blocks[block + 1]++] = repeat;
    return 0;
}

static int list_by_place(struct rc_repeat_index *index, uint32_t n_repeats, uint32_t n,
                         struct rc_error *error)
{
    index->first = malloc(((size_t)n + 1) * sizeof *index->first);
    index->next = malloc(((size_t)n_repeats + 1) * sizeof *index->next);
    if (!index->first || !index->next)
        return rc_error_no_memory(error);
    for (uint32_t place = 0; place <= n; place++)
        index->first[place] = RC_REPEAT_NONE;
    for (uint32_t repeat = 0; repeat < n_repeats; repeat++) {
        uint32_t place = index->repeats[repeat].end - 2 * index->repeats[repeat].period;

        index->next[repeat] = index->first[place];
        index->first[place] = repeat;
    }
    return 0;
}

struct rc_repeat_index *rc_skeleton_repeat_index_create(const struct rc_repeats *repeats,
                                                        uint32_t n, struct rc_error *error)
{
    struct rc_repeat_index *index = calloc(1, sizeof *index);

    if (!index) {
        rc_error_no_memory(error);
        return NULL;
    }
    index->repeats = repeats->at;
    if (list_by_place(index, repeats->n, n, error) || list_by_block(index, repeats->n, n, error)) {
        rc_skeleton_repeat_index_destroy(index);
        return NULL;
    }
    return index;
}

void rc_skeleton_repeat_index_destroy(struct rc_repeat_index *index)
{
    if (!index)
        return;
    free(index->first);
    free(index->next);
    free(index->blocks);
    free(index->block_lists);
    free(index);
}

uint32_t rc_skeleton_repeat_index_first(const struct rc_repeat_index *index, uint32_t place)
{
    return index->first[place];
}

uint32_t rc_skeleton_repeat_index_next(const struct rc_repeat_index *index, uint32_t repeat)
{
    return index->next[repeat];
}

static int is_truncated(const struct rc_repeat *repeat, uint32_t begin, uint32_t end)
{
    uint32_t from = repeat->begin > begin ? repeat->begin : begin;

    return repeat->end > end && end > from && (end - from) / 2 >= repeat->period;
}

int rc_skeleton_repeat_index_truncated(const struct rc_repeat_index *index, uint32_t begin,
                                       uint32_t end, struct rc_truncated_repeats *truncated,
                                       struct rc_error *error)
{
    size_t from = index->blocks[end / BLOCK], to = index->blocks[end / BLOCK + 1], n = 0;

    *truncated = (struct rc_truncated_repeats){0};
    for (size_t i = from; i < to; i++)
        n += (size_t)is_truncated(index->repeats + index->block_lists[i], begin, end);
    if (!n)
        return 0;
    truncated->repeats = malloc(n * sizeof *truncated->repeats);
    if (!truncated->repeats)
        return rc_error_no_memory(error);
    for (size_t i = from; i < to; i++) {
        uint32_t repeat = index->block_lists[i], period = index->repeats[repeat].period;
        size_t at = truncated->n;

        if (!is_truncated(index->repeats + repeat, begin, end))
            continue;
        for (; at > 0 && index->repeats[truncated->repeats[at - 1]].period > period; at--)
            truncated->repeats[at] = truncated->repeats[at - 1];
        truncated->repeats[at] = repeat;
        truncated->n++;
    }
    return 0;
}
