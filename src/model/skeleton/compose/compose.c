// SPDX-License-Identifier: GPL-3.0-or-later
/* compose.c - a shrunk loop tree as the plan of a program.
 *
 * The items of the shrunk tree are walked once, and every rank that takes part in an event group
 * gets its calls. Computing of calls that are left out is not lost: it waits until the rank makes
 * its next call, or enters or leaves a loop. */
#include "model/skeleton/compose/compose.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/compose/plan.h"

/* ---- computing that waits ---- */

static int do_waiting(struct rc_composer *composer, uint32_t rank)
{
    const struct rc_plan_work *waiting = &composer->pending[rank].waiting;

    if (waiting->seconds <= 0 && waiting->read <= 0 && waiting->written <= 0)
        return 0;
    return rc_skeleton_compose_add_step(composer, rank, RC_PLAN_NO_OP);
}

/* ---- event groups ---- */

/* Lets a share of the computing before a loop wait for the rank's next call. */
static void wait_for_prologue(struct rc_composer *composer,
                              const struct rc_loop_tree_prologue *prologue, double share)
{
    const struct rc_program_rank *rank = composer->tree->program->rank + prologue->rank;
    struct rc_plan_work work = {.seconds = prologue->work * share * rank->speed_ratio,
                                .footprint = rc_program_position(rank, prologue->event)->footprint};

    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        work.spread[i] = 1;
    rc_skeleton_compose_add_up(&composer->pending[prologue->rank].waiting, &work);
}

static int compose_group(struct rc_composer *composer, uint32_t number)
{
    const struct rc_loop_tree *tree = composer->tree;
    const struct rc_shrunk_item *item = composer->shrunk->items + number;
    const struct rc_loop_tree_leaf *leaf = tree->leaves + item->value;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_loop_tree_call *call = tree->calls + leaf->first + i;
        uint32_t op = RC_PLAN_NO_OP;

        if (i == 0 || call->rank != call[-1].rank)
            rc_skeleton_compose_begin_part(composer);
        if (item->fate != RC_SHRUNK_DROPPED &&
            rc_skeleton_compose_op(composer, call, call->event, item->size, &op))
            return -1;
        rc_skeleton_compose_wait(composer, number, i);
        if (op != RC_PLAN_NO_OP && rc_skeleton_compose_add_step(composer, call->rank, op))
            return -1;
    }
    return 0;
}

/* ---- loops ---- */

static int compose_items(struct rc_composer *composer, size_t begin, size_t end);

static int compose_loop(struct rc_composer *composer, size_t loop)
{
    struct rc_plan *plan = composer->plan;
    const struct rc_shrunk_item *item = composer->shrunk->items + loop;
    size_t *begin = malloc(plan->ranks * sizeof *begin);
    int result = begin ? 0 : rc_error_no_memory(composer->error);

    for (uint32_t r = 0; !result && r < plan->ranks; r++) {
        result = do_waiting(composer, r);
        begin[r] = plan->rank[r].n_items;
        if (!result)
            result = rc_skeleton_compose_add_item(composer, r, item->times, 0);
    }
    if (!result)
        result = compose_items(composer, loop + 1, loop + 1 + item->value);
    for (uint32_t r = 0; !result && r < plan->ranks; r++) {
        result = do_waiting(composer, r);
        plan->rank[r].items[begin[r]].value = (uint32_t)(plan->rank[r].n_items - begin[r] - 1);
        if (!plan->rank[r].items[begin[r]].value)
            plan->rank[r].n_items--; /* the rank has no part in it */
    }
    free(begin);
    return result;
}

static int compose_items(struct rc_composer *composer, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const struct rc_shrunk_item *item = composer->shrunk->items + i;

        if (item->times) {
            if (compose_loop(composer, i))
                return -1;
        } else if (item->fate == RC_SHRUNK_PROLOGUE) {
            wait_for_prologue(composer, composer->tree->prologues + item->value, item->share);
        } else if (compose_group(composer, (uint32_t)i)) {
            return -1;
        }
        if (item->times)
            i += item->value;
    }
    return 0;
}

/* ---- what was started together is started together again ---- */

/* Of a Startall any request may be left out, and event groups may come between others, since each
 * request belongs to the event group of its own message.  So only the finished plan shows which
 * calls of a Startall still follow each other. */
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
static int hold(struct rc_composer *composer, struct rc_plan_step *step)
{
    struct rc_skeleton_plan_op op = composer->plan->ops[step->op];

    op.held = true;
    return rc_skeleton_compose_add_op(composer, &op, &step->op);
}

static int join_items(struct rc_composer *composer, struct rc_plan_rank *rank, size_t first,
                      size_t end)
{
    const struct rc_loops_item *items = rank->items;

    for (size_t i = first; i < end; i++) {
        if (items[i].times) {
            if (join_items(composer, rank, i + 1, i + 1 + items[i].value))
                return -1;
            i += items[i].value;
        } else if (i + 1 < end && !items[i + 1].times &&
                   go_together(composer->plan, rank->steps + items[i].value,
                               rank->steps + items[i + 1].value) &&
                   hold(composer, rank->steps + items[i].value)) {
            return -1;
        }
    }
    return 0;
}

