// SPDX-License-Identifier: GPL-3.0-or-later
/* compose.c - a shrunk loop tree as the plan of a program.
 *
 * The items of the shrunk tree are walked once, and every rank that takes part in an event group
 * gets its calls. Computing of calls that are left out is not lost: it waits until the rank makes
 * its next call, or enters or leaves a loop. */
#include "model/skeleton/compose/compose.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/compose/compose_parts.h"

/* ---- adding to a rank's program ---- */

int rc_skeleton_composer_add_item(struct rc_composer *composer, uint32_t rank, uint32_t times,
                                  uint32_t value)
{
    struct rc_plan_rank *plan = composer->composing.plan->rank + rank;
    struct rc_compose_score *score = composer->scores + rank;

    if (rc_array_room(&plan->items, plan->n_items + 1, &score->item_room, sizeof *plan->items,
                      composer->composing.error))
        return -1;
    plan->items[plan->n_items++] = (struct rc_loops_item){.times = times, .value = value};
    return 0;
}

static int add_work(struct rc_composer *composer, const struct rc_plan_work *work, uint32_t *number)
{
    struct rc_plan *plan = composer->composing.plan;

    if (rc_array_room(&plan->works, plan->n_works + 1, &composer->composing.work_room,
                      sizeof *plan->works, composer->composing.error))
        return -1;
    *number = (uint32_t)plan->n_works;
    plan->works[plan->n_works++] = *work;
    return 0;
}

void rc_skeleton_composer_no_work(struct rc_plan_work *work)
{
    *work = (struct rc_plan_work){0};
    for (int i = 0; i < RC_PLAN_EIGHTHS; i++)
        work->spread[i] = 1;
}

int rc_skeleton_composer_add_step(struct rc_composer *composer, uint32_t rank, uint32_t op)
{
    struct rc_plan_rank *plan = composer->composing.plan->rank + rank;
    struct rc_compose_score *score = composer->scores + rank;
    uint32_t work = 0;

    if (rc_array_room(&plan->steps, plan->n_steps + 1, &score->step_room, sizeof *plan->steps,
                      composer->composing.error) ||
        add_work(composer, &score->waiting, &work) ||
        rc_skeleton_composer_add_item(composer, rank, 0, (uint32_t)plan->n_steps))
        return -1;
    plan->steps[plan->n_steps++] = (struct rc_plan_step){.op = op, .work = work};
    rc_skeleton_composer_no_work(&score->waiting);
    return 0;
}

static int do_waiting(struct rc_composer *composer, uint32_t rank)
{
    const struct rc_plan_work *waiting = &composer->scores[rank].waiting;

    if (waiting->seconds <= 0 && waiting->read <= 0 && waiting->written <= 0)
        return 0;
    return rc_skeleton_composer_add_step(composer, rank, RC_PLAN_NO_OP);
}

/* ---- event groups ---- */

void rc_skeleton_composer_add_up(struct rc_plan_work *sum, const struct rc_plan_work *work)
{
    if (work->seconds > sum->seconds)
        memcpy(sum->spread, work->spread, sizeof sum->spread);
    sum->seconds += work->seconds;
    sum->read += work->read;
    sum->written += work->written;
    if (work->footprint > sum->footprint)
        sum->footprint = work->footprint;
}

/* Lets a share of the computing before a call wait for the rank's next one. */
static void wait_for_call(struct rc_composer *composer, const struct rc_loop_tree_call *call,
                          double share)
{
    const struct rc_program_rank *rank = composer->composing.tree->program->rank + call->rank;
    const struct rc_program_position *position = rc_program_position(rank, call->event);
    struct rc_plan_work work = {.seconds = call->work * share * rank->speed_ratio,
                                .footprint = position->footprint,
                                .read = call->read * share,
                                .written = call->written * share};

    for (int i = 0; i < RC_PLAN_EIGHTHS; i++)
        work.spread[i] =
            position->spread == RC_PROGRAM_NONE ? 1 : rank->spreads[position->spread][i];
    rc_skeleton_composer_add_up(&composer->scores[call->rank].waiting, &work);
}

void rc_skeleton_composer_wait(struct rc_composer *composer, uint32_t number, uint32_t call)
{
    const struct rc_loop_tree *tree = composer->composing.tree;
    const struct rc_shrunk_item *items = composer->shrunk->items, *item = items + number;

    if (item->heir != RC_SHRUNK_NONE)
        return;
    wait_for_call(composer, tree->calls + tree->leaves[item->value].first + call, item->share);
    for (uint32_t i = item->legacy; i != RC_SHRUNK_NONE; i = items[i].next)
        wait_for_call(composer, tree->calls + tree->leaves[items[i].value].first + call,
                      items[i].share / item->repeats);
}

/* The same for computing before a loop. */
static void wait_for_prologue(struct rc_composer *composer,
                              const struct rc_loop_tree_prologue *prologue, double share)
{
    const struct rc_program_rank *rank = composer->composing.tree->program->rank + prologue->rank;
    struct rc_plan_work work = {.seconds = prologue->work * share * rank->speed_ratio,
                                .footprint = rc_program_position(rank, prologue->event)->footprint};

    for (int i = 0; i < RC_PLAN_EIGHTHS; i++)
        work.spread[i] = 1;
    rc_skeleton_composer_add_up(&composer->scores[prologue->rank].waiting, &work);
}

