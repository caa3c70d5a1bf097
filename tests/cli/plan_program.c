/* plan_program.c - makes plans by hand, and prints the programs that they become, or what is to be
 * expected of them.
 *
 *     plan-program all RANKS source|counts     every kind of call, in two loops
 *     plan-program no-files RANKS ...          the same without files
 *     plan-program long RANKS ...              a program that becomes a table
 *     plan-program work RANKS source           computing of different kinds
 *     plan-program MPI_Name RANKS source       nothing but calls of that kind, which need not match
 *     plan-program kinds RANKS source          the names of all kinds */
#include "../unit/plans.h"

#include <inttypes.h>

#include "model/skeleton/compose/plan_calls.h"
#include "model/skeleton/emit/emit.h"

#define NONE RC_TRACE_NONE

static struct rc_plan plan;
static int ranks;

static int64_t size_of(int rank)
{
    return 40 + 8 * rank;
}

/* ---- calls ---- */

static struct rc_skeleton_plan_op on(uint32_t communicator, struct rc_skeleton_plan_op op)
{
    op.communicator = communicator;
    return op;
}

static void wait_for(uint32_t r, int64_t a, int64_t b)
{
    const int64_t both[] = {a, b};

    plan_add(&plan, r, plan_waitall(&plan, both, 2));
}

static void add_messages(uint32_t r)
{
    int next = (int)(r + 1) % ranks, before = (int)(r + (uint32_t)ranks - 1) % ranks;
    uint64_t out = (uint64_t)size_of((int)r), in = (uint64_t)size_of(before);

    plan_add_after(&plan, r, 1 + r, plan_receive(RC_TRACE_Irecv, before, 70000, in, 0));
    plan_add_after(&plan, r, 1, plan_send(RC_TRACE_Send, next, 70000, out, NONE));
    plan_add(&plan, r, plan_wait(0));
    plan_add(&plan, r, plan_receive(RC_TRACE_Irecv, before, 5, in, 0));
    plan_add(&plan, r, plan_send(RC_TRACE_Ssend, next, 5, out, NONE));
    plan_add(&plan, r, plan_wait(0));
    plan_add(&plan, r, plan_receive(RC_TRACE_Irecv, before, 6, 3 * in, 0));
    plan_add(&plan, r, plan_send(RC_TRACE_Isend, next, 6, 3 * out, 1));
    wait_for(r, 0, 1);
    plan_add(&plan, r, plan_receive(RC_TRACE_Irecv, before, 6, 100000, 0));
    plan_add(&plan, r, plan_send(RC_TRACE_Issend, next, 6, 100000, 1));
    wait_for(r, 1, 0);
    plan_add(&plan, r, plan_send(RC_TRACE_Isend, next, 7, 0, 2));
    plan_add(&plan, r, plan_receive(RC_TRACE_Probe, before, 7, 0, NONE));
    plan_add(&plan, r, plan_receive(RC_TRACE_Recv, before, 7, 0, NONE));
    plan_add(&plan, r, plan_wait(2));
    plan_add(&plan, r, plan_exchange(RC_TRACE_Sendrecv, next, out, before, in));
    plan_add(&plan, r, plan_exchange(RC_TRACE_Sendrecv_replace, next, 17, before, 17));
    plan_add(&plan, r, plan_send(RC_TRACE_Bsend, next, 10, 200000, NONE));
    plan_add(&plan, r, plan_send(RC_TRACE_Ibsend, next, 10, 300000, NONE));
    plan_add(&plan, r, plan_receive(RC_TRACE_Recv, before, 10, 200000, NONE));
    plan_add(&plan, r, plan_receive(RC_TRACE_Recv, before, 10, 300000, NONE));
    plan_add(&plan, r, plan_send(RC_TRACE_Send, RC_TRACE_NULL, NONE, 17, NONE));
    plan_add(&plan, r, plan_receive(RC_TRACE_Recv, RC_TRACE_NULL, NONE, 17, NONE));
}

static void add_persistent(uint32_t r)
{
    int next = (int)(r + 1) % ranks, before = (int)(r + (uint32_t)ranks - 1) % ranks;
    size_t loop = plan_loop(&plan, r, 3);

    plan_add(&plan, r, plan_start(RC_TRACE_Recv_init, before, 8, 800, 3));
    plan_add(&plan, r, plan_start(RC_TRACE_Send_init, next, 8, 800, 4));
    wait_for(r, 3, 4);
    plan_end_loop(&plan, r, loop);
    plan_add(&plan, r, plan_start(RC_TRACE_Recv_init, before, 9, 900, 3));
    plan_add(&plan, r, plan_start(RC_TRACE_Ssend_init, next, 9, 900, 5));
    wait_for(r, 3, 5);
}

