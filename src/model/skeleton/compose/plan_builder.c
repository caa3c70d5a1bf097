// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_builder.c - what plans are put together from: kinds of calls, calls, steps, computing. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "model/skeleton/compose/compose_internal.h"

/* ---- kinds ---- */

/* Calls of a mode that relies on what the program does otherwise (a receive that is posted already)
 * become the plain ones. */
static const struct {
    unsigned from, to;
} others[] = {{RC_TRACE_Rsend, RC_TRACE_Send},
              {RC_TRACE_Irsend, RC_TRACE_Isend},
              {RC_TRACE_Mrecv, RC_TRACE_Recv},
              {RC_TRACE_Imrecv, RC_TRACE_Irecv},
              {RC_TRACE_Mprobe, RC_TRACE_Probe},
              {RC_TRACE_Improbe, RC_TRACE_Iprobe},
              {RC_TRACE_Alltoallw, RC_TRACE_Alltoallv},
              {RC_TRACE_Ialltoallw, RC_TRACE_Ialltoallv},
              {RC_TRACE_Neighbor_alltoallw, RC_TRACE_Neighbor_alltoallv},
              {RC_TRACE_Ineighbor_alltoallw, RC_TRACE_Ineighbor_alltoallv},
              {RC_TRACE_Request_free, RC_TRACE_Wait},
              {RC_TRACE_Request_get_status, RC_TRACE_Wait}};

/* Of a call that moves bytes of a file, by its name: what begins or does that, and not its end. */
static int file_kind(const char *name)
{
    if (strstr(name, "_end"))
        return RC_COMPOSE_NOTHING;
    name += strlen("MPI_File_");
    name += *name == 'i';
    return strncmp(name, "read", 4) == 0    ? RC_TRACE_File_read_at
           : strncmp(name, "write", 5) == 0 ? RC_TRACE_File_write_at
                                            : RC_COMPOSE_NOTHING;
}

int rc_skeleton_compose_kind(unsigned kind)
{
    const struct rc_trace_kind_info *info = rc_trace_kind_info(kind);

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].from == kind)
            return (int)others[i].to;
    switch (info->class) {
    case RC_TRACE_SENDS:
    case RC_TRACE_RECEIVES:
        return info->manner == RC_TRACE_PERSISTENT ? RC_COMPOSE_NOTHING : (int)kind;
    case RC_TRACE_EXCHANGES:
        return info->manner == RC_TRACE_BLOCKING ? (int)kind : RC_COMPOSE_UNKNOWN;
    case RC_TRACE_STARTS:
        return kind == RC_TRACE_Start || kind == RC_TRACE_Startall ? (int)kind : RC_COMPOSE_NOTHING;
    case RC_TRACE_COMPLETES:
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_NEIGHBOURS:
    case RC_TRACE_PROBES:
        return (int)kind;
    case RC_TRACE_CONSTRUCTS:
        return kind == RC_TRACE_Comm_free || kind == RC_TRACE_Comm_disconnect ||
                       kind == RC_TRACE_Comm_create_group
                   ? RC_COMPOSE_NOTHING
                   : RC_TRACE_Comm_dup;
    case RC_TRACE_FILES:
        return file_kind(info->name);
    case RC_TRACE_OTHER:
        return RC_COMPOSE_NOTHING;
    default:
        return RC_COMPOSE_UNKNOWN;
    }
}

/* ---- parts of a plan ---- */

int rc_skeleton_compose_add_op(struct rc_composer *composer, const struct rc_skeleton_plan_op *op,
                               uint32_t *number)
{
    struct rc_plan *plan = composer->plan;

    if (rc_array_room(&plan->ops, plan->n_ops + 1, &composer->op_room, sizeof *plan->ops,
                      composer->error))
        return -1;
    *number = (uint32_t)plan->n_ops;
    plan->ops[plan->n_ops++] = *op;
    return 0;
}

int rc_skeleton_compose_add_to_list(struct rc_composer *composer, struct rc_skeleton_plan_op *op,
                                    int64_t value)
{
    struct rc_plan *plan = composer->plan;

    if (rc_array_room(&plan->lists, plan->n_lists + 1, &composer->list_room, sizeof *plan->lists,
                      composer->error))
        return -1;
    if (!op->list_length)
        op->list = (uint32_t)plan->n_lists;
    op->list_length++;
    plan->lists[plan->n_lists++] = value;
    return 0;
}

