// SPDX-License-Identifier: GPL-3.0-or-later
/* plan_check.c - walks through the programs of all ranks, each as far as it gets, until all are at
 * their ends or none can go on.
 *
 * Which rank goes first changes nothing: messages of one channel are in the order of one sender and
 * one receiver, nobody receives from just anyone, and so whoever can go on once can go on later. If
 * this walk comes to the end, every run does. */
#include "model/skeleton/compose/plan_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/compose/plan_walk.h"
#include "mpi/trace/trace.h"

enum {
    SLICE = 4096, /* calls of one rank before others come; so nobody runs too far ahead */
    REQUESTS_MAX = 1 << 20
};

/* ---- requests ---- */

static int fill(struct walk *walk, uint32_t rank, uint32_t request)
{
    struct walk_rank *r = &walk->ranks[rank];

    if (request >= REQUESTS_MAX)
        return rc_skeleton_walk_fault(walk, rank, "its request is more than %d", REQUESTS_MAX);
    if (request >= r->n_requests) {
        size_t n =
            (size_t)request + 1 > 2 * r->n_requests ? (size_t)request + 1 : 2 * r->n_requests;
        struct walk_request *requests = realloc(r->requests, n * sizeof *requests);

        if (!requests)
            return rc_error_no_memory(walk->error);
        memset(requests + r->n_requests, 0, (n - r->n_requests) * sizeof *requests);
        r->requests = requests;
        r->n_requests = n;
    }
    if (r->requests[request].state != WALK_FREE)
        return rc_skeleton_walk_fault(walk, rank, "request %" PRIu32 " is still active",
                                      request - WALK_OWN);
    r->requests[request] = (struct walk_request){WALK_PENDING, false, r->op};
    return 0;
}

/* The rank waits for a request that is. */
static int await(struct walk *walk, uint32_t rank, uint64_t request)
{
    struct walk_rank *r = &walk->ranks[rank];

    if (request >= r->n_requests || r->requests[request].state == WALK_FREE)
        return rc_skeleton_walk_fault(walk, rank, "no active request %" PRIu64, request - WALK_OWN);
    if (r->requests[request].awaited)
        return rc_skeleton_walk_fault(walk, rank, "it waits twice for request %" PRIu64,
                                      request - WALK_OWN);
    if (r->requests[request].state == WALK_DONE) {
        r->requests[request].state = WALK_FREE;
        return 0;
    }
    r->requests[request].awaited = true;
    r->waits++;
    return 0;
}

/* ---- calls ---- */

/* Whether a send waits for its receive. */
enum waits { NEVER, LONG_ONES_DO, ALWAYS };

static int send_part(struct walk *walk, uint32_t rank, const struct rc_plan_message *out,
                     uint32_t request, enum waits waits)
{
    if (fill(walk, rank, request))
        return -1;
    if (out->peer == RC_TRACE_NULL || waits == NEVER || (waits != ALWAYS && !walk->synchronous)) {
        rc_skeleton_walk_done(walk, rank, request);
        request = WALK_NONE;
    }
    return out->peer == RC_TRACE_NULL ? 0 : rc_skeleton_walk_come(walk, rank, out, request, false);
}

static int receive_part(struct walk *walk, uint32_t rank, const struct rc_plan_message *in,
                        uint32_t request)
{
    if (fill(walk, rank, request))
        return -1;
    if (in->peer == RC_TRACE_NULL) {
        rc_skeleton_walk_done(walk, rank, request);
        return 0;
    }
    return rc_skeleton_walk_come(walk, rank, in, request, true);
}

static int wait_call(struct walk *walk, uint32_t rank, const struct rc_skeleton_plan_op *op)
{
    if (rc_skeleton_plan_kind(op->kind).one)
        return await(walk, rank, (uint64_t)op->request + WALK_OWN);
    for (uint32_t i = 0; i < op->list_length; i++)
        if (await(walk, rank, (uint64_t)walk->plan->lists[op->list + i] + WALK_OWN))
            return -1;
    return 0;
}

static int exchange(struct walk *walk, uint32_t rank, const struct rc_skeleton_plan_op *op)
{
    if (receive_part(walk, rank, &op->in, WALK_RECEIVES) ||
        send_part(walk, rank, &op->out, WALK_SENDS, LONG_ONES_DO) || await(walk, rank, WALK_SENDS))
        return -1;
    return await(walk, rank, WALK_RECEIVES);
}

static int probe(struct walk *walk, uint32_t rank, const struct rc_skeleton_plan_op *op)
{
    int found = op->in.peer == RC_TRACE_NULL ? 1 : rc_skeleton_walk_probe(walk, rank, &op->in);

    walk->ranks[rank].probes = found == 0;
    return found < 0 ? -1 : 0;
}

