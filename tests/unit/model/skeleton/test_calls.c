/* test_calls.c - plans of programs with calls that wait for nobody, that are never completed, that
 * go to neighbours, or that use files. */
#include "play_loop_tree.h"
#include "model/skeleton/compose/compose.h"
#include "model/skeleton/compose/plan_calls.h"

static const uint64_t much = 1 << 20;

/* The call of a kind that a rank makes first; NULL: none. */
static const struct rc_skeleton_plan_op *first_of(const struct rc_plan *plan, uint32_t rank,
                                                  unsigned kind)
{
    for (size_t i = 0; i < plan->rank[rank].n_steps; i++) {
        const struct rc_skeleton_plan_op *op =
            rc_skeleton_plan_op(plan, plan->rank[rank].steps + i);

        if (op && op->kind == kind)
            return op;
    }
    return NULL;
}

/* The plan of a program that is not made shorter, with what is said of it. */
static void plan_all(struct play *play, struct found *found, struct rc_plan *plan,
                     struct rc_plan_checked *checked)
{
    struct rc_error error = {0};

    find(play, 1, found);
    if (rc_skeleton_compose(&found->tree, 1, true, plan, &error) ||
        rc_skeleton_plan_check(plan, checked, &error))
        fail_msg("%s", error.text);
}

static void forget_all(struct found *found, struct rc_plan *plan)
{
    rc_skeleton_plan_free(plan);
    forget(found);
}

/* ---- sends that wait for nobody ---- */

static void free_request(struct play *play, uint32_t rank, int32_t request)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Request_free);

    call.request = request;
    play_call(play, rank, &call, 500);
}

static void start(struct play *play, uint32_t rank, int32_t request)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Start);

    call.request = request;
    play_call(play, rank, &call, 500);
}

enum way { PLAIN, BUFFERED, BUFFERED_LATER, BUFFERED_AGAIN, GIVEN_UP, NEVER_COMPLETED };

/* Both ranks send, and only then receive: who waits for the other waits forever. */
static void send_first(struct play *play, uint32_t r, enum way way)
{
    int32_t other = 1 - (int32_t)r;

    if (way == PLAIN)
        play_send(play, r, other, 1, much);
    else if (way == BUFFERED)
        play_post(play, r, RC_TRACE_Bsend, other, 1, much, RC_TRACE_NONE);
    else if (way == BUFFERED_LATER)
        play_post(play, r, RC_TRACE_Ibsend, other, 1, much, 0);
    else if (way == BUFFERED_AGAIN)
        start(play, r, 0);
    else
        play_post(play, r, RC_TRACE_Isend, other, 1, much, 0);
    if (way == BUFFERED_LATER || way == BUFFERED_AGAIN)
        play_wait(play, r, 0);
    else if (way == GIVEN_UP)
        free_request(play, r, 0);
    play_recv(play, r, other, 1, much);
}

static void play_sends(struct play *play, enum way way)
{
    play_begin(play, 2);
    for (uint32_t r = 0; way == BUFFERED_AGAIN && r < 2; r++)
        play_post(play, r, RC_TRACE_Bsend_init, 1 - (int32_t)r, 1, much, 0);
    for (int i = 0; i < 6; i++)
        for (uint32_t r = 0; r < 2; r++)
            send_first(play, r, way);
}

static void sends_that_wait_for_nobody_still_do_not(void **state)
{
    (void)state;
    for (enum way way = BUFFERED; way <= NEVER_COMPLETED; way++) {
        struct rc_plan_checked checked;
        struct rc_plan plan;
        struct found found;
        struct play play;

        play_sends(&play, way);
        plan_all(&play, &found, &plan, &checked);
        assert_true(checked.synchronous);
        assert_int_equal(found.tree.match.unmatched, 0);
        for (uint32_t r = 0; r < 2; r++) {
            const struct rc_skeleton_plan_op *op =
                first_of(&plan, r, way == BUFFERED ? RC_TRACE_Bsend : RC_TRACE_Ibsend);

            assert_non_null(op);
            assert_int_equal(op->out.bytes, much);
            assert_near(sums_of(&plan, r).bytes, 6 * (double)much, 1e-9);
        }
        forget_all(&found, &plan);
    }
}