/* Both the blocking call and the other one. */
static void add_both(uint32_t r, unsigned kind, unsigned other, struct rc_skeleton_plan_op op)
{
    op.kind = kind;
    op.request = NONE;
    plan_add(&plan, r, op);
    op.kind = other;
    op.request = 6;
    plan_add(&plan, r, op);
    plan_add(&plan, r, plan_wait(6));
}
#define BOTH(r, name, other, op) add_both(r, RC_TRACE_##name, RC_TRACE_##other, op)

static void add_collectives(uint32_t r, uint32_t c, int32_t root)
{
    BOTH(r, Barrier, Ibarrier, on(c, plan_op(0)));
    BOTH(r, Bcast, Ibcast, on(c, plan_collective(0, root, 33, 0)));
    BOTH(r, Gather, Igather, on(c, plan_collective(0, root, 34, 0)));
    BOTH(r, Scatter, Iscatter, on(c, plan_collective(0, root, 35, 0)));
    BOTH(r, Reduce, Ireduce, on(c, plan_collective(0, root, 80, 0)));
    BOTH(r, Allgather, Iallgather, on(c, plan_collective(0, NONE, 37, 0)));
    BOTH(r, Alltoall, Ialltoall, on(c, plan_collective(0, NONE, 38, 0)));
    BOTH(r, Allreduce, Iallreduce, on(c, plan_collective(0, NONE, 20, 0)));
    BOTH(r, Reduce_scatter_block, Ireduce_scatter_block, on(c, plan_collective(0, NONE, 40, 0)));
    BOTH(r, Scan, Iscan, on(c, plan_collective(0, NONE, 48, 0)));
    BOTH(r, Exscan, Iexscan, on(c, plan_collective(0, NONE, 56, 0)));
    plan_add(&plan, r, on(c, plan_op(RC_TRACE_Comm_dup)));
}

static void add_lists(uint32_t r, int32_t root)
{
    int64_t sizes[64], exchanged[128];
    struct rc_skeleton_plan_op op = plan_collective(0, root, (uint64_t)size_of((int)r), 0);
    uint32_t n = (uint32_t)ranks;

    for (int i = 0; i < ranks; i++) {
        sizes[i] = size_of(i);
        exchanged[i] = 10 * (int)r + i;
        exchanged[ranks + i] = 10 * i + (int)r;
    }
    op.in.bytes = (uint64_t)size_of((int)r);
    if ((int32_t)r == root) {
        op.list = plan_list(&plan, sizes, n);
        op.list_length = n;
    }
    BOTH(r, Gatherv, Igatherv, op);
    BOTH(r, Scatterv, Iscatterv, op);
    op.list = plan_list(&plan, sizes, n);
    op.list_length = n;
    BOTH(r, Allgatherv, Iallgatherv, op);
    BOTH(r, Reduce_scatter, Ireduce_scatter, op);
    for (int i = 0; i < ranks; i++)
        sizes[i] = 3 + i;
    op.list = plan_list(&plan, sizes, n);
    BOTH(r, Reduce_scatter, Ireduce_scatter, op);
    op = plan_op(0);
    op.list = plan_list(&plan, exchanged, 2 * n);
    op.list_length = 2 * n;
    BOTH(r, Alltoallv, Ialltoallv, op);
}

static void add_neighbours(uint32_t r)
{
    int next = (int)(r + 1) % ranks, before = (int)(r + (uint32_t)ranks - 1) % ranks;
    const int64_t all[] = {11, 12, 11, 12};
    const int64_t gathered[] = {size_of((int)r), size_of((int)r), size_of(before), size_of(next)};
    struct rc_skeleton_plan_op op = on(2, plan_op(0));

    op.out.bytes = op.in.bytes = 24;
    BOTH(r, Neighbor_allgather, Ineighbor_allgather, op);
    BOTH(r, Neighbor_alltoall, Ineighbor_alltoall, op);
    op.out.bytes = (uint64_t)size_of((int)r);
    op.list = plan_list(&plan, gathered, 4);
    op.list_length = 4;
    BOTH(r, Neighbor_allgatherv, Ineighbor_allgatherv, op);
    op.list = plan_list(&plan, all, 4);
    BOTH(r, Neighbor_alltoallv, Ineighbor_alltoallv, op);
}

static void add_files(uint32_t r)
{
    static const unsigned kinds[] = {RC_TRACE_File_write_at, RC_TRACE_File_read_at,
                                     RC_TRACE_File_write_at_all, RC_TRACE_File_read_at_all};

    plan.files = 2;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct rc_skeleton_plan_op op = plan_op(kinds[i]);

        op.file = i < 3 ? 0 : 1;
        op.in.bytes = 5000;
        plan_add_after(&plan, r, i == 0 ? (uint32_t)ranks + 2 : 0, op);
    }
}

