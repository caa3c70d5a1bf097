// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_well_formed.c - whether a plan is well formed: all that can be said without walking through
 * it. */
#include "model/skeleton/compose/plan_check.h"

#include <inttypes.h>

#include "base/error.h"
#include "model/skeleton/compose/plan_calls.h"
#include "mpi/trace/trace.h"

/* ---- calls ---- */

static int bad(struct rc_error *error, size_t op, const char *what)
{
    return rc_error_set(error, "call %zu of the plan: %s", op, what);
}

static bool is_peer(const struct rc_plan_message *message, uint32_t members)
{
    return message->peer == RC_TRACE_NULL ||
           (message->peer >= 0 && (uint32_t)message->peer < members && message->tag >= 0);
}

static const char *message_fault(const struct rc_skeleton_plan_op *op, enum rc_plan_class class,
                                 uint32_t n)
{
    bool out = class == RC_PLAN_SEND || class == RC_PLAN_EXCHANGE;
    bool in = class == RC_PLAN_RECEIVE || class == RC_PLAN_EXCHANGE || class == RC_PLAN_PROBE;

    if (class == RC_PLAN_START) {
        out = op->started == RC_TRACE_Send_init || op->started == RC_TRACE_Ssend_init;
        in = op->started == RC_TRACE_Recv_init;
        if (!out && !in)
            return "it starts a request that is not a persistent send or receive";
    }
    if (out && !is_peer(&op->out, n))
        return "it sends to no rank of its communicator, or with no tag";
    if (in && !is_peer(&op->in, n))
        return "it receives from no rank of its communicator, or with no tag";
    if (op->kind == RC_TRACE_Sendrecv_replace && op->in.peer != RC_TRACE_NULL &&
        op->in.bytes > op->out.bytes)
        return "MPI_Sendrecv_replace receives more than it sends";
    return NULL;
}

/* How long the list of a call must be; neighbours differ by rank and are looked at in the walk. */
static const char *list_fault(const struct rc_skeleton_plan_op *op, enum rc_plan_class class,
                              uint32_t n)
{
    uint64_t wanted = class == RC_PLAN_ALLTOALL_V ? 2 * (uint64_t)n : n;
    bool by_rank = class >= RC_PLAN_GATHER_V && class <= RC_PLAN_REDUCE_SCATTER;
    bool at_root = class == RC_PLAN_GATHER_V || class == RC_PLAN_SCATTER_V;

    return by_rank && op->list_length != wanted && !(at_root && op->list_length == 0)
               ? "its list is not as long as it has ranks"
               : NULL;
}

static int check_op(const struct rc_plan *plan, size_t number, struct rc_error *error)
{
    const struct rc_skeleton_plan_op *op = &plan->ops[number];
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    const char *fault;
    uint32_t n;

    if (is.class == RC_PLAN_FOREIGN)
        return rc_error_set(error, "call %zu of the plan: plans have no %s", number,
                            rc_trace_kind_info(op->kind)->name);
    if (op->communicator >= plan->n_communicators)
        return bad(error, number, "unknown communicator");
    n = plan->communicators[op->communicator].n;
    if (is.rooted && (op->root < 0 || (uint32_t)op->root >= n))
        return bad(error, number, "its root is not a rank of its communicator");
    if ((is.request || is.one) && op->request < 0)
        return bad(error, number, "it has no request");
    if (op->held && op->kind != RC_TRACE_Startall)
        return bad(error, number, "only a Startall can be held");
    if (op->list_length > plan->n_lists || op->list > plan->n_lists - op->list_length)
        return bad(error, number, "its list is not in the plan");
    for (uint32_t i = 0; i < op->list_length; i++)
        if (plan->lists[op->list + i] < 0)
            return bad(error, number, "a number in its list is negative");
    if (is.class == RC_PLAN_FILE && (op->file < 0 || (uint32_t)op->file >= plan->files))
        return bad(error, number, "unknown file");
    fault = message_fault(op, is.class, n);
    if (!fault)
        fault = list_fault(op, is.class, n);
    return fault ? bad(error, number, fault) : 0;
}

/* ---- communicators and loops ---- */