static void sends_that_may_wait_are_told(void **state)
{
    struct rc_plan_checked checked;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_sends(&play, PLAIN);
    plan_all(&play, &found, &plan, &checked);
    assert_false(checked.synchronous);
    assert_non_null(strstr(checked.note, "waits forever"));
    forget_all(&found, &plan);
}

/* Sends of any way in a program that is cut run to their end, however much is left. */
static void they_can_be_cut(void **state)
{
    (void)state;
    for (enum way way = PLAIN; way <= NEVER_COMPLETED; way++)
        for (double ratio = 1; ratio < 20; ratio *= 1.7) {
            struct rc_plan plan;
            struct found found;
            struct play play;

            play_sends(&play, way);
            find(&play, ratio / 2, &found);
            compose(&found, ratio, &plan);
            forget_all(&found, &plan);
        }
}

static void a_persistent_send_keeps_its_mode(void **state)
{
    static const unsigned kinds[] = {RC_TRACE_Send_init, RC_TRACE_Ssend_init};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct rc_plan_checked checked;
        struct rc_plan plan;
        struct found found;
        struct play play;

        play_begin(&play, 2);
        play_post(&play, 0, kinds[k], 1, 1, 8, 0);
        for (int i = 0; i < 4; i++) {
            start(&play, 0, 0);
            play_wait(&play, 0, 0);
            play_recv(&play, 1, 0, 1, 8);
        }
        plan_all(&play, &found, &plan, &checked);
        assert_int_equal(first_of(&plan, 0, RC_TRACE_Start)->started, kinds[k]);
        forget_all(&found, &plan);
    }
}

/* ---- what has no end ---- */

static void receives_that_are_never_completed_are_left_out(void **state)
{
    struct rc_plan_checked checked;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    for (int i = 0; i < 5; i++) {
        play_send(&play, 0, 1, 1, 100);
        play_recv(&play, 1, 0, 1, 100);
    }
    play_send(&play, 0, 1, 2, 100);
    play_post(&play, 1, RC_TRACE_Irecv, 0, 2, 100, 0);
    play_post(&play, 1, RC_TRACE_Irecv, RC_TRACE_NULL, 2, 100, 1);
    plan_all(&play, &found, &plan, &checked);
    assert_int_equal(found.tree.match.unmatched, 1);
    assert_null(first_of(&plan, 1, RC_TRACE_Irecv));
    assert_near(sums_of(&plan, 0).bytes, 500, 1e-9);
    forget_all(&found, &plan);
}