static int join_starts(struct rc_composer *composer)
{
    for (uint32_t r = 0; r < composer->plan->ranks; r++)
        if (join_items(composer, composer->plan->rank + r, 0, composer->plan->rank[r].n_items))
            return -1;
    return 0;
}

/* ---- all of it ---- */

static int add_communicators(struct rc_composer *composer)
{
    const struct rc_match *match = &composer->tree->match;
    struct rc_plan *plan = composer->plan;

    plan->communicators = calloc(match->n_communicators, sizeof *plan->communicators);
    if (!plan->communicators)
        return rc_error_no_memory(composer->error);
    plan->n_communicators = match->n_communicators;
    for (size_t i = 0; i < match->n_communicators; i++) {
        size_t size = match->communicators[i].n * sizeof *plan->communicators[i].members;

        plan->communicators[i].n = match->communicators[i].n;
        plan->communicators[i].members = malloc(size);
        if (!plan->communicators[i].members)
            return rc_error_no_memory(composer->error);
        memcpy(plan->communicators[i].members, match->communicators[i].members, size);
    }
    return rc_skeleton_compose_neighbours(composer);
}

static int begin_plan(struct rc_composer *composer, double ratio)
{
    struct rc_plan *plan = composer->plan;
    const struct rc_program *program = composer->tree->program;

    *plan = (struct rc_plan){.ranks = program->ranks,
                             .original_seconds = program->seconds,
                             .ratio = ratio,
                             .shortest_seconds = rc_skeleton_shrink_shortest(composer->tree)};
    memcpy(plan->program, program->name, sizeof plan->program);
    memcpy(plan->mpi, program->mpi, sizeof plan->mpi);
    plan->rank = calloc(plan->ranks, sizeof *plan->rank);
    composer->pending = calloc(plan->ranks, sizeof *composer->pending);
    if (!plan->rank || !composer->pending)
        return rc_error_no_memory(composer->error);
    for (uint32_t r = 0; r < plan->ranks; r++)
        rc_skeleton_compose_no_work(&composer->pending[r].waiting);
    return add_communicators(composer);
}

static void end_plan(struct rc_composer *composer)
{
    struct rc_plan *plan = composer->plan;
    const struct rc_program *program = composer->tree->program;

    for (uint32_t r = 0; r < plan->ranks; r++)
        plan->rank[r].tail = composer->pending[r].waiting.seconds +
                             program->rank[r].tail * program->rank[r].speed_ratio / plan->ratio;
    for (size_t i = 0; i < plan->n_ops; i++)
        if (plan->ops[i].file != RC_TRACE_NONE && (uint32_t)plan->ops[i].file >= plan->files)
            plan->files = (uint32_t)plan->ops[i].file + 1;
}

int rc_skeleton_compose(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                        struct rc_plan *plan, struct rc_error *error)
{
    struct rc_shrunk shrunk;
    struct rc_composer composer = {.tree = tree, .shrunk = &shrunk, .plan = plan, .error = error};
    int result;

    if (rc_skeleton_shrink(tree, ratio, may_lengthen, &shrunk, error))
        return -1;
    result = begin_plan(&composer, ratio);
    if (!result)
        result = tree->groups.interleaved ? rc_skeleton_compose_interleaved(&composer)
                                          : compose_items(&composer, 0, shrunk.n);
    if (!result)
        result = join_starts(&composer);
    if (!result)
        end_plan(&composer);
    free(composer.pending);
    free(composer.active);
    free(shrunk.items);
    if (result)
        rc_skeleton_plan_free(plan);
    return result;
}

int rc_skeleton_compose_checked(const struct rc_loop_tree *tree, double ratio, struct rc_plan *plan,
                                struct rc_plan_checked *checked, struct rc_error *error)
{
    for (int may_lengthen = 1; may_lengthen >= 0; may_lengthen--) {
        if (rc_skeleton_compose(tree, ratio, may_lengthen, plan, error))
            return -1;
        if (rc_skeleton_plan_check(plan, checked, error)) {
            rc_skeleton_plan_free(plan);
            return -1;
        }
        if (checked->synchronous || !may_lengthen)
            break;
        rc_skeleton_plan_free(plan);
    }
    return 0;
}

void rc_skeleton_plan_free(struct rc_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; plan->rank && i < plan->ranks; i++) {
        free(plan->rank[i].items);
        free(plan->rank[i].steps);
    }
    for (size_t i = 0; plan->communicators && i < plan->n_communicators; i++) {
        free(plan->communicators[i].members);
        free(plan->communicators[i].sources);
        free(plan->communicators[i].source_first);
        free(plan->communicators[i].destinations);
        free(plan->communicators[i].destination_first);
    }
    free(plan->rank);
    free(plan->ops);
    free(plan->works);
    free(plan->lists);
    free(plan->communicators);
    memset(plan, 0, sizeof *plan);
}
