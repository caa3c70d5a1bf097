// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_op.c - recorded calls as calls of a plan.
 *
 * Sizes come from what all who take part said, never from one side alone: a message has the bytes
 * that were sent, a collective call those that its members gave.  All of them work them out in the
 * same way from the same numbers, and so they agree. */
#include "model/skeleton/compose/compose_op.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/compose/compose_parts.h"
#include "model/skeleton/compose/plan_check.h"

/* ---- kinds ---- */

/* Calls of a mode that relies on what the program does otherwise (a receive that is posted already)
 * become the plain ones. */
static const struct {
    unsigned from, to;
} others[] = {
    {RC_TRACE_Rsend, RC_TRACE_Send},
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
    {RC_TRACE_Request_get_status, RC_TRACE_Wait},
};

static int construct_kind(unsigned kind)
{
    switch (kind) {
    case RC_TRACE_Comm_free:
    case RC_TRACE_Comm_disconnect:
    case RC_TRACE_Comm_create_group:
        return RC_COMPOSE_NOTHING;
    default:
        return RC_TRACE_Comm_dup;
    }
}

static int file_kind(unsigned kind)
{
    switch (kind) {
    case RC_TRACE_File_read:
    case RC_TRACE_File_read_all:
    case RC_TRACE_File_read_at:
    case RC_TRACE_File_read_at_all:
    case RC_TRACE_File_read_shared:
    case RC_TRACE_File_read_ordered:
    case RC_TRACE_File_iread:
    case RC_TRACE_File_iread_all:
    case RC_TRACE_File_iread_at:
    case RC_TRACE_File_iread_at_all:
    case RC_TRACE_File_iread_shared:
    case RC_TRACE_File_read_all_begin:
    case RC_TRACE_File_read_at_all_begin:
    case RC_TRACE_File_read_ordered_begin:
        return RC_TRACE_File_read_at;
    case RC_TRACE_File_write:
    case RC_TRACE_File_write_all:
    case RC_TRACE_File_write_at:
    case RC_TRACE_File_write_at_all:
    case RC_TRACE_File_write_shared:
    case RC_TRACE_File_write_ordered:
    case RC_TRACE_File_iwrite:
    case RC_TRACE_File_iwrite_all:
    case RC_TRACE_File_iwrite_at:
    case RC_TRACE_File_iwrite_at_all:
    case RC_TRACE_File_iwrite_shared:
    case RC_TRACE_File_write_all_begin:
    case RC_TRACE_File_write_at_all_begin:
    case RC_TRACE_File_write_ordered_begin:
        return RC_TRACE_File_write_at;
    default:
        return RC_COMPOSE_NOTHING;
    }
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
    case RC_TRACE_COMPLETES:
        return (int)kind;
    case RC_TRACE_STARTS:
        return kind == RC_TRACE_Start || kind == RC_TRACE_Startall ? (int)kind : RC_COMPOSE_NOTHING;
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_NEIGHBOURS:
        return (int)kind;
    case RC_TRACE_CONSTRUCTS:
        return construct_kind(kind);
    case RC_TRACE_FILES:
        return file_kind(kind);
    case RC_TRACE_PROBES:
        return (int)kind;
    case RC_TRACE_OTHER:
        return RC_COMPOSE_NOTHING;
    default:
        return RC_COMPOSE_UNKNOWN;
    }
}

/* ---- parts of a plan ---- */

int rc_skeleton_compose_add_op(struct rc_composing *composing, const struct rc_skeleton_plan_op *op,
                               uint32_t *number)
{
    struct rc_plan *plan = composing->plan;

    if (rc_array_room(&plan->ops, plan->n_ops + 1, &composing->op_room, sizeof *plan->ops,
                      composing->error))
        return -1;
    *number = (uint32_t)plan->n_ops;
    plan->ops[plan->n_ops++] = *op;
    return 0;
}

