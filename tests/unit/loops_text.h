// SPDX-License-Identifier: GPL-3.0-or-later
/* loops_text.h - loops as text, for tests. */
#ifndef RC_TESTS_LOOPS_TEXT_H
#define RC_TESTS_LOOPS_TEXT_H

#include "base/buffer.h"
#include "model/skeleton/loops/loops.h"

enum { LOOPS_DEEPEST = 32 };

/* How deep loops are nested: 0 where there is none. */
static inline size_t loops_depth(const struct rc_loops *loops)
{
    size_t ends[LOOPS_DEEPEST], depth = 0, deepest = 0;

    for (size_t i = 0; i < loops->n; i++) {
        while (depth && ends[depth - 1] == i)
            depth--;
        if (!loops->items[i].times || depth == LOOPS_DEEPEST)
            continue;
        ends[depth++] = i + 1 + loops->items[i].value;
        if (depth > deepest)
            deepest = depth;
    }
    return deepest;
}

static inline int add_symbol(struct rc_buffer *text, uint32_t symbol,
                             const char *(*name)(uint32_t symbol, const void *context),
                             const void *context)
{
    return name ? rc_buffer_add_text(text, name(symbol, context))
                : rc_buffer_printf(text, "%u", symbol);
}

/* Adds the loops as text, symbols by `name` (by number where it is NULL): "0 [[1]2 2]3 3 [0]2". */
static inline int loops_text(const struct rc_loops *loops,
                             const char *(*name)(uint32_t symbol, const void *context),
                             const void *context, struct rc_buffer *text)
{
    struct {
        size_t end;
        uint32_t times;
    } open[LOOPS_DEEPEST];
    size_t depth = 0;
    int failed = 0, first = 1;

    for (size_t i = 0; i < loops->n && !failed; i++) {
        const struct rc_loops_item *item = loops->items + i;

        if (!first)
            failed |= rc_buffer_add(text, " ", 1);
        first = item->times != 0;
        if (item->times && depth < LOOPS_DEEPEST) {
            open[depth].end = i + 1 + item->value;
            open[depth++].times = item->times;
            failed |= rc_buffer_add(text, "[", 1);
        } else {
            failed |= add_symbol(text, item->value, name, context);
        }
        while (depth && open[depth - 1].end == i + 1)
            failed |= rc_buffer_printf(text, "]%u", open[--depth].times);
    }
    return failed ? -1 : 0;
}

#endif