static int call(struct walk *walk, uint32_t rank)
{
    const struct rc_skeleton_plan_op *op = &walk->plan->ops[walk->ranks[rank].op];
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    uint32_t own = is.class == RC_PLAN_SEND ? WALK_SENDS : WALK_RECEIVES;
    uint32_t request = is.request ? (uint32_t)op->request + WALK_OWN : own;
    int status = 0;

    if (walk->communicators[op->communicator].rank_of[rank] == WALK_NONE &&
        is.class != RC_PLAN_WAIT)
        return rc_skeleton_walk_fault(walk, rank, "it is not a member of that communicator");
    if (is.class == RC_PLAN_WAIT)
        return wait_call(walk, rank, op);
    if (is.class == RC_PLAN_EXCHANGE)
        return exchange(walk, rank, op);
    if (is.class == RC_PLAN_PROBE)
        return probe(walk, rank, op);
    if (is.class == RC_PLAN_SEND)
        status = send_part(walk, rank, &op->out, request,
                           is.ahead         ? NEVER
                           : is.synchronous ? ALWAYS
                                            : LONG_ONES_DO);
    else if (is.class == RC_PLAN_RECEIVE || op->started == RC_TRACE_Recv_init)
        status = receive_part(walk, rank, &op->in, request);
    else if (is.class == RC_PLAN_START)
        status = send_part(walk, rank, &op->out, request,
                           op->started == RC_TRACE_Ssend_init ? ALWAYS : LONG_ONES_DO);
    else if (is.collective)
        status = fill(walk, rank, request) || rc_skeleton_walk_meet(walk, rank, request) ? -1 : 0;
    else
        return 0; /* a file of its own */
    return status || is.request ? status : await(walk, rank, request);
}

/* ---- programs ---- */

static int begin_loop(struct walk *walk, struct walk_rank *r, struct walk_loop loop)
{
    if (rc_array_room(&r->loops, r->depth + 1, &r->room, sizeof *r->loops, walk->error))
        return -1;
    r->loops[r->depth++] = loop;
    return 0;
}

/* 1: the rank is at its next step; 0: at its end. */
static int next_step(struct walk *walk, uint32_t rank)
{
    const struct rc_plan_rank *program = &walk->plan->rank[rank];
    struct walk_rank *r = &walk->ranks[rank];

    for (;;) {
        const struct rc_loops_item *item;

        if (r->depth > 0 && r->at == r->loops[r->depth - 1].end) {
            if (--r->loops[r->depth - 1].left > 0)
                r->at = r->loops[r->depth - 1].begin;
            else
                r->depth--;
            continue;
        }
        if (r->at == program->n_items)
            return 0;
        item = &program->items[r->at++];
        if (item->times == 0 && program->steps[item->value].op == RC_PLAN_NO_OP)
            continue;
        if (item->times == 0) {
            r->step = item->value;
            r->op = program->steps[item->value].op;
            return 1;
        }
        if (item->value > 0 &&
            begin_loop(walk, r, (struct walk_loop){r->at, r->at + item->value, item->times}))
            return -1;
    }
}

static int end_rank(struct walk *walk, uint32_t rank)
{
    struct walk_rank *r = &walk->ranks[rank];
    char call[160];

    r->ended = true;
    for (size_t i = 0; i < r->n_requests; i++) {
        if (r->requests[i].state == WALK_FREE)
            continue;
        rc_skeleton_walk_describe(walk->plan, r->requests[i].op, call, sizeof call);
        return rc_error_set(walk->error,
                            "rank %" PRIu32 " ends without waiting for request %zu, %s", rank,
                            i - WALK_OWN, call);
    }
    return 0;
}

static int go_on(struct walk *walk, uint32_t rank)
{
    struct walk_rank *r = &walk->ranks[rank];

    r->probes = false;
    for (int i = 0; i < SLICE; i++) {
        int there = next_step(walk, rank);

        if (there < 0)
            return -1;
        if (there == 0)
            return end_rank(walk, rank);
        walk->calls++;
        if (call(walk, rank))
            return -1;
        if (r->waits > 0 || r->probes)
            return 0;
    }
    rc_skeleton_walk_wake(walk, rank);
    return 0;
}

/* ---- the end ---- */

static void say_what_it_waits_for(struct walk *walk, uint32_t rank, uint32_t stuck)
{
    const struct walk_rank *r = &walk->ranks[rank];
    char awaited[160] = "a message";

    for (size_t i = 0; i < r->n_requests; i++)
        if (r->requests[i].awaited) {
            rc_skeleton_walk_describe(walk->plan, r->requests[i].op, awaited, sizeof awaited);
            break;
        }
    rc_skeleton_walk_fault(walk, rank, "it waits forever for %s; so do %" PRIu32 " ranks in all",
                           awaited, stuck);
}

