// SPDX-License-Identifier: GPL-3.0-or-later
/* repeat_index.c - which repeats of a string matter at a place.
 *
 * Two questions are answered: which repeats have room for their last two periods from here on
 * (lists by place), and which would, cut off at an end, still have two.  For the second the string
 * is divided into blocks; for each block there is the list of the repeats that could be cut off
 * inside it, which are those with more than two periods.  Repeats that are long for their period
 * are in the lists of many blocks, but a place lies in few repeats, so that all lists together stay
 * short. */
#include "model/skeleton/loops/repeat_index.h"

#include <stdlib.h>

#include "base/error.h"

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