/* No message is longer, whatever a trace says. */
#define MESSAGE_MAX 1e15

uint64_t rc_skeleton_compose_scaled(double bytes, double size)
{
    uint64_t unit = fmod(bytes, 8) == 0 ? 8 : 1;
    uint64_t units = (uint64_t)llround(fmin(bytes * size, MESSAGE_MAX) / (double)unit);

    return (units > 0 ? units : bytes >= 1) * unit;
}

int32_t rc_skeleton_compose_rank_in(const struct rc_match_communicator *group, uint32_t world)
{
    if (world < group->n && group->members[world] == world)
        return (int32_t)world;
    for (uint32_t i = 0; i < group->n; i++)
        if (group->members[i] == world)
            return (int32_t)i;
    return RC_TRACE_NONE;
}

void rc_skeleton_compose_begin_request(struct rc_composer *composer,
                                       const struct rc_trace_call *recorded,
                                       struct rc_skeleton_plan_op *op)
{
    if (recorded->request < 0 || rc_trace_kind_info(op->kind)->manner == RC_TRACE_BLOCKING)
        return;
    op->request = recorded->request;
    composer->active[recorded->request] = true;
}

/* ---- adding to a rank's program ---- */

int rc_skeleton_compose_add_item(struct rc_composer *composer, uint32_t rank, uint32_t times,
                                 uint32_t value)
{
    struct rc_plan_rank *plan = composer->plan->rank + rank;
    struct rc_compose_pending *pending = composer->pending + rank;

    if (rc_array_room(&plan->items, plan->n_items + 1, &pending->item_room, sizeof *plan->items,
                      composer->error))
        return -1;
    plan->items[plan->n_items++] = (struct rc_loops_item){.times = times, .value = value};
    return 0;
}

static int add_work(struct rc_composer *composer, const struct rc_plan_work *work, uint32_t *number)
{
    struct rc_plan *plan = composer->plan;

    if (rc_array_room(&plan->works, plan->n_works + 1, &composer->work_room, sizeof *plan->works,
                      composer->error))
        return -1;
    *number = (uint32_t)plan->n_works;
    plan->works[plan->n_works++] = *work;
    return 0;
}

void rc_skeleton_compose_no_work(struct rc_plan_work *work)
{
    *work = (struct rc_plan_work){0};
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        work->spread[i] = 1;
}

int rc_skeleton_compose_add_step(struct rc_composer *composer, uint32_t rank, uint32_t op)
{
    struct rc_plan_rank *plan = composer->plan->rank + rank;
    struct rc_compose_pending *pending = composer->pending + rank;
    uint32_t work = 0;

    if (rc_array_room(&plan->steps, plan->n_steps + 1, &pending->step_room, sizeof *plan->steps,
                      composer->error) ||
        add_work(composer, &pending->waiting, &work) ||
        rc_skeleton_compose_add_item(composer, rank, 0, (uint32_t)plan->n_steps))
        return -1;
    plan->steps[plan->n_steps++] = (struct rc_plan_step){.op = op, .work = work};
    rc_skeleton_compose_no_work(&pending->waiting);
    return 0;
}

void rc_skeleton_compose_add_up(struct rc_plan_work *sum, const struct rc_plan_work *work)
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
    const struct rc_program_rank *rank = composer->tree->program->rank + call->rank;
    const struct rc_program_position *position = rc_program_position(rank, call->event);
    struct rc_plan_work work = {.seconds = call->work * share * rank->speed_ratio,
                                .footprint = position->footprint,
                                .read = call->read * share,
                                .written = call->written * share};

    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        work.spread[i] =
            position->spread == RC_PROGRAM_NONE ? 1 : rank->spreads[position->spread][i];
    rc_skeleton_compose_add_up(&composer->pending[call->rank].waiting, &work);
}

void rc_skeleton_compose_wait(struct rc_composer *composer, uint32_t number, uint32_t call)
{
    const struct rc_loop_tree *tree = composer->tree;
    const struct rc_shrunk_item *items = composer->shrunk->items, *item = items + number;

    if (item->done_by != RC_SHRUNK_NONE)
        return;
    wait_for_call(composer, tree->calls + tree->leaves[item->value].first + call, item->share);
    for (uint32_t i = item->does_for; i != RC_SHRUNK_NONE; i = items[i].next)
        wait_for_call(composer, tree->calls + tree->leaves[items[i].value].first + call,
                      items[i].share / item->repeats);
}