static int check_end(struct walk *walk)
{
    uint32_t stuck = 0, first = 0;

    for (uint32_t i = walk->plan->ranks; i-- > 0;)
        if (!walk->ranks[i].ended) {
            stuck++;
            first = i;
        }
    if (stuck > 0) {
        say_what_it_waits_for(walk, first, stuck);
        return -1;
    }
    return rc_skeleton_walk_rest(walk);
}

static int prepare_communicator(struct walk *walk, size_t number)
{
    const struct rc_plan_communicator *c = &walk->plan->communicators[number];
    struct walk_communicator *own = &walk->communicators[number];

    own->rank_of = malloc(walk->plan->ranks * sizeof *own->rank_of);
    own->next = calloc(c->n, sizeof *own->next);
    if (!own->rank_of || !own->next)
        return rc_error_no_memory(walk->error);
    memset(own->rank_of, 0xff, walk->plan->ranks * sizeof *own->rank_of);
    for (uint32_t i = 0; i < c->n; i++)
        own->rank_of[c->members[i]] = i;
    return 0;
}

static int prepare(struct walk *walk)
{
    const struct rc_plan *plan = walk->plan;

    walk->ranks = calloc(plan->ranks, sizeof *walk->ranks);
    walk->ready = calloc(plan->ranks, sizeof *walk->ready);
    walk->communicators = calloc(plan->n_communicators, sizeof *walk->communicators);
    if (!walk->ranks || !walk->ready || !walk->communicators)
        return rc_error_no_memory(walk->error);
    for (size_t i = 0; i < plan->n_communicators; i++)
        if (prepare_communicator(walk, i))
            return -1;
    for (uint32_t i = 0; i < plan->ranks; i++)
        rc_skeleton_walk_wake(walk, i);
    return 0;
}

static void clean_up(struct walk *walk)
{
    rc_skeleton_walk_free_channels(walk);
    for (uint32_t i = 0; walk->ranks && i < walk->plan->ranks; i++) {
        free(walk->ranks[i].loops);
        free(walk->ranks[i].requests);
    }
    for (size_t i = 0; walk->communicators && i < walk->plan->n_communicators; i++) {
        struct walk_communicator *own = &walk->communicators[i];

        for (size_t j = 0; j < own->capacity; j++)
            free(own->meetings[j].ops);
        free(own->meetings);
        free(own->rank_of);
        free(own->next);
    }
    free(walk->ranks);
    free(walk->ready);
    free(walk->communicators);
}

static int walk_through(const struct rc_plan *plan, bool synchronous, uint64_t *calls,
                        struct rc_error *error)
{
    struct walk walk = {.plan = plan, .synchronous = synchronous, .error = error};
    int status = prepare(&walk);

    while (status == 0 && walk.ready_n > 0) {
        uint32_t rank = walk.ready[walk.ready_first];

        walk.ready_first = (walk.ready_first + 1) % plan->ranks;
        walk.ready_n--;
        walk.ranks[rank].queued = false;
        status = go_on(&walk, rank);
    }
    if (status == 0)
        status = check_end(&walk);
    *calls = walk.calls;
    clean_up(&walk);
    return status;
}

/* Calls of the items from `first` to before `end`; no more than the maximum and one. */
static uint64_t count_calls(const struct rc_plan_rank *rank, size_t first, size_t end)
{
    uint64_t calls = 0, inside;

    for (size_t i = first; i < end; i++) {
        const struct rc_loops_item *item = &rank->items[i];

        if (item->times == 0) {
            calls++;
            continue;
        }
        inside = count_calls(rank, i + 1, i + 1 + item->value);
        calls += inside * item->times; /* both are less than 2^32 */
        if (calls > RC_PLAN_CALLS_MAX)
            return RC_PLAN_CALLS_MAX + 1;
        i += item->value;
    }
    return calls;
}

static int check_length(const struct rc_plan *plan, struct rc_error *error)
{
    uint64_t calls = 0;

    for (uint32_t i = 0; i < plan->ranks && calls <= RC_PLAN_CALLS_MAX; i++)
        calls += count_calls(&plan->rank[i], 0, plan->rank[i].n_items);
    if (calls > RC_PLAN_CALLS_MAX)
        return rc_error_set(error, "the plan has more than %" PRIu64 " calls", RC_PLAN_CALLS_MAX);
    return 0;
}

int rc_skeleton_plan_check(const struct rc_plan *plan, struct rc_plan_checked *checked,
                           struct rc_error *error)
{
    struct rc_error slower = {.text = ""};
    uint64_t calls;

    memset(checked, 0, sizeof *checked);
    if (rc_skeleton_plan_well_formed(plan, error) || check_length(plan, error) ||
        walk_through(plan, false, &checked->calls, error))
        return -1;
    checked->synchronous = walk_through(plan, true, &calls, &slower) == 0;
    snprintf(checked->note, sizeof checked->note, "%s", slower.text);
    return 0;
}