int rc_skeleton_compose_add_to_list(struct rc_composing *composing, struct rc_skeleton_plan_op *op,
                                    int64_t value)
{
    struct rc_plan *plan = composing->plan;

    if (rc_array_room(&plan->lists, plan->n_lists + 1, &composing->list_room, sizeof *plan->lists,
                      composing->error))
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

void rc_skeleton_compose_begin_request(struct rc_composing *composing,
                                       const struct rc_trace_call *recorded,
                                       struct rc_skeleton_plan_op *op)
{
    if (recorded->request < 0 || rc_trace_kind_info(op->kind)->manner == RC_TRACE_BLOCKING)
        return;
    op->request = recorded->request;
    composing->active[recorded->request] = true;
}

/* ---- messages ---- */

static void set_in(const struct rc_composing *composing, uint32_t number, uint64_t bytes,
                   struct rc_skeleton_plan_op *op)
{
    const struct rc_match *match = &composing->form->match;
    const struct rc_match_message *message = match->messages + number;

    op->communicator = message->communicator;
    op->in = (struct rc_plan_message){.peer = rc_skeleton_compose_rank_in(match->communicators +
                                                                              message->communicator,
                                                                          message->sender),
                                      .tag = message->tag,
                                      .bytes = bytes};
}

static void set_messages(const struct rc_composing *composing, const struct rc_form_call *call,
                         uint32_t event, double size, struct rc_skeleton_plan_op *op)
{
    const struct rc_match *match = &composing->form->match;
    const struct rc_match_link *link = match->links[call->rank] + event;

    if (link->out != RC_PROGRAM_NONE) {
        const struct rc_match_message *message = match->messages + link->out;

        op->communicator = message->communicator;
        op->out = (struct rc_plan_message){
            .peer = rc_skeleton_compose_rank_in(match->communicators + message->communicator,
                                                message->receiver),
            .tag = message->tag,
            .bytes = rc_skeleton_compose_scaled(call->out, size)};
    }
    if (link->in != RC_PROGRAM_NONE)
        set_in(composing, link->in, rc_skeleton_compose_scaled(call->in, size), op);
}

/* Messages to and from MPI_PROC_NULL go nowhere, but the calls are made. */
static void set_null_messages(const struct rc_trace_call *recorded, struct rc_skeleton_plan_op *op)
{
    enum rc_trace_class class = rc_trace_kind_info(recorded->kind)->class;
    const struct rc_trace_message *from =
        class == RC_TRACE_EXCHANGES ? &recorded->from : &recorded->message;

    if (class != RC_TRACE_RECEIVES && op->out.peer == RC_TRACE_NONE &&
        recorded->message.peer == RC_TRACE_NULL)
        op->out.peer = RC_TRACE_NULL;
    if (class != RC_TRACE_SENDS && op->in.peer == RC_TRACE_NONE && from->peer == RC_TRACE_NULL)
        op->in.peer = RC_TRACE_NULL;
}

/* Whether a request is never completed. */
static bool is_given_up(const struct rc_composing *composing, uint32_t rank, uint32_t event)
{
    const struct rc_program_rank *program = composing->form->program->rank + rank;

    return rc_skeleton_program_call(program, event)->request >= 0 &&
           composing->form->match.links[rank][event].done == RC_PROGRAM_NONE;
}

static bool is_freed(const struct rc_composing *composing, uint32_t rank, uint32_t event)
{
    uint32_t done = composing->form->match.links[rank][event].done;

    return done != RC_PROGRAM_NONE &&
           rc_skeleton_program_call(composing->form->program->rank + rank, done)->kind ==
               RC_TRACE_Request_free;
}

/* Whether a send waits for nobody: the program has buffers for it, or gives its request up. */
static bool goes_ahead(const struct rc_composing *composing, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &composing->form->match;
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composing->form->program->rank + rank, event);
    uint32_t out = match->links[rank][event].out;

    switch (out == RC_PROGRAM_NONE ? recorded->kind : match->messages[out].kind) {
    case RC_TRACE_Bsend:
    case RC_TRACE_Ibsend:
    case RC_TRACE_Bsend_init:
        return true;
    default:
        return is_given_up(composing, rank, event) || is_freed(composing, rank, event);
    }
}

static unsigned started_kind(const struct rc_composing *composing, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &composing->form->match;
    uint32_t out = match->links[rank][event].out;

    if (out == RC_PROGRAM_NONE)
        return RC_TRACE_Recv_init;
    return match->messages[out].kind == RC_TRACE_Ssend_init ? RC_TRACE_Ssend_init
                                                            : RC_TRACE_Send_init;
}

/* A call whose message has no other end in the trace is left out; one that sends and receives
 * may have one of the two. */
static int add_message(struct rc_composing *composing, const struct rc_form_call *call,
                       uint32_t event, double size, struct rc_skeleton_plan_op *op,
                       uint32_t *number)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composing->form->program->rank + call->rank, event);

    set_messages(composing, call, composing->one_tag ? call->event : event, size, op);
    set_null_messages(recorded, op);
    if (op->out.peer == RC_TRACE_NONE &&
        (op->in.peer == RC_TRACE_NONE || is_given_up(composing, call->rank, event)))
        return 0;
    if (op->kind == RC_TRACE_Sendrecv || op->kind == RC_TRACE_Sendrecv_replace) {
        if (op->out.peer == RC_TRACE_NONE)
            op->out.peer = RC_TRACE_NULL;
        if (op->in.peer == RC_TRACE_NONE)
            op->in.peer = RC_TRACE_NULL;
        if (op->in.bytes > op->out.bytes) /* sizes need not be the same after averaging */
            op->kind = RC_TRACE_Sendrecv;
    }
    if (rc_skeleton_plan_kind(op->kind).form == RC_PLAN_START) {
        op->started = started_kind(composing, call->rank, event);
        op->root = recorded->root;
    }
    if (op->out.peer != RC_TRACE_NONE && goes_ahead(composing, call->rank, event))
        op->kind = op->kind == RC_TRACE_Bsend ? RC_TRACE_Bsend : RC_TRACE_Ibsend;
    else
        rc_skeleton_compose_begin_request(composing, recorded, op);
    return rc_skeleton_compose_add_op(composing, op, number);
}

