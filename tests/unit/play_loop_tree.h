// SPDX-License-Identifier: GPL-3.0-or-later
/* play_loop_tree.h - the loop trees and plans of made-up programs, for tests. */
#ifndef RC_TESTS_PLAY_FORM_H
#define RC_TESTS_PLAY_FORM_H

#include "play.h"

#include "model/skeleton/compose/compose.h"
#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/shrink/loop_tree.h"
#include "model/skeleton/compose/plan_check.h"

struct found {
    struct rc_program *program;
    struct rc_loop_tree tree;
};

static inline void find(struct play *play, double wanted, struct found *found)
{
    struct rc_error error = {0};

    play_end(play);
    found->program = rc_skeleton_program_read(play->directory, &error);
    if (!found->program)
        fail_msg("%s", error.text);
    if (rc_skeleton_loop_tree_find(found->program, wanted, &found->tree, &error))
        fail_msg("%s", error.text);
    play_remove(play);
}

static inline void forget(struct found *found)
{
    rc_skeleton_loop_tree_free(&found->tree);
    rc_skeleton_program_destroy(found->program);
}

static inline void compose(const struct found *found, double ratio, struct rc_plan *plan)
{
    struct rc_plan_checked checked;
    struct rc_error error = {0};

    if (rc_skeleton_compose(&found->tree, ratio, true, plan, &error) ||
        rc_skeleton_plan_check(plan, &checked, &error))
        fail_msg("ratio %g: %s", ratio, error.text);
}

/* What a rank does in all. */
struct sums {
    double seconds, calls, bytes;
};

static inline void add_up(const struct rc_plan *plan, uint32_t rank, size_t begin, size_t end,
                          double times, struct sums *sums)
{
    const struct rc_plan_rank *program = plan->rank + rank;

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = program->items + i;
        const struct rc_plan_step *step = program->steps + item->value;

        if (item->times) {
            add_up(plan, rank, i + 1, i + 1 + item->value, times * item->times, sums);
            i += item->value;
            continue;
        }
        sums->seconds += times * plan->works[step->work].seconds;
        if (step->op == RC_PLAN_NO_OP)
            continue;
        sums->calls += times;
        sums->bytes += times * (double)plan->ops[step->op].out.bytes;
    }
}

static inline struct sums sums_of(const struct rc_plan *plan, uint32_t rank)
{
    struct sums sums = {.seconds = plan->rank[rank].tail};

    add_up(plan, rank, 0, plan->rank[rank].n_items, 1, &sums);
    return sums;
}

/* Calls of a kind that a rank makes, and the seconds of computing before them. */
struct made {
    double calls, before;
};

static inline void add_made(const struct rc_plan *plan, const struct rc_plan_rank *rank,
                            size_t begin, size_t end, double times, unsigned kind,
                            struct made *made)
{
    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = rank->items + i;
        const struct rc_skeleton_plan_op *op;

        if (item->times) {
            add_made(plan, rank, i + 1, i + 1 + item->value, times * item->times, kind, made);
            i += item->value;
            continue;
        }
        op = rc_skeleton_plan_op(plan, rank->steps + item->value);
        if (!op || op->kind != kind)
            continue;
        made->calls += times;
        made->before += times * plan->works[rank->steps[item->value].work].seconds;
    }
}

static inline struct made made_of(const struct rc_plan *plan, uint32_t rank, unsigned kind)
{
    struct made made = {0};

    add_made(plan, plan->rank + rank, 0, plan->rank[rank].n_items, 1, kind, &made);
    return made;
}

#endif
