// SPDX-License-Identifier: GPL-3.0-or-later
/* rank_groups.c - groups of ranks whose programs have one shape. */
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"

static const struct rc_skeleton_plan_op *op_of(const struct rc_plan *plan, uint32_t rank,
                                               size_t item)
{
    const struct rc_plan_rank *r = &plan->rank[rank];

    return rc_skeleton_plan_op(plan, &r->steps[r->items[item].value]);
}

/* What is called at an item: one number for each kind of call, and one for none. */
static const struct emit_pattern *pattern_at(const struct rc_plan *plan, uint32_t rank, size_t item)
{
    const struct rc_skeleton_plan_op *op = op_of(plan, rank, item);

    return op ? rc_skeleton_emit_pattern(op) : NULL;
}

static uint64_t shape_of(const struct rc_plan *plan, uint32_t rank)
{
    const struct rc_plan_rank *r = &plan->rank[rank];
    uint64_t hash = r->n_items;

    for (size_t i = 0; i < r->n_items; i++) {
        uint64_t what = r->items[i].times ? (uint64_t)r->items[i].times << 32 | r->items[i].value
                                          : (uintptr_t)pattern_at(plan, rank, i);

        hash = (hash ^ what) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool same_shape(const struct rc_plan *plan, uint32_t a, uint32_t b)
{
    const struct rc_plan_rank *x = &plan->rank[a], *y = &plan->rank[b];

    if (x->n_items != y->n_items)
        return false;
    for (size_t i = 0; i < x->n_items; i++) {
        if (x->items[i].times != y->items[i].times)
            return false;
        if (x->items[i].times) {
            if (x->items[i].value != y->items[i].value)
                return false;
        } else if (pattern_at(plan, a, i) != pattern_at(plan, b, i)) {
            return false;
        }
    }
    return true;
}

static int join(struct emit *emit, uint32_t group, uint32_t rank)
{
    struct emit_group *g = &emit->groups[group];

    if (!g->ranks)
        g->ranks = malloc(emit->plan->ranks * sizeof *g->ranks);
    if (!g->ranks)
        return rc_error_no_memory(emit->error);
    emit->group_of[rank] = group;
    emit->index_of[rank] = g->n;
    g->ranks[g->n++] = rank;
    return 0;
}

int rc_skeleton_emit_find_groups(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    uint64_t *shapes = malloc(plan->ranks * sizeof *shapes);
    int status = 0;

    emit->groups = calloc(plan->ranks, sizeof *emit->groups);
    emit->group_of = calloc(plan->ranks, sizeof *emit->group_of);
    emit->index_of = calloc(plan->ranks, sizeof *emit->index_of);
    if (!shapes || !emit->groups || !emit->group_of || !emit->index_of)
        status = rc_error_no_memory(emit->error);
    for (uint32_t i = 0; status == 0 && i < plan->ranks; i++) {
        uint32_t group = 0;

        shapes[i] = shape_of(plan, i);
        while (group < emit->n_groups && (shapes[emit->groups[group].ranks[0]] != shapes[i] ||
                                          !same_shape(plan, emit->groups[group].ranks[0], i)))
            group++;
        if (group == emit->n_groups)
            emit->n_groups++;
        status = join(emit, group, i);
    }
    free(shapes);
    return status;
}