/* MPI_Isendrecv is not in plans; its partner may be. */
static void exchange_with_plain_calls(struct play *play, uint64_t wait)
{
    struct rc_trace_call call = play_message(RC_TRACE_Isendrecv, 1, 1, 100);
    struct rc_trace_call done = RC_TRACE_CALL_INIT(RC_TRACE_Wait);

    call.from = (struct rc_trace_message){.count = 100, .size = 1, .peer = 1, .tag = 1};
    call.request = done.request = 0;
    play_call(play, 0, &call, 500);
    play_call(play, 0, &done, wait);
    play_recv(play, 1, 0, 1, 100);
    play_send(play, 1, 0, 1, 100);
    play_collective(play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
}

static void half_of_an_exchange_is_left_out(void **state)
{
    struct rc_suitability suitability;
    struct rc_plan_checked checked;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    for (int i = 0; i < 5; i++)
        exchange_with_plain_calls(&play, 500);
    plan_all(&play, &found, &plan, &checked);
    assert_null(first_of(&plan, 1, RC_TRACE_Recv));
    assert_null(first_of(&plan, 1, RC_TRACE_Send));
    assert_non_null(first_of(&plan, 1, RC_TRACE_Allreduce));
    rc_skeleton_suitability_check(&found.tree, 1, &suitability);
    assert_int_equal(suitability.refusals.kept, 0);
    rc_skeleton_suitability_free(&suitability);
    forget_all(&found, &plan);
}

static void a_wait_counts_for_what_it_waits_for(void **state)
{
    struct rc_suitability suitability;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    for (int i = 0; i < 5; i++)
        exchange_with_plain_calls(&play, 3000000);
    find(&play, 1, &found);
    rc_skeleton_suitability_check(&found.tree, 1, &suitability);
    assert_int_equal(suitability.refusals.kept, 1);
    assert_non_null(strstr(suitability.refusals.texts[0], "MPI_Isendrecv"));
    rc_skeleton_suitability_free(&suitability);
    forget(&found);
}

/* ---- neighbours ---- */

enum { MEMBERS = 4, COMMUNICATOR = 3 };

/* A grid of one dimension; neighbours beyond its ends are nobody. */
static void make_line(struct play *play, int is_ring)
{
    for (uint32_t r = 0; r < play->ranks; r++) {
        struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Cart_create);
        int32_t n = (int32_t)play->ranks, left = (int32_t)r - 1, right = (int32_t)r + 1;
        int32_t list[MEMBERS + 6];

        left = left >= 0 ? left : is_ring ? n - 1 : RC_TRACE_NULL;
        right = right < n ? right : is_ring ? 0 : RC_TRACE_NULL;
        for (int32_t i = 0; i < n; i++)
            list[i] = i;
        list[n] = RC_TRACE_ANY;
        list[n + 1] = 2;
        list[n + 2] = list[n + 4] = left;
        list[n + 3] = list[n + 5] = right;
        call.communicator = 0;
        call.request = COMMUNICATOR;
        call.list = list;
        call.list_length = (uint32_t)n + 6;
        play_call(play, r, &call, 10000);
    }
}

static void free_line(struct play *play)
{
    for (uint32_t r = 0; r < play->ranks; r++) {
        struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Comm_free);

        call.communicator = COMMUNICATOR;
        play_call(play, r, &call, 1000);
    }
}

/* Each gives `base` and its rank to the left, and twice that to the right. */
static void give_neighbours(struct play *play, int32_t base, int is_ring)
{
    for (uint32_t r = 0; r < play->ranks; r++) {
        struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Neighbor_alltoallv);
        int32_t n = (int32_t)play->ranks, me = (int32_t)r;
        int32_t list[4] = {base + me, 2 * (base + me), 2 * (base + (me + n - 1) % n),
                           base + (me + 1) % n};

        if (!is_ring && me == 0)
            list[0] = list[2] = 7; /* means nothing */
        call.communicator = COMMUNICATOR;
        call.message = (struct rc_trace_message){.count = (uint64_t)list[0] + (uint64_t)list[1],
                                                 .size = 8,
                                                 .peer = RC_TRACE_NONE,
                                                 .tag = RC_TRACE_NONE};
        call.from = call.message;
        call.list = list;
        call.list_length = 4;
        play_call(play, r, &call, 10000);
    }
}

static void neighbours_are_those_of_the_recording(void **state)
{
    struct rc_plan_checked checked;
    const struct rc_skeleton_plan_op *op;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, MEMBERS);
    make_line(&play, 0);
    for (int i = 0; i < 10; i++)
        give_neighbours(&play, 100, 0);
    plan_all(&play, &found, &plan, &checked);
    op = first_of(&plan, 0, RC_TRACE_Neighbor_alltoallv);
    assert_non_null(op);
    assert_int_equal(op->list_length, 2); /* to the right, and from there */
    assert_int_equal(plan.lists[op->list], 2 * 100 * 8);
    assert_int_equal(plan.lists[op->list + 1], 101 * 8);
    op = first_of(&plan, 1, RC_TRACE_Neighbor_alltoallv);
    assert_int_equal(op->list_length, 4);
    assert_int_equal(plan.lists[op->list + 2], 2 * 100 * 8);
    assert_int_equal(rc_skeleton_plan_sources(plan.communicators + op->communicator, 0), 1);
    assert_int_equal(rc_skeleton_plan_destinations(plan.communicators + op->communicator, 2), 2);
    forget_all(&found, &plan);
}

