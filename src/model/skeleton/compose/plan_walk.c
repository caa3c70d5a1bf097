// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_walk.c - what both halves of the walk through a plan need: waking ranks, and saying what is
 * wrong. */
#include "model/skeleton/compose/plan_walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "mpi/trace/trace.h"

static int add_message(char *text, size_t size, const char *word, const struct rc_plan_message *m)
{
    if (m->peer == RC_TRACE_NULL)
        return snprintf(text, size, " %s nobody", word);
    return snprintf(text, size, " %s %" PRId32 " (tag %" PRId32 ", %" PRIu64 " bytes)", word,
                    m->peer, m->tag, m->bytes);
}

void rc_skeleton_walk_describe(const struct rc_plan *plan, uint32_t number, char *text, size_t size)
{
    const struct rc_skeleton_plan_op *op = &plan->ops[number];
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    unsigned shown = is.class == RC_PLAN_START ? op->started : op->kind;
    bool out = is.class == RC_PLAN_SEND || is.class == RC_PLAN_EXCHANGE ||
               (is.class == RC_PLAN_START && shown != RC_TRACE_Recv_init);
    bool in = is.class == RC_PLAN_RECEIVE || is.class == RC_PLAN_EXCHANGE ||
              is.class == RC_PLAN_PROBE || (is.class == RC_PLAN_START && !out);
    int n = snprintf(text, size, "%s", rc_trace_kind_info(shown)->name);

    if (out)
        n += add_message(text + n, size - (size_t)n, "to", &op->out);
    if (in && (size_t)n < size)
        n += add_message(text + n, size - (size_t)n, "from", &op->in);
    if (op->communicator > 0 && is.class != RC_PLAN_WAIT && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, " on communicator %" PRIu32, op->communicator);
}

int rc_skeleton_walk_fault(struct walk *walk, uint32_t rank, const char *format, ...)
{
    char call[160], what[200];
    va_list arguments;

    rc_skeleton_walk_describe(walk->plan, walk->ranks[rank].op, call, sizeof call);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return rc_error_set(walk->error, "rank %" PRIu32 ", step %" PRIu32 ", %s: %s", rank,
                        walk->ranks[rank].step, call, what);
}

void rc_skeleton_walk_wake(struct walk *walk, uint32_t rank)
{
    if (walk->ranks[rank].queued)
        return;
    walk->ranks[rank].queued = true;
    walk->ready[(walk->ready_first + walk->ready_n++) % walk->plan->ranks] = rank;
}

void rc_skeleton_walk_done(struct walk *walk, uint32_t rank, uint32_t request)
{
    struct walk_rank *r = &walk->ranks[rank];

    r->requests[request].state = WALK_DONE;
    if (!r->requests[request].awaited)
        return;
    r->requests[request].awaited = false;
    r->requests[request].state = WALK_FREE;
    if (--r->waits == 0)
        rc_skeleton_walk_wake(walk, rank);
}