static bool are_neighbours(const uint32_t *first, const uint32_t *ranks, uint32_t n)
{
    if (!first || first[0] != 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (first[i + 1] < first[i])
            return false;
    for (uint32_t i = 0; i < first[n]; i++)
        if (!ranks || (ranks[i] >= n && ranks[i] != (uint32_t)RC_TRACE_NULL))
            return false;
    return true;
}

static int check_communicator(const struct rc_plan *plan, size_t number, struct rc_error *error)
{
    const struct rc_plan_communicator *c = &plan->communicators[number];

    if (c->n < 1 || c->n > plan->ranks || (number == 0 && c->n != plan->ranks))
        return rc_error_set(error, "communicator %zu of the plan has %" PRIu32 " members", number,
                            c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->members[i] >= plan->ranks || (number == 0 && c->members[i] != i))
            return rc_error_set(error, "communicator %zu of the plan has a wrong member", number);
        for (uint32_t j = 0; number > 0 && c->n <= 4096 && j < i; j++)
            if (c->members[j] == c->members[i])
                return rc_error_set(error, "communicator %zu of the plan has a member twice",
                                    number);
    }
    if (c->source_first || c->destination_first)
        if (!are_neighbours(c->source_first, c->sources, c->n) ||
            !are_neighbours(c->destination_first, c->destinations, c->n))
            return rc_error_set(error, "communicator %zu of the plan has wrong neighbours", number);
    return 0;
}

/* Whether the call of an item is held, and no other Startall of the same body comes next. */
static bool is_held_for_nothing(const struct rc_plan *plan, const struct rc_plan_rank *rank,
                                size_t item, size_t end)
{
    const struct rc_skeleton_plan_op *op = rc_skeleton_plan_op(plan, rank->steps +
                                                                         rank->items[item].value),
                                     *next;

    if (!op || !op->held)
        return false;
    if (item + 1 == end || rank->items[item + 1].times > 0 ||
        rank->items[item + 1].value >= rank->n_steps)
        return true;
    next = rc_skeleton_plan_op(plan, rank->steps + rank->items[item + 1].value);
    return !next || next->kind != RC_TRACE_Startall;
}

/* The bodies of loops end within those around them. */
static int check_loops(const struct rc_plan *plan, const struct rc_plan_rank *rank, size_t first,
                       size_t end, unsigned depth, struct rc_error *error)
{
    for (size_t i = first; i < end; i++) {
        const struct rc_loops_item *item = &rank->items[i];

        if (item->times == 0) {
            if (item->value >= rank->n_steps)
                return rc_error_set(error, "item %zu has no step", i);
            if (is_held_for_nothing(plan, rank, i, end))
                return rc_error_set(error, "the call at item %zu is never started", i);
            continue;
        }
        if (item->value > end - i - 1 || depth >= 64)
            return rc_error_set(error, "the loop at item %zu %s", i,
                                depth >= 64 ? "is nested too deeply" : "has no end");
        if (check_loops(plan, rank, i + 1, i + 1 + item->value, depth + 1, error))
            return -1;
        i += item->value;
    }
    return 0;
}

static int check_rank(const struct rc_plan *plan, uint32_t number, struct rc_error *error)
{
    const struct rc_plan_rank *rank = &plan->rank[number];

    for (size_t i = 0; i < rank->n_steps; i++)
        if ((rank->steps[i].op >= plan->n_ops && rank->steps[i].op != RC_PLAN_NO_OP) ||
            rank->steps[i].work >= plan->n_works)
            return rc_error_set(error, "rank %" PRIu32 ": step %zu has no call or no work", number,
                                i);
    return check_loops(plan, rank, 0, rank->n_items, 0, error);
}

int rc_skeleton_plan_well_formed(const struct rc_plan *plan, struct rc_error *error)
{
    if (plan->ranks < 1 || plan->n_communicators < 1)
        return rc_error_set(error, "the plan has no ranks");
    for (size_t i = 0; i < plan->n_communicators; i++)
        if (check_communicator(plan, i, error))
            return -1;
    for (size_t i = 0; i < plan->n_ops; i++)
        if (check_op(plan, i, error))
            return -1;
    for (uint32_t i = 0; i < plan->ranks; i++)
        if (check_rank(plan, i, error))
            return -1;
    return 0;
}
