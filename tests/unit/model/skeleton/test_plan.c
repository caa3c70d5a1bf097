/* Plans of skeletons: those that come to their end, and what is said of those that do not. */
#include "plans.h"

static struct rc_plan_checked checked;

static void assert_good(struct rc_plan *plan)
{
    struct rc_error error;

    if (rc_skeleton_plan_check(plan, &checked, &error))
        fail_msg("%s", error.text);
    rc_skeleton_plan_free(plan);
}

static void assert_fault(struct rc_plan *plan, const char *text)
{
    struct rc_error error = {.text = ""};

    assert_int_equal(rc_skeleton_plan_check(plan, &checked, &error), -1);
    assert_string_equal(error.text, text);
    rc_skeleton_plan_free(plan);
}

/* ---- what holds ---- */

static void a_ring_comes_to_its_end(void **state)
{
    static const int64_t both[] = {0, 1};
    struct rc_plan plan = plan_make(4);

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        size_t outer = plan_loop(&plan, i, 5), inner = plan_loop(&plan, i, 3);

        plan_add(&plan, i, plan_receive(RC_TRACE_Irecv, (int)(i + 3) % 4, 1, 80 + (i + 3) % 4, 0));
        plan_add(&plan, i, plan_send(RC_TRACE_Isend, (int)(i + 1) % 4, 1, 80 + i, 1));
        plan_add(&plan, i, plan_waitall(&plan, both, 2));
        plan_end_loop(&plan, i, inner);
        plan_add(&plan, i, plan_collective(RC_TRACE_Allreduce, RC_TRACE_NONE, 8, RC_TRACE_NONE));
        plan_end_loop(&plan, i, outer);
    }
    assert_good(&plan);
    assert_int_equal(checked.calls, 4 * 5 * (3 * 3 + 1));
    assert_true(checked.synchronous);
    assert_string_equal(checked.note, "");
}

static void sends_that_meet_need_not_wait(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        plan_add(&plan, i, plan_send(RC_TRACE_Send, 1 - (int)i, 1, 8, RC_TRACE_NONE));
        plan_add(&plan, i, plan_receive(RC_TRACE_Recv, 1 - (int)i, 1, 8, RC_TRACE_NONE));
    }
    assert_good(&plan);
    assert_false(checked.synchronous);
    assert_string_equal(checked.note,
                        "rank 0, step 0, MPI_Send to 1 (tag 1, 8 bytes): it waits forever for "
                        "MPI_Send to 1 (tag 1, 8 bytes); so do 2 ranks in all");
}

static void exchanges_never_wait_for_one_another(void **state)
{
    struct rc_plan plan = plan_make(3);

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        int next = (int)(i + 1) % 3, before = (int)(i + 2) % 3;

        plan_add(&plan, i, plan_exchange(RC_TRACE_Sendrecv, next, 8, before, 8));
        plan_add(&plan, i,
                 plan_exchange(RC_TRACE_Sendrecv_replace, i == 2 ? RC_TRACE_NULL : next, 9,
                               i == 0 ? RC_TRACE_NULL : before, 9));
    }
    assert_good(&plan);
    assert_true(checked.synchronous);
}

static void messages_of_other_tags_and_communicators_may_overtake(void **state)
{
    static const uint32_t turned[] = {1, 0};
    struct rc_plan plan = plan_make(2);
    struct rc_skeleton_plan_op op;

    (void)state;
    plan_communicator(&plan, turned, 2);
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 1, 8, RC_TRACE_NONE));
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 2, 9, RC_TRACE_NONE));
    op = plan_send(RC_TRACE_Send, 0, 1, 10, RC_TRACE_NONE);
    op.communicator = 1;
    plan_add(&plan, 0, op);
    op = plan_receive(RC_TRACE_Probe, 1, 1, 10, RC_TRACE_NONE);
    op.communicator = 1;
    plan_add(&plan, 1, op);
    op.kind = RC_TRACE_Recv;
    plan_add(&plan, 1, op);
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 2, 9, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 1, 8, RC_TRACE_NONE));
    assert_good(&plan);
    assert_false(checked.synchronous);
}

static void persistent_requests_are_started_again(void **state)
{
    struct rc_plan plan = plan_make(2);
    size_t loop = plan_loop(&plan, 0, 7);

    (void)state;
    plan_add(&plan, 0, plan_start(RC_TRACE_Ssend_init, 1, 4, 100, 5));
    plan_add(&plan, 0, plan_wait(5));
    plan_end_loop(&plan, 0, loop);
    loop = plan_loop(&plan, 1, 7);
    plan_add(&plan, 1, plan_start(RC_TRACE_Recv_init, 0, 4, 100, 2));
    plan_add(&plan, 1, plan_wait(2));
    plan_end_loop(&plan, 1, loop);
    assert_good(&plan);
    assert_int_equal(checked.calls, 28);
}