/* ---- plans ---- */

static void add_works(void)
{
    for (uint32_t i = 0; i <= (uint32_t)ranks; i++) {
        struct rc_plan_work *work = &plan.works[plan.n_works++];

        work->seconds = 1e-5 * (1 + i);
        for (int j = 0; j < RC_PROGRAM_EIGHTHS; j++)
            work->spread[j] = i == 0 ? (0.3 + 0.2 * j) : 1;
    }
}

static void plan_all(bool files)
{
    uint32_t some[64], all[64], n = 0;

    for (uint32_t r = (uint32_t)ranks; r-- > 0;)
        if (r % 2 == 0)
            some[n++] = r;
    for (uint32_t r = 0; r < (uint32_t)ranks; r++)
        all[r] = r;
    plan_communicator(&plan, some, n);
    plan_communicator(&plan, all, (uint32_t)ranks);
    plan_neighbours(&plan, 2);
    add_works();
    plan.works[plan.n_works] = plan.works[0];
    plan.works[plan.n_works].read = files ? 1234.5 : 0;
    plan.works[plan.n_works++].written = files ? 2000.25 : 0;
    for (uint32_t r = 0; r < (uint32_t)ranks; r++) {
        size_t outer = plan_loop(&plan, r, 2), inner = plan_loop(&plan, r, 5);

        add_messages(r);
        plan_end_loop(&plan, r, inner);
        add_persistent(r);
        add_collectives(r, 0, ranks - 1);
        if (r % 2 == 0)
            add_collectives(r, 1, 0);
        add_lists(r, ranks / 2);
        add_neighbours(r);
        if (files)
            add_files(r);
        plan_end_loop(&plan, r, outer);
        plan.rank[r].tail = 1e-4;
    }
}

static void plan_long(void)
{
    add_works();
    for (uint32_t r = 0; r < (uint32_t)ranks; r++) {
        size_t outer;
        int next = (int)(r + 1) % ranks, before = (int)(r + (uint32_t)ranks - 1) % ranks;

        plan_add_after(&plan, r, 1, plan_op(RC_TRACE_Barrier));
        outer = plan_loop(&plan, r, 2);
        for (int i = 0; i < 5000; i++)
            plan_add_after(&plan, r, 1 + r,
                           plan_exchange(RC_TRACE_Sendrecv, next, 8 + (uint64_t)i % 7, before,
                                         8 + (uint64_t)i % 7));
        plan_end_loop(&plan, r, outer);
        plan_add(&plan, r, plan_op(RC_TRACE_Barrier));
    }
    for (size_t i = 0; i < plan.n_works; i++)
        plan.works[i].seconds = 1e-7;
}

static void plan_work(void)
{
    static const double seconds[] = {1e-6, 1e-5, 1e-3, 1e-2};

    for (size_t i = 0; i < COUNT(seconds); i++) {
        struct rc_plan_work *work = &plan.works[plan.n_works++];

        *work = plan.works[0];
        work->seconds = seconds[i];
        work->footprint = i == 3 ? 10000000 : i == 2 ? 20 : 0; /* 20: no whole line */
        for (uint32_t r = 0; r < (uint32_t)ranks; r++) {
            size_t loop = plan_loop(&plan, r, (uint32_t)(0.1 / seconds[i]));

            plan_add_after(&plan, r, (uint32_t)plan.n_works - 1, plan_op(RC_TRACE_Barrier));
            plan_end_loop(&plan, r, loop);
        }
    }
}

/* ---- what is expected ---- */

static struct {
    uint64_t calls[RC_TRACE_KIND_COUNT], bytes[RC_TRACE_KIND_COUNT];
    uint64_t messages[64][64], sent[64][64];
} counts;

static void count_call(uint32_t rank, const struct rc_skeleton_plan_op *op, uint64_t times)
{
    struct rc_skeleton_plan_kind is = rc_skeleton_plan_kind(op->kind);
    const struct rc_plan_communicator *c = &plan.communicators[op->communicator];
    bool sends = is.class == RC_PLAN_SEND || is.class == RC_PLAN_EXCHANGE ||
                 (is.class == RC_PLAN_START && op->started != RC_TRACE_Recv_init);
    uint64_t bytes = op->out.bytes;
    uint32_t n = is.class == RC_PLAN_NEIGHBOURS_V ? 2 : c->n;

    if (is.class == RC_PLAN_COLLECT || is.class == RC_PLAN_FILE)
        bytes = rc_skeleton_plan_part(op);
    if (is.class == RC_PLAN_SCATTER_V)
        bytes = op->in.bytes;
    if (is.class == RC_PLAN_ALLTOALL_V || is.class == RC_PLAN_REDUCE_SCATTER ||
        op->kind == RC_TRACE_Neighbor_alltoallv || op->kind == RC_TRACE_Ineighbor_alltoallv) {
        bytes = 0;
        for (uint32_t i = 0; i < n; i++)
            bytes += (uint64_t)plan.lists[op->list + i];
    }
    counts.calls[op->kind] += times;
    counts.bytes[op->kind] += times * bytes;
    if (sends && op->out.peer != RC_TRACE_NULL) {
        counts.messages[rank][c->members[op->out.peer]] += times;
        counts.sent[rank][c->members[op->out.peer]] += times * bytes;
    }
}

