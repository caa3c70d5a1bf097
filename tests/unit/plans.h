/* plans.h - for tests of skeletons: plans made by hand. */
#ifndef RC_TESTS_PLANS_H
#define RC_TESTS_PLANS_H

#include "unit.h"

#include "model/skeleton/compose/plan.h"
#include "model/skeleton/compose/plan_check.h"
#include "mpi/trace/trace.h"

enum { PLAN_ROOM = 1 << 17 }; /* of calls, works, numbers in lists, and items of a rank */

static inline void *plan_memory(size_t n, size_t size)
{
    void *memory = calloc(n, size);

    assert_non_null(memory);
    return memory;
}

/* A communicator of these members; the first is made by plan_make(). */
static inline uint32_t plan_communicator(struct rc_plan *plan, const uint32_t *members, uint32_t n)
{
    struct rc_plan_communicator *c = &plan->communicators[plan->n_communicators];

    c->members = plan_memory(n, sizeof *c->members);
    memcpy(c->members, members, n * sizeof *members);
    c->n = n;
    return (uint32_t)plan->n_communicators++;
}

/* Each rank has those `distance` before and after it in a ring for neighbours. */
static inline void plan_neighbours(struct rc_plan *plan, uint32_t communicator)
{
    struct rc_plan_communicator *c = &plan->communicators[communicator];

    c->sources = plan_memory(2 * (size_t)c->n, sizeof(uint32_t));
    c->destinations = plan_memory(2 * (size_t)c->n, sizeof(uint32_t));
    c->source_first = plan_memory((size_t)c->n + 1, sizeof(uint32_t));
    c->destination_first = plan_memory((size_t)c->n + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < c->n; i++) {
        c->sources[2 * i] = (i + c->n - 1) % c->n;
        c->sources[2 * i + 1] = (i + 1) % c->n;
        c->destinations[2 * i] = (i + 1) % c->n;
        c->destinations[2 * i + 1] = (i + c->n - 1) % c->n;
        c->source_first[i + 1] = c->destination_first[i + 1] = 2 * i + 2;
    }
}

static inline struct rc_plan plan_make(uint32_t ranks)
{
    struct rc_plan plan = {.ranks = ranks, .ratio = 10, .original_seconds = 1, .n_works = 1};
    uint32_t all[64];

    plan.rank = plan_memory(ranks, sizeof *plan.rank);
    plan.ops = plan_memory(PLAN_ROOM, sizeof *plan.ops);
    plan.works = plan_memory(PLAN_ROOM, sizeof *plan.works);
    plan.lists = plan_memory(PLAN_ROOM, sizeof *plan.lists);
    plan.communicators = plan_memory(8, sizeof *plan.communicators);
    for (uint32_t i = 0; i < ranks; i++) {
        plan.rank[i].items = plan_memory(PLAN_ROOM, sizeof *plan.rank[i].items);
        plan.rank[i].steps = plan_memory(PLAN_ROOM, sizeof *plan.rank[i].steps);
        all[i] = i;
    }
    plan_communicator(&plan, all, ranks);
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        plan.works[0].spread[i] = 1;
    strcpy(plan.program, "by hand");
    strcpy(plan.mpi, "none");
    return plan;
}

/* A call that has nothing but its kind. */
static inline struct rc_skeleton_plan_op plan_op(unsigned kind)
{
    return (struct rc_skeleton_plan_op){.kind = kind,
                                        .root = RC_TRACE_NONE,
                                        .out = {RC_TRACE_NONE, RC_TRACE_NONE, 0},
                                        .in = {RC_TRACE_NONE, RC_TRACE_NONE, 0},
                                        .request = RC_TRACE_NONE,
                                        .file = RC_TRACE_NONE};
}

/* Adds a call to the program of a rank, after the computing `work`. */
static inline void plan_add_after(struct rc_plan *plan, uint32_t rank, uint32_t work,
                                  struct rc_skeleton_plan_op op)
{
    struct rc_plan_rank *r = &plan->rank[rank];

    assert_true(plan->n_ops < PLAN_ROOM && r->n_items < PLAN_ROOM);
    plan->ops[plan->n_ops] = op;
    r->steps[r->n_steps] = (struct rc_plan_step){(uint32_t)plan->n_ops++, work};
    r->items[r->n_items++] = (struct rc_loops_item){0, (uint32_t)r->n_steps++};
}

static inline void plan_add(struct rc_plan *plan, uint32_t rank, struct rc_skeleton_plan_op op)
{
    plan_add_after(plan, rank, 0, op);
}

/* A loop; what is added until plan_end_loop() with what this returns is in it. */
static inline size_t plan_loop(struct rc_plan *plan, uint32_t rank, uint32_t times)
{
    struct rc_plan_rank *r = &plan->rank[rank];

    r->items[r->n_items] = (struct rc_loops_item){times, 0};
    return r->n_items++;
}

static inline void plan_end_loop(struct rc_plan *plan, uint32_t rank, size_t loop)
{
    struct rc_plan_rank *r = &plan->rank[rank];

    r->items[loop].value = (uint32_t)(r->n_items - loop - 1);
}

static inline uint32_t plan_list(struct rc_plan *plan, const int64_t *numbers, size_t n)
{
    memcpy(plan->lists + plan->n_lists, numbers, n * sizeof *numbers);
    plan->n_lists += n;
    return (uint32_t)(plan->n_lists - n);
}

/* ---- calls ---- */

static inline struct rc_skeleton_plan_op plan_send(unsigned kind, int32_t to, int32_t tag,
                                                   uint64_t bytes, int32_t request)
{
    struct rc_skeleton_plan_op op = plan_op(kind);

    op.out = (struct rc_plan_message){to, tag, bytes};
    op.request = request;
    return op;
}

static inline struct rc_skeleton_plan_op plan_receive(unsigned kind, int32_t from, int32_t tag,
                                                      uint64_t bytes, int32_t request)
{
    struct rc_skeleton_plan_op op = plan_op(kind);

    op.in = (struct rc_plan_message){from, tag, bytes};
    op.request = request;
    return op;
}

static inline struct rc_skeleton_plan_op plan_start(unsigned started, int32_t peer, int32_t tag,
                                                    uint64_t bytes, int32_t request)
{
    struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Start);

    op.started = started;
    op.request = request;
    *(started == RC_TRACE_Recv_init ? &op.in : &op.out) =
        (struct rc_plan_message){peer, tag, bytes};
    return op;
}

static inline struct rc_skeleton_plan_op plan_exchange(unsigned kind, int32_t to, uint64_t bytes,
                                                       int32_t from, uint64_t received)
{
    struct rc_skeleton_plan_op op = plan_op(kind);

    op.out = (struct rc_plan_message){to, 3, bytes};
    op.in = (struct rc_plan_message){from, 3, received};
    return op;
}

static inline struct rc_skeleton_plan_op plan_wait(int32_t request)
{
    struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Wait);

    op.request = request;
    return op;
}

static inline struct rc_skeleton_plan_op plan_waitall(struct rc_plan *plan, const int64_t *requests,
                                                      uint32_t n)
{
    struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Waitall);

    op.list = plan_list(plan, requests, n);
    op.list_length = n;
    return op;
}

static inline struct rc_skeleton_plan_op plan_collective(unsigned kind, int32_t root,
                                                         uint64_t bytes, int32_t request)
{
    struct rc_skeleton_plan_op op = plan_op(kind);

    op.root = root;
    op.out.bytes = bytes;
    op.request = request;
    return op;
}

#endif
