// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_starts.c - what was started together is started together again.
 *
 * Of a Startall any request may be left out, and event groups may come between others, since each
 * request belongs to the event group of its own message.  So only the finished plan tells which
 * calls of a Startall still follow each other. */
#include "base/error.h"
#include "model/skeleton/compose/compose_parts.h"

static bool is_startall(const struct rc_plan *plan, const struct rc_plan_step *step)
{
    const struct rc_skeleton_plan_op *op = rc_skeleton_plan_op(plan, step);

    return op && op->kind == RC_TRACE_Startall;
}

/* Whether the second of two steps that follow each other belongs to the Startall of the first. */
static bool go_together(const struct rc_plan *plan, const struct rc_plan_step *first,
                        const struct rc_plan_step *second)
{
    const struct rc_plan_work *work = plan->works + second->work;

    return is_startall(plan, first) && is_startall(plan, second) &&
           rc_skeleton_plan_op(plan, first)->root < rc_skeleton_plan_op(plan, second)->root &&
           work->seconds <= 0 && work->read <= 0 && work->written <= 0;
}

/* Calls are shared between steps, so that a call that is held is another one. */
static int hold(struct rc_composing *composing, struct rc_plan_step *step)
{
    struct rc_skeleton_plan_op op = composing->plan->ops[step->op];

    op.held = true;
    return rc_skeleton_compose_add_op(composing, &op, &step->op);
}

static int join_items(struct rc_composing *composing, struct rc_plan_rank *rank, size_t first,
                      size_t end)
{
    const struct rc_loops_item *items = rank->items;

    for (size_t i = first; i < end; i++) {
        if (items[i].times) {
            if (join_items(composing, rank, i + 1, i + 1 + items[i].value))
                return -1;
            i += items[i].value;
        } else if (i + 1 < end && !items[i + 1].times &&
                   go_together(composing->plan, rank->steps + items[i].value,
                               rank->steps + items[i + 1].value) &&
                   hold(composing, rank->steps + items[i].value)) {
            return -1;
        }
    }
    return 0;
}

int rc_skeleton_compose_starts(struct rc_composing *composing)
{
    for (uint32_t r = 0; r < composing->plan->ranks; r++)
        if (join_items(composing, composing->plan->rank + r, 0, composing->plan->rank[r].n_items))
            return -1;
    return 0;
}