/* Two requests of rank 0 that are begun together; those of rank 1 one by one. */
static struct rc_plan started_together(void)
{
    struct rc_plan plan = plan_make(2);
    struct rc_skeleton_plan_op first = plan_start(RC_TRACE_Send_init, 1, 1, 8, 0);
    struct rc_skeleton_plan_op second = plan_start(RC_TRACE_Send_init, 1, 2, 8, 1);

    first.kind = second.kind = RC_TRACE_Startall;
    first.held = true;
    plan_add(&plan, 0, first);
    plan_add(&plan, 0, second);
    plan_add(&plan, 0, plan_wait(0));
    plan_add(&plan, 0, plan_wait(1));
    for (int tag = 1; tag <= 2; tag++)
        plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, tag, 8, RC_TRACE_NONE));
    return plan;
}

static void requests_that_are_started_together(void **state)
{
    struct rc_plan plan = started_together();

    (void)state;
    assert_good(&plan);
    plan = started_together();
    plan.ops[1].held = true;
    assert_fault(&plan, "the call at item 1 is never started");
    plan = started_together();
    plan.ops[1].kind = RC_TRACE_Start;
    assert_fault(&plan, "the call at item 0 is never started");
    plan = started_together();
    plan.ops[0].kind = RC_TRACE_Start;
    assert_fault(&plan, "call 0 of the plan: only a Startall can be held");
}

static void neighbours_exchange(void **state)
{
    struct rc_plan plan = plan_make(2); /* each is twice the other's neighbour */
    struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Ineighbor_alltoallv);

    (void)state;
    plan_neighbours(&plan, 0);
    op.request = 0;
    op.list_length = 4;
    op.list = plan_list(&plan, (const int64_t[]){1, 2, 3, 4}, 4);
    plan_add(&plan, 0, op);
    op.list = plan_list(&plan, (const int64_t[]){3, 4, 1, 2}, 4);
    plan_add(&plan, 1, op);
    plan_add(&plan, 0, plan_wait(0));
    plan_add(&plan, 1, plan_wait(0));
    assert_good(&plan);
}

/* ---- what does not ---- */

static void receives_that_wait_for_one_another(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        plan_add(&plan, i, plan_receive(RC_TRACE_Recv, 1 - (int)i, 1, 8, RC_TRACE_NONE));
        plan_add(&plan, i, plan_send(RC_TRACE_Send, 1 - (int)i, 1, 8, RC_TRACE_NONE));
    }
    assert_fault(&plan, "rank 0, step 0, MPI_Recv from 1 (tag 1, 8 bytes): it waits forever for "
                        "MPI_Recv from 1 (tag 1, 8 bytes); so do 2 ranks in all");
}

static void synchronous_sends_that_wait(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        plan_add(&plan, i, plan_send(RC_TRACE_Issend, 1 - (int)i, 1, 8, 3));
        plan_add(&plan, i, plan_wait(3));
        plan_add(&plan, i, plan_receive(RC_TRACE_Recv, 1 - (int)i, 1, 8, RC_TRACE_NONE));
    }
    assert_fault(&plan, "rank 0, step 1, MPI_Wait: it waits forever for MPI_Issend to 1 (tag 1, 8 "
                        "bytes); so do 2 ranks in all");
}

static void sizes_that_differ(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 1, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 1, 16, RC_TRACE_NONE));
    assert_fault(&plan, "rank 1, step 0, MPI_Recv from 0 (tag 1, 16 bytes): 16 bytes are received, "
                        "but rank 0 sends 8");
}

static void messages_that_nobody_receives(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 1, 8, RC_TRACE_NONE));
    assert_fault(&plan, "1 messages from rank 0 to rank 1 with tag 1 are sent and never received");
}

static void requests_that_nobody_waits_for(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    plan_add(&plan, 0, plan_send(RC_TRACE_Isend, 1, 1, 8, 4));
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 1, 8, RC_TRACE_NONE));
    assert_fault(&plan,
                 "rank 0 ends without waiting for request 4, MPI_Isend to 1 (tag 1, 8 bytes)");
    plan = plan_make(1);
    plan_add(&plan, 0, plan_send(RC_TRACE_Isend, RC_TRACE_NULL, 1, 8, 4));
    plan_add(&plan, 0, plan_send(RC_TRACE_Isend, RC_TRACE_NULL, 1, 8, 4));
    assert_fault(&plan, "rank 0, step 1, MPI_Isend to nobody: request 4 is still active");
    plan = plan_make(1);
    plan_add(&plan, 0, plan_wait(0));
    assert_fault(&plan, "rank 0, step 0, MPI_Wait: no active request 0");
}