static int compose_group(struct rc_composer *composer, uint32_t number)
{
    const struct rc_loop_tree *tree = composer->composing.tree;
    const struct rc_shrunk_item *item = composer->shrunk->items + number;
    const struct rc_loop_tree_leaf *leaf = tree->leaves + item->value;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_loop_tree_call *call = tree->calls + leaf->first + i;
        uint32_t op = RC_PLAN_NO_OP;

        if (i == 0 || call->rank != call[-1].rank)
            rc_skeleton_compose_begin_part(&composer->composing);
        if (item->fate != RC_SHRUNK_DROPPED &&
            rc_skeleton_compose_op(&composer->composing, call, call->event, item->size, &op))
            return -1;
        rc_skeleton_composer_wait(composer, number, i);
        if (op != RC_PLAN_NO_OP && rc_skeleton_composer_add_step(composer, call->rank, op))
            return -1;
    }
    return 0;
}

/* ---- loops ---- */

static int compose_items(struct rc_composer *composer, size_t begin, size_t end);

static int compose_loop(struct rc_composer *composer, size_t loop)
{
    struct rc_plan *plan = composer->composing.plan;
    const struct rc_shrunk_item *item = composer->shrunk->items + loop;
    size_t *begin = malloc(plan->ranks * sizeof *begin);
    int result = begin ? 0 : rc_error_no_memory(composer->composing.error);

    for (uint32_t r = 0; !result && r < plan->ranks; r++) {
        result = do_waiting(composer, r);
        begin[r] = plan->rank[r].n_items;
        if (!result)
            result = rc_skeleton_composer_add_item(composer, r, item->times, 0);
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
            wait_for_prologue(composer, composer->composing.tree->prologues + item->value,
                              item->share);
        } else if (compose_group(composer, (uint32_t)i)) {
            return -1;
        }
        if (item->times)
            i += item->value;
    }
    return 0;
}

/* ---- all of it ---- */

static int add_communicators(struct rc_composing *composing)
{
    const struct rc_match *match = &composing->tree->match;
    struct rc_plan *plan = composing->plan;

    plan->communicators = calloc(match->n_communicators, sizeof *plan->communicators);
    if (!plan->communicators)
        return rc_error_no_memory(composing->error);
    plan->n_communicators = match->n_communicators;
    for (size_t i = 0; i < match->n_communicators; i++) {
        size_t size = match->communicators[i].n * sizeof *plan->communicators[i].members;

        plan->communicators[i].n = match->communicators[i].n;
        plan->communicators[i].members = malloc(size);
        if (!plan->communicators[i].members)
            return rc_error_no_memory(composing->error);
        memcpy(plan->communicators[i].members, match->communicators[i].members, size);
    }
    return rc_skeleton_compose_neighbours(composing);
}

static int begin_plan(struct rc_composer *composer, double ratio)
{
    struct rc_plan *plan = composer->composing.plan;
    const struct rc_program *program = composer->composing.tree->program;

    *plan =
        (struct rc_plan){.ranks = program->ranks,
                         .original_seconds = program->seconds,
                         .ratio = ratio,
                         .shortest_seconds = rc_skeleton_shrink_shortest(composer->composing.tree)};
    memcpy(plan->program, program->name, sizeof plan->program);
    memcpy(plan->mpi, program->mpi, sizeof plan->mpi);
    plan->rank = calloc(plan->ranks, sizeof *plan->rank);
    composer->scores = calloc(plan->ranks, sizeof *composer->scores);
    if (!plan->rank || !composer->scores)
        return rc_error_no_memory(composer->composing.error);
    for (uint32_t r = 0; r < plan->ranks; r++)
        rc_skeleton_composer_no_work(&composer->scores[r].waiting);
    return add_communicators(&composer->composing);
}

static void end_plan(struct rc_composer *composer)
{
    struct rc_plan *plan = composer->composing.plan;
    const struct rc_program *program = composer->composing.tree->program;

    for (uint32_t r = 0; r < plan->ranks; r++)
        plan->rank[r].tail = composer->scores[r].waiting.seconds +
                             program->rank[r].tail * program->rank[r].speed_ratio / plan->ratio;
    for (size_t i = 0; i < plan->n_ops; i++)
        if (plan->ops[i].file != RC_TRACE_NONE && (uint32_t)plan->ops[i].file >= plan->files)
            plan->files = (uint32_t)plan->ops[i].file + 1;
}

int rc_skeleton_compose(const struct rc_loop_tree *tree, double ratio, bool may_lengthen,
                        struct rc_plan *plan, struct rc_error *error)
{
    struct rc_shrunk shrunk;
    struct rc_composer composer = {.composing = {.tree = tree, .plan = plan, .error = error},
                                   .shrunk = &shrunk};
    int result;

    if (rc_skeleton_shrink(tree, ratio, may_lengthen, &shrunk, error))
        return -1;
    result = begin_plan(&composer, ratio);
    if (!result)
        result = tree->groups.interleaved ? rc_skeleton_compose_interleaved(&composer)
                                          : compose_items(&composer, 0, shrunk.n);
    if (!result)
        result = rc_skeleton_compose_starts(&composer.composing);
    if (!result)
        end_plan(&composer);
    free(composer.scores);
    free(composer.composing.active);
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