static void count_items(uint32_t rank, size_t first, size_t end, uint64_t times)
{
    const struct rc_plan_rank *r = &plan.rank[rank];

    for (size_t i = first; i < end; i++) {
        if (r->items[i].times == 0) {
            count_call(rank, &plan.ops[r->steps[r->items[i].value].op], times);
            continue;
        }
        count_items(rank, i + 1, i + 1 + r->items[i].value, times * r->items[i].times);
        i += r->items[i].value;
    }
}

static void print_counts(void)
{
    const char *separator = "";

    for (uint32_t i = 0; i < plan.ranks; i++)
        count_items(i, 0, plan.rank[i].n_items, 1);
    printf("\"calls\": {");
    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (counts.calls[i] > 0) {
            printf("%s\"%s\": [%" PRIu64 ", %" PRIu64 "]", separator, rc_trace_kind_info(i)->name,
                   counts.calls[i], counts.bytes[i]);
            separator = ", ";
        }
    printf("}, \"pairs\": [");
    separator = "";
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < ranks; j++)
            if (counts.messages[i][j] > 0) {
                printf("%s[%d, %d, %" PRIu64 ", %" PRIu64 "]", separator, i, j,
                       counts.messages[i][j], counts.sent[i][j]);
                separator = ", ";
            }
    printf("]}\n");
}

/* Leaves calls of one kind alone. */
static void keep_kind(int kind)
{
    for (uint32_t r = 0; r < plan.ranks; r++) {
        struct rc_plan_rank *rank = &plan.rank[r];
        size_t n = 0;

        for (size_t i = 0; i < rank->n_items; i++)
            if (rank->items[i].times == 0 &&
                plan.ops[rank->steps[rank->items[i].value].op].kind == (unsigned)kind)
                rank->steps[n++] = rank->steps[rank->items[i].value];
        rank->n_steps = rank->n_items = n;
        for (size_t i = 0; i < n; i++) {
            rank->steps[i].work = 0;
            rank->items[i] = (struct rc_loops_item){0, (uint32_t)i};
        }
    }
}

static void print_kinds(void)
{
    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (rc_skeleton_plan_kind(i).class != RC_PLAN_FOREIGN)
            printf("%s\n", rc_trace_kind_info(i)->name);
}

static int print_program(const char *name)
{
    struct rc_emit_options options = {.name = name, .notes = "A test: nothing was recorded.\n"};
    struct rc_buffer text = RC_BUFFER_INIT((size_t)1 << 30);
    struct rc_plan_checked checked;
    struct rc_error error;

    if ((rc_trace_kind_find(name) < 0 && rc_skeleton_plan_check(&plan, &checked, &error)) ||
        rc_skeleton_kernel_calibrate(strcmp(name, "work") == 0, &options.speed, &error) ||
        rc_skeleton_plan_emit(&plan, &options, &text, &error)) {
        fprintf(stderr, "plan-program: %s\n", error.text);
        return 1;
    }
    fwrite(text.data, 1, text.length, stdout);
    rc_buffer_free(&text);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;

    ranks = argc == 4 ? atoi(argv[2]) : 0;
    if (ranks < 1 || ranks > 64) {
        fprintf(stderr,
                "usage: plan-program all|no-files|long|work|MPI_Name|kinds RANKS source|counts\n");
        return 2;
    }
    plan = plan_make((uint32_t)ranks);
    if (strcmp(argv[1], "long") == 0)
        plan_long();
    else if (strcmp(argv[1], "work") == 0)
        plan_work();
    else
        plan_all(strcmp(argv[1], "no-files") != 0);
    if (rc_trace_kind_find(argv[1]) >= 0)
        keep_kind(rc_trace_kind_find(argv[1]));
    if (strcmp(argv[1], "kinds") == 0)
        print_kinds();
    else if (strcmp(argv[3], "counts") == 0)
        print_counts();
    else
        status = print_program(argv[1]);
    rc_skeleton_plan_free(&plan);
    return status;
}
