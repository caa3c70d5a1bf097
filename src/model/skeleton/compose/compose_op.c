// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_op.c - recorded calls as calls of a plan.
 *
 * Sizes come from what all who take part said, never from one side alone: a message has the bytes
 * that were sent, a collective call those that its members gave.  All of them work them out in the
 * same way from the same numbers, and so they agree. */
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/compose/plan_calls.h"

/* ---- messages ---- */

static void set_in(const struct rc_composer *composer, uint32_t number, uint64_t bytes,
                   struct rc_skeleton_plan_op *op)
{
    const struct rc_match *match = &composer->tree->match;
    const struct rc_match_message *message = match->messages + number;

    op->communicator = message->communicator;
    op->in = (struct rc_plan_message){.peer = rc_skeleton_compose_rank_in(match->communicators +
                                                                              message->communicator,
                                                                          message->sender),
                                      .tag = message->tag,
                                      .bytes = bytes};
}

static void set_messages(const struct rc_composer *composer, const struct rc_loop_tree_call *call,
                         uint32_t event, double size, struct rc_skeleton_plan_op *op)
{
    const struct rc_match *match = &composer->tree->match;
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
        set_in(composer, link->in, rc_skeleton_compose_scaled(call->in, size), op);
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
static bool is_given_up(const struct rc_composer *composer, uint32_t rank, uint32_t event)
{
    const struct rc_program_rank *program = composer->tree->program->rank + rank;

    return rc_skeleton_program_call(program, event)->request >= 0 &&
           composer->tree->match.links[rank][event].done == RC_PROGRAM_NONE;
}

static bool is_freed(const struct rc_composer *composer, uint32_t rank, uint32_t event)
{
    uint32_t done = composer->tree->match.links[rank][event].done;

    return done != RC_PROGRAM_NONE &&
           rc_skeleton_program_call(composer->tree->program->rank + rank, done)->kind ==
               RC_TRACE_Request_free;
}

/* Whether a send waits for nobody: the program has buffers for it, or gives its request up. */
static bool goes_ahead(const struct rc_composer *composer, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &composer->tree->match;
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composer->tree->program->rank + rank, event);
    uint32_t out = match->links[rank][event].out;

    switch (out == RC_PROGRAM_NONE ? recorded->kind : match->messages[out].kind) {
    case RC_TRACE_Bsend:
    case RC_TRACE_Ibsend:
    case RC_TRACE_Bsend_init:
        return true;
    default:
        return is_given_up(composer, rank, event) || is_freed(composer, rank, event);
    }
}

static unsigned started_kind(const struct rc_composer *composer, uint32_t rank, uint32_t event)
{
    const struct rc_match *match = &composer->tree->match;
    uint32_t out = match->links[rank][event].out;

    if (out == RC_PROGRAM_NONE)
        return RC_TRACE_Recv_init;
    return match->messages[out].kind == RC_TRACE_Ssend_init ? RC_TRACE_Ssend_init
                                                            : RC_TRACE_Send_init;
}

/* A call whose message has no other end in the trace is left out; one that sends and receives
 * may have one of the two. */
static int add_message(struct rc_composer *composer, const struct rc_loop_tree_call *call,
                       uint32_t event, double size, struct rc_skeleton_plan_op *op,
                       uint32_t *number)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composer->tree->program->rank + call->rank, event);

    set_messages(composer, call, composer->one_tag ? call->event : event, size, op);
    set_null_messages(recorded, op);
    if (op->out.peer == RC_TRACE_NONE &&
        (op->in.peer == RC_TRACE_NONE || is_given_up(composer, call->rank, event)))
        return 0;
    if (op->kind == RC_TRACE_Sendrecv || op->kind == RC_TRACE_Sendrecv_replace) {
        if (op->out.peer == RC_TRACE_NONE)
            op->out.peer = RC_TRACE_NULL;
        if (op->in.peer == RC_TRACE_NONE)
            op->in.peer = RC_TRACE_NULL;
        if (op->in.bytes > op->out.bytes) /* sizes need not be the same after averaging */
            op->kind = RC_TRACE_Sendrecv;
    }
    if (rc_skeleton_plan_kind(op->kind).class == RC_PLAN_START) {
        op->started = started_kind(composer, call->rank, event);
        op->root = recorded->root;
    }
    if (op->out.peer != RC_TRACE_NONE && goes_ahead(composer, call->rank, event))
        op->kind = op->kind == RC_TRACE_Bsend ? RC_TRACE_Bsend : RC_TRACE_Ibsend;
    else
        rc_skeleton_compose_begin_request(composer, recorded, op);
    return rc_skeleton_compose_add_op(composer, op, number);
}