static void collective_calls_that_differ(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    plan_add(&plan, 0, plan_collective(RC_TRACE_Bcast, 0, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_collective(RC_TRACE_Bcast, 1, 8, RC_TRACE_NONE));
    assert_fault(&plan, "rank 1, step 0, MPI_Bcast: the root of rank 0 there is 0");
    plan = plan_make(2);
    plan_add(&plan, 0, plan_collective(RC_TRACE_Bcast, 0, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_op(RC_TRACE_Barrier));
    assert_fault(&plan, "rank 1, step 0, MPI_Barrier: rank 0 makes a MPI_Bcast there");
    plan = plan_make(2);
    plan_add(&plan, 0, plan_collective(RC_TRACE_Allreduce, RC_TRACE_NONE, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_collective(RC_TRACE_Allreduce, RC_TRACE_NONE, 16, RC_TRACE_NONE));
    assert_fault(&plan, "rank 1, step 0, MPI_Allreduce: its sizes do not fit those of rank 0");
    plan = plan_make(2);
    plan_add(&plan, 1, plan_op(RC_TRACE_Barrier));
    assert_fault(&plan, "rank 1, step 0, MPI_Barrier: it waits forever for MPI_Barrier; so do 1 "
                        "ranks in all");
}

static void lists_that_differ(void **state)
{
    struct rc_plan plan = plan_make(2);
    struct rc_skeleton_plan_op op = plan_collective(RC_TRACE_Gatherv, 1, 5, RC_TRACE_NONE);

    (void)state;
    plan_add(&plan, 0, op);
    op.list = plan_list(&plan, (const int64_t[]){6, 5}, 2);
    op.list_length = 2;
    plan_add(&plan, 1, op);
    assert_fault(&plan, "rank 0, step 0, MPI_Gatherv: its sizes do not fit those of rank 1");
    plan = plan_make(2);
    op = plan_op(RC_TRACE_Alltoallv);
    op.list_length = 4;
    op.list = plan_list(&plan, (const int64_t[]){1, 2, 1, 3}, 4);
    plan_add(&plan, 0, op);
    op.list = plan_list(&plan, (const int64_t[]){4, 4, 2, 4}, 4);
    plan_add(&plan, 1, op);
    assert_fault(&plan, "rank 1, step 0, MPI_Alltoallv: its sizes do not fit those of rank 0");
}

static void what_is_not_well_formed(void **state)
{
    struct rc_plan plan = plan_make(2);

    (void)state;
    plan_add(&plan, 0, plan_op(RC_TRACE_Put));
    assert_fault(&plan, "call 0 of the plan: plans have no MPI_Put");
    plan = plan_make(2);
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 2, 1, 1, RC_TRACE_NONE));
    assert_fault(&plan,
                 "call 0 of the plan: it sends to no rank of its communicator, or with no tag");
    plan = plan_make(2);
    plan_loop(&plan, 0, 2);
    plan.rank[0].items[0].value = 1;
    assert_fault(&plan, "the loop at item 0 has no end");
    plan = plan_make(2);
    plan_add(&plan, 1, plan_op(RC_TRACE_Barrier));
    plan.rank[1].steps[0].work = 1;
    assert_fault(&plan, "rank 1: step 0 has no call or no work");
    plan = plan_make(1);
    plan_add(&plan, 0, plan_op(RC_TRACE_Barrier));
    plan.rank[0].items[1] = plan.rank[0].items[0];
    plan.rank[0].items[0] = (struct rc_loops_item){UINT32_MAX, 1};
    plan.rank[0].n_items = 2;
    assert_fault(&plan, "the plan has more than 100000000 calls");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_comes_to_its_end),
        cmocka_unit_test(sends_that_meet_need_not_wait),
        cmocka_unit_test(exchanges_never_wait_for_one_another),
        cmocka_unit_test(messages_of_other_tags_and_communicators_may_overtake),
        cmocka_unit_test(persistent_requests_are_started_again),
        cmocka_unit_test(requests_that_are_started_together),
        cmocka_unit_test(neighbours_exchange),
        cmocka_unit_test(receives_that_wait_for_one_another),
        cmocka_unit_test(synchronous_sends_that_wait),
        cmocka_unit_test(sizes_that_differ),
        cmocka_unit_test(messages_that_nobody_receives),
        cmocka_unit_test(requests_that_nobody_waits_for),
        cmocka_unit_test(collective_calls_that_differ),
        cmocka_unit_test(lists_that_differ),
        cmocka_unit_test(what_is_not_well_formed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