/* A probe finds the message that is received next; one whose message has no other end in the
 * trace is left out. */
static int add_probe(struct rc_composing *composing, const struct rc_form_call *call,
                     uint32_t event, struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const struct rc_match_link *links = composing->form->match.links[call->rank];
    uint32_t receive = links[composing->one_tag ? call->event : event].done;

    if (receive == RC_PROGRAM_NONE || links[receive].in == RC_PROGRAM_NONE)
        return 0;
    set_in(composing, links[receive].in, 0, op);
    return rc_skeleton_compose_add_op(composing, op, number);
}

/* ---- waits ---- */

/* Completes those of the requests that were begun.  What was completed by chance (by a wait for
 * any, or a test) is what is waited for. */
static int add_wait(struct rc_composing *composing, const struct rc_trace_call *recorded,
                    struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const int32_t *requests = recorded->request >= 0 ? &recorded->request : recorded->list;
    uint32_t n = recorded->request >= 0 ? 1 : recorded->list_length;

    for (uint32_t i = 0; i < n && requests[i] >= 0; i++) {
        if ((size_t)requests[i] >= composing->n_active || !composing->active[requests[i]])
            continue;
        composing->active[requests[i]] = false;
        if (rc_skeleton_compose_add_to_list(composing, op, requests[i]))
            return -1;
    }
    /* Programs wait for none at all, too, where all of an array of requests are null. */
    if (!op->list_length && (recorded->kind != RC_TRACE_Waitall || recorded->list_length))
        return 0;
    if (rc_skeleton_plan_kind(op->kind).one) {
        op->request = (int32_t)composing->plan->lists[op->list];
        op->list_length = 0;
        composing->plan->n_lists--;
    }
    return rc_skeleton_compose_add_op(composing, op, number);
}

/* ---- */

/* Room to note a request. */
static int make_room(struct rc_composing *composing, int32_t request)
{
    bool *active;

    if (request < 0 || (size_t)request < composing->n_active)
        return 0;
    active = realloc(composing->active, ((size_t)request * 2 + 64) * sizeof *active);
    if (!active)
        return rc_error_no_memory(composing->error);
    for (size_t i = composing->n_active; i < (size_t)request * 2 + 64; i++)
        active[i] = false;
    composing->active = active;
    composing->n_active = (size_t)request * 2 + 64;
    return 0;
}

void rc_skeleton_compose_begin_part(struct rc_composing *composing)
{
    for (size_t i = 0; i < composing->n_active; i++)
        composing->active[i] = false;
}

int rc_skeleton_compose_op(struct rc_composing *composing, const struct rc_form_call *call,
                           uint32_t event, double size, uint32_t *number)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composing->form->program->rank + call->rank, event);
    int kind = rc_skeleton_compose_kind(recorded->kind);
    struct rc_skeleton_plan_op op = {.root = RC_TRACE_NONE,
                                     .out = {.peer = RC_TRACE_NONE},
                                     .in = {.peer = RC_TRACE_NONE},
                                     .request = RC_TRACE_NONE,
                                     .file = RC_TRACE_NONE};

    *number = RC_PLAN_NO_OP;
    if (kind < 0)
        return 0;
    op.kind = (unsigned)kind;
    if (make_room(composing, recorded->request))
        return -1;
    switch (rc_trace_kind_info(op.kind)->class) {
    case RC_TRACE_COMPLETES:
        return add_wait(composing, recorded, &op, number);
    case RC_TRACE_PROBES:
        return add_probe(composing, call, event, &op, number);
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_CONSTRUCTS:
    case RC_TRACE_NEIGHBOURS:
        return rc_skeleton_compose_collective(composing, call, recorded, size, &op, number);
    case RC_TRACE_FILES:
        op.file = recorded->root;
        op.out.bytes = rc_skeleton_compose_scaled(call->out, size);
        return op.file >= 0 ? rc_skeleton_compose_add_op(composing, &op, number) : 0;
    default:
        return add_message(composing, call, event, size, &op, number);
    }
}