/* A probe finds the message that is received next; one whose message has no other end in the
 * trace is left out. */
static int add_probe(struct rc_composer *composer, const struct rc_loop_tree_call *call,
                     uint32_t event, struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const struct rc_match_link *links = composer->tree->match.links[call->rank];
    uint32_t receive = links[composer->one_tag ? call->event : event].done;

    if (receive == RC_PROGRAM_NONE || links[receive].in == RC_PROGRAM_NONE)
        return 0;
    set_in(composer, links[receive].in, 0, op);
    return rc_skeleton_compose_add_op(composer, op, number);
}

/* ---- waits ---- */

/* Completes those of the requests that were begun.  What was completed by chance (by a wait for
 * any, or a test) is what is waited for. */
static int add_wait(struct rc_composer *composer, const struct rc_trace_call *recorded,
                    struct rc_skeleton_plan_op *op, uint32_t *number)
{
    const int32_t *requests = recorded->request >= 0 ? &recorded->request : recorded->list;
    uint32_t n = recorded->request >= 0 ? 1 : recorded->list_length;

    for (uint32_t i = 0; i < n && requests[i] >= 0; i++) {
        if ((size_t)requests[i] >= composer->n_active || !composer->active[requests[i]])
            continue;
        composer->active[requests[i]] = false;
        if (rc_skeleton_compose_add_to_list(composer, op, requests[i]))
            return -1;
    }
    /* Programs wait for none at all, too, where all of an array of requests are null. */
    if (!op->list_length && (recorded->kind != RC_TRACE_Waitall || recorded->list_length))
        return 0;
    if (rc_skeleton_plan_kind(op->kind).one) {
        op->request = (int32_t)composer->plan->lists[op->list];
        op->list_length = 0;
        composer->plan->n_lists--;
    }
    return rc_skeleton_compose_add_op(composer, op, number);
}

/* ---- */

/* Room to note a request. */
static int make_room(struct rc_composer *composer, int32_t request)
{
    bool *active;

    if (request < 0 || (size_t)request < composer->n_active)
        return 0;
    active = realloc(composer->active, ((size_t)request * 2 + 64) * sizeof *active);
    if (!active)
        return rc_error_no_memory(composer->error);
    for (size_t i = composer->n_active; i < (size_t)request * 2 + 64; i++)
        active[i] = false;
    composer->active = active;
    composer->n_active = (size_t)request * 2 + 64;
    return 0;
}

void rc_skeleton_compose_begin_part(struct rc_composer *composer)
{
    for (size_t i = 0; i < composer->n_active; i++)
        composer->active[i] = false;
}

int rc_skeleton_compose_op(struct rc_composer *composer, const struct rc_loop_tree_call *call,
                           uint32_t event, double size, uint32_t *number)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(composer->tree->program->rank + call->rank, event);
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
    if (make_room(composer, recorded->request))
        return -1;
    switch (rc_trace_kind_info(op.kind)->class) {
    case RC_TRACE_COMPLETES:
        return add_wait(composer, recorded, &op, number);
    case RC_TRACE_PROBES:
        return add_probe(composer, call, event, &op, number);
    case RC_TRACE_COLLECTS:
    case RC_TRACE_ROOTED:
    case RC_TRACE_CONSTRUCTS:
    case RC_TRACE_NEIGHBOURS:
        return rc_skeleton_compose_collective(composer, call, recorded, size, &op, number);
    case RC_TRACE_FILES:
        op.file = recorded->root;
        op.out.bytes = rc_skeleton_compose_scaled(call->out, size);
        return op.file >= 0 ? rc_skeleton_compose_add_op(composer, &op, number) : 0;
    default:
        return add_message(composer, call, event, size, &op, number);
    }
}