/* Of a ring of two the other one is on both sides. */
static void a_neighbour_may_be_one_twice(void **state)
{
    struct rc_plan_checked checked;
    const struct rc_skeleton_plan_op *op;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    make_line(&play, 1);
    for (int i = 0; i < 10; i++)
        give_neighbours(&play, 100, 1);
    plan_all(&play, &found, &plan, &checked);
    op = first_of(&plan, 0, RC_TRACE_Neighbor_alltoallv);
    assert_int_equal(op->list_length, 4);
    assert_int_equal(plan.lists[op->list + 2], 101 * 8);
    assert_int_equal(plan.lists[op->list + 3], 2 * 101 * 8);
    forget_all(&found, &plan);
}

static void neighbours_that_change_are_refused(void **state)
{
    struct rc_error error = {0};
    struct rc_program *program;
    struct rc_loop_tree tree;
    struct play play;

    (void)state;
    play_begin(&play, MEMBERS);
    for (int i = 0; i < 2; i++) {
        make_line(&play, i);
        give_neighbours(&play, 100, i);
        free_line(&play);
    }
    play_end(&play);
    program = rc_skeleton_program_read(play.directory, &error);
    assert_non_null(program);
    assert_int_equal(rc_skeleton_loop_tree_find(program, 1, &tree, &error), -1);
    assert_non_null(strstr(error.text, "change"));
    rc_skeleton_program_destroy(program);
    play_remove(&play);
}

/* ---- files ---- */

static void write_file(struct play *play, uint32_t rank, uint64_t bytes, uint64_t inside)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_File_write_at);

    call.root = 0; /* which file */
    call.message.count = bytes;
    call.message.size = 1;
    play_call(play, rank, &call, inside);
}

static double bytes_written(const struct rc_plan *plan)
{
    return sums_of(plan, 0).bytes;
}

/* The first step writes less than the others. */
static void files_get_as_many_bytes(void **state)
{
    struct rc_plan plan;
    struct found found;
    struct play play;
    double all = 0;

    (void)state;
    play_begin(&play, 2);
    for (int i = 0; i < 100; i++) {
        uint64_t bytes = i == 0 ? 4096 : 1 << 20;

        write_file(&play, 0, bytes, 1000000);
        all += (double)bytes;
        play_collective(&play, RC_TRACE_Barrier, RC_TRACE_NONE, 0);
    }
    find(&play, 5, &found);
    compose(&found, 10, &plan);
    assert_near(bytes_written(&plan) * 10 / all, 1, 0.02);
    forget_all(&found, &plan);
}

/* Three in all, in a skeleton of a twentieth: one that is smaller remains. */
static void a_few_large_writes_remain(void **state)
{
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 100; k++)
            play_collective(&play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
        write_file(&play, 0, (uint64_t)64 << 20, 100000000);
    }
    find(&play, 10, &found);
    compose(&found, 20, &plan);
    assert_near(bytes_written(&plan) * 20 / (3 * 67108864.0), 1, 0.02);
    forget_all(&found, &plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_that_wait_for_nobody_still_do_not),
        cmocka_unit_test(sends_that_may_wait_are_told),
        cmocka_unit_test(they_can_be_cut),
        cmocka_unit_test(a_persistent_send_keeps_its_mode),
        cmocka_unit_test(receives_that_are_never_completed_are_left_out),
        cmocka_unit_test(half_of_an_exchange_is_left_out),
        cmocka_unit_test(a_wait_counts_for_what_it_waits_for),
        cmocka_unit_test(neighbours_are_those_of_the_recording),
        cmocka_unit_test(a_neighbour_may_be_one_twice),
        cmocka_unit_test(neighbours_that_change_are_refused),
        cmocka_unit_test(files_get_as_many_bytes),
        cmocka_unit_test(a_few_large_writes_remain),
    };

    return RUN_TESTS(tests);
}
